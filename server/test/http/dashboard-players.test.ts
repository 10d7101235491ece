import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlayerReply, PlayersReply } from '../../src/wire/dashboard-ledger.ts';
import { PlayerActivityReply } from '../../src/wire/dashboard-statements.ts';
import { aPastTransaction, CHANGE } from '../contract/specimens.ts';
import {
  type DashboardService,
  GUILD,
  OTHER_GUILD,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';
import { createPoster, guildPath, playerPath, readData } from './ledger-pages.ts';

let service: DashboardService;
let olga: SignedInBrowser;
beforeAll(async () => {
  service = await startDashboardService();
  olga = await service.signIn('olga');
  const { post } = await createPoster(service);
  const elsewhere = await createPoster(service, OTHER_GUILD);
  for (const [playerId, amount] of [
    ['500', 5],
    ['5001', -2],
    ['77', 9.5],
    ['ro', 1],
  ] as const) {
    await post({ playerId, amount });
  }
  await elsewhere.post({ playerId: '5002' });
  const person = (chatId: string, playerId: string, username: string) => ({ chatId, playerId, username });
  const people = [
    person('1', '77', 'RowanVale'),
    person('2', '5002', 'Rowena'),
    person('3', '999', 'Roland'),
  ];
  await service.store.verifications.put([...people, person('4', '5001', 'roxy_5')], CHANGE);
});
afterAll(() => service.stop());

const search = async (query: string) =>
  (await readData(olga, guildPath(`/players${query}`), PlayersReply)).data;
const idsOf = async (query: string) =>
  (await search(query)).map(({ playerId }: { playerId: string }) => playerId);

describe('the search for players', () => {
  test('without a text gives the largest balances first', async () => {
    expect(await search('')).toEqual([
      { playerId: '77', username: 'RowanVale', balance: '9.5', transactions: 1 },
      { playerId: '500', username: null, balance: '5', transactions: 1 },
      { playerId: 'ro', username: null, balance: '1', transactions: 1 },
      { playerId: '5001', username: 'roxy_5', balance: '-2', transactions: 1 },
    ]);
    expect(await idsOf('?limit=2')).toEqual(['77', '500']);
    expect(await idsOf('?query=%20%20')).toHaveLength(4);
  });

  test.each([
    ['the beginning of an id', '50', ['500', '5001']],
    ['an id', '500', ['500', '5001']],
    ['the beginning of a name, in any case', 'ROW', ['77']],
    ['a beginning that an id and names share: the very id first', 'ro', ['ro', '77', '5001']],
    ['spaces around it', ' rowanvale ', ['77']],
    ['the middle of a name', 'vale', []],
    ['what a pattern would match', '%', []],
    ['what a pattern would match', '_', []],
  ])('takes %s', async (_kind, query, expected) => {
    expect(await idsOf(`?query=${encodeURIComponent(query)}`)).toEqual(expected);
  });

  test('never finds people without an account in this guild', async () => {
    for (const query of ['Rowena', 'Roland', '5002', '999']) {
      expect(await idsOf(`?query=${query}`)).toEqual([]);
    }
  });

  test.each([
    ['?limit=0', 'limit must be an integer from 1 to 20'],
    ['?limit=21', 'limit must be an integer from 1 to 20'],
    ['?limit=ten', 'limit must be an integer from 1 to 20'],
    ['?query=%00', 'query must be text of 0 to 256 characters without control characters or direction marks'],
    [
      `?query=${'x'.repeat(257)}`,
      'query must be text of 0 to 256 characters without control characters or direction marks',
    ],
  ])('is refused for %s', async (query, message) => {
    const reply = await olga.go(guildPath(`/players${query}`));
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({
      success: false,
      message: `Bad request - ${message}`,
      code: 'invalid_input',
    });
  });
});

describe('one player', () => {
  const read = async (playerId: string) => (await readData(olga, playerPath(playerId), PlayerReply)).data;

  const activity = async (playerId: string, query = '') =>
    (await readData(olga, playerPath(playerId, `/activity${query}`), PlayerActivityReply)).data;

  test('has balance, name, times and the sources of the guild', async () => {
    const createdAt = (await olga.go(playerPath('77', '/transactions'))).body.data.transactions[0].createdAt;
    expect(await read('77')).toEqual({
      playerId: '77',
      username: 'RowanVale',
      chatId: '1',
      balance: '9.5',
      transactions: 1,
      firstAt: createdAt,
      lastAt: createdAt,
      sources: ['shop'],
      floor: null,
    });
  });

  test.each([
    ['nobody knows', 'nobody'],
    ['is verified but has no account here', '999'],
    ['has an account in another guild alone', '5002'],
  ])('whom %s is an empty account, and nothing is told of the person', async (_who, playerId) => {
    expect(await read(playerId)).toEqual({
      playerId,
      username: null,
      chatId: null,
      balance: '0',
      transactions: 0,
      firstAt: null,
      lastAt: null,
      sources: ['shop'],
      floor: null,
    });
  });

  test('may have an id with anything in it that an id may have', async () => {
    const { post } = await createPoster(service);
    const playerId = 'a/b?c#d%25 é🛡';
    await post({ playerId, amount: 2 });
    expect(await read(playerId)).toMatchObject({ playerId, balance: '2', transactions: 1 });
  });

  test('with a long history has a point for each transaction, from the first to the last', async () => {
    const { post } = await createPoster(service);
    for (let count = 0; count < 205; count += 1) {
      await post({ playerId: 'long', amount: 1 });
    }
    const { firstAt, lastAt } = await read('long');
    const { history, ...sums } = await activity('long');
    expect(sums).toMatchObject({ opening: '0', closing: '205', deposits: '205', depositCount: 205 });
    expect(history).toHaveLength(205);
    expect(history[0]).toEqual({ at: firstAt, balance: '1' });
    expect(history[204]).toEqual({ at: lastAt, balance: '205' });
    const balances = history.map(({ balance }: { balance: string }) => Number(balance));
    expect(new Set(balances).size).toBe(205);
    expect(balances).toEqual([...balances].sort((a, b) => a - b));
  });

  test('did in a range what its transactions say, with the largest of them', async () => {
    const guild = await service.guilds.find(GUILD);
    const at = (hour: number) => Date.parse(`2026-03-01T${String(hour).padStart(2, '0')}:00:00Z`);
    const rows = [40_000, -15_000, 70_000, -1, 30_000, 20_000].map((amountUnits, hour) =>
      aPastTransaction(guild, {
        playerId: 'ranged',
        amountUnits,
        createdAtMs: at(hour),
        source: hour % 2 === 0 ? 'shop' : 'quest',
      }),
    );
    await service.store.ledger.import(guild, rows);
    const { moves, ...sums } = await activity(
      'ranged',
      '?since=2026-03-01T01:00:00Z&until=2026-03-01T05:00:00Z',
    );
    expect(sums).toEqual({
      opening: '4',
      closing: '12.4999',
      deposits: '10',
      withdrawals: '1.5001',
      depositCount: 2,
      withdrawalCount: 2,
      sources: [
        { source: 'shop', deposits: '10', withdrawals: '0', depositCount: 2, withdrawalCount: 0 },
        { source: 'quest', deposits: '0', withdrawals: '1.5001', depositCount: 0, withdrawalCount: 2 },
      ],
      history: [
        { at: '2026-03-01T01:00:00.000Z', balance: '2.5' },
        { at: '2026-03-01T02:00:00.000Z', balance: '9.5' },
        { at: '2026-03-01T03:00:00.000Z', balance: '9.4999' },
        { at: '2026-03-01T04:00:00.000Z', balance: '12.4999' },
      ],
    });
    expect(moves.map(({ total }: { total: number }) => total)).toEqual([7, 3, -1.5, -0.0001]);
    expect(await activity('nobody')).toMatchObject({ opening: '0', closing: '0', history: [], moves: [] });
    const wrong = await olga.go(
      playerPath('ranged', '/activity?since=2026-03-02T00:00:00Z&until=2026-03-01T00:00:00Z'),
    );
    expect([wrong.status, wrong.body.message]).toEqual([400, 'Bad request - since must be before until']);
  });

  test('is refused for an id that can be none', async () => {
    const reply = await olga.go(playerPath('\u202e'));
    expect(reply.status).toBe(400);
  });
});
