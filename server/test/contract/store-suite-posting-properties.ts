import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppendOutcome, Guild, NewTransaction } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { depth } from '../support/depth.ts';
import { aGuild, aQuery, aTransaction, CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, openPlaceUntilClosed, type TransactionRow } from './store-place.ts';

/** One post of a random plan. Small ranges make players, keys and balances collide. */
const STEP = fc.record({
  throughSecondStore: fc.boolean(),
  isStrictGuild: fc.boolean(),
  player: fc.constantFrom('p', 'q', 'r'),
  amountUnits: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -9, max: -1 })),
  quantity: fc.integer({ min: 1, max: 3 }),
  key: fc.option(fc.constantFrom('k1', 'k2', 'k3', 'k4'), { freq: 2, nil: undefined }),
  // The same key with another hash stands for the same key with another body.
  requestHash: fc.constantFrom('h1', 'h1', 'h1', 'h2'),
  offsetMs: fc.integer({ min: -5, max: 5 }),
  // Waits for everything before it, which cuts the plan into waves of any size.
  waitsFirst: fc.boolean(),
});
const PLAN = fc.array(STEP, { minLength: 1, maxLength: 60, size: 'max' });
type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never;

interface Posted {
  transaction: NewTransaction;
  outcome: AppendOutcome | undefined;
  refusal: string | undefined;
}

async function postAll(
  stores: readonly [Store, Store],
  guilds: { strict: Guild; lenient: Guild },
  plan: Step[],
) {
  const posted: Promise<Posted>[] = [];
  for (const step of plan) {
    if (step.waitsFirst) {
      await Promise.all(posted);
    }
    const { amountUnits, quantity, key, requestHash } = step;
    const transaction = aTransaction(step.isStrictGuild ? guilds.strict : guilds.lenient, {
      playerId: step.player,
      amountUnits,
      quantity,
      createdAtMs: NOON_MS + step.offsetMs,
      idempotency: key === undefined ? undefined : { key, requestHash },
    });
    const post = stores[step.throughSecondStore ? 1 : 0].ledger.append(transaction);
    posted.push(
      post.then(
        (outcome) => ({ transaction, outcome, refusal: undefined }),
        (error) => ({ transaction, outcome: undefined, refusal: String(error.code ?? error) }),
      ),
    );
  }
  return Promise.all(posted);
}

/** The rows of an account are what its accepted posts say, numbered 1 to n, with sums running along. */
function expectSoundAccount(rows: TransactionRow[], mayOverdraw: boolean): void {
  let sum = 0;
  let lastMs = 0;
  for (const [index, row] of rows.entries()) {
    sum += row.totalUnits;
    expect(row.seq).toBe(index + 1);
    expect(row.balanceAfterUnits).toBe(sum);
    expect(row.createdAtMs).toBeGreaterThanOrEqual(lastMs);
    expect(mayOverdraw || row.totalUnits > 0 || sum >= 0, 'no withdrawal ends below zero').toBe(true);
    lastMs = row.createdAtMs;
  }
}

/** Every post is accounted for: written once, a repeat of what was written, or refused and nowhere. */
function expectAccountedFor(posted: Posted[], rows: TransactionRow[]): void {
  const rowsById = new Map(rows.map((row) => [row.transactionId, row]));
  const firstByKey = new Map<string, Posted>();
  for (const one of posted) {
    const { idempotency, guild } = one.transaction;
    if (one.outcome?.replayed === false && idempotency !== undefined) {
      const key = `${guild.guildNo} ${idempotency.key}`;
      expect(firstByKey.has(key), 'a key posts once').toBe(false);
      firstByKey.set(key, one);
    }
  }
  for (const { transaction, outcome, refusal } of posted) {
    const row = rowsById.get(transaction.transactionId);
    const { idempotency, guild } = transaction;
    const first = idempotency && firstByKey.get(`${guild.guildNo} ${idempotency.key}`);
    if (outcome?.replayed === false) {
      expect(row?.balanceAfterUnits).toBe(outcome.balanceUnits);
      expect(row?.totalUnits).toBe(transaction.totalUnits);
      continue;
    }
    expect(row, 'what was not accepted is not written').toBeUndefined();
    if (outcome !== undefined) {
      expect(outcome).toEqual({ ...first?.outcome, replayed: true });
      expect(first?.transaction.idempotency?.requestHash).toBe(idempotency?.requestHash);
    } else if (refusal === 'idempotency_mismatch') {
      expect(first?.transaction.idempotency?.requestHash).not.toBe(idempotency?.requestHash);
    } else {
      expect(refusal).toBe('overdraft');
      expect(transaction.totalUnits).toBeLessThan(0);
    }
  }
  expect(rows).toHaveLength(posted.filter(({ outcome }) => outcome?.replayed === false).length);
}

export function describePostingProperties(createPlace: CreatePlace): void {
  describe('posts in any interleaving, through two stores', () => {
    let place: Awaited<ReturnType<typeof openPlaceUntilClosed>>;
    let stores: [Store, Store];
    let rounds = 0;

    beforeAll(async () => {
      place = await openPlaceUntilClosed(createPlace);
      stores = [place.store, await place.openAnother()];
    });
    afterAll(() => place.close());

    it('keep balance, numbering, count and idempotency right', async () => {
      const seen: Record<string, number> = {};
      await fc.assert(
        fc.asyncProperty(PLAN, async (plan) => {
          rounds += 1;
          const [store] = stores;
          const strict = await store.guilds.set(
            aGuild({ guildId: `strict ${rounds}`, overdraftAllowed: false }),
            CHANGE,
          );
          const lenient = await store.guilds.set(aGuild({ guildId: `lenient ${rounds}` }), CHANGE);
          const posted = await postAll(stores, { strict, lenient }, plan);
          for (const { outcome, refusal } of posted) {
            const kind = refusal ?? (outcome?.replayed ? 'replayed' : 'posted');
            seen[kind] = (seen[kind] ?? 0) + 1;
          }

          const { accounts, transactions: rows } = await place.readLedger([strict, lenient]);
          expectAccountedFor(posted, rows);
          for (const account of accounts) {
            const own = rows.filter(
              (row) => row.guildNo === account.guildNo && row.playerId === account.playerId,
            );
            expectSoundAccount(own, account.guildNo === lenient.guildNo);
            expect(account.count).toBe(own.length);
            expect(account.balanceUnits).toBe(own.reduce((sum, row) => sum + row.totalUnits, 0));
            const guild = account.guildNo === strict.guildNo ? strict : lenient;
            const listed = await store.ledger.list(guild, account.playerId, aQuery());
            expect(listed.total).toBe(own.length);
            expect(listed.transactions.map((one) => one.transactionId)).toEqual(
              own.map((row) => row.transactionId),
            );
          }
        }),
        { numRuns: depth({ normal: 20, deep: 80 }) },
      );
      // The plans are only worth something when all of it happened.
      for (const kind of ['posted', 'replayed', 'overdraft', 'idempotency_mismatch']) {
        expect(seen[kind], kind).toBeGreaterThan(0);
      }
    });
  });
}
