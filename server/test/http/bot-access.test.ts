import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BEARER, BOT_ROUTES, BOT_TOKEN, type BotService, startBotService } from './bot-service.ts';
import {
  DISCHARGE,
  errorText,
  expectRefusal,
  type FilledService,
  MARK,
  startFilledService,
} from './filled-service.ts';

const REFUSAL = errorText('Unauthorized - invalid bot token', { code: 'bot_unauthorized' });

let service: BotService;

beforeAll(async () => {
  service = await startBotService();
});
afterAll(() => service.stop());

test('there are fourteen routes, and each is a way in for the bot alone', () => {
  expect(BOT_ROUTES.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /bot/guilds',
    'GET /bot/guilds/{guildId}',
    'PUT /bot/guilds/{guildId}',
    'PUT /bot/guilds/{guildId}/discharges/{dischargeId}',
    'POST /bot/guilds/{guildId}/discharges',
    'DELETE /bot/guilds/{guildId}/discharges/{dischargeId}',
    'PUT /bot/guilds/{guildId}/transfers/{transferId}',
    'POST /bot/guilds/{guildId}/transfers',
    'DELETE /bot/guilds/{guildId}/transfers/{transferId}',
    'PUT /bot/users/{chatId}',
    'DELETE /bot/users/{chatId}',
    'GET /bot/commands',
    'PUT /bot/commands',
    'POST /bot/import/{kind}',
  ]);
});

const WRONG_TOKENS: [string, Record<string, string>][] = [
  ['no header', {}],
  ['an empty header', { authorization: '' }],
  ['a token without the word Bearer', { authorization: BOT_TOKEN }],
  ['another scheme', { authorization: `Basic ${BOT_TOKEN}` }],
  ['a token that is one character short', { authorization: `Bearer ${BOT_TOKEN.slice(0, -1)}` }],
  ['a token that is one character long', { authorization: `Bearer ${BOT_TOKEN}x` }],
  ['a token in capitals', { authorization: `Bearer ${BOT_TOKEN.toUpperCase()}` }],
  ['a very long token', { authorization: `Bearer ${MARK.repeat(1_000)}` }],
];

describe.each(BOT_ROUTES)('$method $path', ({ method, url }) => {
  test.each(WRONG_TOKENS)('refuses %s, before it looks at anything else', async (_name, headers) => {
    const before = service.snapshot();
    // The clock moves on, so that the throttle for failed authentications stays out of the way.
    service.clock.advance(60_001);
    const reply = await service.send({
      method,
      url,
      headers: { 'content-type': 'text/plain', ...headers },
      ...(method !== 'GET' && { payload: `not JSON ${MARK}` }),
    });
    expectRefusal(reply, 401, REFUSAL);
    expect(service.snapshot()).toBe(before);
  });

  test("refuses a guild's key, wherever it is put", async () => {
    service.clock.advance(60_001);
    const asKey = await service.send({ method, url, key: service.key });
    const asToken = await service.send({
      method,
      url,
      headers: { authorization: `Bearer ${service.key}` },
    });
    expectRefusal(asKey, 401, REFUSAL);
    expectRefusal(asToken, 401, REFUSAL);
  });
});

describe('without BOT_TOKEN', () => {
  let without: FilledService;
  beforeAll(async () => {
    without = await startFilledService();
  });
  afterAll(() => without.stop());

  test.each(BOT_ROUTES)('there is no $method $path, whatever is sent', async ({ method, url }) => {
    for (const headers of [{}, BEARER, { authorization: 'Bearer undefined' }, { authorization: 'Bearer ' }]) {
      const payload = method === 'PUT' ? { payload: DISCHARGE } : {};
      const reply = await without.send({ method, url, headers, ...payload });
      expectRefusal(reply, 404, errorText('Not found'));
    }
  });
});

describe('while the token is replaced', () => {
  const PREVIOUS = 'before-0123456789-abcdefghijklmnopqrstuvwxyz';
  let replacing: FilledService;
  beforeAll(async () => {
    replacing = await startFilledService({ BOT_TOKEN, BOT_TOKEN_PREVIOUS: PREVIOUS });
  });
  afterAll(() => replacing.stop());

  test.each(BOT_ROUTES)('$method $path takes both tokens and nothing else', async ({ method, url }) => {
    const ask = (token: string) =>
      replacing.send({ method, url, headers: { authorization: `Bearer ${token}` } });
    for (const token of [BOT_TOKEN, PREVIOUS]) {
      expect((await ask(token)).status, token).not.toBe(401);
    }
    replacing.clock.advance(60_001);
    for (const token of [PREVIOUS.slice(1), `${PREVIOUS}${BOT_TOKEN}`, '', 'undefined']) {
      expectRefusal(await ask(token), 401, REFUSAL);
    }
  });

  test('the log says once that the previous token is still in use, and never shows it', async () => {
    const fresh = await startFilledService({ BOT_TOKEN, BOT_TOKEN_PREVIOUS: PREVIOUS });
    const ask = (token: string) =>
      fresh.send({ method: 'GET', url: '/bot/commands', headers: { authorization: `Bearer ${token}` } });
    const reports = () => fresh.logLines.filter((line) => line.includes('still sends BOT_TOKEN_PREVIOUS'));
    expect((await ask(BOT_TOKEN)).status).toBe(200);
    expect(reports()).toEqual([]);
    expect([(await ask(PREVIOUS)).status, (await ask(PREVIOUS)).status]).toEqual([200, 200]);
    expect(reports()).toHaveLength(1);
    expect(fresh.logLines.join('\n')).not.toContain(PREVIOUS);
    await fresh.stop();
  });

  test('without BOT_TOKEN_PREVIOUS the previous token is refused', async () => {
    service.clock.advance(60_001);
    const headers = { authorization: `Bearer ${PREVIOUS}` };
    expectRefusal(await service.send({ method: 'GET', url: '/bot/commands', headers }), 401, REFUSAL);
  });
});

test("the bot's token opens nothing but the bot's routes", async () => {
  const asKey = await service.ask({ method: 'GET', url: '/guild/discharges/dis_1', key: BOT_TOKEN });
  expectRefusal(asKey, 401, errorText('Unauthorized - invalid API key'));
});

describe('guessing', () => {
  test('is slowed down after 100 failures a minute, while the right token goes on', async () => {
    // From an address of its own, so that the failures of other tests do not count.
    const from = { method: 'GET', url: '/bot/commands', remoteAddress: '192.0.2.1' } as const;
    const guess = () => service.send({ ...from, headers: { authorization: 'Bearer wrong' } });
    for (let failure = 1; failure <= 100; failure += 1) {
      expect((await guess()).status).toBe(401);
    }
    const throttled = await guess();
    expectRefusal(
      throttled,
      429,
      errorText('Too many requests - too many failed authentications', { code: 'authentication_throttled' }),
    );
    expect(Number(throttled.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await service.send({ ...from, headers: BEARER })).status).toBe(200);
    // Keys and tokens are guessed from the same places, so they are counted together.
    const wrongKey = await service.send({ ...from, url: '/users/nobody', key: 'wrong' });
    expect(wrongKey.status).toBe(429);
  });
});

test('neither the token nor a guess at it is logged', async () => {
  await service.bot('GET', '/bot/commands');
  await service.send({ method: 'GET', url: '/bot/commands', headers: { authorization: `Bearer ${MARK}` } });
  const log = service.logLines.join('\n');
  expect(log).toContain('/bot/commands');
  expect(log).not.toContain(BOT_TOKEN);
  expect(log).not.toContain(MARK);
});
