import { afterAll, beforeAll, expect, test } from 'vitest';
import { answering, CLIENT_SECRET } from '../support/chat-platform.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { type DashboardService, startDashboardService } from './dashboard-service.ts';
import { errorPage } from './failed-sign-in.ts';

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
    code: 'session_required',
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
