import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHANGE } from '../contract/specimens.ts';
import {
  COMMANDS,
  ENDPOINT_CASES,
  errorText,
  expectRefusal,
  type FilledService,
  GUILD_ID,
  KEY_FAULTS,
  makeFaultyKey,
  startFilledService,
} from './filled-service.ts';

const WHOLE_LIST = ENDPOINT_CASES[3]?.successText;
const INVALID_CATEGORY = errorText('Invalid category parameter. Must be a string.');
const NOT_A_STRING = [
  'category=a&category=b',
  'category=a&category=a',
  'category[]=a',
  'category[a]=b',
  'category%5Ba%5D=b',
  'category[a]=b&category=c',
  'category=c&category[a]=b',
];

describe('by default', () => {
  let service: FilledService;

  beforeAll(async () => {
    service = await startFilledService();
  });
  afterAll(() => service.stop());

  const list = (query = '', key?: string) => service.ask({ method: 'GET', url: `/commands${query}`, key });
  const names = async (query: string) =>
    (await list(query)).body.data.map(({ name }: { name: string }) => name);

  test("the whole catalogue is public, to the letter and in the bot's order", async () => {
    const reply = await list();
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(reply.text).toBe(WHOLE_LIST);
  });

  test.each(['Economy', 'economy', 'ECONOMY', '%45conomy'])(
    'category=%s lists one category',
    async (category) => {
      expect(await names(`?category=${category}`)).toEqual(['balance', 'atm']);
    },
  );

  test.each(['', 'Eco', 'Economy%20', 'nothing', '__proto__', 'constructor', '*', '%25'])(
    'category=%s is known to nobody and lists nothing',
    async (category) => {
      const reply = await list(`?category=${category}`);
      expect(reply.status).toBe(200);
      expect(reply.text).toBe('{"success":true,"data":[]}');
    },
  );

  test.each(NOT_A_STRING)('?%s is refused in the stated words', async (query) => {
    expectRefusal(await list(`?${query}`), 400, INVALID_CATEGORY);
  });

  test.each(['%00', 'a%00b', '%1B[31m', '%E2%80%AE'])(
    'category=%s is refused, because such characters are no text',
    async (category) => {
      const rule = 'category must be text without control characters or direction marks';
      expectRefusal(await list(`?category=${category}`), 400, errorText(`Bad request - ${rule}`));
    },
  );

  test('parameters that nobody knows are ignored', async () => {
    expect((await list('?page=0&Category=x&__proto__=y&constructor[prototype]=z')).text).toBe(WHOLE_LIST);
  });

  test('a category stays a category behind many other parameters', async () => {
    const others = Array.from({ length: 150 }, (_, index) => `p${index}=1`).join('&');
    expect(await names(`?${others}&category=records`)).toEqual(['discharge']);
  });

  test('a new catalogue is listed from the next request on', async () => {
    await service.store.commands.replace(COMMANDS.slice(0, 1), CHANGE);
    expect(await names('')).toEqual(['balance']);
    await service.store.commands.replace([], CHANGE);
    expect((await list()).text).toBe('{"success":true,"data":[]}');
    await service.store.commands.replace(COMMANDS, CHANGE);
    expect((await list()).text).toBe(WHOLE_LIST);
  });
});

describe('with COMMANDS_REQUIRE_KEY', () => {
  let service: FilledService;

  beforeAll(async () => {
    service = await startFilledService({ COMMANDS_REQUIRE_KEY: 'true' });
  });
  afterAll(() => service.stop());

  const unauthorized = errorText('Unauthorized - authentication required', { isBare: true });

  test.each(KEY_FAULTS)('a key that is %s gets the stated 401 without success', async (fault) => {
    const key = await makeFaultyKey(service, fault);
    expectRefusal(await service.ask({ method: 'GET', url: '/commands', key }), 401, unauthorized);
  });

  test('the key is asked for before the category is looked at', async () => {
    const reply = await service.ask({ method: 'GET', url: '/commands?category[]=a', key: undefined });
    expectRefusal(reply, 401, unauthorized);
  });

  test('any valid key will do, whatever its scopes', async () => {
    const { value } = await service.addKey(GUILD_ID, []);
    for (const key of [value, service.key, service.otherKey]) {
      expect((await service.ask({ method: 'GET', url: '/commands', key })).text).toBe(WHOLE_LIST);
    }
  });

  test.each(NOT_A_STRING)('?%s is still refused with success false', async (query) => {
    const reply = await service.ask({ method: 'GET', url: `/commands?${query}` });
    expectRefusal(reply, 400, INVALID_CATEGORY);
  });
});
