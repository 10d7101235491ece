import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DomainError } from '../../src/domain/errors.ts';
import type { KeyLimitState } from '../../src/domain/ledger/key-limits.ts';
import { type AccountState, decidePost, type EarlierPost, floorOf } from '../../src/domain/ledger/posting.ts';
import type { AppendOutcome, Guild, NewTransaction, PastTransaction } from '../../src/domain/model.ts';
import { depth } from '../support/depth.ts';
import { aGuild, aKey, aPastTransaction, aTransaction, CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, openPlaceUntilClosed } from './store-place.ts';

const HISTORIES = depth({ normal: 300, deep: 5_000 });
const UNITS_MAX = Number.MAX_SAFE_INTEGER;
const DAY_MS = 86_400_000;

/** Small ranges make keys, balances and times collide; the large amounts reach the end of the range. */
const STEP = fc.record({
  player: fc.constantFrom('p', 'q'),
  amountUnits: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 9 }) },
    { weight: 8, arbitrary: fc.integer({ min: -9, max: -1 }) },
    { weight: 1, arbitrary: fc.constantFrom(UNITS_MAX, UNITS_MAX - 4, -UNITS_MAX, 4 - UNITS_MAX) },
  ),
  key: fc.option(fc.constantFrom('k1', 'k2', 'k3'), { freq: 2, nil: undefined }),
  requestHash: fc.constantFrom('h1', 'h1', 'h1', 'h2'),
  offsetMs: fc.integer({ min: -5, max: 5 }),
  // Withdrawals of a key are counted by day.
  isNextDay: fc.boolean(),
});
const limit = fc.option(fc.integer({ min: 1, max: 12 }), { freq: 4, nil: null });
const HISTORY = fc.record({
  mayOverdraw: fc.boolean(),
  // A strict guild has accounts below zero too: imported ones.
  isBelowZero: fc.boolean(),
  // All posts of such a history come from one key with limits.
  limits: fc.option(fc.record({ amountMaxUnits: limit, withdrawnPerDayMaxUnits: limit }), {
    freq: 2,
    nil: undefined,
  }),
  // Each wave is posted at once, and so reaches PostgreSQL as one batch.
  waves: fc.array(fc.array(STEP, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 }),
});

type Outcome = AppendOutcome | { refused: string };

interface ModelRow {
  playerId: string;
  seq: number;
  transactionId: string;
  totalUnits: number;
  balanceAfterUnits: number;
  createdAtMs: number;
}

type Limits = Pick<KeyLimitState, 'amountMaxUnits' | 'withdrawnPerDayMaxUnits'>;

/** A ledger in memory that only applies the decisions of the domain. */
function createModel(mayOverdraw: boolean, limits: Limits | undefined) {
  let keyLimit = limits && { ...limits, day: 0, withdrawnUnits: 0 };
  const accounts = new Map<string, AccountState>();
  const earlier = new Map<string, EarlierPost>();
  const rows: ModelRow[] = [];
  return {
    rows,
    accounts,
    /** An account with one transaction of an imported history. */
    import({ playerId, transactionId, totalUnits, createdAtMs }: PastTransaction): void {
      accounts.set(playerId, { balanceUnits: totalUnits, count: 1, lastCreatedAtMs: createdAtMs });
      rows.push({
        playerId,
        seq: 1,
        transactionId,
        totalUnits,
        balanceAfterUnits: totalUnits,
        createdAtMs,
      });
    },
    append(post: NewTransaction): Outcome {
      const { playerId, transactionId, totalUnits, idempotency } = post;
      try {
        const decision = decidePost(post, {
          earlier: idempotency && earlier.get(idempotency.key),
          account: accounts.get(playerId),
          floorUnits: () => floorOf({}, mayOverdraw),
          keyLimit: () => keyLimit,
        });
        if ('replay' in decision) {
          return decision.replay;
        }
        keyLimit = decision.keyLimit;
        const { balanceUnits, count, lastCreatedAtMs } = decision.account;
        accounts.set(playerId, decision.account);
        if (idempotency !== undefined) {
          earlier.set(idempotency.key, { requestHash: idempotency.requestHash, transactionId, balanceUnits });
        }
        rows.push({
          playerId,
          seq: count,
          transactionId,
          totalUnits,
          balanceAfterUnits: balanceUnits,
          createdAtMs: lastCreatedAtMs,
        });
        return { transactionId, balanceUnits, replayed: false };
      } catch (error) {
        return refusalOf(error);
      }
    },
  };
}

