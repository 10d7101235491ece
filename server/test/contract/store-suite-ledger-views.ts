import { describe, expect, it } from 'vitest';
import { DAY_MS, dayOf } from '../../src/domain/calendar.ts';
import {
  NAME_CANDIDATES_MAX,
  SOURCES_PER_DAY_MAX,
  type SourceSums,
} from '../../src/domain/ledger/ledger-views.ts';
import type { GuildRef } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { aKey, aPastTransaction, aQuery, aTransaction, CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';

const TODAY = dayOf(NOON_MS);
const ALWAYS = { since: -1_000_000, until: 1_000_000 };
const NO_FILTER = { source: undefined, minUnits: undefined, maxUnits: undefined };

const post = (store: Store, guild: GuildRef, changes: Parameters<typeof aTransaction>[1] = {}) =>
  store.ledger.append(aTransaction(guild, changes));
/** A player whose balance goes up and down, below zero too: one transaction a second. */
const WALKER = 'walker';
const walk = (guild: GuildRef, count: number) =>
  Array.from({ length: count }, (_, index) =>
    aPastTransaction(guild, {
      playerId: WALKER,
      amountUnits: ((index * 7_919) % 201) - 100 || 1,
      createdAtMs: NOON_MS + index * 1_000,
    }),
  );
function pointsOf(rows: ReturnType<typeof walk>) {
  let balanceUnits = 0;
  return rows.map(({ amountUnits, quantity, createdAtMs }) => {
    balanceUnits += amountUnits * quantity;
    return { atMs: createdAtMs, balanceUnits };
  });
}
const idsOf = (players: readonly { playerId: string }[]) => players.map(({ playerId }) => playerId);

export function describeLedgerViews(createPlace: CreatePlace): void {
  describe('looking at the ledger', () => {
    const openShared = shareByGuild(createPlace);

    it('a guild without transactions has no sums, players or pages', async () => {
      const { store, guild } = await openShared();
      const views = store.ledgerViews;
      expect(await views.totals(guild)).toEqual({ accounts: 0, transactions: 0, balanceUnits: 0n });
      expect(await views.days(guild, ALWAYS)).toEqual([]);
      expect(await views.topSources(guild, ALWAYS, 10)).toEqual([]);
      expect(await views.largestBalances(guild, 10)).toEqual([]);
      expect(await views.findPlayer(guild, 'p')).toBeUndefined();
      expect(await views.history(guild, 'p', 10)).toEqual([]);
      expect(await views.listGuild(guild, { ...NO_FILTER, limit: 10 })).toEqual({
        transactions: [],
        next: undefined,
        searchedToMs: undefined,
        total: 0,
      });
      expect(await Array.fromAsync(views.readGuild(guild, NO_FILTER))).toEqual([]);
      expect(await Array.fromAsync(views.read(guild, 'p', aQuery()))).toEqual([]);
    });

    it('a time before the account’s last counts on the day it was lifted to', async () => {
      const { store, guild } = await openShared();
      await post(store, guild, { createdAtMs: NOON_MS });
      await post(store, guild, { createdAtMs: NOON_MS - 3 * DAY_MS });
      expect(await store.ledgerViews.days(guild, ALWAYS)).toMatchObject([{ day: TODAY, depositCount: 2 }]);
    });

    it('an import counts on the day it happened, before 1970 too, and what was refused counts nowhere', async () => {
      const { store, guild } = await openShared();
      const past = (playerId: string, createdAtMs: number) =>
        aPastTransaction(guild, { playerId, createdAtMs, amountUnits: -7 });
      const outcomes = await store.ledger.import(guild, [
        past('p', -1),
        past('p', -2),
        past('q', 0),
        past('q', DAY_MS - 1),
      ]);
      expect(outcomes[1]).toHaveProperty('refused');
      const withdrawals = { depositCount: 0, depositUnits: 0n };
      expect(await store.ledgerViews.days(guild, ALWAYS)).toEqual([
        { day: -1, accountsOpened: 1, ...withdrawals, withdrawalCount: 1, withdrawalUnits: 7n },
        { day: 0, accountsOpened: 1, ...withdrawals, withdrawalCount: 2, withdrawalUnits: 14n },
      ]);
    });

    it('sums outgrow 64 bits without rounding', async () => {
      const { store, guild } = await openShared();
      const most = Number.MAX_SAFE_INTEGER;
      const pairs = Array.from({ length: 1_100 }, () => [most, -most]).flat();
      await store.ledger.import(
        guild,
        pairs.map((amountUnits) => aPastTransaction(guild, { amountUnits })),
      );
      const units = 1_100n * BigInt(most);
      expect(units).toBeGreaterThan(2n ** 63n);
      const sums = {
        depositCount: 1_100,
        depositUnits: units,
        withdrawalCount: 1_100,
        withdrawalUnits: units,
      };
      expect(await store.ledgerViews.days(guild, ALWAYS)).toEqual([
        { day: TODAY, accountsOpened: 1, ...sums },
      ]);
      expect(await store.ledgerViews.topSources(guild, ALWAYS, 1)).toEqual([{ source: 'shop', ...sums }]);
    });

    it('all or nothing holds for the sums too', async () => {
      const { store, guild } = await openShared();
      await post(store, guild);
      const undone = store.allOrNothing(async () => {
        await store.ledger.import(guild, [aPastTransaction(guild, { playerId: 'q' })]);
        throw new Error('not after all');
      });
      await expect(undone).rejects.toThrow('not after all');
      expect(await store.ledgerViews.totals(guild)).toMatchObject({ accounts: 1, transactions: 1 });
      await store.allOrNothing(async () => {
        await store.ledger.import(guild, [aPastTransaction(guild, { playerId: 'q' })]);
        await post(store, guild);
      });
      expect(await store.ledgerViews.totals(guild)).toMatchObject({ accounts: 2, transactions: 3 });
      expect(await store.ledgerViews.topSources(guild, ALWAYS, 9)).toMatchObject([{ depositCount: 3 }]);
    });

    describe('on a day with more sources than have sums of their own', () => {
      /** A hundred and fifty sources in several commits, each with as many transactions as its number says. */
      async function openCrowded() {
        const opened = await openShared();
        const { store, guild } = opened;
        const sources = Array.from({ length: SOURCES_PER_DAY_MAX + 50 }, (_, index) => `source ${index}`);
        for (const count of [1, 2]) {
          for (let first = 0; first < sources.length; first += 40) {
            const some = sources.slice(first, first + 40);
            const rows = some.flatMap((source) =>
              Array.from({ length: count }, () => aPastTransaction(guild, { source, amountUnits: 3 })),
            );
            await store.ledger.import(guild, rows);
          }
        }
        const named = await store.ledgerViews.topSources(guild, ALWAYS, 1_000);
        return { ...opened, sources, named };
      }

      it('each of a hundred has all of its own, and the others are in the day’s sums', async () => {
        const { store, guild, sources, named } = await openCrowded();
        expect(named).toHaveLength(SOURCES_PER_DAY_MAX);
        const expected: Omit<SourceSums, 'source'> = {
          depositCount: 3,
          depositUnits: 9n,
          withdrawalCount: 0,
          withdrawalUnits: 0n,
        };
        expect(named).toEqual(named.map(({ source }) => ({ source, ...expected })));
        expect(sources).toEqual(expect.arrayContaining(named.map(({ source }) => source)));
        expect(await store.ledgerViews.days(guild, ALWAYS)).toMatchObject([
          { depositCount: 450, depositUnits: 1_350n },
        ]);
      });

      it('the list finds those of every source, and knows the total of those with sums', async () => {
        const { store, guild, sources, named } = await openCrowded();
        const names = new Set(named.map(({ source }) => source));
        const hidden = sources.find((source) => !names.has(source));
        const list = (source: string | undefined) =>
          store.ledgerViews.listGuild(guild, { ...NO_FILTER, source, limit: 100 });
        const shown = await list(named[0]?.source);
        expect(shown.transactions).toHaveLength(3);
        expect(shown.total).toBe(3);
        const found = await list(hidden);
        expect(found.transactions.map(({ source }) => source)).toEqual([hidden, hidden, hidden]);
        expect(found.total).toBeUndefined();
        expect((await list('nobody')).total).toBeUndefined();
      });
    });

    it('the largest balances are of this guild alone, largest first, with verified names', async () => {
      const { store, guild, foundAnother } = await openShared();
      const other = await foundAnother();
      for (const [index, playerId] of ['a', 'b', 'c'].entries()) {
        await post(store, guild, { playerId, amountUnits: [5, -5, 9][index] as number });
      }
      await post(store, other, { playerId: 'rich', amountUnits: 1_000 });
      await store.verifications.put([{ chatId: 'of-c', playerId: 'c', username: 'Cecil' }], CHANGE);
      const balance = (playerId: string, balanceUnits: number, username?: string) => ({
        playerId,
        username,
        balanceUnits,
        transactions: 1,
      });
      const expected = [balance('c', 9, 'Cecil'), balance('a', 5), balance('b', -5)];
      expect(await store.ledgerViews.largestBalances(guild, 10)).toEqual(expected);
      expect(await store.ledgerViews.largestBalances(guild, 2)).toEqual(expected.slice(0, 2));
    });

    it('players are found by the beginning of id or name, and only with an account in the guild', async () => {
      const { store, guild, foundAnother } = await openShared();
      const other = await foundAnother();
      for (const playerId of ['x1', 'x12', 'X1', 'x2']) await post(store, guild, { playerId });
      await post(store, other, { playerId: 'x13' });
      const people = [
        { chatId: 'n1', playerId: 'x2', username: 'Xenia%' },
        { chatId: 'n2', playerId: 'x13', username: 'xenia_abroad' },
        { chatId: 'n3', playerId: 'x9', username: 'xenia without account' },
      ];
      await store.verifications.put(people, CHANGE);
      const find = async (text: string, limit = 10) =>
        idsOf(await store.ledgerViews.findPlayers(guild, text, limit));
      expect(await find('x1')).toEqual(['x1', 'x12']);
      expect(await find('x')).toEqual(['x2', 'x1', 'x12']);
      expect(await find('x', 2)).toEqual(['x2', 'x1']);
      expect(await find('XENIA')).toEqual(['x2']);
      expect(await find('enia')).toEqual([]);
      expect(await find('%')).toEqual([]);
      expect(await find('_')).toEqual([]);
      expect(await find('x13')).toEqual([]);
      expect(await store.ledgerViews.findPlayer(guild, 'x13')).toBeUndefined();
      // Whoever has the very id goes before names that begin with it.
      await store.verifications.put([{ chatId: 'n4', playerId: 'X1', username: 'x12th' }], CHANGE);
      expect(await find('x12')).toEqual(['x12', 'X1']);
    });

    it('a name shared by many guilds is looked for among two hundred people at most', async () => {
      const { store, guild } = await openShared();
      const people = Array.from({ length: NAME_CANDIDATES_MAX + 1 }, (_, index) => ({
        chatId: `many ${String(index).padStart(4, '0')}`,
        playerId: `many ${index}`,
        username: `Many${String(index).padStart(4, '0')}`,
      }));
      await store.verifications.put(people, CHANGE);
      for (const index of [0, NAME_CANDIDATES_MAX - 1, NAME_CANDIDATES_MAX]) {
        await post(store, guild, { playerId: `many ${index}` });
      }
      const find = async (text: string) => idsOf(await store.ledgerViews.findPlayers(guild, text, 10));
      expect(await find('Many0')).toEqual(['many 0', `many ${NAME_CANDIDATES_MAX - 1}`]);
      expect(await find('Many0200')).toEqual([`many ${NAME_CANDIDATES_MAX}`]);
    });

    it('one player has name, chat account and the times of the first and the last transaction', async () => {
      const { store, guild } = await openShared();
      await post(store, guild, { playerId: 'one', amountUnits: 4 });
      await post(store, guild, { playerId: 'one', amountUnits: -1, createdAtMs: NOON_MS + 5 });
      const account = {
        playerId: 'one',
        balanceUnits: 3,
        transactions: 2,
        firstAtMs: NOON_MS,
        lastAtMs: NOON_MS + 5,
      };
      const find = () => store.ledgerViews.findPlayer(guild, 'one');
      expect(await find()).toEqual({ ...account, username: undefined, chatId: undefined });
      await store.verifications.put([{ chatId: 'chat-one', playerId: 'one', username: 'One' }], CHANGE);
      expect(await find()).toEqual({ ...account, username: 'One', chatId: 'chat-one' });
    });

    it.each([1, 7, 8])(
      'the history of %d transactions, where that many points may be shown, has them all',
      async (count) => {
        const { store, guild } = await openShared();
        const rows = walk(guild, count);
        await store.ledger.import(guild, rows);
        const history = await store.ledgerViews.history(guild, WALKER, 8);
        expect(history).toEqual(pointsOf(rows));
      },
    );

    it('the history of more has first, last, lowest and highest balance of each bucket of time', async () => {
      const { store, guild } = await openShared();
      const rows = walk(guild, 3_000);
      await store.ledger.import(guild, rows);
      const read = () => store.ledgerViews.history(guild, WALKER, 48);
      const history = await read();
      const all = pointsOf(rows);
      // 3,000 seconds in twelve buckets at most: five minutes each.
      const buckets = Map.groupBy(all, ({ atMs }) => Math.floor(atMs / 300_000));
      expect(buckets.size).toBe(10);
      const expected = [...buckets.values()].flatMap((points) => {
        const balances = points.map(({ balanceUnits }) => balanceUnits);
        const lowest = balances.indexOf(Math.min(...balances));
        const highest = balances.indexOf(Math.max(...balances));
        const places = new Set([0, lowest, highest, points.length - 1]);
        return points.filter((_, place) => places.has(place));
      });
      expect(history).toEqual(expected);
      // What comes later, in a bucket of its own, leaves the rest as it is.
      await post(store, guild, { playerId: WALKER, amountUnits: 5, createdAtMs: NOON_MS + 3_000_000 });
      expect((await read()).slice(0, history.length)).toEqual(history);
    });

    it('each transaction tells who posted it: a key, deleted or not, a person, or nobody here', async () => {
      const { store, guild } = await openShared();
      const key = aKey(guild, { name: 'Shop bot', prefix: 'gbk_12345678' });
      await store.keys.insert(key, CHANGE);
      const keyNo = (await store.keys.findByHash(key.hash))?.keyNo;
      await post(store, guild, { keyNo });
      await store.keys.delete(key.keyId, CHANGE);
      await post(store, guild, { keyNo: undefined, postedBy: 'stranger' });
      const at = NOON_MS + 1;
      await store.ledger.import(guild, [aPastTransaction(guild, { createdAtMs: at })]);
      const listed = await store.ledgerViews.list(guild, '48213977', aQuery());
      const nobody = { id: undefined, name: undefined, prefix: undefined };
      expect(listed.transactions.map(({ postedBy }) => postedBy)).toEqual([
        { kind: 'key', id: key.keyId, name: 'Shop bot', prefix: 'gbk_12345678' },
        { ...nobody, kind: 'user', id: 'stranger' },
        { ...nobody, kind: 'import' },
      ]);
      expect(listed.transactions.map(({ seq, balanceUnits }) => [seq, balanceUnits])).toEqual([
        [1, 10_000],
        [2, 20_000],
        [3, 30_000],
      ]);
    });

    it('what a person posts is logged in the same commit, once, and what is refused is not', async () => {
      const { store, guild } = await openShared({ overdraftAllowed: false });
      const correction = aTransaction(guild, {
        postedBy: 'chat-1',
        amountUnits: 12_500,
        quantity: 2,
        idempotency: { key: 'k', requestHash: 'h' },
      });
      const log = async () =>
        (await store.audit.list(guild, { limit: 10 })).filter(
          ({ subjectKind }) => subjectKind === 'transaction',
        );
      await store.ledger.append(correction);
      await store.ledger.append(correction);
      const refused = aTransaction(guild, { postedBy: 'chat-1', amountUnits: -90_000 });
      await expect(store.ledger.append(refused)).rejects.toMatchObject({ code: 'overdraft' });
      await post(store, guild);
      expect(await log()).toMatchObject([
        {
          actor: { kind: 'user', id: 'chat-1' },
          action: 'create',
          subjectId: correction.transactionId,
          createdAtMs: NOON_MS,
          detail: {
            after: { playerId: '48213977', name: 'Iron Ingot', quantity: 2, amount: '1.25', total: '2.5' },
          },
        },
      ]);
      expect(await store.ledgerViews.totals(guild)).toMatchObject({ transactions: 2 });
    });

    it('readings see the moment they began, whatever is posted meanwhile', async () => {
      const { store, guild } = await openShared();
      const rows = Array.from({ length: 1_500 }, () => aPastTransaction(guild));
      await store.ledger.import(guild, rows);
      /** How many a reading has, when two more are posted as soon as it has begun. */
      async function countWhilePosting(reading: AsyncIterable<unknown>): Promise<number> {
        let count = 0;
        for await (const _ of reading) {
          count += 1;
          if (count === 1) {
            await post(store, guild, { createdAtMs: NOON_MS - DAY_MS, playerId: 'late' });
            await post(store, guild);
          }
        }
        return count;
      }
      expect(await countWhilePosting(store.ledgerViews.readGuild(guild, NO_FILTER))).toBe(1_500);
      expect(await countWhilePosting(store.ledgerViews.read(guild, '48213977', aQuery()))).toBe(1_501);
      expect(await countWhilePosting(store.ledgerViews.readGuild(guild, NO_FILTER))).toBe(1_504);
    });
  });
}
