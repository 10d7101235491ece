import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GuildRef, SORT_ORDERS, type SortOrder } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { depth } from '../support/depth.ts';
import { aGuild, aPastTransaction, aTransaction, CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, openPlaceUntilClosed } from './store-place.ts';

const ROUNDS = depth({ normal: 25, deep: 500 });

/** One post or imported transaction. Few players and amounts, so that accounts move often and balances tie. */
const STEP = fc.record({
  player: fc.integer({ min: 0, max: 11 }),
  amountUnits: fc.constantFrom(-2, -1, 1, 1, 2, 5),
  // Some accounts move again within a minute, others later.
  stepMs: fc.constantFrom(0, 1, 1_000, 59_999, 60_000, 3_600_000),
  isImported: fc.boolean(),
});
const PLAN = fc.array(STEP, { minLength: 1, maxLength: 60, size: 'max' });
type Plan = typeof PLAN extends fc.Arbitrary<infer Value> ? Value : never;

interface Account {
  playerId: string;
  balanceUnits: number;
}

/** Writes the plan and returns the accounts in the order in which they were opened. */
async function write(store: Store, guild: GuildRef, plan: Plan): Promise<Account[]> {
  const balances = new Map<string, number>();
  let createdAtMs = NOON_MS;
  for (const { player, amountUnits, stepMs, isImported } of plan) {
    const playerId = `p${player}`;
    createdAtMs += stepMs;
    const given = { playerId, amountUnits, quantity: 1, createdAtMs };
    await (isImported
      ? store.ledger.import(guild, [aPastTransaction(guild, given)])
      : store.ledger.append(aTransaction(guild, given)));
    balances.set(playerId, (balances.get(playerId) ?? 0) + amountUnits);
  }
  return Array.from(balances, ([playerId, balanceUnits]) => ({ playerId, balanceUnits }));
}

async function pageThrough(store: Store, guild: GuildRef, sortOrder: SortOrder, limit: number) {
  const found: Account[] = [];
  let after: Parameters<Store['entries']['balances']>[1]['after'];
  do {
    const page = await store.entries.balances(guild, { sortOrder, limit, after });
    found.push(...page.accounts.map(({ playerId, balanceUnits }) => ({ playerId, balanceUnits })));
    after = page.next;
  } while (after !== undefined);
  return found;
}

async function membersOf(store: Store, guild: GuildRef, limit: number) {
  const found: Account[] = [];
  let after: Parameters<Store['members']['list']>[1]['after'];
  do {
    const page = await store.members.list(guild, { limit, after, search: undefined });
    found.push(...page.members.map(({ playerId, balanceUnits }) => ({ playerId, balanceUnits })));
    after = page.next;
  } while (after !== undefined);
  return found;
}

export function describeBalanceProperties(createPlace: CreatePlace): void {
  describe('the order of balances', () => {
    let place: Awaited<ReturnType<typeof openPlaceUntilClosed>>;
    let rounds = 0;

    beforeAll(async () => {
      place = await openPlaceUntilClosed(createPlace);
    });
    afterAll(() => place.close());

    it('is that of all accounts in every list, whether they move often or not', async () => {
      await fc.assert(
        fc.asyncProperty(PLAN, fc.integer({ min: 1, max: 7 }), async (plan, limit) => {
          rounds += 1;
          const { store } = place;
          const guild = await store.guilds.set(aGuild({ guildId: `order ${rounds}` }), CHANGE);
          const opened = await write(store, guild, plan);
          // A stable sort leaves accounts of the same balance in the order of their numbers.
          const rising = opened.toSorted((one, other) => one.balanceUnits - other.balanceUnits);
          const falling = rising.toReversed();
          for (const sortOrder of SORT_ORDERS) {
            expect(await pageThrough(store, guild, sortOrder, limit)).toEqual(
              sortOrder === 'asc' ? rising : falling,
            );
          }
          expect(await membersOf(store, guild, limit)).toEqual(falling);
          const views = store.ledgerViews;
          expect(await views.largestBalances(guild, limit)).toMatchObject(falling.slice(0, limit));
          for (const { balanceUnits } of falling.slice(0, limit)) {
            const above = rising.filter((one) => one.balanceUnits > balanceUnits);
            expect(await views.countAbove(guild, balanceUnits)).toBe(above.length);
          }
          const below = rising.filter(({ balanceUnits }) => balanceUnits < 0);
          const overdrawn = await views.overdrawn(guild, limit);
          expect(overdrawn.players).toMatchObject(below.slice(0, limit));
          expect(overdrawn.count).toBe(below.length);
        }),
        { numRuns: ROUNDS },
      );
    });
  });
}
