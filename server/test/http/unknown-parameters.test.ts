import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/http/endpoints.ts';
import { ACTIONS, OWN_ACCOUNT_ROUTES } from '../../src/wire/roles.ts';
import { changeAt } from '../support/change.ts';
import { listenOnFreePort, requestText, sendRaw } from '../support/raw-http.ts';
import { type BotService, NDJSON, startBotService } from './bot-service.ts';
import {
  type DashboardService,
  GUILD,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';
import { ENDPOINT_CASES, errorText, GUILD_ID } from './filled-service.ts';

const HEADER = 'x-unknown-parameters';
const LISTING = '/guild/ledger/48213977/transactions';

let service: BotService;
let port: number;
beforeAll(async () => {
  service = await startBotService();
  port = await listenOnFreePort(service.app);
});
afterAll(() => service.stop());

function withQuery(url: string, query: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

describe.each(ENDPOINT_CASES)('$name, as the interface specifies it', ({ method, url, payload }) => {
  const ask = (query: string, changes: object = {}) =>
    service.ask({ method, url: withQuery(url, query), ...(payload && { payload }), ...changes });

  test('answers as without an unknown parameter, and names the parameter in a header', async () => {
    const plain = await ask('');
    const reply = await ask('tracing=1&Limit=2');
    expect([reply.status, reply.text]).toEqual([plain.status, plain.text]);
    expect([plain.headers[HEADER], reply.headers[HEADER]]).toEqual([undefined, 'tracing, Limit']);
  });

  test('names nothing to a caller without a key', async () => {
    const isPublic = url.startsWith('/commands');
    const reply = await ask('tracing=1', { key: undefined });
    expect(reply.headers[HEADER]).toBe(isPublic ? 'tracing' : undefined);
  });
});

describe('the header', () => {
  const namesOf = async (query: string) =>
    (await service.ask({ url: `${LISTING}?${query}` })).headers[HEADER];

  test('names the parameter that somebody took for a filter, and never a known one', async () => {
    expect(await namesOf('source=shop')).toBe('source');
    expect(await namesOf('source=shop&from=shop&page=1&limit=5&sortBy=total&sortOrder=asc')).toBe('source');
    expect(await namesOf('from=shop&minAmount=0&maxAmount=5')).toBeUndefined();
    expect(await namesOf('')).toBeUndefined();
  });

  test('is also on the refusal of another parameter and of a body', async () => {
    const listing = await service.ask({ url: `${LISTING}?limit=0&source=shop` });
    expect([listing.status, listing.headers[HEADER]]).toEqual([400, 'source']);
    const post = await service.ask({ method: 'POST', url: '/guild/ledger?dryRun=true', payload: {} });
    expect([post.status, post.headers[HEADER]]).toEqual([400, 'dryRun']);
  });

  test.each([
    ['source%0D%0Aset-cookie:%20a=1', 'source??set-cookie??a'],
    ['source%00=1', 'source?'],
    ['a%2Cb=1', 'a?b'],
    ['s%C3%B6urce=1&%F0%9F%98%80=1', 's?urce, ??'],
    ['source[]=1&source[a]=2', 'source'],
    ['=1', '?'],
    ['__proto__=1&constructor=2', '__proto__, constructor'],
    ['a=1&a=2', 'a'],
  ])('holds harmless characters alone: %s', async (query, expected) => {
    expect(await namesOf(query)).toBe(expected);
  });

  test('is one line of the answer on the wire, whatever is sent', async () => {
    const line = `GET ${LISTING}?a%0D%0Ax-evil:%201=1 HTTP/1.1`;
    const reply = await sendRaw(port, requestText(line, [`x-api-key: ${service.key}`]));
    expect(reply.headers[HEADER]).toBe('a??x-evil??1');
    expect(reply.headers).not.toHaveProperty('x-evil');
  });

  test('has at most ten names of at most 64 characters', async () => {
    const names = Array.from(
      { length: 12 },
      (_, index) => `${String.fromCharCode(97 + index)}${'x'.repeat(100)}`,
    );
    const listed = String(await namesOf(names.map((name) => `${name}=1`).join('&'))).split(', ');
    expect(listed).toEqual(names.slice(0, 10).map((name) => name.slice(0, 64)));
  });
});

describe('beyond the interface an unknown parameter is refused', () => {
  const ROUTES = ENDPOINTS.filter(({ unknownParameters }) => unknownParameters !== 'named');

  test('on every route but the six of the interface', () => {
    expect(ENDPOINTS.length - ROUTES.length).toBe(ENDPOINT_CASES.length);
  });

  test.each(ROUTES)('$method $path', async ({ method, path, query, access, isStreamed }) => {
    const url = path
      .replace('{guildId}', GUILD_ID)
      .replace('{kind}', 'discharges')
      .replaceAll(/\{\w+\}/g, '01890000-0000-7000-8000-000000000000');
    // One of the routes deletes the key that it is called with.
    const { value: key } = await service.addKey(GUILD_ID);
    const before = service.snapshot();
    const ask = (address: string) =>
      access === 'bot'
        ? service.bot(method, address, isStreamed === true ? { headers: NDJSON, payload: '' } : {})
        : service.ask({ method, url: address, key });
    const reply = await ask(`${url}?source=shop`);
    const known = Object.keys(query?.properties ?? {});
    const rule = known.length === 0 ? 'this route takes none' : `known: ${known.join(', ')}`;
    expect([reply.status, reply.text]).toEqual([
      400,
      errorText(`Bad request - unknown query parameter: source (${rule})`, { code: 'unknown_parameter' }),
    ]);
    expect(service.snapshot()).toBe(before);
    expect((await ask(url)).body?.code).not.toBe('unknown_parameter');
  });

  test('and nothing but harmless characters is repeated', async () => {
    const reply = await service.ask({ url: '/guild/feed?%3Cscript%3E=1&after=0' });
    expect(reply.body.message).toBe('Bad request - unknown query parameter: ?script? (known: after, limit)');
  });
});

describe('the dashboard', () => {
  const GUILD_ROUTES = [
    ...Object.values(ACTIONS).flatMap(({ routes }) => [...routes]),
    ...OWN_ACCOUNT_ROUTES,
  ];
  const ROUTES = [
    'GET session',
    'POST sign-out',
    'POST sign-out-everywhere',
    'GET guilds',
    'PUT preferences',
    ...GUILD_ROUTES.map((route) => route.replace(' ', ` guilds/${GUILD}/`)),
  ];
  let dashboard: DashboardService;
  let olga: SignedInBrowser;
  beforeAll(async () => {
    dashboard = await startDashboardService({}, { GUILD_EDITS_VERIFICATIONS: 'true' });
    const verification = { chatId: '101', playerId: 'p', username: 'olga' };
    await dashboard.store.verifications.put([verification], changeAt(dashboard.clock.nowMs()));
    olga = await dashboard.signIn('olga');
  });
  afterAll(() => dashboard.stop());

  test.each(ROUTES)('refuses it on %s', async (route) => {
    const [method = '', path = ''] = route.split(' ');
    const url = `/dashboard/api/${path.replaceAll(/\{\w+\}/g, '01890000-0000-7000-8000-000000000000')}?zzz=1`;
    const reply = await (method === 'GET' ? olga.go(url) : olga.change(method, url));
    expect([reply.status, reply.body]).toEqual([
      400,
      {
        success: false,
        message: expect.stringMatching(/^Bad request - unknown query parameter: zzz \(/),
        code: 'unknown_parameter',
      },
    ]);
  });

  test('ignores what a chat platform adds to the address that completes a sign-in', async () => {
    const browser = dashboard.openBrowser();
    const back = await browser.pick(await browser.begin(), 'olga');
    const reply = await browser.go(`${back}&iss=https%3A%2F%2Fchat.example&session_state=1`);
    expect(reply.location).toBe('/dashboard/');
  });

  test.each(['/dashboard/?utm_source=mail', '/livez?probe=1', '/openapi.json?v=2'])(
    'and the pages ignore it: %s',
    async (url) => {
      expect((await dashboard.openBrowser().go(url)).status).toBe(200);
    },
  );
});
