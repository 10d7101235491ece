import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { keepSecretKey } from '../../src/store/sqlite/secret-key.ts';
import { type Fault, startTestPlatform, type TestPlatform } from '../support/chat-platform.ts';
import { createTestClock } from '../support/clock.ts';
import { createFolder } from '../support/folder.ts';
import { testIds } from '../support/ids.ts';
import { startTestService, type TestService } from '../support/service.ts';

const PUBLIC_URL = 'https://guildbook.example';

/** The try-out platform sends nobody to another machine, so this one says yes to everything. */
const sayYes: Fault = (request, response) => {
  const answers: Record<string, unknown> = {
    '/oauth2/token': { token_type: 'Bearer', access_token: 'a', refresh_token: 'r', expires_in: 60 },
    '/api/users/@me': { id: '1', username: 'olga', avatar: 'a_hash' },
    '/api/users/@me/guilds': [],
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answers[request.url ?? ''] ?? {}));
  return true;
};

let platform: TestPlatform;
let service: TestService;
/** A service without https, where nobody can sign in. */
let plain: TestService;
beforeAll(async () => {
  platform = await startTestPlatform([], createTestClock());
  platform.setFault(sayYes);
  service = await startTestService({ ...platform.environment, PUBLIC_URL });
  plain = await startTestService();
});
afterAll(async () => {
  await plain.stop();
  await service.stop();
  await platform.close();
});

test('behind https the cookies are secure and bound to the host', async () => {
  const start = await service.send({ method: 'GET', url: '/dashboard/api/sign-in' });
  const address = new URL(String(start.headers.location));
  expect(address.searchParams.get('redirect_uri')).toBe(`${PUBLIC_URL}/dashboard/api/callback`);
  const browser = String(start.headers['set-cookie']);
  expect(browser).toMatch(
    /^__Host-guildbook_sign_in=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const back = await service.send({
    method: 'GET',
    url: `/dashboard/api/callback?code=c&state=${address.searchParams.get('state')}`,
    headers: { cookie: browser.split(';')[0] },
  });
  expect(back.headers.location).toBe('/dashboard/');
  const session = String(back.headers['set-cookie']);
  expect(session).toMatch(
    /^__Host-guildbook_session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const [cookie = ''] = session.split(';');
  const get = (value: string) =>
    service.send({ method: 'GET', url: '/dashboard/api/session', headers: { cookie: value } });
  expect((await get(cookie)).body.data.user).toEqual({ chatId: '1', name: 'olga', avatar: 'a_hash' });
  // A sibling domain could set the bare name.
  expect((await get(cookie.replace('__Host-', ''))).status).toBe(401);
});

describe('the pages', () => {
  beforeAll(() => {
    if (!existsSync(new URL('../../pages/index.html', import.meta.url))) {
      throw new Error('The pages are not built. Run "npm run build" first.');
    }
  });
  const get = (url: string) => service.send({ method: 'GET', url });

  test.each([
    '/dashboard/',
    '/dashboard/guilds/1/keys',
    '/dashboard/sign-in?error=denied',
    '/dashboard/a.b',
    '/dashboard/apiary',
    '/docs',
  ])('%s is a page that runs our own scripts only, is never framed and comes by https', async (url) => {
    const reply = await get(url);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toMatch('text/html');
    expect(reply.headers['content-security-policy']).toMatch("script-src 'self';");
    expect(reply.headers['content-security-policy']).toMatch("frame-ancestors 'none'");
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
    expect(reply.headers['referrer-policy']).toBe('no-referrer');
    expect(reply.headers['strict-transport-security']).toBe('max-age=31536000');
  });

  test.each(['/dashboard/assets/none.js', '/dashboard/api/none', '/dashboard/api/'])(
    '%s is none',
    async (url) => {
      const reply = await get(url);
      expect(reply.status).toBe(404);
      expect(reply.body).toEqual({ success: false, message: 'Not found' });
    },
  );

  test('without https nobody is told to insist on it', async () => {
    const reply = await plain.send({ method: 'GET', url: '/dashboard/' });
    expect(reply.headers['strict-transport-security']).toBeUndefined();
  });
});

describe('the secret beside the store', () => {
  test('is made once, for its owner alone, and only where people can sign in', async () => {
    const file = path.join(path.dirname(service.file), 'secret.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toMatch(/^[\w-]{43}\n$/);
    expect(existsSync(path.join(path.dirname(plain.file), 'secret.key'))).toBe(false);
  });

  test('is not made when SECRET_KEY is set', async () => {
    const SECRET_KEY = 'k'.repeat(32);
    const own = await startTestService({ ...platform.environment, SECRET_KEY });
    onTestFinished(() => own.stop());
    expect(existsSync(path.join(path.dirname(own.file), 'secret.key'))).toBe(false);
  });

  test('stays the same, and a damaged one is refused in words', () => {
    const folder = createFolder();
    const store = path.join(folder, 'deep', 'guildbook.db');
    const secret = keepSecretKey(store, testIds);
    expect(keepSecretKey(store, testIds)).toBe(secret);
    writeFileSync(path.join(folder, 'deep', 'secret.key'), 'short');
    expect(() => keepSecretKey(store, testIds)).toThrow('is damaged');
  });
});

test.each([
  [{ CHAT_CLIENT_ID: 'id' }, 'CHAT_CLIENT_SECRET: is needed together with CHAT_CLIENT_ID'],
  [{ CHAT_TOKEN_URL: 'http://chat.example/token' }, 'CHAT_TOKEN_URL: must begin with https://'],
  [{ CHAT_API_URL: 'ftp://chat.example' }, 'CHAT_API_URL: must be an address'],
  [{ CHAT_AVATAR_URL: 'https://chat.example/{id}/{hash}.png' }, 'CHAT_AVATAR_URL: must contain'],
  [{ CHAT_AVATAR_URL: 'https://{id}.chat.example/{kind}/{hash}.png' }, 'CHAT_AVATAR_URL: must contain'],
  [{ CHAT_AVATAR_URL: 'http://chat.example/{kind}/{id}/{hash}.png' }, 'CHAT_AVATAR_URL: must begin with'],
  [{ SECRET_KEY: 'short' }, 'SECRET_KEY: must have at least 32 printable characters'],
])('the settings %j are refused', async (environment, fault) => {
  await expect(startTestService(environment)).rejects.toThrow(fault);
});
