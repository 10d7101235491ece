import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OverviewReply, TopPlayersReply } from '../../src/wire/dashboard-ledger.ts';
import { aDischarge, aPastTransaction, aTransfer, CHANGE } from '../contract/specimens.ts';
import { type DashboardService, type SignedInBrowser, startDashboardService } from './dashboard-service.ts';
import { guildPath, readData } from './ledger-pages.ts';

let service: DashboardService;
let pia: SignedInBrowser;
let guildId: string;
let founded = 0;

beforeAll(async () => {
  service = await startDashboardService();
});
afterAll(() => service.stop());

/** A guild of its own for each test, managed by somebody who signs in anew. */
beforeEach(async () => {
  founded += 1;
  guildId = `overview-${founded}`;
  await service.foundGuild(guildId, 'pia', { plan: 'none' });
  pia = await service.signIn('pia');
});

async function happened(...changes: Parameters<typeof aPastTransaction>[1][]): Promise<void> {
  const guild = await service.guilds.find(guildId);
  const outcomes = await service.store.ledger.import(
    guild,
    changes.map((change) => aPastTransaction(guild, change)),
  );
  expect(outcomes).toEqual(changes.map(() => 'added'));
}

const at = (text: string) => Date.parse(text);
const overview = async (query = '') =>
  (await readData(pia, guildPath(`/overview${query}`, guildId), OverviewReply)).data;