function refusalOf(error: unknown): Outcome {
  if (error instanceof DomainError) {
    return { refused: error.code };
  }
  throw error;
}

export function describePostRules(createPlace: CreatePlace): void {
  let place: Awaited<ReturnType<typeof openPlaceUntilClosed>>;
  let guilds: Record<'strict' | 'lenient', Guild>;
  beforeAll(async () => {
    place = await openPlaceUntilClosed(createPlace);
    const { guilds: store } = place.store;
    guilds = {
      strict: await store.set(aGuild({ guildId: 'strict', overdraftAllowed: false }), CHANGE),
      lenient: await store.set(aGuild({ guildId: 'lenient', overdraftAllowed: true }), CHANGE),
    };
  });
  afterAll(() => place.close());

  /** A new key with these limits. */
  async function addKey(guild: Guild, limits: Limits): Promise<{ keyId: string; keyNo: number }> {
    const key = aKey(guild);
    await place.store.keys.insert(key, CHANGE);
    await place.store.keys.update(key.keyId, { limits }, CHANGE);
    const stored = await place.store.keys.findByHash(key.hash);
    return { keyId: key.keyId, keyNo: stored?.keyNo ?? -1 };
  }

  it('any history of posts goes as the domain decides, post by post', async () => {
    const seen: Record<string, number> = {};
    const expected: (ModelRow & { guildNo: number })[] = [];
    let histories = 0;
    await fc.assert(
      fc.asyncProperty(HISTORY, async ({ mayOverdraw, isBelowZero, limits, waves }) => {
        histories += 1;
        const guild = guilds[mayOverdraw ? 'lenient' : 'strict'];
        const model = createModel(mayOverdraw, limits);
        const limited = limits && (await addKey(guild, limits));
        if (isBelowZero) {
          const imported = aPastTransaction(guild, {
            playerId: `${histories}-p`,
            amountUnits: -5,
            quantity: 1,
            createdAtMs: NOON_MS - 10,
          });
          expect(await place.store.ledger.import(guild, [imported])).toEqual(['added']);
          model.import(imported);
        }
        for (const wave of waves) {
          // Players and keys of this history only, so that all of them share two guilds.
          const posts = wave.map(({ player, amountUnits, key, requestHash, offsetMs, isNextDay }) =>
            aTransaction(guild, {
              playerId: `${histories}-${player}`,
              amountUnits,
              quantity: 1,
              createdAtMs: NOON_MS + offsetMs + (isNextDay ? DAY_MS : 0),
              keyNo: limited?.keyNo,
              isKeyLimited: limited !== undefined,
              idempotency: key === undefined ? undefined : { key: `${histories}-${key}`, requestHash },
            }),
          );
          const outcomes = await Promise.all(
            posts.map((post) => place.store.ledger.append(post).catch(refusalOf)),
          );
          expect(outcomes).toEqual(posts.map((post) => model.append(post)));
          for (const outcome of outcomes) {
            const kind = 'refused' in outcome ? outcome.refused : outcome.replayed ? 'replayed' : 'posted';
            seen[kind] = (seen[kind] ?? 0) + 1;
          }
        }
        expected.push(...model.rows.map((row) => ({ guildNo: guild.guildNo, ...row })));
        // A guild has a thousand keys at most, and there are more histories than that.
        if (limited !== undefined) {
          await place.store.keys.delete(limited.keyId, CHANGE);
        }
      }),
      { numRuns: HISTORIES },
    );
    // Every rule has to have had its say.
    const refusals = ['idempotency_mismatch', 'key_limit_exceeded', 'overdraft', 'balance_out_of_range'];
    for (const kind of ['posted', 'replayed', ...refusals]) {
      expect(seen[kind], kind).toBeGreaterThan(0);
    }

    // The stored rows equal the model's, times and numbers included. Shrinking a failure would not get here.
    const { transactions, accounts } = await place.readLedger();
    const byPlace = (one: ModelRow, other: ModelRow) =>
      one.playerId === other.playerId ? one.seq - other.seq : one.playerId < other.playerId ? -1 : 1;
    const stored = transactions.map((row) => ({ ...row })).sort(byPlace);
    expect(stored).toEqual(expected.sort(byPlace));
    const byPlayer = Map.groupBy(expected, ({ playerId }) => playerId);
    for (const { playerId, balanceUnits, count } of accounts) {
      const own = byPlayer.get(playerId) ?? [];
      expect({ count, balanceUnits }).toEqual({
        count: own.length,
        balanceUnits: own.at(-1)?.balanceAfterUnits,
      });
    }
  });
}
