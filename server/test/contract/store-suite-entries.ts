import { describe, expect, it } from 'vitest';
import type { HistoryQuery, LedgerEntry } from '../../src/domain/ledger/entries.ts';
import type { Guild, GuildRef, NewTransaction } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { aHistoryQuery, aKey, aPastTransaction, aTransaction, CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

async function post(store: Store, guild: Guild, changes: Partial<NewTransaction>[]): Promise<void> {
  for (const change of changes) {
    await store.ledger.append(aTransaction(guild, change));
  }
}

/** Walks all pages of a history. */
async function walk(store: Store, guild: Guild, query: HistoryQuery): Promise<LedgerEntry[]> {
  const all: LedgerEntry[] = [];
  let before: number | undefined;
  do {
    const { entries, next } = await store.entries.history(guild, { ...query, before });
    all.push(...entries);
    before = next;
  } while (before !== undefined);
  return all;
}

const namesOf = (entries: readonly LedgerEntry[]) => entries.map(({ name }) => name).join(' ');

/** The accounts and transactions that the interface shows. */
export function describeEntries(createPlace: CreatePlace): void {
  describe('one transaction', () => {
    const open = shareByGuild(createPlace);

    it('is found by its id with everything known of it', async () => {
      const { store, guild } = await open();
      const key = aKey(guild);
      await store.keys.insert(key, CHANGE);
      const keyNo = (await store.keys.findByHash(key.hash))?.keyNo;
      const extra = { reference: 'order 7', metadata: { a: '1', b: '' } };
      await post(store, guild, [{ playerId: 'other' }]);
      const posted = aTransaction(guild, { keyNo, quantity: 2, amountUnits: -5, extra });
      await store.ledger.append(posted);
      const { transactionId, playerId, name, source, amountUnits, quantity, totalUnits, createdAtMs } =
        posted;
      expect(await store.entries.find(guild, transactionId)).toEqual({
        transactionId,
        playerId,
        name,
        source,
        amountUnits,
        quantity,
        totalUnits,
        createdAtMs,
        number: 2,
        balanceUnits: -10,
        postedBy: { kind: 'key', id: key.keyId, name: key.name },
        ...extra,
        paymentId: undefined,
        reverses: undefined,
        reversedBy: undefined,
      });
    });

    it('is found by the beginning of its id, in the order of ids, by its own guild alone', async () => {
      const { store, guild, foundAnother } = await open();
      const ids = ['0', '7', 'f'].map((digit) => `0190a1b2-c3d${digit}-7000-8000-000000000001`);
      for (const transactionId of ids.toReversed()) {
        await store.ledger.append(aTransaction(guild, { transactionId }));
      }
      const found = async (digits: string, limit = 8, of: GuildRef = guild) =>
        (await store.entries.findByPrefix(of, digits, limit))
          .map(({ transactionId }) => transactionId)
          .sort();
      expect(await found('0190a1b2c3d')).toEqual(ids);
      expect(await found('0190a1b2c3d', 2)).toEqual(ids.slice(0, 2));
      expect(await found('0190a1b2c3d7')).toEqual([ids[1]]);
      expect(await found(ids[2]?.replaceAll('-', '') ?? '')).toEqual([ids[2]]);
      expect(await found('0190a1b2c3e')).toEqual([]);
      expect(await found('0190a1b2c3d', 8, await foundAnother())).toEqual([]);
    });

    it('is not found in another guild, nor under an id that nobody has', async () => {
      const { store, guild, foundAnother } = await open();
      const other = await foundAnother();
      const posted = aTransaction(guild);
      await store.ledger.append(posted);
      expect(await store.entries.find(other, posted.transactionId)).toBeUndefined();
      expect(await store.entries.find(guild, UNKNOWN_ID)).toBeUndefined();
      expect(await store.entries.findMany(guild, [UNKNOWN_ID, posted.transactionId])).toHaveLength(1);
      expect(await store.entries.findMany(other, [posted.transactionId])).toEqual([]);
    });

    it('that was imported twice under one id is the one with the lower number', async () => {
      const { store, guild } = await open();
      const one = aPastTransaction(guild, { playerId: 'p' });
      const outcomes = await store.ledger.import(guild, [one, { ...one, playerId: 'q' }]);
      expect(outcomes).toEqual(['added', 'added']);
      expect(await store.entries.find(guild, one.transactionId)).toMatchObject({
        playerId: 'p',
        number: 1,
        postedBy: { kind: 'import', id: undefined, name: undefined },
      });
    });
  });

  describe('the feed', () => {
    const open = shareByGuild(createPlace);

    it('goes on behind a number, each guild for itself', async () => {
      const { store, guild, foundAnother } = await open();
      const other = await foundAnother();
      await post(store, guild, [{ name: 'a' }, { name: 'b', playerId: 'q' }]);
      await post(store, other, [{ name: 'theirs' }]);
      await store.ledger.import(guild, [aPastTransaction(guild, { name: 'c', playerId: 'r' })]);
      const read = (after: number, limit: number) => store.entries.feed(guild, { after, limit });
      expect(await Promise.all([guild, other].map((one) => store.entries.lastNumber(one)))).toEqual([3, 1]);
      expect(await store.entries.lastNumber(await foundAnother())).toBe(0);
      expect((await read(0, 2)).map(({ name, number }) => `${number}${name}`)).toEqual(['1a', '2b']);
      expect((await read(2, 100)).map(({ name, number }) => `${number}${name}`)).toEqual(['3c']);
      expect(await read(3, 100)).toEqual([]);
      expect((await store.entries.feed(other, { after: 0, limit: 9 })).map(({ number }) => number)).toEqual([
        1,
      ]);
    });

    it('numbers what is posted at once without gaps', async () => {
      const { store, guild, openAnother } = await open();
      const second = await openAnother();
      const posts = Array.from({ length: 200 }, (_, index) =>
        (index % 2 === 0 ? store : second).ledger.append(aTransaction(guild, { playerId: `${index % 7}` })),
      );
      await Promise.all(posts);
      const feed = await store.entries.feed(guild, { after: 0, limit: 1_000 });
      expect(feed.map(({ number }) => number)).toEqual(posts.map((_, index) => index + 1));
    });
  });

  describe('the history', () => {
    const open = shareByGuild(createPlace);

    it('goes newest first, page by page, without total', async () => {
      const { store, guild, foundAnother } = await open();
      await post(store, await foundAnother(), [{ name: 'theirs' }]);
      await post(
        store,
        guild,
        ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, playerId: name })),
      );
      const first = await store.entries.history(guild, aHistoryQuery({ limit: 2 }));
      expect([namesOf(first.entries), first.next]).toEqual(['e d', 4]);
      expect(namesOf(await walk(store, guild, aHistoryQuery({ limit: 2 })))).toBe('e d c b a');
      expect(namesOf(await walk(store, guild, aHistoryQuery({ limit: 5 })))).toBe('e d c b a');
      expect((await store.entries.history(guild, aHistoryQuery({ limit: 5 }))).next).toBeUndefined();
    });

    it.each<[string, Partial<HistoryQuery>, string]>([
      ['one player', { playerId: 'p' }, 'Salt iron-bar Iron'],
      ['a player nobody knows', { playerId: 'nobody' }, ''],
      ['a source', { source: 'shop' }, 'Ore Salt Iron'],
      ['amounts', { minUnits: 0, maxUnits: 20 }, 'iron-bar Iron'],
      [
        'times, of which the first belongs and the second does not',
        { sinceMs: NOON_MS + 1, untilMs: NOON_MS + 3 },
        'Salt iron-bar',
      ],
      ['times of one player', { playerId: 'p', sinceMs: NOON_MS + 1, untilMs: NOON_MS + 2 }, 'iron-bar'],
      ['a reference', { reference: 'order' }, 'Ore iron-bar'],
      ['a reference and a player', { reference: 'order', playerId: 'p' }, 'iron-bar'],
      ['a reference nobody used', { reference: 'orde' }, ''],
      ['the beginning of the name', { namePrefix: 'IRON' }, 'iron-bar Iron'],
      [
        'everything at once',
        { playerId: 'p', source: 'quest', namePrefix: 'iron-', reference: 'order' },
        'iron-bar',
      ],
    ])('is filtered by %s', async (_, filter, names) => {
      const { store, guild } = await open();
      const order = { extra: { reference: 'order' } };
      await post(store, guild, [
        { name: 'Iron', playerId: 'p', amountUnits: 10, source: 'shop', createdAtMs: NOON_MS },
        {
          name: 'iron-bar',
          playerId: 'p',
          amountUnits: 20,
          source: 'quest',
          createdAtMs: NOON_MS + 1,
          ...order,
        },
        { name: 'Salt', playerId: 'p', amountUnits: -5, source: 'shop', createdAtMs: NOON_MS + 2 },
        { name: 'Ore', playerId: 'q', amountUnits: 30, source: 'shop', createdAtMs: NOON_MS + 3, ...order },
      ]);
      for (const limit of [1, 2, 100]) {
        expect(namesOf(await walk(store, guild, aHistoryQuery({ ...filter, limit }))), `${limit}`).toBe(
          names,
        );
      }
    });

    it('takes letters beyond A to Z as they are, and counts characters, not their parts', async () => {
      const { store, guild } = await open();
      await post(store, guild, [{ name: '🪙 Äpfel' }, { name: '🪙 äpfel' }]);
      const search = (namePrefix: string) => walk(store, guild, aHistoryQuery({ namePrefix }));
      expect(namesOf(await search('🪙 Ä'))).toBe('🪙 Äpfel');
      expect(await search('🪙')).toHaveLength(2);
    });
  });

  describe('an account', () => {
    const open = shareByGuild(createPlace);

    it('has balance, number and last time; a player without one has nothing', async () => {
      const { store, guild, foundAnother } = await open();
      await post(store, guild, [
        { playerId: 'p', amountUnits: 5, createdAtMs: NOON_MS },
        { playerId: 'p', amountUnits: -7, createdAtMs: NOON_MS + 9 },
      ]);
      const account = {
        playerId: 'p',
        balanceUnits: -2,
        transactionCount: 2,
        lastTransactionAtMs: NOON_MS + 9,
      };
      const nothing = { playerId: 'q', balanceUnits: 0, transactionCount: 0, lastTransactionAtMs: undefined };
      expect(await store.entries.account(guild, 'p')).toEqual(account);
      expect(await store.entries.account(guild, 'q')).toEqual(nothing);
      expect(await store.entries.account(await foundAnother(), 'p')).toEqual({ ...nothing, playerId: 'p' });
      expect(await store.entries.accounts(guild, ['q', 'p', 'p'])).toEqual([nothing, account, account]);
    });

    it('is shown as it was at any time', async () => {
      const { store, guild } = await open();
      const times = [0, 10, 10, 10, 25];
      await post(
        store,
        guild,
        times.map((offset) => ({ playerId: 'p', amountUnits: 1, createdAtMs: NOON_MS + offset })),
      );
      for (const [offset, count, last] of [
        [-1, 0, undefined],
        [0, 1, 0],
        [9, 1, 0],
        [10, 4, 10],
        [24, 4, 10],
        [25, 5, 25],
        [1_000_000, 5, 25],
      ] as const) {
        expect(await store.entries.account(guild, 'p', NOON_MS + offset), `${offset}`).toEqual({
          playerId: 'p',
          balanceUnits: count,
          transactionCount: count,
          lastTransactionAtMs: last === undefined ? undefined : NOON_MS + last,
        });
      }
    });

    it.each(['asc', 'desc'] as const)('has its place in the order of balances, %s', async (sortOrder) => {
      const { store, guild, foundAnother } = await open();
      const balances = { a: 3, b: -1, c: 3, d: 0, e: 9 };
      await post(store, await foundAnother(), [{ playerId: 'theirs' }]);
      for (const [playerId, amountUnits] of Object.entries(balances)) {
        await post(store, guild, [
          { playerId, amountUnits: amountUnits + 5 },
          { playerId, amountUnits: -5 },
        ]);
      }
      const players: string[] = [];
      let after: Parameters<Store['entries']['balances']>[1]['after'];
      do {
        const page = await store.entries.balances(guild, { sortOrder, limit: 2, after });
        players.push(...page.accounts.map(({ playerId }) => playerId));
        after = page.next;
      } while (after !== undefined);
      const expected = ['b', 'd', 'a', 'c', 'e'];
      expect(players).toEqual(sortOrder === 'asc' ? expected : expected.toReversed());
    });
  });
}
