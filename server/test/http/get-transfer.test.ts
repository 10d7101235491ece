import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHANGE } from '../contract/specimens.ts';
import {
  ENDPOINT_CASES,
  errorText,
  expectRefusal,
  type FilledService,
  GUILD_ID,
  KEY_FAULTS,
  makeFaultyKey,
  OTHER_GUILD_ID,
  startFilledService,
  TRANSFER,
} from './filled-service.ts';

let service: FilledService;

beforeAll(async () => {
  service = await startFilledService();
});
afterAll(() => service.stop());

const get = (url: string, key = service.key) => service.ask({ method: 'GET', url, key });
const bareText = (message: string) => errorText(message, { isBare: true });

async function putTransfer(changes: Partial<typeof TRANSFER>, guildId = GUILD_ID) {
  const guild = await service.guilds.find(guildId);
  await service.store.transfers.put(guild, [{ ...TRANSFER, guildId, ...changes }], CHANGE);
}

test('a transfer is the whole body, to the letter and without success', async () => {
  const reply = await get('/guild/transfers/trf_1');
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(reply.text).toBe(ENDPOINT_CASES[1]?.successText);
  expect(reply.body).not.toHaveProperty('success');
});

test.each([
  ['2026-05-02T20:22:05+02:00', '2026-05-02T18:22:05.000Z'],
  ['2026-05-02T18:22:05.7Z', '2026-05-02T18:22:05.700Z'],
  ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
])('the time %s is answered in UTC as %s', async (recorded, answered) => {
  await putTransfer({ id: 'trf_timed', date: recorded });
  expect((await get('/guild/transfers/trf_timed')).body.date).toBe(answered);
});

test('an absent transfer is not found, without success', async () => {
  expectRefusal(await get('/guild/transfers/none'), 404, bareText('Transfer not found'));
});

test("another guild's transfer is answered exactly as an absent one", async () => {
  const foreign = await get('/guild/transfers/trf_1', service.otherKey);
  const absent = await get('/guild/transfers/none', service.otherKey);
  expectRefusal(foreign, 404, bareText('Transfer not found'));
  expect(foreign.text).toBe(absent.text);
  expect(Object.keys(foreign.headers)).toEqual(Object.keys(absent.headers));
});

test('guilds may use the same id, and each key reads its own record', async () => {
  await putTransfer({ id: 'trf_both', to: 'Ours' });
  await putTransfer({ id: 'trf_both', to: 'Theirs' }, OTHER_GUILD_ID);
  const url = '/guild/transfers/trf_both';
  expect((await get(url)).body).toMatchObject({ guildId: GUILD_ID, to: 'Ours' });
  expect((await get(url, service.otherKey)).body).toMatchObject({ guildId: OTHER_GUILD_ID, to: 'Theirs' });
});

test.each(['/guild/transfers', '/guild/transfers/', '/guild/transfers/%20', '/guild/transfers/%C2%A0'])(
  '%s lacks its parameter',
  async (url) => {
    expectRefusal(await get(url), 400, bareText('Bad request - missing required parameters'));
  },
);

test.each(['/guild/transfers', '/guild/transfers/', '/guild/transfers/%20'])(
  '%s without a key is refused for the key',
  async (url) => {
    const reply = await service.ask({ method: 'GET', url, key: undefined });
    expectRefusal(reply, 401, bareText('Unauthorized - invalid API key'));
  },
);

test.each(KEY_FAULTS)('a key that is %s is refused like any other', async (fault) => {
  const key = await makeFaultyKey(service, fault);
  const reply = await service.ask({ method: 'GET', url: '/guild/transfers/trf_1', key });
  expectRefusal(reply, 401, bareText('Unauthorized - invalid API key'));
});

test('a key without guild:read is refused, even where there is nothing to read', async () => {
  const { value } = await service.addKey(GUILD_ID, ['guild:write', 'users:read']);
  for (const url of ['/guild/transfers/none', '/guild/transfers/']) {
    const reply = await get(url, value);
    expectRefusal(reply, 403, bareText('Forbidden - missing required scope: guild:read'));
  }
});

test('an id that is too long is refused without success too', async () => {
  const overlong = await get(`/guild/transfers/${'x'.repeat(129)}`);
  const rule = 'text of 1 to 128 characters without control characters or direction marks';
  expectRefusal(overlong, 400, bareText(`Bad request - transferId must be ${rule}`));
});

test('the 429 for too many failed authentications carries no success here either', async () => {
  const options = { method: 'GET', url: '/guild/transfers/trf_1', remoteAddress: '192.0.2.7' } as const;
  for (let failure = 0; failure < 100; failure += 1) {
    expect((await service.send(options)).status).toBe(401);
  }
  const reply = await service.send(options);
  expectRefusal(reply, 429, bareText('Too many requests - too many failed authentications'));
});
