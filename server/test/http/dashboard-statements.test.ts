import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archiveStore } from '../../src/compose/archive.ts';
import { BalanceReply, StatementReply } from '../../src/wire/dashboard-statements.ts';
import { aPastTransaction } from '../contract/specimens.ts';
import { createFolder } from '../support/folder.ts';
import {
  type DashboardService,
  GUILD,
  OTHER_GUILD,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';
import { guildPath, playerPath, readData } from './ledger-pages.ts';

let service: DashboardService;
let olga: SignedInBrowser;
let otto: SignedInBrowser;
beforeAll(async () => {
  service = await startDashboardService();
  olga = await service.signIn('olga');
  otto = await service.signIn('otto');
  const guild = await service.guilds.find(GUILD);
  const rows = [40_000, -15_000, 70_000, -1].map((amountUnits, hour) =>
    aPastTransaction(guild, {
      playerId: 'ranged',
      name: hour === 2 ? '=SUM(1)' : 'Iron Ingot',
      quantity: 1,
      amountUnits,
      createdAtMs: Date.parse(`2026-03-01T0${hour}:00:00Z`),
      source: 'shop',
    }),
  );
  await service.store.ledger.import(guild, rows);
});
afterAll(() => service.stop());

describe('the balance of an account at a moment', () => {
  test.each([
    ['before the first transaction', '2026-02-28T23:59:59.999Z', '0', 0, null],
    ['right at a transaction', '2026-03-01T01:00:00Z', '2.5', 2, '2026-03-01T01:00:00.000Z'],
    ['between two', '2026-03-01T02:30:00Z', '9.5', 3, '2026-03-01T02:00:00.000Z'],
    ['later than all', '2027-01-01T00:00:00Z', '9.4999', 4, '2026-03-01T03:00:00.000Z'],
  ])('%s', async (_when, at, balance, transactions, lastAt) => {
    const { data } = await readData(olga, playerPath('ranged', `/balance?at=${at}`), BalanceReply);
    expect(data).toEqual({ balance, transactions, lastAt });
  });

  test('of a player without an account is zero, also when another guild has one', async () => {
    const { data } = await readData(
      olga,
      playerPath('nobody', '/balance?at=2026-03-01T00:00:00Z'),
      BalanceReply,
    );
    expect(data).toEqual({ balance: '0', transactions: 0, lastAt: null });
    const other = await olga.go(guildPath('/players/ranged/balance?at=2026-03-02T00:00:00Z', OTHER_GUILD));
    expect([other.status, other.body.data?.balance ?? '0']).not.toContain('9.4999');
  });

  test('needs a moment', async () => {
    for (const query of ['', '?at=2026-03-01', '?at=yesterday']) {
      expect((await olga.go(playerPath('ranged', `/balance${query}`))).status).toBe(400);
    }
  });
});

describe('a statement', () => {
  const range = '?since=2026-03-01T01:00:00Z&until=2026-03-01T03:00:00Z';

  test('has the transactions of a range in order, and the balances before and after them', async () => {
    const { data } = await readData(olga, playerPath('ranged', `/statement${range}`), StatementReply);
    expect(data).toMatchObject({
      opening: '4',
      closing: '9.5',
      deposits: '7',
      withdrawals: '1.5',
      depositCount: 1,
      withdrawalCount: 1,
      total: 2,
      transactions: [
        { total: -1.5, balanceAfter: '2.5' },
        { total: 7, balanceAfter: '9.5' },
      ],
    });
    expect(data).not.toHaveProperty('archivedUntil');
  });

  test('of a range that begins in the archive says until when it is archived, and its opening is the balance then', async () => {
    const { databaseUrl } = service;
    const guild = await service.guilds.find(OTHER_GUILD);
    const days = ['2021-03-01', '2021-03-02', '2021-03-05'].map((day) =>
      aPastTransaction(guild, {
        playerId: 'archived',
        quantity: 1,
        amountUnits: 10_000,
        createdAtMs: Date.parse(`${day}T08:00:00Z`),
      }),
    );
    await service.store.ledger.import(guild, days);
    await archiveStore(
      { databaseUrl, idempotencyDays: 30 },
      {
        before: '2021-03-03',
        folder: createFolder(),
        guildId: OTHER_GUILD,
        isDryRun: false,
        nowMs: Date.now(),
        stop: new AbortController().signal,
        onProgress: () => {},
      },
    );
    const read = (query: string) =>
      readData(otto, guildPath(`/players/archived${query}`, OTHER_GUILD), StatementReply);
    const all = { opening: '2', closing: '3', total: 1, archivedUntil: '2021-03-02T08:00:00.000Z' };
    expect((await read('/statement')).data).toMatchObject(all);
    const later = (await read('/statement?since=2021-03-04T00:00:00Z')).data;
    expect(later).toMatchObject({ opening: '2', closing: '3', total: 1 });
    expect(later).not.toHaveProperty('archivedUntil');
    const { text } = await otto.go(guildPath('/players/archived/statement.csv', OTHER_GUILD));
    expect(text.split('\r\n')[1]).toMatch(
      /^2021-03-02T08:00:00.000[^,]*,"?Opening balance, after the archived transactions/,
    );
  });

  test('of a range without transactions, and of nobody, still has balances', async () => {
    const later = '?since=2026-04-01T00:00:00Z';
    const { data } = await readData(olga, playerPath('ranged', `/statement${later}`), StatementReply);
    expect(data).toMatchObject({ opening: '9.4999', closing: '9.4999', total: 0, transactions: [] });
    const nobody = await readData(olga, playerPath('nobody', '/statement'), StatementReply);
    expect(nobody.data).toMatchObject({ opening: '0', closing: '0', total: 0 });
    const wrong = await olga.go(
      playerPath('ranged', '/statement?since=2026-03-02T00:00:00Z&until=2026-03-01T00:00:00Z'),
    );
    expect(wrong.status).toBe(400);
  });

  test('is a file too, in which a spreadsheet runs nothing', async () => {
    const { text } = await olga.go(playerPath('ranged', `/statement.csv${range}&timeZone=Asia/Kathmandu`));
    const lines = text.replace('\uFEFF', '').split('\r\n');
    expect(lines.map((line) => line.split(',').slice(0, 7))).toEqual([
      ['when', 'what', 'source', 'quantity', 'amount', 'total', 'balance'],
      ['', 'Opening balance', '', '', '', '', '4'],
      ['2026-03-01T06:45:00.000+05:45', 'Iron Ingot', 'shop', '1', '-1.5', '-1.5', '2.5'],
      ['2026-03-01T07:45:00.000+05:45', "'=SUM(1)", 'shop', '1', '7', '7', '9.5'],
      ['', 'Closing balance', '', '', '', '', '9.5'],
      [''],
    ]);
  });
});
