import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  GuildTransactionsReply,
  PlayerTransactionsReply,
  TransactionSumsReply,
} from '../../src/wire/dashboard-ledger.ts';
import { aPastTransaction, CHANGE } from '../contract/specimens.ts';
import {
  type DashboardService,
  GUILD,
  OTHER_GUILD,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';
import { createPoster, guildPath, type Poster, playerPath, readData } from './ledger-pages.ts';

let service: DashboardService;
let olga: SignedInBrowser;
let poster: Poster;

/** Posts of three players, between them and afterwards, with amounts and sources that repeat. */
beforeAll(async () => {
  service = await startDashboardService();
  olga = await service.signIn('olga');
  poster = await createPoster(service);
  for (let index = 0; index < 30; index += 1) {
    await poster.post({
      playerId: ['a', 'b', 'c'][index % 3] ?? 'a',
      amount: ((index * 7) % 11) - 5 || 6,
      quantity: (index % 4) + 1,
      source: ['shop', 'arena'][index % 2] ?? 'shop',
      name: `Item ${index}`,
    });
  }
  await (await createPoster(service, OTHER_GUILD)).post({ playerId: 'a' });
});
afterAll(() => service.stop());

const strip = ({
  transactionId,
  amount,
  quantity,
  name,
  source,
  total,
  createdAt,
}: Record<string, unknown>) => ({
  transactionId,
  amount,
  quantity,
  name,
  source,
  total,
  createdAt,
});

describe("a player's transactions", () => {
  const QUERIES = ['', 'amount', 'quantity', 'total', 'createdAt'].flatMap((sortBy) =>
    ['', 'sortOrder=asc'].flatMap((order) =>
      ['', 'from=shop', 'minAmount=0', 'maxAmount=3&from=arena', 'minAmount=1&maxAmount=4'].map((filter) =>
        [sortBy === '' ? '' : `sortBy=${sortBy}`, order, filter, 'limit=4&page=2'].filter(Boolean).join('&'),
      ),
    ),
  );

  test.each([...QUERIES, '', 'page=99', 'from=nobody', 'limit=100'])(
    'for "%s" are the rows, the order and the pages of the interface',
    async (query) => {
      service.clock.advance(200);
      const url = `/guild/ledger/a/transactions?${query}`;
      const asked = await service.send({ method: 'GET', url, key: poster.key });
      const shown = await readData(olga, playerPath('a', `/transactions?${query}`), PlayerTransactionsReply);
      expect(shown.pagination).toEqual(asked.body.pagination);
      expect(shown.data.playerId).toBe('a');
      expect(shown.data.transactions.map(strip)).toEqual(asked.body.data.transactions);
    },
  );

  test.each([
    'page=0',
    'limit=101',
    'limit=x',
    'minAmount=-1',
    'minAmount=2&maxAmount=1',
    'maxAmount=0.00001',
    'sortBy=name',
    'sortOrder=up',
    'from=%00',
    'from=a&from=b',
  ])('for "%s" are refused in the words of the interface', async (query) => {
    service.clock.advance(200);
    const url = `/guild/ledger/a/transactions?${query}`;
    const asked = await service.send({ method: 'GET', url, key: poster.key });
    const shown = await olga.go(playerPath('a', `/transactions?${query}`));
    expect(shown.status).toBe(400);
    expect(shown.body).toEqual({ ...asked.body, code: 'invalid_input' });
  });

  test('tell number, balance and key of each, a deleted key too', async () => {
    const { keyId, post } = await createPoster(service);
    const transactionId = await post({ playerId: 'deleted', amount: 2.5, quantity: 2 });
    const prefix = service.db.prepare('SELECT prefix FROM api_key WHERE key_id = ?').get(keyId)?.prefix;
    await olga.change('DELETE', guildPath(`/keys/${keyId}`));
    await service.store.verifications.put([{ chatId: '7', playerId: 'deleted', username: 'Del' }], CHANGE);
    const { data } = await readData(olga, playerPath('deleted', '/transactions'), PlayerTransactionsReply);
    expect(data.transactions).toEqual([
      {
        transactionId,
        playerId: 'deleted',
        username: 'Del',
        seq: 1,
        amount: 2.5,
        quantity: 2,
        name: 'Iron Ingot',
        source: 'shop',
        total: 5,
        balanceAfter: '5',
        createdAt: new Date(service.clock.nowMs()).toISOString(),
        postedBy: { kind: 'key', id: keyId, name: 'test', prefix },
        number: expect.any(Number),
        reference: null,
        metadata: null,
        paymentId: null,
        reverses: null,
        reversedBy: null,
        corrections: [],
      },
    ]);
  });

  test('name nobody for what was imported, and print the largest amounts to the last digit', async () => {
    const guild = await service.guilds.find(GUILD);
    const amountUnits = Number.MAX_SAFE_INTEGER;
    await service.store.ledger.import(guild, [aPastTransaction(guild, { playerId: 'old', amountUnits })]);
    const reply = await olga.go(playerPath('old', '/transactions'));
    expect(reply.text).toContain('"amount":900719925474.0991,"total":900719925474.0991,');
    expect(reply.body.data.transactions).toMatchObject([
      { balanceAfter: '900719925474.0991', postedBy: { kind: 'import', id: null, name: null, prefix: null } },
    ]);
  });

  test('of a player nobody knows are an empty list', async () => {
    const { data, pagination } = await readData(
      olga,
      playerPath('nobody', '/transactions'),
      PlayerTransactionsReply,
    );
    expect(data.transactions).toEqual([]);
    expect(pagination).toEqual({ page: 1, limit: 20, total: 0, totalPages: 0 });
  });
});

describe("the guild's transactions", () => {
  const read = async (query: string) =>
    (await readData(olga, guildPath(`/transactions?${query}`), GuildTransactionsReply)).data;

  async function readAll(query: string) {
    const all: Record<string, unknown>[] = [];
    let before = '';
    for (let pages = 0; pages < 50; pages += 1) {
      const { transactions, next } = await read(`${query}${before}`);
      all.push(...transactions);
      if (next === null) {
        return all;
      }
      before = `&before=${next}`;
    }
    throw new Error('the list has no end');
  }

  test('come newest first, page by page, each once, with the player and nothing of other guilds', async () => {
    const all = await readAll('limit=7');
    const { total, sources } = await read('limit=1');
    expect(all).toHaveLength(total);
    expect(new Set(all.map(({ transactionId }) => transactionId)).size).toBe(total);
    const times = all.map(({ createdAt }) => String(createdAt));
    expect(times).toEqual([...times].sort().reverse());
    expect(all.filter(({ playerId }) => playerId === 'b')).toHaveLength(10);
    expect(sources).toEqual(expect.arrayContaining(['shop', 'arena']));
  });

  test('by source have an exact total, by amount none', async () => {
    const arena = await readAll('limit=4&from=arena');
    expect(arena.every(({ source }) => source === 'arena')).toBe(true);
    expect((await read('from=arena')).total).toBe(arena.length);
    const large = await readAll('limit=4&minAmount=3&maxAmount=4');
    expect(large.length).toBeGreaterThan(0);
    expect(large.every(({ amount }) => Number(amount) >= 3 && Number(amount) <= 4)).toBe(true);
    expect((await read('minAmount=3&maxAmount=4')).total).toBeNull();
    expect(await read('from=nobody')).toMatchObject({
      transactions: [],
      next: null,
      searchedTo: null,
      total: 0,
    });
  });

  test.each(['', 'from=shop', 'minAmount=3&maxAmount=4', 'maxAmount=0', 'search=item%201'])(
    'are added up for "%s"',
    async (query) => {
      const all = await readAll(`limit=100&${query}`);
      const { data } = await readData(olga, guildPath(`/transactions/sums?${query}`), TransactionSumsReply);
      const totals = all.map(({ total }) => Number(total));
      const sum = (some: number[]) => some.reduce((whole, total) => whole + total, 0);
      const [deposits, withdrawals] = [1, -1].map((sign) => totals.filter((total) => total * sign > 0));
      expect({ ...data, deposits: Number(data.deposits), withdrawals: Number(data.withdrawals) }).toEqual({
        depositCount: deposits?.length,
        deposits: sum(deposits ?? []),
        withdrawalCount: withdrawals?.length,
        withdrawals: Math.abs(sum(withdrawals ?? [])),
        net: data.net,
        searchedTo: null,
      });
      expect(Number(data.net)).toBeCloseTo(sum(totals), 4);
    },
  );

  test('of a guild where nothing happened are an empty list', async () => {
    const pia = await service.signIn('pia');
    const { data } = await readData(
      pia,
      guildPath('/transactions', '3491363316481801678'),
      GuildTransactionsReply,
    );
    expect(data).toEqual({ transactions: [], next: null, searchedTo: null, total: 0, sources: [] });
  });

  const encoded = (text: string) => Buffer.from(text).toString('base64url');
  test.each([
    'x',
    '',
    encoded('1.2'),
    encoded('1.2.3'),
    encoded('1.2.3.4.5'),
    encoded('01.2.3.4'),
    encoded('-0.2.3.4'),
    encoded('1e3.2.3.4'),
    encoded('1.--2.3.4'),
    encoded('99999999999999999999.1.1.1'),
    `${encoded('1.2.3.4')}=`,
    `${encoded('1.2.3.4')}!`,
    `${encoded('1.2.3.4')}&before=${encoded('1.2.3.4')}`,
  ])('are refused before %s', async (before) => {
    const reply = await olga.go(guildPath(`/transactions?before=${before}`));
    expect(reply.status).toBe(400);
    expect(reply.body.message).toMatch(/^Bad request - before must be /);
  });

  test.each([
    ['limit=101', 'limit must be an integer from 1 to 100'],
    ['minAmount=2&maxAmount=1', 'minAmount must not be above maxAmount'],
    ['minAmount=-1', 'minAmount must be a number of at least 0'],
  ])('are refused for %s', async (query, message) => {
    const reply = await olga.go(guildPath(`/transactions?${query}`));
    expect(reply.status).toBe(400);
    expect(reply.body.message).toBe(`Bad request - ${message}`);
  });
});
