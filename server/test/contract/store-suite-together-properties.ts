import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DomainError } from '../../src/domain/errors.ts';
import type { AppendOutcome, Guild, NewTransaction } from '../../src/domain/model.ts';
import { depth } from '../support/depth.ts';
import { aGuild, aKey, aTransaction, CHANGE, NOON_MS, refOf } from './specimens.ts';
import { type CreatePlace, openPlaceUntilClosed } from './store-place.ts';

const PLAYERS = ['p', 'q', 'r'] as const;
const ORIGINALS = 2;
const LIMITS = { amountMaxUnits: 8, withdrawnPerDayMaxUnits: 20 };

const ITEM = fc.record({
  player: fc.constantFrom(...PLAYERS),
  amount: fc.integer({ min: -9, max: 9 }).filter((amount) => amount !== 0),
  day: fc.nat(1),
  isLimited: fc.boolean(),
  key: fc.option(fc.constantFrom('k1', 'k2', 'k3'), { freq: 3, nil: undefined }),
  /** Which of the transactions posted before it reverses. */
  reverses: fc.option(fc.nat(ORIGINALS - 1), { freq: 8, nil: undefined }),
});
type Item = typeof ITEM extends fc.Arbitrary<infer Value> ? Value : never;

/** One request. `group` has a key of the whole group; `batch` one of the request, beside those of its items. */
const REQUEST = fc.oneof(
  fc.record({ kind: fc.constant('post' as const), items: fc.tuple(ITEM) }),
  fc.record({
    kind: fc.constant('group' as const),
    items: fc.array(
      ITEM.map((item) => ({ ...item, key: undefined })),
      { minLength: 1, maxLength: 4 },
    ),
    key: fc.constantFrom('g1', 'g2', undefined),
  }),
  fc.record({
    kind: fc.constant('batch' as const),
    items: fc.array(ITEM, { minLength: 1, maxLength: 4 }),
    key: fc.constantFrom('b1', 'b2', undefined),
  }),
);
type Request = typeof REQUEST extends fc.Arbitrary<infer Value> ? Value : never;
/** A request of the plan, or an earlier one again: a share of their number. */
const PLAN = fc.array(fc.oneof({ weight: 4, arbitrary: REQUEST }, fc.nat(99)), {
  minLength: 2,
  maxLength: 30,
  size: 'max',
});

function requestsOf(plan: readonly (Request | number)[]): Request[] {
  const requests: Request[] = [];
  for (const step of plan) {
    const request = typeof step === 'number' ? requests[Math.floor((step / 100) * requests.length)] : step;
    requests.push(...(request === undefined ? [] : [request]));
  }
  return requests;
}

