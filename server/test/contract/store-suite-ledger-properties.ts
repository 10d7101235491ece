import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostBatch } from '../../src/domain/ledger/batches.ts';
import type { LedgerEntry } from '../../src/domain/ledger/entries.ts';
import { postedForKey } from '../../src/domain/ledger/ledger.ts';
import { createPay } from '../../src/domain/ledger/payments.ts';
import { createReverse } from '../../src/domain/ledger/reversals.ts';
import type { Guild, Principal } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { depth } from '../support/depth.ts';
import { aGuild, CHANGE, NOON_MS, refOf } from './specimens.ts';
import { type CreatePlace, openPlaceUntilClosed } from './store-place.ts';

const PLAYERS = ['p', 'q', 'r'] as const;
const INSTANCES = 3;

const player = fc.constantFrom(...PLAYERS);
const amount = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -9, max: -1 }));
const key = fc.option(fc.constantFrom('k1', 'k2', 'k3'), { freq: 3, nil: undefined });
/** One request of a random plan. Small ranges make players, keys, balances and reversals collide. */
const STEP = fc.record({
  instance: fc.nat(INSTANCES - 1),
  isStrict: fc.boolean(),
  what: fc.oneof(
    fc.record({
      kind: fc.constant('batch' as const),
      isAtomic: fc.boolean(),
      items: fc.array(fc.record({ player, amount, key }), { minLength: 1, maxLength: 5 }),
    }),
    fc.record({
      kind: fc.constant('payment' as const),
      from: player,
      to: player,
      amount: fc.integer({ min: 1, max: 9 }),
      key,
    }),
    // Which of the transactions known so far: a share of their number.
    fc.record({
      kind: fc.constant('reversal' as const),
      shares: fc.array(fc.nat(99), { minLength: 1, maxLength: 3 }),
      key,
    }),
  ),
  // Waits for everything before it, which cuts the plan into waves of any size.
  waitsFirst: fc.boolean(),
});
const PLAN = fc.array(STEP, { minLength: 5, maxLength: 40, size: 'max' });
type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never;

/** A plan in which everything happens that may, one after the other: random plans leave out something now and then. */
const EVERYTHING: Step[] = [
  inTurn({ kind: 'batch', isAtomic: true, items: [post('p', 5), post('q', 5)] }),
  inTurn({ kind: 'batch', isAtomic: true, items: [post('p', -6)] }),
  inTurn({ kind: 'payment', from: 'p', to: 'q', amount: 1, key: 'k1' }),
  inTurn({ kind: 'payment', from: 'p', to: 'q', amount: 2, key: 'k1' }),
  inTurn({ kind: 'payment', from: 'p', to: 'q', amount: 9, key: undefined }),
  // The four transactions that there are now: two posts, and both sides of the payment.
  inTurn({ kind: 'reversal', shares: [99], key: undefined }),
  inTurn({ kind: 'reversal', shares: [25], key: undefined }),
  inTurn({ kind: 'reversal', shares: [25], key: undefined }),
  inTurn({ kind: 'reversal', shares: [99], key: undefined }),
];

function inTurn(what: Step['what']): Step {
  return { instance: 0, isStrict: true, what, waitsFirst: true };
}

function post(playerId: (typeof PLAYERS)[number], amountUnits: number) {
  return { player: playerId, amount: amountUnits, key: undefined };
}

/** The domain's posting functions on one instance's store. */
function createCaller(store: Store) {
  const parts = {
    store: store.ledger,
    entries: store.entries,
    clock: { nowMs: () => NOON_MS, monotonicMs: () => 0 },
    ids: { uuid: () => randomUUIDv7(), randomBytes: () => new Uint8Array() },
  };
  return { postBatch: createPostBatch(parts), pay: createPay(parts), reverse: createReverse(parts) };
}

function principalOf(guild: Guild): Principal {
  return {
    keyNo: 0,
    keyId: 'key',
    guild: refOf(guild),
    scopes: [],
    isLimited: false,
    routeBuckets: undefined,
    keepsAllUntilMs: 0,
    uses: undefined,
  };
}

async function take(
  { what }: Step,
  caller: ReturnType<typeof createCaller>,
  { guild, known }: { guild: Guild; known: readonly string[] },
): Promise<string> {
  const who = principalOf(guild);
  switch (what.kind) {
    case 'batch': {
      const items = what.items.map((item) => ({
        playerId: item.player,
        name: 'n',
        quantity: 1,
        amount: item.amount,
        source: 's',
        idempotencyKey: item.key,
      }));
      const { isRefused } = await caller.postBatch(who, { isAtomic: what.isAtomic, items });
      return isRefused ? 'batch refused' : 'batch posted';
    }
    case 'payment': {
      const payment = {
        fromPlayerId: what.from,
        toPlayerId: what.to,
        amount: what.amount,
        name: 'n',
        source: 's',
      };
      const { replayed } = await caller.pay(postedForKey(who), payment, what.key && `pay ${what.key}`);
      return replayed ? 'payment replayed' : 'paid';
    }
    case 'reversal': {
      const ids = new Set(
        what.shares.flatMap((share) => known[Math.floor((share / 100) * known.length)] ?? []),
      );
      const { replayed } = await caller.reverse(
        { guild: refOf(guild), keyNo: undefined },
        { transactionIds: [...ids] },
        what.key && `undo ${what.key}`,
      );
      return replayed ? 'reversal replayed' : 'reversed';
    }
  }
}

