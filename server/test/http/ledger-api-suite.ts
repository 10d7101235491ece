import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Ask,
  type FilledService,
  GUILD_ID,
  OTHER_GUILD_ID,
  startFilledService,
} from './filled-service.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

export type StartService = () => Promise<FilledService>;

/** The routes of the ledger beyond the six of the interface, each with a request that succeeds. */
const ROUTES = [
  { name: 'account', method: 'GET', url: '/guild/accounts/nobody', scope: 'guild:read' },
  { name: 'accounts', method: 'GET', url: '/guild/accounts', scope: 'guild:read' },
  { name: 'history', method: 'GET', url: '/guild/transactions', scope: 'guild:read' },
  { name: 'feed', method: 'GET', url: '/guild/feed', scope: 'guild:read' },
  {
    name: 'transaction',
    method: 'GET',
    url: `/guild/transactions/${UNKNOWN_ID}`,
    scope: 'guild:read',
    status: 404,
  },
  {
    name: 'batch',
    method: 'POST',
    url: '/guild/transactions',
    scope: 'guild:write',
    payload: { transactions: [{ playerId: 'p', name: 'n', quantity: 1, amount: 1, source: 's' }] },
  },
  {
    name: 'reversal',
    method: 'POST',
    url: `/guild/transactions/${UNKNOWN_ID}/reversal`,
    scope: 'guild:write',
    payload: {},
    status: 404,
  },
  {
    name: 'reversals',
    method: 'POST',
    url: '/guild/reversals',
    scope: 'guild:write',
    payload: { transactionIds: [UNKNOWN_ID] },
    status: 404,
  },
  {
    name: 'payment',
    method: 'POST',
    url: '/guild/payments',
    scope: 'guild:write',
    payload: { fromPlayerId: 'p', toPlayerId: 'q', amount: 1, name: 'n', source: 's' },
  },
] as const;

