import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type DashboardService,
  GUILD,
  keyOrder,
  keysPath,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';

const HOUR_MS = 3_600_000;
const NOT_SIGNED_IN = '{"success":false,"message":"Unauthorized - sign in first","code":"session_required"}';

let service: DashboardService;
beforeAll(async () => {
  service = await startDashboardService();
});
afterAll(() => service.stop());

const ROUTES: [string, string][] = [
  ['GET', '/dashboard/api/session'],
  ['POST', '/dashboard/api/sign-out'],
  ['POST', '/dashboard/api/sign-out-everywhere'],
  ['GET', '/dashboard/api/guilds'],
  ['PUT', '/dashboard/api/preferences'],
  ['GET', keysPath(GUILD)],
  ['POST', keysPath(GUILD)],
  ['DELETE', `${keysPath(GUILD)}/some-key`],
];
const CHANGES = ROUTES.filter(([method]) => method !== 'GET');

describe.each(ROUTES)('%s %s', (method, path) => {
  test.each([
    ['no cookie', undefined],
    ['an empty cookie', ''],
    ['a made-up token', 'A'.repeat(43)],
    ['a token that is no token', "' OR 1=1 --"],
    ['a very long token', 'A'.repeat(4_000)],
    ['a name that objects have', '__proto__'],
  ])('with %s is refused, and nothing may keep the answer', async (_name, token) => {
    const browser = service.openBrowser();
    if (token !== undefined) {
      browser.cookies.set('guildbook_session', encodeURIComponent(token));
    }
    const reply = await browser.go(path, { method, headers: { origin: service.address } });
    expect(reply.status).toBe(401);
    expect(reply.text).toBe(NOT_SIGNED_IN);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe.each(CHANGES)('%s %s', (method, path) => {
  let browser: SignedInBrowser;
  // Refusals end no session, which each of them shows, so that one is enough for all.
  beforeAll(async () => {
    browser = await service.signIn('olga');
  });

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin that begins alike', { origin: 'ORIGIN.evil.example' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['an opaque origin', { origin: 'null' }],
    ['no word of where it comes from', {}],
    ['a sibling site', { 'sec-fetch-site': 'same-site' }],
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
  ])('from %s is refused, even with the right token', async (_name, headers) => {
    const sent = Object.fromEntries(
      Object.entries<string>(headers).map(([name, value]) => [
        name,
        value.replace('ORIGIN', service.address),
      ]),
    );
    const before = service.count('api_key');
    const reply = await browser.go(path, {
      method,
      json: keyOrder(service),
      headers: { 'x-csrf-token': browser.csrfToken, ...sent },
    });
    expect(reply.status).toBe(403);
    expect(reply.text).toBe(
      '{"success":false,"message":"Forbidden - cross-site request","code":"cross_site"}',
    );
    expect(service.count('api_key')).toBe(before);
    expect((await browser.go('/dashboard/api/session')).status).toBe(200);
  });

  test("without the CSRF token, with a wrong one, and with somebody else's is refused", async () => {
    const other = await service.signIn('olga');
    for (const token of [undefined, '', 'x', browser.csrfToken.slice(1), other.csrfToken]) {
      const csrf = token === undefined ? {} : { 'x-csrf-token': token };
      const reply = await browser.go(path, {
        method,
        json: keyOrder(service),
        headers: { origin: service.address, ...csrf },
      });
      expect(reply.status).toBe(403);
      expect(reply.text).toBe(
        '{"success":false,"message":"Forbidden - missing or wrong CSRF token","code":"csrf_mismatch"}',
      );
    }
    expect((await browser.go('/dashboard/api/session')).status).toBe(200);
  });
});

test('a change that the browser calls same-origin needs no Origin header', async () => {
  const browser = await service.signIn('olga');
  const reply = await browser.go('/dashboard/api/sign-out', {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'x-csrf-token': browser.csrfToken },
  });
  expect(reply.body).toEqual({ success: true, message: 'Signed out' });
});

describe('a session ends', () => {
  test('twelve hours after it began, however busy it is', async () => {
    const browser = await service.signIn('olga');
    for (let hour = 1; hour < 12; hour += 1) {
      service.clock.advance(HOUR_MS);
      expect((await browser.go('/dashboard/api/session')).status).toBe(200);
    }
    service.clock.advance(HOUR_MS - 1);
    expect((await browser.go('/dashboard/api/session')).status).toBe(200);
    service.clock.advance(1);
    expect((await browser.go('/dashboard/api/session')).text).toBe(NOT_SIGNED_IN);
  });

  test('after two idle hours, and not before', async () => {
    const browser = await service.signIn('olga');
    service.clock.advance(2 * HOUR_MS - 1);
    expect((await browser.go('/dashboard/api/session')).status).toBe(200);
    service.clock.advance(2 * HOUR_MS - 1);
    expect((await browser.go('/dashboard/api/session')).status).toBe(200);
    service.clock.advance(2 * HOUR_MS);
    expect((await browser.go('/dashboard/api/session')).text).toBe(NOT_SIGNED_IN);
  });

  test('with sign-out, also for a copy of its cookie and for a second tab', async () => {
    const browser = await service.signIn('olga');
    const copy = service.openBrowser();
    copy.cookies.set('guildbook_session', browser.cookies.get('guildbook_session') ?? '');
    const reply = await browser.change('POST', '/dashboard/api/sign-out');
    expect(reply.text).toBe('{"success":true,"message":"Signed out"}');
    expect(browser.cookies.has('guildbook_session')).toBe(false);
    expect((await copy.go('/dashboard/api/guilds')).text).toBe(NOT_SIGNED_IN);
    const headers = { origin: service.address, 'x-csrf-token': browser.csrfToken };
    const late = await copy.go(keysPath(GUILD), { method: 'POST', json: keyOrder(service), headers });
    expect(late.text).toBe(NOT_SIGNED_IN);
  });

  test('everywhere, for all browsers of the person and for nobody else', async () => {
    const here = await service.signIn('olga');
    const there = await service.signIn('olga');
    const other = await service.signIn('adam');
    const reply = await here.change('POST', '/dashboard/api/sign-out-everywhere');
    expect(reply.text).toBe('{"success":true,"message":"Signed out"}');
    expect((await here.go('/dashboard/api/session')).status).toBe(401);
    expect((await there.go('/dashboard/api/session')).text).toBe(NOT_SIGNED_IN);
    expect((await other.go('/dashboard/api/session')).status).toBe(200);
  });
});

test('sign-out in one browser leaves the other one in', async () => {
  const here = await service.signIn('olga');
  const there = await service.signIn('olga');
  await here.change('POST', '/dashboard/api/sign-out');
  expect((await there.go('/dashboard/api/session')).status).toBe(200);
});

test('unknown paths below are not found, and wrong methods are told the right ones', async () => {
  const browser = service.openBrowser();
  for (const method of ['GET', 'POST', 'DELETE']) {
    const reply = await browser.go('/dashboard/api/nothing', { method });
    expect(reply.text).toBe('{"success":false,"message":"Not found"}');
    expect(reply.headers.get('cache-control')).toBe('no-store');
  }
  const wrong = await browser.go('/dashboard/api/sign-out');
  expect(wrong.status).toBe(405);
  expect(wrong.headers.get('allow')).toBe('POST');
});

test.each(['discharges', 'transfers'])(
  'the import of %s is among the methods of its address, beside those of a record of that id',
  async (kind) => {
    const path = `/dashboard/api/guilds/${GUILD}/${kind}/import`;
    const reply = await service.openBrowser().go(path, { method: 'PATCH' });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, POST, PUT']);
  },
);

test('preferences are kept for the person, part by part, and nonsense changes nothing', async () => {
  const path = '/dashboard/api/preferences';
  const usual = { timeZone: null, density: 'comfortable', hiddenColumns: [], views: [] };
  const browser = await service.signIn('adam');
  const views = [{ guildId: GUILD, name: 'Shop', search: '?from=shop' }];
  expect((await browser.change('PUT', path, { timeZone: 'Europe/Berlin' })).body.data).toEqual({
    ...usual,
    timeZone: 'Europe/Berlin',
  });
  const kept = { ...usual, timeZone: 'Europe/Berlin', views };
  expect((await browser.change('PUT', path, { views, unknown: 1 })).body.data).toEqual(kept);
  const longest = Array.from({ length: 21 }, (_, index) => ({ ...views[0], name: `${index}` }));
  for (const bad of [
    { timeZone: 'Middle/Earth' },
    { timeZone: 5 },
    { density: 'x' },
    { views: longest },
    [],
  ]) {
    expect((await browser.change('PUT', path, bad)).status).toBe(400);
  }
  const again = await service.signIn('adam');
  expect((await again.go('/dashboard/api/session')).body.data.preferences).toEqual(kept);
  const other = await service.signIn('olga');
  expect((await other.go('/dashboard/api/session')).body.data.preferences).toEqual(usual);
});
