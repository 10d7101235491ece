import { expect, it } from 'vitest';
import { NAME_CANDIDATES_MAX } from '../../src/domain/ledger/ledger-views.ts';
import type { GuildRef } from '../../src/domain/model.ts';
import { aPastTransaction, aQuery, CHANGE, NOON_MS } from './specimens.ts';
import type { OpenShared } from './store-place.ts';
import { NO_FILTER, post } from './view-specimens.ts';

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
function spanOf(points: ReturnType<typeof pointsOf>) {
  const balances = points.map(({ balanceUnits }) => balanceUnits);
  return {
    fromMs: points[0]?.atMs,
    firstUnits: balances[0],
    toMs: points.at(-1)?.atMs,
    lastUnits: balances.at(-1),
    lowestUnits: Math.min(...balances),
    highestUnits: Math.max(...balances),
  };
}
const idsOf = (players: readonly { playerId: string }[]) => players.map(({ playerId }) => playerId);

/** Players: their balances, how they are found, and the history of a balance. */
export function describeViewPlayers(openShared: OpenShared): void {
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

  it('the funds of many players are those of their accounts, and nothing for others', async () => {
    const { store, guild, foundAnother } = await openShared();
    await post(store, guild, { playerId: 'a', amountUnits: 5 });
    await post(store, guild, { playerId: 'b', amountUnits: -5 });
    await post(store, await foundAnother(), { playerId: 'c', amountUnits: 7 });
    await store.ledger.setFloor(guild, { playerId: 'b', floorUnits: -10 }, CHANGE);
    const funds = await store.ledgerViews.findFunds(guild, ['b', 'c', 'nobody', 'a', 'a']);
    expect(funds.toSorted((one, other) => (one.playerId < other.playerId ? -1 : 1))).toEqual([
      { playerId: 'a', balanceUnits: 5, floorUnits: undefined },
      { playerId: 'b', balanceUnits: -5, floorUnits: -10 },
    ]);
    expect(await store.ledgerViews.findFunds(guild, [])).toEqual([]);
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
    // The player with exactly this id comes before players whose names begin with it.
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

  it('of two people with one game account, which only damage can cause, every list names the one verified last', async () => {
    const { store, guild, execute } = await openShared();
    await post(store, guild, { playerId: 'shared-by-two', amountUnits: 4 });
    const verify = (chatId: string, playerId: string, atMs: number) =>
      store.verifications.put([{ chatId, playerId, username: `Of ${chatId}` }], { ...CHANGE, atMs });
    await verify('two-a', 'shared-by-two', NOON_MS + 1);
    await verify('two-b', 'another-of-two', NOON_MS);
    await execute("UPDATE verification SET player_id = 'shared-by-two' WHERE chat_id = 'two-b'");

    const { ledgerViews: views, verifications, members } = store;
    const times = { sinceMs: NOON_MS - 1_000, untilMs: NOON_MS + 1_000 };
    const named = { playerId: 'shared-by-two', username: 'Of two-a' };
    expect(await verifications.find(['player'], 'shared-by-two')).toMatchObject({ chatId: 'two-a' });
    expect(await verifications.findVerified('player', ['shared-by-two'])).toEqual([
      { ...named, chatId: 'two-a' },
    ]);
    expect(await members.find(guild, 'shared-by-two')).toMatchObject({ ...named, chatId: 'two-a' });
    expect(await views.findPlayer(guild, 'shared-by-two')).toMatchObject({ ...named, chatId: 'two-a' });
    expect(await views.largestBalances(guild, 1)).toMatchObject([named]);
    expect((await views.topPlayers(guild, times, 1)).earners).toMatchObject([named]);
    expect((await views.listGuild(guild, { ...NO_FILTER, limit: 1 })).transactions).toMatchObject([named]);
    expect(await Array.fromAsync(views.readGuild(guild, NO_FILTER))).toMatchObject([named]);
    expect(await Array.fromAsync(views.read(guild, 'shared-by-two', aQuery()))).toMatchObject([named]);

    // A new holder takes the account from the one who was verified last.
    await verify('two-c', 'shared-by-two', NOON_MS + 2);
    expect(await verifications.find(['chat'], 'two-a')).toBeUndefined();
    expect(await views.findPlayer(guild, 'shared-by-two')).toMatchObject({ chatId: 'two-c' });
    await verifications.delete('two-b', CHANGE);
  });

  it.each([1, 7, 8])(
    'the history of %d transactions, where that many spans may be shown, has them all',
    async (count) => {
      const { store, guild } = await openShared();
      const rows = walk(guild, count);
      await store.ledger.import(guild, rows);
      const history = await store.ledgerViews.history(guild, WALKER, 8);
      expect(history).toEqual(pointsOf(rows).map((point) => spanOf([point])));
    },
  );

  it('the history of more has first, last, lowest and highest balance of each bucket of time', async () => {
    const { store, guild } = await openShared();
    const rows = walk(guild, 3_000);
    await store.ledger.import(guild, rows);
    const read = () => store.ledgerViews.history(guild, WALKER, 12);
    const history = await read();
    const all = pointsOf(rows);
    // 3,000 seconds in twelve buckets at most: five minutes each.
    const buckets = Map.groupBy(all, ({ atMs }) => Math.floor(atMs / 300_000));
    expect(buckets.size).toBe(10);
    expect(history).toEqual(Array.from(buckets.values(), spanOf));
    // A later transaction gets a bucket of its own and does not change the others.
    await post(store, guild, { playerId: WALKER, amountUnits: 5, createdAtMs: NOON_MS + 3_000_000 });
    expect((await read()).slice(0, history.length)).toEqual(history);
  });
}