export function describeLedgerApi(start: StartService = startFilledService): void {
  let service: FilledService;
  let players = 0;
  beforeAll(async () => {
    service = await start();
    await service.addGuild(OTHER_GUILD_ID, { overdraftAllowed: false });
  });
  afterAll(() => service.stop());

  /** A player that no other test knows of. */
  const aPlayer = () => `player ${++players}`;
  const get = (url: string, options: Partial<Ask> = {}) => service.ask({ url, ...options });
  const send = (url: string, payload: unknown, options: Partial<Ask> = {}) =>
    service.ask({ method: 'POST', url, payload: payload as object, ...options });
  const item = (changes: object = {}) => ({
    playerId: 'p',
    name: 'Iron',
    quantity: 1,
    amount: 5,
    source: 'shop',
    ...changes,
  });
  /** In the guild that forbids overdraft. */
  const strict = () => ({ key: service.otherKey });

  async function postOne(changes: object = {}, options: Partial<Ask> = {}): Promise<string> {
    const reply = await send('/guild/transactions', { transactions: [item(changes)] }, options);
    expect(reply.status).toBe(200);
    return reply.body.data.results[0].transactionId;
  }
  const balanceOf = async (playerId: string, options: Partial<Ask> = {}) =>
    (await get(`/guild/accounts/${encodeURIComponent(playerId)}`, options)).body.data.balance;

  describe('access', () => {
    test.each(ROUTES)('$name answers a key with its scope, and no other', async (route) => {
      const { method, url, scope } = route;
      const payload = 'payload' in route ? { payload: route.payload } : {};
      const ask = (key: string | undefined) => service.ask({ method, url, key, ...payload });
      expect((await ask(service.key)).status).toBe('status' in route ? route.status : 200);
      const wrong = (await service.addKey(GUILD_ID, ['users:read'])).value;
      expect((await ask(wrong)).body).toEqual({
        success: false,
        message: `Forbidden - missing required scope: ${scope}`,
        code: 'missing_scope',
      });
      const missing = await ask(undefined);
      expect([missing.status, missing.body]).toEqual([
        401,
        { success: false, message: 'Unauthorized - invalid API key', code: 'unauthorized' },
      ]);
    });

    test.each(ROUTES)('$name has a limit of ten a second of its own', async (route) => {
      const { method, url } = route;
      const payload = 'payload' in route ? { payload: route.payload } : {};
      const key = (await service.addKey(GUILD_ID)).value;
      const replies = [];
      for (let count = 0; count < 11; count += 1) {
        replies.push(await service.send({ method, url, key, ...payload }));
      }
      expect(replies.map(({ status }) => status === 429)).toEqual([...Array(10).fill(false), true]);
      expect(replies[0]?.headers['x-ratelimit-limit']).toBe('10');
      expect(replies[10]?.body.code).toBe('rate_limited');
      expect(replies[10]?.headers['retry-after']).toMatch(/^[12]$/);
    });

    test('a wrong method is answered in the same shape', async () => {
      const reply = await service.ask({ method: 'DELETE', url: '/guild/payments' });
      expect([reply.status, reply.body.code, reply.headers.allow]).toEqual([
        405,
        'method_not_allowed',
        'POST',
      ]);
    });
  });

  describe('an account', () => {
    test('has balance, count and last time, now and at an earlier time', async () => {
      const player = aPlayer();
      await postOne({ playerId: player, amount: 12.5 });
      const first = (await get(`/guild/accounts/${player}`)).body.data;
      await postOne({ playerId: player, amount: -0.0001, quantity: 3 });
      const url = `/guild/accounts/${encodeURIComponent(player)}`;
      const now = await get(url);
      expect(now.text).toBe(
        `{"success":true,"data":{"playerId":"${player}","balance":12.4997,"transactionCount":2,` +
          `"lastTransactionAt":"${now.body.data.lastTransactionAt}"}}`,
      );
      expect((await get(`${url}?at=${first.lastTransactionAt}`)).body.data).toEqual(first);
      expect((await get(`${url}?at=1999-01-01T00:00:00Z`)).body.data).toEqual({
        playerId: player,
        balance: 0,
        transactionCount: 0,
        lastTransactionAt: null,
      });
      expect((await get(url, strict())).body.data.transactionCount).toBe(0);
    });

    test('a wrong time and a missing player are refused', async () => {
      const reply = await get('/guild/accounts/p?at=yesterday');
      expect([reply.status, reply.body.code]).toEqual([400, 'invalid_input']);
      const blank = await get('/guild/accounts/');
      expect([blank.status, blank.body.code]).toEqual([400, 'missing_parameters']);
    });

    test('many are listed by balance with their rank, page by page', async () => {
      const key = (await service.addKey((await service.addGuild(`g${++players}`)).guildId)).value;
      for (const [playerId, amount] of [
        ['a', 3],
        ['b,c', 9],
        ['d', -1],
        ['e', 3],
      ] as const) {
        await postOne({ playerId, amount }, { key });
      }
      const ranked: [number, string][] = [];
      let cursor = '';
      for (;;) {
        const { data } = (await get(`/guild/accounts?limit=3${cursor}`, { key })).body;
        ranked.push(
          ...data.accounts.map((one: { rank: number; playerId: string }) => [one.rank, one.playerId]),
        );
        if (data.nextCursor === null) {
          break;
        }
        cursor = `&cursor=${data.nextCursor}`;
      }
      expect(ranked).toEqual([
        [1, 'b,c'],
        [2, 'e'],
        [3, 'a'],
        [4, 'd'],
      ]);
      const mismatch = await get(`/guild/accounts?limit=3&sortOrder=asc${cursor}`, { key });
      expect([mismatch.status, mismatch.body.code]).toEqual([400, 'cursor_mismatch']);
      const named = await get('/guild/accounts?playerIds=e,b%2Cc,nobody', { key });
      expect(named.body.data).toEqual({
        accounts: [
          expect.objectContaining({ rank: null, playerId: 'e', balance: 3 }),
          expect.objectContaining({ rank: null, playerId: 'b,c', balance: 9 }),
          { rank: null, playerId: 'nobody', balance: 0, transactionCount: 0, lastTransactionAt: null },
        ],
        nextCursor: null,
      });
    });

    test.each([
      'limit=0',
      'limit=101',
      'sortOrder=up',
      'cursor=x',
      'cursor=',
      'playerIds=',
      'playerIds=a,,b',
      'playerIds=a&playerIds=b',
      `playerIds=${Array(101).fill('a').join()}`,
      'playerIds=a&cursor=x',
    ])('a list with "%s" is refused', async (query) => {
      const reply = await get(`/guild/accounts?${query}`);
      expect([reply.status, reply.body.code]).toEqual([400, 'invalid_input']);
    });
  });

  describe('a transaction', () => {
    test('is shown with everything known of it', async () => {
      const player = aPlayer();
      const id = await postOne({
        playerId: player,
        amount: -2.5,
        quantity: 2,
        reference: 'order 7',
        metadata: { z: 'last', a: 'ä"' },
      });
      const { data } = (await get(`/guild/transactions/${id}`)).body;
      expect(data.transaction).toEqual({
        transactionId: id,
        amount: -2.5,
        quantity: 2,
        name: 'Iron',
        source: 'shop',
        total: -5,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        playerId: player,
        number: expect.any(Number),
        balanceAfter: -5,
        type: 'withdrawal',
        reverses: null,
        reversedBy: null,
        paymentId: null,
        reference: 'order 7',
        metadata: { a: 'ä"', z: 'last' },
        postedBy: { kind: 'key', id: expect.stringMatching(UUID), name: 'test' },
      });
      const other = await get(`/guild/transactions/${id}`, strict());
      expect([other.status, other.body]).toEqual([
        404,
        { success: false, message: 'Transaction not found', code: 'transaction_not_found' },
      ]);
      expect((await get('/guild/transactions/no-uuid')).body.code).toBe('transaction_not_found');
      expect((await get('/guild/transactions/')).body.code).toBe('missing_parameters');
    });

    test('of the post of the interface knows no reference, even where one was sent', async () => {
      const reply = await service.ask({
        method: 'POST',
        url: '/guild/ledger',
        payload: item({ playerId: aPlayer(), reference: 'x', metadata: 5 }),
      });
      expect(reply.status).toBe(200);
      const { data } = (await get(`/guild/transactions/${reply.headers['transaction-id']}`)).body;
      expect([data.transaction.reference, data.transaction.metadata]).toEqual([null, null]);
    });
  });

  describe('the history', () => {
    test('is listed newest first, with filters and cursors', async () => {
      const key = (await service.addKey((await service.addGuild(`g${++players}`)).guildId)).value;
      const names = ['Iron', 'iron bar', 'Salt', 'Ore', 'Iron'];
      for (const [index, name] of names.entries()) {
        await postOne(
          { playerId: index % 2 === 0 ? 'p' : 'q', name, amount: index + 1, reference: `r${index % 2}` },
          { key },
        );
      }
      const listed = async (query: string) => {
        const numbers: number[] = [];
        let cursor = '';
        do {
          const { data } = (await get(`/guild/transactions?${query}${cursor}`, { key })).body;
          numbers.push(...data.transactions.map(({ number }: { number: number }) => number));
          cursor = data.nextCursor === null ? '' : `&cursor=${data.nextCursor}`;
        } while (cursor !== '');
        return numbers;
      };
      expect(await listed('limit=2')).toEqual([5, 4, 3, 2, 1]);
      expect(await listed('limit=1&playerId=p')).toEqual([5, 3, 1]);
      expect(await listed('search=iron')).toEqual([5, 2, 1]);
      expect(await listed('reference=r1&limit=1')).toEqual([4, 2]);
      expect(await listed('from=shop&minAmount=2&maxAmount=4')).toEqual([4, 3, 2]);
      const { transactions } = (await get('/guild/transactions', { key })).body.data;
      const [since, until] = [transactions[3].createdAt, transactions[1].createdAt];
      expect(await listed(`since=${since}&until=${until}`)).toEqual([3, 2]);
      const { nextCursor } = (await get('/guild/transactions?limit=1', { key })).body.data;
      const mismatch = await get(`/guild/transactions?limit=1&playerId=p&cursor=${nextCursor}`, { key });
      expect([mismatch.status, mismatch.body.code]).toEqual([400, 'cursor_mismatch']);
    });

    test.each([
      'limit=0',
      'limit=101',
      'cursor=nonsense',
      'minAmount=-1',
      'minAmount=3&maxAmount=2',
      'since=2026-01-01',
      'since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z',
      'search=',
      `reference=${'x'.repeat(129)}`,
    ])('with "%s" is refused', async (query) => {
      const reply = await get(`/guild/transactions?${query}`);
      expect([reply.status, reply.body.code]).toEqual([400, 'invalid_input']);
    });
  });

  describe('the feed', () => {
    test('goes on behind the last number seen', async () => {
      const key = (await service.addKey((await service.addGuild(`g${++players}`)).guildId)).value;
      for (const name of ['a', 'b', 'c']) {
        await postOne({ name }, { key });
      }
      const read = async (query: string) =>
        (await get(`/guild/feed${query}`, { key })).body.data.transactions.map(
          ({ number, name }: { number: number; name: string }) => `${number}${name}`,
        );
      expect(await read('')).toEqual(['1a', '2b', '3c']);
      expect(await read('?after=1&limit=1')).toEqual(['2b']);
      expect(await read('?after=3')).toEqual([]);
    });

    test.each(['after=-1', 'after=x', 'limit=0', 'limit=1001'])('with "%s" is refused', async (query) => {
      const reply = await get(`/guild/feed?${query}`);
      expect([reply.status, reply.body.code]).toEqual([400, 'invalid_input']);
    });
  });

  describe('a batch', () => {
    const resultsOf = (reply: { body: { data: { results: { status: string; code: string | null }[] } } }) =>
      reply.body.data.results.map(({ status, code }) => (code === null ? status : `${status} ${code}`));

    test('is posted in its order', async () => {
      const player = aPlayer();
      const reply = await send('/guild/transactions', {
        transactions: [item({ playerId: player }), item({ playerId: player, amount: -1.5 })],
      });
      expect([reply.status, reply.body]).toEqual([
        200,
        {
          success: true,
          data: {
            results: [5, 3.5].map((balance) => ({
              status: 'posted',
              transactionId: expect.stringMatching(UUID),
              balance,
              code: null,
              message: null,
            })),
          },
        },
      ]);
    });

    test('that is atomic is refused as a whole, for an item that is refused or wrong', async () => {
      const player = aPlayer();
      const refused = await send(
        '/guild/transactions',
        { transactions: [item({ playerId: player }), item({ playerId: player, amount: -6 }), item()] },
        strict(),
      );
      expect([refused.status, refused.body]).toEqual([
        409,
        {
          success: false,
          message: 'Conflict - an item was refused, so nothing was posted',
          code: 'batch_refused',
          data: {
            results: [
              { status: 'skipped', transactionId: null, balance: null, code: null, message: null },
              {
                status: 'refused',
                transactionId: null,
                balance: null,
                code: 'insufficient_funds',
                message: 'Conflict - the balance does not cover this withdrawal',
              },
              { status: 'skipped', transactionId: null, balance: null, code: null, message: null },
            ],
          },
        },
      ]);
      const wrong = await send('/guild/transactions', {
        transactions: [
          item({ playerId: player }),
          item({ quantity: 0 }),
          item({ name: undefined }),
          item({ amount: 0 }),
          item({ amount: -1, deposit: true }),
          'no item',
        ],
      });
      expect(wrong.status).toBe(409);
      expect(resultsOf(wrong)).toEqual([
        'skipped',
        'refused invalid_input',
        'refused missing_fields',
        'refused invalid_input',
        'refused deposit_conflict',
        'refused invalid_input',
      ]);
      expect([await balanceOf(player), await balanceOf(player, strict())]).toEqual([0, 0]);
    });

    test('that is not atomic lets each item succeed or fail on its own', async () => {
      const player = aPlayer();
      const reply = await send(
        '/guild/transactions',
        {
          atomic: false,
          transactions: [
            item({ playerId: player }),
            item({ playerId: player, amount: -6 }),
            item({ playerId: player, source: '' }),
            item({ playerId: player, amount: -5 }),
          ],
        },
        strict(),
      );
      expect(reply.status).toBe(200);
      expect(resultsOf(reply)).toEqual([
        'posted',
        'refused insufficient_funds',
        'refused missing_fields',
        'posted',
      ]);
      expect(await balanceOf(player, strict())).toBe(0);
    });

    test.each([true, false])('is repeated item by item with a key, atomic: %s', async (atomic) => {
      const player = aPlayer();
      const own = `own ${player}`;
      const body = {
        atomic,
        transactions: [item({ playerId: player }), item({ playerId: player, idempotencyKey: own })],
      };
      const headers = { 'idempotency-key': `batch of ${player}` };
      const first = await send('/guild/transactions', body, { headers });
      expect(resultsOf(first)).toEqual(['posted', 'posted']);
      const again = await send('/guild/transactions', body, { headers });
      expect(resultsOf(again)).toEqual(['replayed', 'replayed']);
      const idsOf = (reply: typeof first) =>
        reply.body.data.results.map((one: { transactionId: string; balance: number }) => [
          one.transactionId,
          one.balance,
        ]);
      expect(idsOf(again)).toEqual(idsOf(first));
      // The index is part of the key, and a post knows it by the same.
      const single = await service.ask({
        method: 'POST',
        url: '/guild/ledger',
        payload: item({ playerId: player }),
        headers: { 'idempotency-key': `batch of ${player}/0` },
      });
      expect(single.headers['idempotency-replayed']).toBe('true');
      const other = await send('/guild/transactions', {
        atomic,
        transactions: [item({ playerId: player, amount: 6, idempotencyKey: own })],
      });
      expect(resultsOf(other)).toEqual(['refused idempotency_mismatch']);
      expect(await balanceOf(player)).toBe(10);
    });

    test('tells requests apart by reference and metadata, whatever the order of names', async () => {
      const player = aPlayer();
      const batch = (changes: object) =>
        send('/guild/transactions', {
          atomic: false,
          transactions: [item({ playerId: player, idempotencyKey: `k ${player}`, ...changes })],
        });
      expect(resultsOf(await batch({ metadata: { a: '1', b: '2' } }))).toEqual(['posted']);
      expect(resultsOf(await batch({ metadata: { b: '2', a: '1' } }))).toEqual(['replayed']);
      expect(resultsOf(await batch({ metadata: { a: '1' } }))).toEqual(['refused idempotency_mismatch']);
      expect(resultsOf(await batch({}))).toEqual(['refused idempotency_mismatch']);
    });

    test.each([
      [{}, 'missing_fields'],
      [{ transactions: [] }, 'invalid_input'],
      [{ transactions: Array(101).fill({}) }, 'invalid_input'],
      [{ transactions: {} }, 'invalid_input'],
      [{ atomic: 'yes', transactions: [{}] }, 'invalid_input'],
      [[], 'invalid_input'],
    ])('with a wrong envelope is refused: %j', async (payload, code) => {
      const reply = await send('/guild/transactions', payload);
      expect([reply.status, reply.body.code]).toEqual([400, code]);
    });

    test.each<[object, string]>([
      [{ reference: '' }, 'reference'],
      [{ reference: 'x'.repeat(129) }, 'reference'],
      [{ metadata: { 'a b': '1' } }, 'metadata'],
      [{ metadata: { a: 1 } }, 'metadata.a'],
      [{ metadata: { a: 'x'.repeat(257) } }, 'metadata.a'],
      [{ metadata: { a: { b: '1' } } }, 'metadata.a'],
      [
        { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, ''])) },
        'metadata',
      ],
      [
        {
          metadata: Object.fromEntries(
            Array.from({ length: 9 }, (_, index) => [`k${index}`, 'x'.repeat(240)]),
          ),
        },
        'metadata',
      ],
      [{ idempotencyKey: 'ä' }, 'idempotencyKey'],
    ])('refuses an item with %j', async (changes, field) => {
      const reply = await send('/guild/transactions', { transactions: [item(changes)] });
      const [result] = reply.body.data.results;
      expect([reply.status, result.code]).toEqual([409, 'invalid_input']);
      expect(result.message.startsWith(`Bad request - ${field} must`)).toBe(true);
    });

    test('may be 256 KiB and no larger, and its key 252 characters', async () => {
      const transactions = Array.from({ length: 100 }, () =>
        item({ playerId: aPlayer(), name: 'n'.repeat(256) }),
      );
      const fits = await send('/guild/transactions', { transactions, padding: 'x'.repeat(200_000) });
      expect(fits.status).toBe(200);
      const large = await send('/guild/transactions', { transactions, padding: 'x'.repeat(256 * 1_024) });
      expect([large.status, large.body.code]).toEqual([413, 'body_too_large']);
      const headers = { 'idempotency-key': 'k'.repeat(253) };
      expect((await send('/guild/transactions', { transactions }, { headers })).status).toBe(400);
    });
  });

  describe('a reversal', () => {
    test('posts the opposite and links the two, with or without a body', async () => {
      const player = aPlayer();
      const id = await postOne({ playerId: player, amount: 2.5, quantity: 2, reference: 'order' });
      const reply = await send(`/guild/transactions/${id}/reversal`, { reason: 'Paid twice' });
      expect(reply.status).toBe(200);
      const { transaction, reversed } = reply.body.data;
      expect(transaction).toMatchObject({
        amount: -2.5,
        quantity: 2,
        total: -5,
        balanceAfter: 0,
        playerId: player,
        name: 'Iron',
        source: 'shop',
        reverses: id,
        reversedBy: null,
        reference: null,
        metadata: { reason: 'Paid twice' },
      });
      expect(reversed).toMatchObject({
        transactionId: id,
        reverses: null,
        reversedBy: transaction.transactionId,
      });
      const other = await postOne({ playerId: player });
      const bare = await service.ask({ method: 'POST', url: `/guild/transactions/${other}/reversal` });
      expect([bare.status, bare.body.data.transaction.metadata]).toEqual([200, null]);
      expect(await balanceOf(player)).toBe(0);
    });

    test('is made once: the second is told of the first, a repeat with the key gets the first answer', async () => {
      const id = await postOne({ playerId: aPlayer() });
      const url = `/guild/transactions/${id}/reversal`;
      const headers = { 'idempotency-key': `undo ${id}` };
      const first = await send(url, {}, { headers });
      const again = await send(url, {}, { headers });
      expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
      const { transactionId } = first.body.data.transaction;
      const second = await send(url, {});
      expect([second.status, second.body]).toEqual([
        409,
        {
          success: false,
          message: 'Conflict - the transaction has been reversed',
          code: 'already_reversed',
          data: { transactionId, position: 0 },
        },
      ]);
      const otherReason = await send(url, { reason: 'another' }, { headers });
      expect([otherReason.status, otherReason.body.code]).toEqual([422, 'idempotency_mismatch']);
      const ofReversal = await send(`/guild/transactions/${transactionId}/reversal`, {});
      expect([ofReversal.status, ofReversal.body.code]).toEqual([409, 'is_reversal']);
    });

    test('needs the money where overdraft is forbidden, and the transaction of its own guild', async () => {
      const player = aPlayer();
      const id = await postOne({ playerId: player }, strict());
      await postOne({ playerId: player, amount: -1 }, strict());
      const refused = await send(`/guild/transactions/${id}/reversal`, {}, strict());
      expect([refused.status, refused.body.code]).toEqual([409, 'insufficient_funds']);
      const foreign = await send(`/guild/transactions/${id}/reversal`, {});
      expect([foreign.status, foreign.body.code]).toEqual([404, 'transaction_not_found']);
      expect(await balanceOf(player, strict())).toBe(4);
    });

    test('of many happens for all or none', async () => {
      const player = aPlayer();
      const ids = [await postOne({ playerId: player }), await postOne({ playerId: player, amount: 7 })];
      const refused = await send('/guild/reversals', { transactionIds: [...ids, UNKNOWN_ID] });
      expect([refused.status, refused.body.code, refused.body.data.position]).toEqual([
        404,
        'transaction_not_found',
        2,
      ]);
      const headers = { 'idempotency-key': `many ${player}` };
      const reply = await send('/guild/reversals', { transactionIds: ids, reason: 'r' }, { headers });
      expect(reply.body.data.transactions.map((one: { reverses: string }) => one.reverses)).toEqual(ids);
      const again = await send('/guild/reversals', { transactionIds: ids, reason: 'r' }, { headers });
      expect([again.text, again.headers['idempotency-replayed']]).toEqual([reply.text, 'true']);
      const third = await postOne({ playerId: player });
      const partly = await send('/guild/reversals', { transactionIds: [third, ids[1]] });
      expect([partly.status, partly.body.code, partly.body.data.position]).toEqual([
        409,
        'already_reversed',
        1,
      ]);
      expect(await balanceOf(player)).toBe(5);
    });

    test.each<[object, number, string]>([
      [{}, 400, 'missing_fields'],
      [{ transactionIds: [] }, 400, 'invalid_input'],
      [{ transactionIds: [1] }, 400, 'invalid_input'],
      [{ transactionIds: Array(101).fill(UNKNOWN_ID) }, 400, 'invalid_input'],
      [{ transactionIds: [UNKNOWN_ID, UNKNOWN_ID] }, 400, 'invalid_input'],
      [{ transactionIds: [UNKNOWN_ID], reason: '' }, 400, 'invalid_input'],
      [{ transactionIds: ['no-uuid'] }, 404, 'transaction_not_found'],
    ])('with %j is refused', async (payload, status, code) => {
      const reply = await send('/guild/reversals', payload);
      expect([reply.status, reply.body.code]).toEqual([status, code]);
    });
  });

  describe('a payment', () => {
    const payment = (fromPlayerId: string, toPlayerId: string, changes: object = {}) => ({
      fromPlayerId,
      toPlayerId,
      amount: 2.5,
      name: 'Debt',
      source: 'bot',
      ...changes,
    });

    test('moves money from one to the other, and links the two sides', async () => {
      const [from, to] = [aPlayer(), aPlayer()];
      await postOne({ playerId: from }, strict());
      const headers = { 'idempotency-key': `pay ${from}` };
      const body = payment(from, to, { reference: 'debt 1', metadata: { why: 'lost bet' } });
      const reply = await send('/guild/payments', body, { headers, ...strict() });
      expect([reply.status, reply.body]).toEqual([
        200,
        {
          success: true,
          data: {
            paymentId: expect.stringMatching(UUID),
            from: { transactionId: expect.stringMatching(UUID), balance: 2.5 },
            to: { transactionId: expect.stringMatching(UUID), balance: 2.5 },
          },
        },
      ]);
      const again = await send('/guild/payments', body, { headers, ...strict() });
      expect([again.text, again.headers['idempotency-replayed']]).toEqual([reply.text, 'true']);
      const other = await send('/guild/payments', { ...body, amount: 1 }, { headers, ...strict() });
      expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch']);
      for (const [side, amount] of [
        ['from', -2.5],
        ['to', 2.5],
      ] as const) {
        const { transactionId } = reply.body.data[side];
        const { transaction } = (await get(`/guild/transactions/${transactionId}`, strict())).body.data;
        expect(transaction).toMatchObject({
          amount,
          quantity: 1,
          name: 'Debt',
          source: 'bot',
          paymentId: reply.body.data.paymentId,
          reference: 'debt 1',
          metadata: { why: 'lost bet' },
        });
      }
    });

    test('that the payer cannot cover moves nothing', async () => {
      const [from, to] = [aPlayer(), aPlayer()];
      await postOne({ playerId: from, amount: 2 }, strict());
      const reply = await send('/guild/payments', payment(from, to), strict());
      expect([reply.status, reply.body.code]).toEqual([409, 'insufficient_funds']);
      expect([await balanceOf(from, strict()), await balanceOf(to, strict())]).toEqual([2, 0]);
    });

    test('is reversed with both sides, and not with one', async () => {
      const [from, to] = [aPlayer(), aPlayer()];
      const { data } = (await send('/guild/payments', payment(from, to))).body;
      const ids = [data.from.transactionId, data.to.transactionId];
      const one = await send(`/guild/transactions/${ids[0]}/reversal`, {});
      expect([one.status, one.body.code, one.body.data.transactionId]).toEqual([409, 'is_payment', ids[1]]);
      expect((await send('/guild/reversals', { transactionIds: [ids[1]] })).body.code).toBe('is_payment');
      const both = await send('/guild/reversals', { transactionIds: ids });
      expect(both.status).toBe(200);
      expect([await balanceOf(from), await balanceOf(to)]).toEqual([0, 0]);
    });

    test.each<[object, string]>([
      [{ amount: 0 }, 'invalid_input'],
      [{ amount: -1 }, 'invalid_input'],
      [{ amount: 0.00001 }, 'invalid_input'],
      [{ amount: '1' }, 'invalid_input'],
      [{ toPlayerId: 'a' }, 'invalid_input'],
      [{ toPlayerId: undefined }, 'missing_fields'],
      [{ source: ' ' }, 'missing_fields'],
      [{ metadata: { a: 1 } }, 'invalid_input'],
    ])('with %j is refused', async (changes, code) => {
      const reply = await send('/guild/payments', payment('a', 'b', changes));
      expect([reply.status, reply.body.code]).toEqual([400, code]);
    });
  });
}
