import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { answering, CLIENT_SECRET, silent } from '../support/chat-platform.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { type DashboardService, startDashboardService } from './dashboard-service.ts';

let service: DashboardService;
/** A service without a registered application. */
let plain: TestService;
beforeAll(async () => {
  service = await startDashboardService();
  plain = await startTestService();
});
afterAll(async () => {
  await service.stop();
  await plain.stop();
});

const errorPage = (reason: string) => `/dashboard/sign-in?error=${reason}`;

/** What a callback that must not succeed leaves behind: nothing. */
async function expectNoSession(
  work: () => Promise<{ location: string | null }>,
  reason: string,
  { count } = service,
) {
  const before = count('session');
  const reply = await work();
  expect(reply.location).toBe(errorPage(reason));
  expect(count('session')).toBe(before);
}

test('a person signs in and comes back to the page they wanted, with a session', async () => {
  const browser = service.openBrowser();
  const start = await browser.go('/dashboard/api/sign-in?returnTo=%2Fdashboard%2Fguilds%2F1%3Ftab%3Dkeys');
  expect(start.status).toBe(302);
  expect(start.headers.get('cache-control')).toBe('no-store');
  const address = new URL(start.location ?? '');
  expect(address.origin).toBe(service.platform.origin);
  expect(Object.fromEntries(address.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'test-client',
    scope: 'identify guilds guilds.members.read',
    state: expect.stringMatching(/^[\w-]{43}$/),
    redirect_uri: `${service.address}/dashboard/api/callback`,
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
  const reply = await browser.go(await browser.pick(address.href, 'olga'));
  expect(reply.status).toBe(302);
  expect(reply.location).toBe('/dashboard/guilds/1?tab=keys');
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(reply.headers.get('set-cookie')).toMatch(
    /^guildbook_session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  const session = await browser.go('/dashboard/api/session');
  expect(session.body).toEqual({
    success: true,
    data: {
      user: { chatId: '101', name: 'olga', avatar: null },
      csrfToken: expect.stringMatching(/^[\w-]{43}$/),
      expiresAt: new Date(service.clock.nowMs() + 12 * 3_600_000).toISOString(),
      keyLifetimeDaysMax: 366,
      trustsProxy: false,
      editsVerifications: false,
      preferences: { timeZone: null, density: 'comfortable', hiddenColumns: [], views: [] },
    },
  });
});

test('signing in again gives a new token, and the one before opens nothing any more', async () => {
  const browser = await service.signIn('olga');
  const former = browser.cookies.get('guildbook_session') ?? '';
  await browser.go(await browser.pick(await browser.begin(), 'adam'));
  expect(browser.cookies.get('guildbook_session')).not.toBe(former);
  const old = service.openBrowser();
  old.cookies.set('guildbook_session', former);
  expect((await old.go('/dashboard/api/session')).status).toBe(401);
});

test('two tabs of one browser can sign in side by side', async () => {
  const browser = service.openBrowser();
  const first = await browser.begin('/dashboard/one');
  const second = await browser.begin('/dashboard/two');
  expect((await browser.go(await browser.pick(second, 'olga'))).location).toBe('/dashboard/two');
  expect((await browser.go(await browser.pick(first, 'olga'))).location).toBe('/dashboard/one');
});

describe('a callback is refused as expired', () => {
  test('without a state, with a made-up one, and with one given twice', async () => {
    const browser = service.openBrowser();
    const back = new URL(await browser.pick(await browser.begin(), 'olga'));
    const code = back.searchParams.get('code');
    const state = back.searchParams.get('state');
    for (const query of [
      `code=${code}`,
      `code=${code}&state=`,
      `code=${code}&state=${'A'.repeat(43)}`,
      `code=${code}&state=${state}&state=${state}`,
      `code=${code}&state=${state?.toUpperCase()}`,
      '',
    ]) {
      await expectNoSession(() => browser.go(`/dashboard/api/callback?${query}`), 'expired');
    }
    // None of these used the real one up.
    expect((await browser.go(back.href)).location).toBe('/dashboard/');
  });

  test('when it is replayed, even with a code that was not used', async () => {
    const browser = service.openBrowser();
    const address = await browser.begin();
    const back = await browser.pick(address, 'olga');
    expect((await browser.go(back)).location).toBe('/dashboard/');
    await expectNoSession(() => browser.go(back), 'expired');
    const freshCode = await browser.pick(address, 'olga');
    await expectNoSession(() => browser.go(freshCode), 'expired');
  });

  test('ten minutes after it began, and not a moment earlier', async () => {
    const early = service.openBrowser();
    const late = service.openBrowser();
    const [one, other] = [await early.begin(), await late.begin()];
    service.clock.advance(600_000 - 1);
    const earlyBack = await early.pick(one, 'olga');
    const lateBack = await late.pick(other, 'olga');
    expect((await early.go(earlyBack)).location).toBe('/dashboard/');
    service.clock.advance(1);
    await expectNoSession(() => late.go(lateBack), 'expired');
  });

  test('in another browser, where it takes nothing away from the right one', async () => {
    const browser = service.openBrowser();
    const back = await browser.pick(await browser.begin(), 'olga');
    const stranger = service.openBrowser();
    await expectNoSession(() => stranger.go(back), 'expired');
    await stranger.begin();
    await expectNoSession(() => stranger.go(back), 'expired');
    expect(stranger.cookies.has('guildbook_session')).toBe(false);
    expect((await browser.go(back)).location).toBe('/dashboard/');
  });
});

test('somebody who declines is told so, and a code used elsewhere fails', async () => {
  const browser = service.openBrowser();
  const denied = await browser.pick(await browser.begin(), 'nobody');
  await expectNoSession(() => browser.go(denied), 'denied');
  const first = new URL(await browser.pick(await browser.begin(), 'olga'));
  await browser.go(first.href);
  const second = new URL(await browser.pick(await browser.begin(), 'olga'));
  second.searchParams.set('code', first.searchParams.get('code') ?? '');
  await expectNoSession(() => browser.go(second.href), 'failed');
});

test.each(['error=server_error', 'error=', 'code=', 'nothing=1'])(
  'a callback with the right state and %s fails',
  async (query) => {
    const browser = service.openBrowser();
    const state = new URL(await browser.begin()).searchParams.get('state');
    await expectNoSession(() => browser.go(`/dashboard/api/callback?state=${state}&${query}`), 'failed');
  },
);

describe('the page somebody wanted is not forgotten when the sign-in fails', () => {
  const WANTED = '/dashboard/guilds/1?tab=keys&x=a%26b';
  const withWanted = (reason: string) =>
    `/dashboard/sign-in?${new URLSearchParams({ error: reason, returnTo: WANTED })}`;

  test('because they declined, because the platform failed, or because it took too long', async () => {
    const browser = service.openBrowser();
    const denied = await browser.pick(await browser.begin(WANTED), 'nobody');
    expect((await browser.go(denied)).location).toBe(withWanted('denied'));

    const failed = await browser.pick(await browser.begin(WANTED), 'olga');
    service.platform.setFault(answering('/token', 500, 'oops'));
    expect((await browser.go(failed)).location).toBe(withWanted('unavailable'));
    service.platform.setFault(undefined);

    const late = await browser.pick(await browser.begin(WANTED), 'olga');
    service.clock.advance(600_000);
    expect((await browser.go(late)).location).toBe(withWanted('expired'));
  });

  test('because it could not begin', async () => {
    const begin = async (returnTo: string) => {
      const url = `/dashboard/api/sign-in?${new URLSearchParams({ returnTo })}`;
      return (await plain.send({ method: 'GET', url })).headers.location;
    };
    expect(await begin(WANTED)).toBe(withWanted('unavailable'));
    for (const evil of ['//evil.example/dashboard/', '/dashboard/../evil', 'https://evil.example']) {
      expect(await begin(evil)).toBe(errorPage('unavailable'));
    }
  });
});

test.each(['/dashboard/api/sign-in', '/dashboard/api/callback'])(
  'an address of %s that does not decode leads to the sign-in page',
  async (path) => {
    for (const query of [
      '?state=%zz',
      '?%',
      '?returnTo=%2Fdashboard%2Fx%E0%A4%A',
      '?code=a&returnTo=//evil%',
    ]) {
      const reply = await fetch(`${service.address}${path}${query}`, { redirect: 'manual' });
      expect(reply.status).toBe(302);
      expect(reply.headers.get('location')).toMatch(
        /^\/dashboard\/sign-in\?error=failed(&returnTo=%2Fdashboard%2F[^&]*)?$/,
      );
      expect(reply.headers.get('cache-control')).toBe('no-store');
    }
    const wrongMethod = await fetch(`${service.address}${path}`, { method: 'POST' });
    expect(wrongMethod.status).toBe(405);
  },
);

describe('trouble on the platform', () => {
  const TOKEN = { token_type: 'Bearer', access_token: 'a', expires_in: 60 };
  test.each([
    ['the token endpoint is broken', answering('/token', 500, 'oops'), 'unavailable'],
    ['the token endpoint talks garbage', answering('/token', 200, '<html>'), 'unavailable'],
    ['the token has no text', answering('/token', 200, '{"token_type":"Bearer"}'), 'unavailable'],
    ['the token endpoint limits', answering('/token', 429, '{}', { 'retry-after': '60' }), 'unavailable'],
    ['the token endpoint refuses', answering('/token', 400, '{"error":"invalid_grant"}'), 'failed'],
    ['our own secret is wrong', answering('/token', 401, '{"error":"invalid_client"}'), 'failed'],
    ['the token is refused', answering('/token', 200, JSON.stringify(TOKEN)), 'failed'],
    ['the user is garbage', answering('/@me', 200, '[]'), 'unavailable'],
    ['the user has no id', answering('/@me', 200, '{"username":"x"}'), 'unavailable'],
    ['the guilds are garbage', answering('/guilds', 200, '{"no":"list"}'), 'unavailable'],
    ['a guild is garbage', answering('/guilds', 200, '[null]'), 'unavailable'],
    [
      'permissions are no number',
      answering('/guilds', 200, '[{"id":"1","name":"x","permissions":"-8"}]'),
      'unavailable',
    ],
    ['the guilds are limited', answering('/guilds', 429, '{}', { 'retry-after': '30' }), 'unavailable'],
    ['the guilds are forbidden', answering('/guilds', 403, '{}'), 'failed'],
    ['an answer is endless', answering('/guilds', 200, `["${'x'.repeat(2_000_000)}"]`), 'unavailable'],
  ])('%s: a page that says so, and nothing stored', async (_name, fault, reason) => {
    const browser = service.openBrowser();
    const back = await browser.pick(await browser.begin(), 'olga');
    service.platform.setFault(fault);
    await expectNoSession(() => browser.go(back), reason);
    service.platform.setFault(undefined);
    expect(browser.cookies.has('guildbook_session')).toBe(false);
  });

  test('a short pause asked for by the platform is made, once', async () => {
    const browser = service.openBrowser();
    const back = await browser.pick(await browser.begin(), 'olga');
    let refusals = 0;
    const limit = answering('/guilds', 429, '{}', { 'retry-after': '0' });
    service.platform.setFault((request, response) => {
      refusals += request.url?.endsWith('/guilds') ? 1 : 0;
      return refusals === 1 && limit(request, response);
    });
    expect((await browser.go(back)).location).toBe('/dashboard/');
    expect(refusals).toBe(2);
    service.platform.setFault(undefined);
  });

  describe('for a service that does not wait long', () => {
    let impatient: DashboardService;
    beforeAll(async () => {
      impatient = await startDashboardService({ chatTimeoutMs: 100 });
    });
    afterAll(() => impatient.stop());

    test.each([
      ['the token endpoint says nothing', silent('/token')],
      ['the user says nothing', silent('/@me')],
    ])('%s: a page that says so, and nothing stored', async (_name, fault) => {
      const browser = impatient.openBrowser();
      const back = await browser.pick(await browser.begin(), 'olga');
      impatient.platform.setFault(fault);
      await expectNoSession(() => browser.go(back), 'unavailable', impatient);
      impatient.platform.setFault(undefined);
      expect(browser.cookies.has('guildbook_session')).toBe(false);
    });
  });

  test('a platform that is gone', async () => {
    const other = await startDashboardService();
    onTestFinished(() => other.stop());
    const browser = other.openBrowser();
    const back = await browser.pick(await browser.begin(), 'olga');
    await other.platform.close();
    expect((await browser.go(back)).location).toBe(errorPage('unavailable'));
    expect(other.count('session')).toBe(0);
  });
});

test.each([
  ['https://evil.example/'],
  ['//evil.example/dashboard/'],
  ['/\\evil.example'],
  ['/dashboard/\\..\\..\\evil'],
  ['/dashboard/../evil'],
  ['/dashboard/..//evil.example'],
  ['/dashboard/%2e%2e//evil.example'],
  ['/dashboard/api/sign-out'],
  ['/dashboard/x/../api/session'],
  ['/dashboardevil'],
  ['javascript:alert(1)'],
  ['/dashboard/\r\nset-cookie: a=b'],
  ['/dashboard/\u0000'],
  [`/dashboard/${'x'.repeat(3_000)}`],
  [''],
])('after sign-in, %j leads to the first page and nowhere else', async (returnTo) => {
  const browser = service.openBrowser();
  const reply = await browser.go(await browser.pick(await browser.begin(returnTo), 'olga'));
  expect(reply.location).toBe('/dashboard/');
});

test('whoever comes by another name of this machine is taken to the one the platform knows', async () => {
  const port = new URL(service.address).port;
  const reply = await service.send({
    method: 'GET',
    url: '/dashboard/api/sign-in?returnTo=/dashboard/x',
    headers: { host: `localhost:${port}` },
  });
  expect(reply.headers.location).toBe(`${service.address}/dashboard/api/sign-in?returnTo=/dashboard/x`);
  const foreign = await service.send({
    method: 'GET',
    url: '/dashboard/api/sign-in',
    headers: { host: 'evil.example' },
  });
  expect(foreign.headers.location).toMatch(service.platform.origin);
});

test('one address can begin 120 sign-ins a minute', async () => {
  const { origin } = service.platform;
  const begin = () =>
    service.send({ method: 'GET', url: '/dashboard/api/sign-in', remoteAddress: '192.0.2.1' });
  for (let count = 1; count <= 120; count += 1) {
    expect((await begin()).headers.location).toMatch(origin);
  }
  expect((await begin()).headers.location).toBe(errorPage('unavailable'));
  service.clock.advance(600_000);
  expect((await begin()).headers.location).toMatch(origin);
  // The expired ones went with the next.
  expect(service.count('sign_in_attempt')).toBe(1);
});

test('without a registered application nobody can sign in, and the rest works', async () => {
  const get = (url: string) => plain.send({ method: 'GET', url });
  expect((await get('/dashboard/api/sign-in')).headers.location).toBe(errorPage('unavailable'));
  expect((await get('/dashboard/api/callback?state=a&code=b')).headers.location).toBe(
    errorPage('unavailable'),
  );
  expect((await get('/dashboard/api/session')).body).toEqual({
    success: false,
    message: 'Unauthorized - sign in first',
  });
  expect((await get('/commands')).status).toBe(200);
});

test('nothing that opens a door is logged or kept in the clear', async () => {
  const browser = service.openBrowser();
  const address = await browser.begin();
  const back = new URL(await browser.pick(address, 'olga'));
  const tokens: string[] = [];
  service.platform.setFault((request) => {
    tokens.push(request.headers.authorization?.replace('Bearer ', '') ?? '');
    return false;
  });
  await browser.go(back.href);
  service.platform.setFault(
    answering('/token', 400, '{"error":"invalid_grant","error_description":"s3cr3t"}'),
  );
  await browser.go(await browser.pick(await browser.begin(), 'olga'));
  service.platform.setFault(undefined);
  const secrets = [
    ...tokens.filter((token) => token !== ''),
    back.searchParams.get('code'),
    back.searchParams.get('state'),
    ...browser.cookies.values(),
    CLIENT_SECRET,
    's3cr3t',
  ];
  const log = service.logLines.join('\n');
  const rows = JSON.stringify(
    ['session', 'sign_in_attempt', 'chat_user'].map((table) =>
      service.db.prepare(`SELECT * FROM ${table}`).all(),
    ),
  );
  expect(secrets.length).toBeGreaterThanOrEqual(7);
  expect(log).toContain('/dashboard/api/callback');
  expect(log).toContain('sign-in failed');
  expect(rows).toContain('olga');
  for (const secret of secrets) {
    expect(secret).toBeTruthy();
    expect(log).not.toContain(secret);
    expect(rows).not.toContain(secret);
  }
});
