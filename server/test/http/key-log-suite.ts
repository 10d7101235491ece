import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOfKeyValue } from '../../src/domain/access/key-value.ts';
import { aKeyRequest } from '../contract/specimens.ts';
import { untilTrue } from '../support/patience.ts';
import {
  type DashboardService,
  GUILD,
  keysPath,
  OTHER_GUILD,
  type SignedInBrowser,
} from './dashboard-service.ts';
import { findGuild, type Logged, makeLoggedKey } from './logged-key.ts';

const HOUR_MS = 3_600_000;
const POST = { playerId: 'p', name: 'Iron', quantity: 1, amount: 5, source: 'shop' };

/** `readStored` returns everything that the store has, as text. */
export function describeKeyLog(
  start: () => Promise<DashboardService>,
  readStored: (service: DashboardService) => Promise<string>,
): void {
  let service: DashboardService;
  let olga: SignedInBrowser;
  beforeAll(async () => {
    service = await start();
    olga = await service.signIn('olga');
  });
  afterAll(() => service.stop());

  const makeKey = (changes: object = {}) => makeLoggedKey({ service, manager: () => olga }, changes);
  const usageOf = async (keyId: string) => {
    const usage = await service.store.keys.usage(await findGuild(service), keyId, 0);
    return usage.reduce((sum, { count }) => sum + count, 0);
  };

  describe('the log of a key', () => {
    test('has each refused request with its reason, and not the answered ones', async () => {
      const { id, send, waitFor, logged } = await makeKey({ scopes: ['guild:write'] });
      expect((await send('POST', '/guild/ledger', POST)).status).toBe(200);
      const refused = await send('POST', '/guild/ledger', { ...POST, amount: -5, deposit: true });
      expect((await send('GET', '/guild/accounts/p')).status).toBe(403);
      expect((await send('GET', '/guild/ledger/p/transactions')).status).toBe(403);
      const all = await waitFor(3);
      expect(all.map(({ code, route }) => [route, code])).toEqual([
        ['listTransactions', 'missing_scope'],
        ['getAccount', 'missing_scope'],
        ['postTransaction', 'deposit_conflict'],
      ]);
      const [first] = all.slice(-1);
      expect(first).toEqual({
        keyId: id,
        requestId: refused.headers.get('x-request-id'),
        at: expect.any(String),
        method: 'POST',
        route: 'postTransaction',
        path: '/guild/ledger',
        status: refused.status,
        code: 'deposit_conflict',
        message: JSON.parse(refused.text).message,
        durationMs: expect.any(Number),
        address: expect.stringContaining('127.0.0.1'),
        userAgent: expect.any(String),
      });
      expect(await logged(`&requestId=${first?.requestId}`)).toEqual([first]);
      expect((await logged('&route=getAccount')).map(({ route }) => route)).toEqual(['getAccount']);
    });

    test('is open to the key itself, page by page, and to no other key', async () => {
      const { send, waitFor } = await makeKey();
      const other = await makeKey();
      for (const id of ['a', 'b', 'c']) {
        expect((await send('GET', `/guild/transactions/${id}`)).status).toBe(404);
      }
      await waitFor(3);
      const first = JSON.parse((await send('GET', '/guild/key/requests?limit=2')).text);
      expect(first.data.requests.map(({ path }: Logged) => path)).toEqual([
        '/guild/transactions/c',
        '/guild/transactions/b',
      ]);
      const cursor = first.data.nextCursor as string;
      const second = JSON.parse((await send('GET', `/guild/key/requests?limit=2&cursor=${cursor}`)).text);
      expect(second.data.requests.map(({ path }: Logged) => path)).toEqual(['/guild/transactions/a']);
      expect(second.data.nextCursor).toBeNull();
      expect((await send('GET', '/guild/key/requests?cursor=abc')).status).toBe(400);
      const theirs = JSON.parse((await other.send('GET', '/guild/key/requests')).text);
      expect(theirs.data).toEqual({ requests: [], nextCursor: null });
    });

    test('says why a key is refused that exists: expired, or used from another address', async () => {
      const bound = await makeKey();
      expect((await olga.change('PUT', bound.path, { networks: ['203.0.113.7'] })).status).toBe(200);
      expect((await bound.send('GET', '/guild/key')).status).toBe(401);
      const [address] = await bound.waitFor(1);
      expect(address).toMatchObject({ code: 'unauthorized', message: expect.stringContaining('address') });
      const expiresAt = new Date(service.clock.nowMs() + 2 * HOUR_MS).toISOString();
      const expired = await makeKey({ expiresAt });
      service.clock.advance(2 * HOUR_MS);
      olga = await service.signIn('olga');
      const reply = await expired.send('GET', '/guild/key');
      expect([reply.status, JSON.parse(reply.text).message]).toEqual([401, 'Unauthorized - invalid API key']);
      const [late] = await expired.waitFor(1);
      expect(late).toMatchObject({ code: 'unauthorized', message: expect.stringContaining('expired') });
    });

    test('has all requests while the guild keeps all', async () => {
      const { path, send, waitFor, logged } = await makeKey();
      const { body } = await olga.change('PUT', path, { keepAllHours: 24 });
      expect(Date.parse(body.data.keepsAllUntil) - service.clock.nowMs()).toBe(24 * HOUR_MS);
      expect((await olga.change('PUT', path, { keepAllHours: 25 })).status).toBe(400);
      expect((await send('GET', '/guild/key')).status).toBe(200);
      const [kept] = await waitFor(1);
      expect(kept).toMatchObject({ route: 'getKey', status: 200, code: null, message: null });
      expect((await logged('&refused=true')).length).toBe(0);
      await olga.change('PUT', path, { keepAllHours: 0 });
      await send('GET', '/guild/key');
      await send('GET', '/guild/transactions/x');
      expect((await waitFor(2)).map(({ route }) => route)).toEqual(['getTransaction', 'getKey']);
    });

    test('is exported as CSV with the same filters, all pages in one file', async () => {
      const named = await makeKey({ name: '=1+1' });
      const { keyNo = -1 } = (await service.store.keys.findByHash(hashOfKeyValue(named.value))) ?? {};
      const nowMs = service.clock.nowMs();
      const many = Array.from({ length: 700 }, (_, index) =>
        aKeyRequest(keyNo, { requestId: `r-${index}`, atMs: nowMs + index, isOfAll: true }),
      );
      await service.store.requests.add(many);
      const path = `/dashboard/api/guilds/${GUILD}/requests.csv?keyId=${named.id}`;
      const file = await olga.go(path);
      expect(file.headers.get('content-disposition')).toMatch(
        /^attachment; filename="requests-[\d-]+\.csv"$/,
      );
      const [header, first = '', ...rest] = file.text.trimEnd().split('\r\n');
      expect(header).toBe(
        'guildId,at,keyId,keyName,method,path,route,status,code,message,requestId,durationMs,address,userAgent',
      );
      const {
        path: asked,
        route,
        status,
        code,
        message,
        durationMs,
        address,
        userAgent,
      } = aKeyRequest(keyNo);
      const at = new Date(nowMs + 699).toISOString();
      expect(first).toBe(
        [
          ...[GUILD, at, named.id, "'=1+1", 'POST', asked, route, status, code, message],
          ...['r-699', durationMs, address, userAgent],
        ].join(','),
      );
      expect(rest.length).toBe(699);
      expect((await olga.go(`${path}&refused=false&exact=true`)).text).toBe(`${header}\r\n`);
      expect((await olga.go(`${path}&requestId=r-3`)).text.trimEnd().split('\r\n').length).toBe(2);
      const otto = await service.signIn('otto');
      expect((await otto.go(path)).status).toBe(404);
      expect((await otto.go(path.replace(GUILD, OTHER_GUILD))).status).toBe(404);
    });

    test('cuts long paths off between two characters', async () => {
      const { send, waitFor } = await makeKey();
      const start = `/guild/transactions/${'a'.repeat(279)}`;
      await send('GET', `${start}${encodeURIComponent('😀')}`);
      const [{ path = '' } = {}] = await waitFor(1);
      expect([path.slice(0, -1), path.length, path.isWellFormed()]).toEqual([start, 300, true]);
    });

    test('is not there for another guild, nor for a viewer', async () => {
      const { id, path } = await makeKey();
      const otto = await service.signIn('otto');
      const theirs = `/dashboard/api/guilds/${OTHER_GUILD}/requests`;
      expect((await otto.go(`${theirs}?keyId=${id}`)).status).toBe(404);
      expect((await otto.go(theirs)).body.data.requests).toEqual([]);
      expect((await otto.go(`${keysPath(OTHER_GUILD)}/${id}/hours`)).status).toBe(404);
      expect((await otto.go(`${path}/hours`)).status).toBe(404);
    });
  });

  test('requests are counted by hour, route and result', async () => {
    const { id, path, send } = await makeKey();
    for (let count = 0; count < 3; count += 1) {
      await send('GET', '/guild/accounts/p');
    }
    await send('GET', '/guild/transactions/x');
    await untilTrue(async () => (await usageOf(id)) >= 4);
    const hour = new Date(Math.floor(service.clock.nowMs() / HOUR_MS) * HOUR_MS).toISOString();
    const counts = [
      { hour, route: 'getAccount', code: 'ok', count: 3 },
      { hour, route: 'getTransaction', code: 'transaction_not_found', count: 1 },
    ];
    const { hours } = (await olga.go(`${path}/hours?days=1`)).body.data;
    expect(hours).toEqual(counts);
    const { data } = (await olga.go(`/dashboard/api/guilds/${GUILD}/requests/hours?days=1`)).body;
    const own = data.hours.filter(({ keyId }: Logged) => keyId === id);
    expect(own).toEqual(counts.map((count) => ({ keyId: id, ...count })));
    // The key's own request is counted once it is answered.
    const reply = JSON.parse((await send('GET', '/guild/key/usage?days=1')).text);
    expect(reply.data.hours).toEqual(counts);
  });

  test('a jump of refusals is reported to managers of the guild, with the most frequent reason', async () => {
    const { id, send } = await makeKey();
    const calm = await makeKey();
    const jumps = async () =>
      (await olga.go(`/dashboard/api/guilds/${GUILD}/requests/jumps`)).body.data.jumps.filter(
        ({ keyId }: Logged) => [id, calm.id].includes(keyId),
      );
    expect(await jumps()).toEqual([]);
    await calm.send('GET', '/guild/transactions/x');
    await send('GET', '/guild/transactions?unknown=1');
    for (let count = 0; count < 10; count += 1) {
      service.clock.advance(100);
      await send('GET', '/guild/transactions/x');
    }
    await untilTrue(async () => (await usageOf(id)) >= 11);
    expect(await jumps()).toEqual([{ keyId: id, refused: 11, usual: 0, code: 'transaction_not_found' }]);
    service.clock.advance(24 * HOUR_MS);
    olga = await service.signIn('olga');
    expect(await jumps()).toEqual([]);
    const otto = await service.signIn('otto');
    expect((await otto.go(`/dashboard/api/guilds/${GUILD}/requests/jumps`)).status).toBe(404);
  });

  test('nothing secret is stored, wherever a request has it', async () => {
    const { path, value, send, waitFor } = await makeKey();
    await olga.change('PUT', path, { keepAllHours: 1 });
    const token = 'eyJhbGciOiJIUzI1NiJ9.c2VjcmV0LXRva2VuLTEyMzQ1Ng';
    const words = 'opensesame-between-friends';
    const inBody = 'the contents of a body';
    await send('GET', `/guild/transactions/${value}`);
    await send('GET', `/guild/transactions/${encodeURIComponent(`%67bk_${value.slice(4)}`)}`);
    await send('GET', `/guild/transactions?reference=${token}&cursor=${value.slice(4)}&unknown=${words}`);
    await send('GET', `/guild/transactions?${words}=1`, undefined, { authorization: `Bearer ${words}` });
    await send('GET', '/guild/accounts/p', undefined, {
      'user-agent': `bot ${value} ${token}`,
      cookie: `session=${words}`,
      referer: `https://example.org/?${token}`,
      authorization: `Bearer ${token}`,
      'x-request-id': token,
    });
    await send('POST', '/guild/ledger', { ...POST, name: inBody, amount: 0 }, { 'idempotency-key': token });
    await send('POST', '/guild/ledger', { ...POST, [inBody]: value, [token]: value, deposit: value });
    await send('GET', `/guild/accounts?${encodeURIComponent(token)}=1&${value}=1`);
    await send('GET', `/users/${encodeURIComponent(`${value} ${token}`)}?colour=${value}`);
    await send('GET', '/guild/accounts/p', undefined, {
      'content-type': value,
      'x-csrf-token': words,
      'x-forwarded-for': token,
      'user-agent': words,
    });
    expect(await waitFor(10)).toHaveLength(10);
    const stored = await readStored(service);
    expect(stored).toContain('postTransaction');
    for (const secret of [value, value.slice(4), token.split('.')[1] ?? '', words, inBody]) {
      expect(stored).not.toContain(secret);
    }
  });
}