describe('the overview', () => {
  test('of a guild in which nothing happened is all zeros', async () => {
    expect(await overview()).toEqual({
      accounts: 0,
      transactions: 0,
      balance: '0',
      opening: '0',
      closing: { balance: '0', accounts: 0 },
      previous: { sinceAt: '2026-04-17T00:00:00.000Z', untilAt: '2026-05-16T12:00:00.000Z' },
      figures: {
        accountsOpened: { current: 0, previous: 0 },
        deposits: { current: '0', previous: '0' },
        withdrawals: { current: '0', previous: '0' },
        transactions: { current: 0, previous: 0 },
        discharges: { current: 0, previous: 0 },
        transfers: { current: 0, previous: 0 },
      },
      timeZone: 'UTC',
      range: {
        since: '2026-05-17',
        until: '2026-06-15',
        sinceAt: '2026-05-17T00:00:00.000Z',
        untilAt: '2026-06-16T00:00:00.000Z',
      },
      days: [],
      sources: [],
      largestBalances: [],
      overdrawn: { count: 0, players: [] },
      unusual: [],
    });
  });

  test('compares a range with as many days before, and a day that is under way with the same part of a day', async () => {
    await happened(
      { playerId: 'a', amountUnits: 70_000, createdAtMs: at('2026-06-12T23:59:59.999Z') },
      { playerId: 'a', amountUnits: 10_000, createdAtMs: at('2026-06-13T00:00:00Z') },
      { playerId: 'b', amountUnits: 5_000, createdAtMs: at('2026-06-14T11:59:59.999Z') },
      { playerId: 'd', amountUnits: -20_000, createdAtMs: at('2026-06-14T12:00:00Z') },
      { playerId: 'b', amountUnits: 90_000, createdAtMs: at('2026-06-14T23:59:59.999Z') },
      { playerId: 'c', amountUnits: 25_000, quantity: 2, createdAtMs: at('2026-06-15T00:00:00Z') },
      { playerId: 'c', amountUnits: -1, createdAtMs: at('2026-06-15T11:00:00Z') },
    );
    const guild = await service.guilds.find(guildId);
    await service.store.discharges.put(
      guild,
      ['2026-06-15', '2026-06-15T23:00:00Z', '2026-06-14', '2026-06-14T13:00:00Z'].map((date) =>
        aDischarge(guild, { id: date, date }),
      ),
      CHANGE,
    );
    await service.store.transfers.put(
      guild,
      ['2026-06-14T11:59:59.999Z', '2026-06-14T12:00:00.000Z'].map((date) =>
        aTransfer(guild, { id: date, date }),
      ),
      CHANGE,
    );
    const today = await overview('?since=2026-06-15&until=2026-06-15');
    expect(today.previous).toEqual({
      sinceAt: '2026-06-14T00:00:00.000Z',
      untilAt: '2026-06-14T12:00:00.000Z',
    });
    expect(today.figures).toEqual({
      accountsOpened: { current: 1, previous: 1 },
      deposits: { current: '5', previous: '0.5' },
      withdrawals: { current: '0.0001', previous: '0' },
      transactions: { current: 2, previous: 1 },
      discharges: { current: 2, previous: 1 },
      transfers: { current: 0, previous: 1 },
    });
    const { accounts, transactions, balance, opening, overdrawn } = today;
    expect({ accounts, transactions, balance, opening }).toEqual({
      accounts: 4,
      transactions: 7,
      balance: '20.4999',
      opening: '15.5',
    });
    expect(overdrawn).toMatchObject({ count: 1, players: [{ playerId: 'd', balance: '-2' }] });
    const passed = await overview('?since=2026-06-14&until=2026-06-14');
    expect(passed.previous.untilAt).toBe('2026-06-14T00:00:00.000Z');
    expect(passed).toMatchObject({ balance: '20.4999', closing: { balance: '15.5', accounts: 3 } });
    expect(passed.figures).toMatchObject({
      deposits: { current: '9.5', previous: '1' },
      withdrawals: { current: '2', previous: '0' },
    });
  });

  test('adds up the days of the guild’s calendar, and compares times of the same length across a change of clocks', async () => {
    await service.guilds.set({ guildId, timeZone: 'Europe/Berlin' }, CHANGE.actor);
    await happened(
      { playerId: 'a', amountUnits: 10_000, createdAtMs: at('2026-03-28T22:59:59.999Z') },
      { playerId: 'a', amountUnits: 20_000, createdAtMs: at('2026-03-28T23:00:00Z') },
      { playerId: 'b', amountUnits: 40_000, source: 'late', createdAtMs: at('2026-03-29T21:59:59.999Z') },
      { playerId: 'b', amountUnits: -1, createdAtMs: at('2026-03-29T22:00:00Z') },
    );
    // The clocks were set forward in that night: the day had 23 hours.
    const { timeZone, range, previous, days, sources, opening, closing } = await overview(
      '?since=2026-03-29&until=2026-03-29',
    );
    expect({ timeZone, range, previous }).toEqual({
      timeZone: 'Europe/Berlin',
      range: {
        since: '2026-03-29',
        until: '2026-03-29',
        sinceAt: '2026-03-28T23:00:00.000Z',
        untilAt: '2026-03-29T22:00:00.000Z',
      },
      previous: { sinceAt: '2026-03-28T00:00:00.000Z', untilAt: '2026-03-28T23:00:00.000Z' },
    });
    expect(days).toEqual([
      { day: '2026-03-29', deposits: '6', withdrawals: '0', depositCount: 2, withdrawalCount: 0 },
    ]);
    expect(
      sources.map(({ source, deposits }: { source: string; deposits: string }) => [source, deposits]),
    ).toEqual([
      ['late', '4'],
      [expect.any(String), '2'],
    ]);
    expect([opening, closing]).toEqual(['1', { balance: '7', accounts: 2 }]);
    const query = '/overview/players?since=2026-03-29&until=2026-03-29';
    const { data } = await readData(pia, guildPath(query, guildId), TopPlayersReply);
    expect(data.earners.map(({ amount }: { amount: string }) => amount)).toEqual(['4', '2']);
    expect(data.spenders).toEqual([]);
  });

  test('names who earned and spent most, and says what is unusual and why', async () => {
    const usual = Array.from({ length: 10 }, (_, index) => ({
      playerId: 'a',
      amountUnits: 10_000,
      createdAtMs: at('2026-06-01T08:00:00Z') + index * 86_400_000,
    }));
    await happened(
      ...usual,
      { playerId: 'a', amountUnits: 29_999, createdAtMs: at('2026-06-12T08:00:00Z') },
      { playerId: 'b', amountUnits: 30_000, source: 'casino', createdAtMs: at('2026-06-13T08:00:00Z') },
      { playerId: 'b', amountUnits: -1, createdAtMs: at('2026-06-13T09:00:00Z') },
    );
    const query = '?since=2026-06-12&until=2026-06-15';
    expect((await overview(query)).unusual).toEqual([
      { kind: 'money-in', day: '2026-06-13', source: null, amount: '3', usual: '1' },
      { kind: 'new-source', day: null, source: 'casino', amount: '3', usual: null },
    ]);
    const { data } = await readData(pia, guildPath(`/overview/players${query}`, guildId), TopPlayersReply);
    expect(data).toEqual({
      earners: [
        { playerId: 'b', username: null, amount: '3', transactions: 1 },
        { playerId: 'a', username: null, amount: '2.9999', transactions: 1 },
      ],
      spenders: [{ playerId: 'b', username: null, amount: '0.0001', transactions: 1 }],
      searchedTo: null,
    });
  });

  test('has the days of the range on which something happened, its ends included', async () => {
    await happened(
      { playerId: 'a', amountUnits: 10_000, createdAtMs: at('2026-01-31T23:59:59.999Z') },
      { playerId: 'a', amountUnits: 20_000, createdAtMs: at('2026-02-01T00:00:00Z') },
      { playerId: 'a', amountUnits: -5_000, createdAtMs: at('2026-02-01T12:00:00Z') },
      { playerId: 'a', amountUnits: 30_000, createdAtMs: at('2026-02-28T23:59:59.999Z') },
      { playerId: 'a', amountUnits: 40_000, createdAtMs: at('2026-03-01T00:00:00Z') },
    );
    const { range, days } = await overview('?since=2026-02-01&until=2026-02-28');
    expect(range).toMatchObject({ since: '2026-02-01', until: '2026-02-28' });
    expect(days).toEqual([
      { day: '2026-02-01', deposits: '2', withdrawals: '0.5', depositCount: 1, withdrawalCount: 1 },
      { day: '2026-02-28', deposits: '3', withdrawals: '0', depositCount: 1, withdrawalCount: 0 },
    ]);
    expect((await overview('?since=2026-03-01')).days).toMatchObject([{ day: '2026-03-01' }]);
    expect((await overview('?until=2026-02-01')).range).toMatchObject({
      since: '2026-01-03',
      until: '2026-02-01',
    });
  });

  test('names the twelve sources with the largest turnover, and puts the others together', async () => {
    await happened(
      ...Array.from({ length: 14 }, (_, index) => ({
        source: `source ${index + 1}`,
        amountUnits: (index % 2 === 0 ? 10_000 : -10_000) * (index + 1),
      })),
    );
    const { sources } = await overview();
    expect(sources).toHaveLength(13);
    expect(sources[0]).toEqual({
      source: 'source 14',
      deposits: '0',
      withdrawals: '14',
      depositCount: 0,
      withdrawalCount: 1,
    });
    expect(sources[11].source).toBe('source 3');
    expect(sources[12]).toEqual({
      source: null,
      deposits: '1',
      withdrawals: '2',
      depositCount: 1,
      withdrawalCount: 1,
    });
  });

  test('has the ten largest balances with verified names, and sums of any size to the last digit', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    await happened(
      ...Array.from({ length: 11 }, (_, index) => ({ playerId: `${index}`, amountUnits: most - index })),
    );
    const person = { chatId: 'chat-0', playerId: '0', username: 'Zero' };
    await service.store.verifications.put([person], CHANGE);
    const { largestBalances, balance, days } = await overview();
    expect(largestBalances).toHaveLength(10);
    expect(largestBalances[0]).toEqual({
      playerId: '0',
      username: 'Zero',
      balance: '900719925474.0991',
      transactions: 1,
    });
    expect(largestBalances[9]).toMatchObject({ playerId: '9', username: null });
    expect(balance).toBe('9907919180215.0846');
    expect(days).toMatchObject([{ deposits: '9907919180215.0846' }]);
  });

  test.each([
    ['?since=2026-06-16', 'since must not be after until'],
    ['?since=2026-02-02&until=2026-02-01', 'since must not be after until'],
    ['?since=2016-01-01&until=2026-06-15', 'since and until must not be more than 3660 days apart'],
    ['?since=2026-02-30', 'since must be a day such as 2027-01-31'],
    ['?until=yesterday', 'until must be a day such as 2027-01-31'],
    ['?since=2026-02-01&since=2026-02-02', 'since must be a day such as 2027-01-31'],
  ])('is refused for %s', async (query, message) => {
    const reply = await pia.go(guildPath(`/overview${query}`, guildId));
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({
      success: false,
      message: `Bad request - ${message}`,
      code: 'invalid_input',
    });
  });

  test('refuses days whose days before would lie before the year 0', async () => {
    const ask = (query: string) => pia.go(guildPath(`/overview${query}`, guildId));
    for (const query of ['?since=0000-01-01&until=0000-01-01', '?until=0000-01-15', '?until=0000-02-28']) {
      const { status, body } = await ask(query);
      expect([query, status, body.message]).toEqual([query, 400, 'Bad request - since is too early']);
    }
    expect((await overview('?since=0000-01-02&until=0000-01-02')).previous.sinceAt).toBe(
      '0000-01-01T00:00:00.000Z',
    );
  });

  test('may cover ten years', async () => {
    expect((await overview('?since=2016-06-08&until=2026-06-15')).range.since).toBe('2016-06-08');
  });
});
