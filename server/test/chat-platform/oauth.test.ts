import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createOAuthPlatform } from '../../src/chat-platform/oauth.ts';
import type { ChatPlatform } from '../../src/domain/ports.ts';
import {
  answering,
  CLIENT_ID,
  CLIENT_SECRET,
  silent,
  startTestPlatform,
  type TestPlatform,
} from '../support/chat-platform.ts';
import { createTestClock } from '../support/clock.ts';

const REDIRECT_URI = 'http://127.0.0.1:1/dashboard/api/callback';
const VERIFIER = 'v'.repeat(43);
const clock = createTestClock();
const PEOPLE = [
  {
    chatId: '1',
    username: 'olga',
    about: 'owner',
    guilds: [{ guildId: '2', name: 'Two', owner: true, permissions: '9223372036854775840' }],
  },
];

/** Far more than a busy machine needs for an answer. */
const PATIENT_MS = 100_000;
/** For a platform that never answers, where waiting for longer proves nothing more. */
const HASTY_MS = 50;

let server: TestPlatform;
let platform: ChatPlatform;
let hasty: ChatPlatform;
beforeAll(async () => {
  server = await startTestPlatform(PEOPLE, clock);
  platform = connect();
  hasty = connect({ timeoutMs: HASTY_MS });
});
afterEach(() => server.setFault(undefined));
afterAll(() => server.close());

function connect({ clientSecret = CLIENT_SECRET, timeoutMs = PATIENT_MS } = {}): ChatPlatform {
  return createOAuthPlatform({
    clientId: CLIENT_ID,
    clientSecret,
    authorizeUrl: `${server.origin}/oauth2/authorize`,
    tokenUrl: `${server.origin}/oauth2/token`,
    apiUrl: `${server.origin}/api`,
    clock,
    timeoutMs,
  });
}

/** A code as the platform gives it to a browser. */
async function getCode(): Promise<string> {
  const address = await platform.authorizeUrl({
    state: 'state',
    codeVerifier: VERIFIER,
    redirectUri: REDIRECT_URI,
  });
  const form = new URLSearchParams({ person: '1' });
  const reply = await fetch(address, { method: 'POST', body: form, redirect: 'manual' });
  return new URL(reply.headers.get('location') ?? '').searchParams.get('code') ?? '';
}

const grant = (code: string) => ({ code, state: 'state', codeVerifier: VERIFIER, redirectUri: REDIRECT_URI });

test('a code becomes tokens, which tell of the person and their guilds', async () => {
  const tokens = await platform.exchangeCode(grant(await getCode()));
  expect(tokens).toEqual({
    accessToken: expect.stringMatching(/^[\w-]{43}$/),
    refreshToken: expect.stringMatching(/^[\w-]{43}$/),
    expiresAtMs: clock.nowMs() + 3_600_000,
  });
  expect(await platform.fetchUser(tokens.accessToken)).toEqual({
    chatId: '1',
    name: 'olga',
    avatar: undefined,
  });
  expect(await platform.fetchGuilds(tokens.accessToken)).toEqual([
    { guildId: '2', name: 'Two', icon: undefined, isOwner: true, permissions: 9223372036854775840n },
  ]);
});

test('a refresh gives new tokens, and the old refresh token serves no more', async () => {
  const first = await platform.exchangeCode(grant(await getCode()));
  const second = await platform.refresh(first.refreshToken ?? '');
  expect(second.accessToken).not.toBe(first.accessToken);
  expect((await platform.fetchUser(second.accessToken)).chatId).toBe('1');
  await expect(platform.refresh(first.refreshToken ?? '')).rejects.toMatchObject({
    code: 'platform_refused',
  });
});

test('a platform that gives no new refresh token lets the old one stand', async () => {
  const body = '{"token_type":"Bearer","access_token":"a"}';
  server.setFault(answering('/token', 200, body));
  expect(await platform.refresh('kept')).toEqual({
    accessToken: 'a',
    refreshToken: 'kept',
    expiresAtMs: clock.nowMs() + 3_600_000,
  });
});

