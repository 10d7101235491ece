import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHANGE } from '../contract/specimens.ts';
import {
  DISCHARGE,
  ENDPOINT_CASES,
  errorText,
  expectRefusal,
  type FilledService,
  GUILD_ID,
  OTHER_GUILD_ID,
  startFilledService,
} from './filled-service.ts';

let service: FilledService;

beforeAll(async () => {
  service = await startFilledService();
});
afterAll(() => service.stop());

const get = (url: string, key = service.key) => service.ask({ method: 'GET', url, key });

async function putDischarge(changes: Partial<typeof DISCHARGE>, guildId = GUILD_ID) {
  const guild = await service.guilds.find(guildId);
  await service.store.discharges.put(guild, [{ ...DISCHARGE, guildId, ...changes }], CHANGE);
}

test('a discharge is answered to the letter', async () => {
  const reply = await get('/guild/discharges/dis_1');
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(reply.text).toBe(ENDPOINT_CASES[0]?.successText);
});

test.each(['2026-03-14', '2026-03-14T09:30:00.000Z', '2026-03-14T09:30:00+02:00'])(
  'the date %s is answered as it was recorded',
  async (date) => {
    await putDischarge({ id: 'dis_dated', date });
    expect((await get('/guild/discharges/dis_dated')).body.data.date).toBe(date);
  },
);

test.each(['a/b', 'a?b', 'a#b', '100%', 'a+b c', 'naïve-日本-🦊', '__proto__', 'constructor'])(
  'the id %s is found when it is percent-encoded',
  async (id) => {
    await putDischarge({ id });
    const reply = await get(`/guild/discharges/${encodeURIComponent(id)}`);
    expect(reply.body).toMatchObject({ success: true, data: { id } });
  },
);

test('an id that differs in case is another id', async () => {
  expectRefusal(await get('/guild/discharges/DIS_1'), 404, errorText('Discharge not found'));
});

test('an absent discharge is not found', async () => {
  expectRefusal(await get('/guild/discharges/none'), 404, errorText('Discharge not found'));
});

test("another guild's discharge is answered exactly as an absent one", async () => {
  const [foreign, absent] = [
    await get('/guild/discharges/dis_1', service.otherKey),
    await get('/guild/discharges/none', service.otherKey),
  ];
  expectRefusal(foreign, 404, errorText('Discharge not found'));
  expect(foreign.text).toBe(absent.text);
  expect(Object.keys(foreign.headers)).toEqual(Object.keys(absent.headers));
});

test('guilds may use the same id, and each key reads its own record', async () => {
  await putDischarge({ id: 'dis_both', name: 'Ours' });
  await putDischarge({ id: 'dis_both', name: 'Theirs' }, OTHER_GUILD_ID);
  const url = '/guild/discharges/dis_both';
  expect((await get(url)).body.data).toMatchObject({ guildId: GUILD_ID, name: 'Ours' });
  expect((await get(url, service.otherKey)).body.data).toMatchObject({
    guildId: OTHER_GUILD_ID,
    name: 'Theirs',
  });
});

test.each(['/guild/discharges', '/guild/discharges/', '/guild/discharges/%20', '/guild/discharges/%09'])(
  '%s lacks its parameter',
  async (url) => {
    const refusal = errorText('Bad request - missing required parameters');
    expectRefusal(await get(url), 400, refusal);
    expectRefusal(await get(`${url}?dischargeId=dis_1`), 400, refusal);
  },
);

test.each(['/guild/discharges', '/guild/discharges/', '/guild/discharges/%20'])(
  '%s without a key is refused for the key',
  async (url) => {
    const reply = await service.ask({ method: 'GET', url, key: undefined });
    expectRefusal(reply, 401, errorText('Unauthorized - invalid API key'));
  },
);

test('a key without guild:read is refused, even where there is nothing to read', async () => {
  const { value } = await service.addKey(GUILD_ID, ['guild:write', 'users:read']);
  for (const url of ['/guild/discharges/none', '/guild/discharges']) {
    expectRefusal(await get(url, value), 403, errorText('Forbidden - missing required scope: guild:read'));
  }
});

test('the key is not taken from anywhere but its header', async () => {
  for (const options of [
    { url: `/guild/discharges/dis_1?x-api-key=${service.key}` },
    { url: '/guild/discharges/dis_1', headers: { authorization: `Bearer ${service.key}` } },
    { url: '/guild/discharges/dis_1', headers: { cookie: `x-api-key=${service.key}` } },
  ]) {
    const reply = await service.ask({ method: 'GET', ...options, key: undefined });
    expectRefusal(reply, 401, errorText('Unauthorized - invalid API key'));
  }
});

test('HEAD tells what GET would, without a body', async () => {
  const reply = await service.ask({ method: 'HEAD', url: '/guild/discharges/dis_1' });
  expect(reply.status).toBe(200);
  expect(reply.text).toBe('');
  expect(reply.headers['content-length']).toBe(
    String(Buffer.byteLength(ENDPOINT_CASES[0]?.successText ?? '')),
  );
});

test('the endpoint itself has no rate limit', async () => {
  for (let request = 0; request < 30; request += 1) {
    const reply = await service.send({ method: 'GET', url: '/guild/discharges/dis_1', key: service.key });
    expect(reply.status).toBe(200);
    expect(reply.headers).not.toHaveProperty('x-ratelimit-limit');
  }
});
