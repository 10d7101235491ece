import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invite } from './dashboard-people.ts';
import {
  type DashboardService,
  GUILD,
  keyOrder,
  keysPath,
  type SignedInBrowser,
} from './dashboard-service.ts';

const VERIFICATION_LIMIT = { route: 'getVerification', limit: 3, per: 'minute' };
const SCOPES = ['guild:read', 'guild:write', 'users:read'];

interface Options {
  /** False when the limiter does not use the test's clock: Redis has its own. */
  movesLimiter: boolean;
}

export function describeKeyRouteLimits(
  start: () => Promise<DashboardService>,
  { movesLimiter }: Options = { movesLimiter: true },
): void {
  let service: DashboardService;
  let olga: SignedInBrowser;
  beforeAll(async () => {
    service = await start();
    olga = await service.signIn('olga');
    const people = [{ chatId: '9001', playerId: '48213977', username: 'Rowan' }];
    await service.store.verifications.put(people, {
      actor: { kind: 'bot', id: 'bot' },
      atMs: service.clock.nowMs(),
    });
  });
  afterAll(() => service.stop());

  async function makeKey(routeLimits?: object[]) {
    const { body } = await olga.change('POST', keysPath(GUILD), keyOrder(service, { scopes: SCOPES }));
    const path = `${keysPath(GUILD)}/${body.data.id}`;
    const headers = { 'x-api-key': body.data.key as string };
    const ask = (url: string) => service.fetch(`${service.address}${url}`, { headers });
    const set = (settings: object) => olga.change('PUT', path, settings);
    if (routeLimits !== undefined) {
      expect((await set({ routeLimits })).status).toBe(200);
    }
    return { path, ask, set, find: () => ask('/users/9001') };
  }

  async function statusesOf(count: number, send: () => Promise<{ status: number }>): Promise<number[]> {
    const statuses: number[] = [];
    for (let index = 0; index < count; index += 1) {
      statuses.push((await send()).status);
    }
    return statuses;
  }

  describe('a limit of a route in the settings of a key', () => {
    test('refuses what is beyond it with 429, the usual headers and the shape of the route', async () => {
      const { find } = await makeKey([VERIFICATION_LIMIT]);
      const first = await find();
      expect([first.status, first.headers.get('x-ratelimit-limit')]).toEqual([200, '3']);
      expect(first.headers.get('x-ratelimit-remaining')).toBe('2');
      expect(await statusesOf(2, find)).toEqual([200, 200]);
      const { status, text, headers } = await find();
      expect([status, text]).toEqual([
        429,
        '{"success":false,"message":"Too many requests - limit is 3 requests per minute"}',
      ]);
      expect(headers.get('x-ratelimit-remaining')).toBe('0');
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(1);
      expect(Number(headers.get('x-ratelimit-reset-after'))).toBeLessThanOrEqual(60.1);
      if (movesLimiter) {
        service.clock.advance(60_001);
        expect((await find()).status).toBe(200);
      }
    });

    test('leaves other routes and other keys alone, which have no limit and no headers', async () => {
      const limited = await makeKey([{ ...VERIFICATION_LIMIT, limit: 1 }]);
      expect(await statusesOf(2, limited.find)).toEqual([200, 429]);
      const transfer = await limited.ask('/guild/transfers/none');
      expect([transfer.status, transfer.headers.has('x-ratelimit-limit')]).toEqual([404, false]);
      const { find } = await makeKey();
      const statuses = await statusesOf(30, find);
      expect(new Set(statuses)).toEqual(new Set([200]));
      expect((await find()).headers.has('x-ratelimit-limit')).toBe(false);
    });

    test('holds beside the limit of the ledger, and the tighter of the two is in the headers', async () => {
      const tight = await makeKey([{ route: 'listTransactions', limit: 2, per: 'minute' }]);
      const list = () => tight.ask('/guild/ledger/p1/transactions');
      expect((await list()).headers.get('x-ratelimit-limit')).toBe('2');
      expect(await statusesOf(2, list)).toEqual([200, 429]);
      const loose = await makeKey([{ route: 'listTransactions', limit: 500, per: 'minute' }]);
      const statuses = await Promise.all(
        Array.from({ length: 11 }, async () => (await loose.ask('/guild/ledger/p1/transactions')).text),
      );
      const refused = statuses.filter((text) => text.includes('limit is 10 requests per second'));
      expect(refused.length).toBeGreaterThanOrEqual(movesLimiter ? 1 : 0);
    });

    test('begins and ends with the change of the settings', async () => {
      const { find, set } = await makeKey();
      expect(await statusesOf(5, find)).toEqual([200, 200, 200, 200, 200]);
      await set({ routeLimits: [{ ...VERIFICATION_LIMIT, limit: 1 }] });
      expect(await statusesOf(2, find)).toEqual([200, 429]);
      await set({ name: 'Other settings keep it' });
      expect((await find()).status).toBe(429);
      await set({ routeLimits: [] });
      expect((await find()).status).toBe(200);
    });

    test('is shown to managers and to the key itself, and the log says who set it', async () => {
      const limits = [{ route: 'postTransaction', limit: 5, per: 'second' }, VERIFICATION_LIMIT];
      const { path, ask } = await makeKey(limits);
      const sorted = limits.toReversed();
      expect(JSON.parse((await ask('/guild/key')).text).data.key.routeLimits).toEqual(sorted);
      const { data } = (await olga.go(keysPath(GUILD))).body;
      const id = path.split('/').at(-1);
      expect(data.find((key: { id: string }) => key.id === id).routeLimits).toEqual(sorted);
      const log = await olga.go(`/dashboard/api/guilds/${GUILD}/audit?kind=key&subject=${id}&action=update`);
      expect(log.body.data.entries[0].detail).toEqual({
        before: { routeLimits: null },
        after: { routeLimits: 'getVerification=3/minute postTransaction=5/second' },
      });
    });

    test('is refused where it makes no sense, and changes nothing', async () => {
      const { set, find } = await makeKey([VERIFICATION_LIMIT]);
      const bad = [
        [{ ...VERIFICATION_LIMIT, limit: 0 }],
        [{ ...VERIFICATION_LIMIT, limit: 1_001 }],
        [{ ...VERIFICATION_LIMIT, limit: 1.5 }],
        [{ ...VERIFICATION_LIMIT, per: 'hour' }],
        [{ ...VERIFICATION_LIMIT, route: 'listCommands' }],
        [{ ...VERIFICATION_LIMIT, route: '__proto__' }],
        [VERIFICATION_LIMIT, { ...VERIFICATION_LIMIT, limit: 9 }],
        'none',
        null,
      ];
      for (const routeLimits of bad) {
        expect((await set({ routeLimits })).status).toBe(400);
      }
      expect((await find()).headers.get('x-ratelimit-limit')).toBe('3');
    });

    test('is raised or removed only by those who may issue keys', async () => {
      const invited = await invite(service, olga, 'manager');
      const { path } = await makeKey([VERIFICATION_LIMIT]);
      const change = (routeLimits: object[]) => invited.change('PUT', path, { routeLimits });
      for (const loose of [
        [],
        [{ ...VERIFICATION_LIMIT, limit: 4 }],
        [{ ...VERIFICATION_LIMIT, limit: 1, per: 'second' }],
        [{ route: 'getTransfer', limit: 1, per: 'minute' }],
      ]) {
        expect((await change(loose)).status).toBe(403);
      }
      const another = { route: 'getTransfer', limit: 1, per: 'minute' };
      expect((await change([VERIFICATION_LIMIT, another])).status).toBe(200);
      expect((await change([{ ...VERIFICATION_LIMIT, limit: 2 }, another])).status).toBe(200);
    });
  });
}