describe('the platform refuses', () => {
  test.each([
    ['a code used twice', {}],
    ['another verifier', { codeVerifier: 'w'.repeat(43) }],
    ['another way back', { redirectUri: 'http://127.0.0.1:2/dashboard/api/callback' }],
    ['a made-up code', { code: 'nothing' }],
  ])('%s', async (name, changes) => {
    const code = await getCode();
    if (name === 'a code used twice') {
      await platform.exchangeCode(grant(code));
    }
    const attempt = platform.exchangeCode({ ...grant(code), ...changes });
    await expect(attempt).rejects.toMatchObject({ code: 'platform_refused' });
  });

  test('a code after a minute, a wrong client secret, and tokens it never gave', async () => {
    const refused = { code: 'platform_refused' };
    const late = await getCode();
    clock.advance(60_000);
    await expect(platform.exchangeCode(grant(late))).rejects.toMatchObject(refused);
    await expect(
      connect({ clientSecret: 'wrong' }).exchangeCode(grant(await getCode())),
    ).rejects.toMatchObject(refused);
    await expect(platform.fetchUser('made-up')).rejects.toMatchObject(refused);
    await expect(platform.fetchGuilds('made-up')).rejects.toMatchObject(refused);
  });
});

describe('the platform is unavailable', () => {
  const PATHS: [string, (asked: ChatPlatform) => Promise<unknown>][] = [
    ['/token', (asked) => asked.exchangeCode(grant('code'))],
    ['/token', (asked) => asked.refresh('token')],
    ['/@me', (asked) => asked.fetchUser('token')],
    ['/guilds', (asked) => asked.fetchGuilds('token')],
  ];
  test.each(PATHS)('when %s never answers', async (path, ask) => {
    server.setFault(silent(path));
    await expect(ask(hasty)).rejects.toMatchObject({ code: 'platform_unavailable' });
  });

  test.each(PATHS)('when %s is broken, moved, garbled or empty', async (path, ask) => {
    const garbage = ['', 'null', '<html>', '{', '"text"', '[[]]', '{"access_token":5}'];
    const faults = [
      answering(path, 500, '{}'),
      answering(path, 503, ''),
      answering(path, 302, '', { location: 'https://evil.example/' }),
      answering(path, 418, ''),
      ...garbage.map((text) => answering(path, 200, text)),
      answering(path, 200, '{}', { 'content-type': 'text/html' }),
    ];
    for (const fault of faults) {
      server.setFault(fault);
      await expect(ask(platform)).rejects.toMatchObject({ code: 'platform_unavailable' });
    }
  });

  test('when an answer stops half-way', async () => {
    server.setFault((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"id":');
      return true;
    });
    await expect(hasty.fetchUser('token')).rejects.toMatchObject({ code: 'platform_unavailable' });
  });

  test('when it limits, and says for how long', async () => {
    server.setFault(answering('/guilds', 429, '{}', { 'retry-after': '17' }));
    await expect(platform.fetchGuilds('t')).rejects.toMatchObject({
      code: 'platform_unavailable',
      retryAfterSeconds: 17,
    });
    server.setFault(answering('/guilds', 429, '{}', { 'retry-after': '999999' }));
    await expect(platform.fetchGuilds('t')).rejects.toMatchObject({ retryAfterSeconds: 3_600 });
  });
});

test('no failure carries what the platform answered', async () => {
  server.setFault(answering('/token', 200, '{"access_token":"s3cr3t"}'));
  const error = await platform.refresh('r3fr3sh').catch((thrown) => thrown);
  const told = JSON.stringify([error, error.message, error.cause, error.cause.message, error.stack]);
  expect(told).not.toMatch(/s3cr3t|r3fr3sh/);
});

test('http is spoken with this very machine only', async () => {
  const elsewhere = createOAuthPlatform({
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    authorizeUrl: 'http://chat.example/authorize',
    tokenUrl: 'http://chat.example/token',
    apiUrl: 'http://chat.example/api',
    clock,
  });
  await expect(elsewhere.refresh('token')).rejects.toMatchObject({
    code: 'platform_unavailable',
    cause: { message: expect.stringContaining('HTTPS') },
  });
});