/** Everything the interface promises of a guild's ledger, recomputed from its feed. */
function expectSoundLedger(feed: readonly LedgerEntry[], mayOverdraw: boolean): void {
  expect(feed.map(({ number }) => number)).toEqual(feed.map((_, index) => index + 1));
  const balances = new Map<string, number>();
  const reversed = new Set<string>();
  const payments = new Map<string, number[]>();
  for (const entry of feed) {
    const balance = (balances.get(entry.playerId) ?? 0) + entry.totalUnits;
    balances.set(entry.playerId, balance);
    expect(entry.balanceUnits).toBe(balance);
    expect(mayOverdraw || entry.totalUnits > 0 || balance >= 0).toBe(true);
    if (entry.paymentId !== undefined) {
      payments.set(entry.paymentId, [...(payments.get(entry.paymentId) ?? []), entry.totalUnits]);
    }
    if (entry.reverses !== undefined) {
      const original = feed.find(({ transactionId }) => transactionId === entry.reverses);
      expect(reversed.has(entry.reverses), 'reversed at most once').toBe(false);
      reversed.add(entry.reverses);
      expect(original).toMatchObject({
        playerId: entry.playerId,
        totalUnits: -entry.totalUnits,
        reversedBy: entry.transactionId,
        reverses: undefined,
      });
    }
  }
  for (const [paymentId, sides] of payments) {
    expect(sides, `payment ${paymentId}`).toHaveLength(2);
    expect((sides[0] ?? 0) + (sides[1] ?? 0)).toBe(0);
  }
}

export function describeLedgerProperties(createPlace: CreatePlace): void {
  describe('batches, payments and reversals in any interleaving, through three stores', () => {
    let place: Awaited<ReturnType<typeof openPlaceUntilClosed>>;
    let stores: Store[];
    let rounds = 0;

    beforeAll(async () => {
      place = await openPlaceUntilClosed(createPlace);
      stores = [place.store, await place.openAnother(), await place.openAnother()];
    });
    afterAll(() => place.close());

    it('keep balances, numbers and links right, and payments whole', async () => {
      const seen: Record<string, number> = {};
      const callers = stores.map(createCaller);
      await fc.assert(
        fc.asyncProperty(PLAN, async (plan) => {
          rounds += 1;
          const found = (name: string, overdraftAllowed: boolean) =>
            place.store.guilds.set(aGuild({ guildId: `${name} ${rounds}`, overdraftAllowed }), CHANGE);
          const guilds = [await found('free', true), await found('strict', false)] as const;
          const read = (guild: Guild) => place.store.entries.feed(guild, { after: 0, limit: 1_000 });
          let wave: Promise<unknown>[] = [];
          let known = [[], []] as string[][];
          for (const step of plan) {
            if (step.waitsFirst) {
              await Promise.all(wave);
              wave = [];
              known = await Promise.all(
                guilds.map(async (guild) => (await read(guild)).map(({ transactionId }) => transactionId)),
              );
            }
            const which = step.isStrict ? 1 : 0;
            const caller = callers[step.instance] ?? createCaller(place.store);
            const done = take(step, caller, { guild: guilds[which], known: known[which] ?? [] }).catch(
              (error) => String(error.code ?? error),
            );
            wave.push(
              done.then((outcome) => {
                seen[outcome] = (seen[outcome] ?? 0) + 1;
              }),
            );
          }
          await Promise.all(wave);
          for (const [index, guild] of guilds.entries()) {
            const feed = await read(guild);
            expectSoundLedger(feed, index === 0);
            const accounts = await place.store.entries.accounts(guild, PLAYERS);
            for (const { playerId, balanceUnits, transactionCount } of accounts) {
              const own = feed.filter((entry) => entry.playerId === playerId);
              expect(transactionCount).toBe(own.length);
              expect(balanceUnits).toBe(own.reduce((sum, { totalUnits }) => sum + totalUnits, 0));
            }
          }
        }),
        { numRuns: depth({ normal: 12, deep: 80 }), examples: [[EVERYTHING]] },
      );
      // The plans are only worth something when all of it happened, and nothing else did.
      const expected = [
        'batch posted',
        'batch refused',
        'paid',
        'reversed',
        'already_reversed',
        'is_reversal',
        'is_payment',
        'insufficient_funds',
        'idempotency_mismatch',
      ];
      for (const outcome of expected) {
        expect(seen[outcome], `${outcome} in ${JSON.stringify(seen)}`).toBeGreaterThan(0);
      }
      const others = ['payment replayed', 'reversal replayed', 'invalid_input', 'transaction_not_found'];
      expect(Object.keys(seen).filter((outcome) => ![...expected, ...others].includes(outcome))).toEqual([]);
    });
  });
}