export function describeTogetherProperties(createPlace: CreatePlace): void {
  describe('requests of any kind that arrive together', () => {
    let place: Awaited<ReturnType<typeof openPlaceUntilClosed>>;
    let guilds = 0;

    beforeAll(async () => {
      place = await openPlaceUntilClosed(createPlace);
    });
    afterAll(() => place.close());

    async function openGuild() {
      guilds += 1;
      const { store } = place;
      const guild = await store.guilds.set(
        aGuild({ guildId: `g${guilds}`, overdraftAllowed: false }),
        CHANGE,
      );
      const key = aKey(guild);
      await store.keys.insert(key, CHANGE);
      await store.keys.update(key.keyId, { limits: LIMITS }, CHANGE);
      const keyNo = (await store.keys.findByHash(key.hash))?.keyNo ?? -1;
      const originals = Array.from({ length: ORIGINALS }, () =>
        aTransaction(guild, { playerId: 'p', amountUnits: 5, transactionId: nextId(guild) }),
      );
      for (const original of originals) {
        await store.ledger.append(original);
      }
      return { guild, keyNo, originals };
    }

    /** Ids of two guilds differ only in the guild, so that their outcomes can be compared. */
    const ids = new Map<number, number>();
    function nextId({ guildNo }: Guild): string {
      const count = (ids.get(guildNo) ?? 0) + 1;
      ids.set(guildNo, count);
      return `${guildNo} ${count}`;
    }
    const withoutGuild = (text: string | undefined) => text?.slice(text.indexOf(' '));

    function toPost({ guild, keyNo, originals }: Opened, item: Item): NewTransaction {
      const { player, amount, day, isLimited, key, reverses } = item;
      const original = reverses === undefined ? undefined : originals[reverses];
      return aTransaction(guild, {
        playerId: player,
        amountUnits: amount,
        transactionId: nextId(guild),
        createdAtMs: NOON_MS + day * 86_400_000,
        keyNo,
        isKeyLimited: isLimited,
        idempotency: key && { key, requestHash: `${player} ${amount}` },
        extra: original && {
          reverses: { number: (reverses ?? 0) + 1, transactionId: original.transactionId },
        },
      });
    }

    function send(opened: Opened, request: Request): Promise<unknown> {
      const { ledger } = place.store;
      const posts = request.items.map((item) => toPost(opened, item));
      const [first] = posts;
      const requestKey =
        request.kind !== 'post' && request.key !== undefined
          ? { key: request.key, requestHash: JSON.stringify(request.items) }
          : undefined;
      const answer: Promise<AppendOutcome[]> =
        request.kind === 'post' && first !== undefined
          ? ledger.append(first).then((outcome) => [outcome])
          : ledger.appendGroup({
              guild: refOf(opened.guild),
              transactions: posts,
              idempotency: request.kind === 'group' ? requestKey : undefined,
              batch: request.kind === 'batch' ? requestKey : undefined,
            });
      return answer.then(
        (outcomes) =>
          outcomes.map((outcome) => ({ ...outcome, transactionId: withoutGuild(outcome.transactionId) })),
        ({ code, detail, facts }: DomainError) => ({
          code,
          detail,
          position: facts?.position,
          transactionId: withoutGuild(facts?.transactionId),
        }),
      );
    }

    /** The ledger of a guild, and which keys of batches are bound. */
    async function stateOf({ guild }: Opened) {
      const { accounts, transactions } = await place.readLedger([guild]);
      const feed = await place.store.entries.feed(guild, { after: 0, limit: 1_000 });
      const claims = ['b1', 'b2'].map((key) =>
        place.store.ledger.claimBatch(guild, { key, requestHash: 'of nobody' }).then(
          () => 'free',
          ({ code }: DomainError) => code,
        ),
      );
      return {
        accounts: accounts.map(({ guildNo, ...account }) => account),
        transactions: transactions.map(({ guildNo, transactionId, ...transaction }) => ({
          ...transaction,
          id: withoutGuild(transactionId),
        })),
        numbers: feed.map(({ number, transactionId, reverses }) => [
          number,
          withoutGuild(transactionId),
          withoutGuild(reverses),
        ]),
        claims: await Promise.all(claims),
      };
    }

    it('have the outcomes that they have one after the other, in each of several guilds', async () => {
      const seen = new Set<string>();
      await fc.assert(
        fc.asyncProperty(PLAN, async (plan) => {
          const requests = requestsOf(plan);
          const alone = await openGuild();
          const expected: unknown[] = [];
          for (const request of requests) {
            expected.push(await send(alone, request));
          }
          const together = [await openGuild(), await openGuild()];
          const answers = requests.flatMap((request) => together.map((opened) => send(opened, request)));
          const outcomes = await Promise.all(answers);
          const state = await stateOf(alone);
          for (const [index, opened] of together.entries()) {
            const own = outcomes.filter((_, position) => position % together.length === index);
            expect(own).toEqual(expected);
            expect(await stateOf(opened)).toEqual(state);
          }
          for (const outcome of expected) {
            seen.add(Array.isArray(outcome) ? 'written' : String(Reflect.get(Object(outcome), 'code')));
          }
        }),
        { numRuns: depth({ normal: 40, deep: 400 }) },
      );
      // The plans are only worth something when all of it happened.
      expect([...seen].sort()).toEqual([
        'already_reversed',
        'idempotency_mismatch',
        'key_limit_exceeded',
        'overdraft',
        'written',
      ]);
    });
  });
}

type Opened = { guild: Guild; keyNo: number; originals: NewTransaction[] };
