import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BotService, startBotService } from './bot-service.ts';
import {
  COMMANDS,
  DISCHARGE,
  errorText,
  expectRefusal,
  GUILD_ID,
  MARK,
  TRANSFER,
  VERIFICATION,
} from './filled-service.ts';

const LINE = (max: number, min = 1) =>
  `text of ${min} to ${max} characters without control characters or direction marks`;
const DATE = 'a date such as 2027-01-31 or 2027-01-31T18:00:00Z';
const TIME = 'a time such as 2027-01-31T18:00:00Z';
const LARGE = errorText('Payload too large', { code: 'body_too_large' });
const MISSING = errorText('Bad request - missing required fields', { code: 'missing_fields' });
const TOO_LARGE = JSON.stringify({ name: 'x'.repeat(8 * 1024 * 1024) });
/** The number of the log level of faults. */
const ERROR = 50;

const { id: _d, guildId: _dg, ...discharge } = DISCHARGE;
const { id: _t, guildId: _tg, ...transfer } = TRANSFER;
const { chatId: _c, ...verification } = VERIFICATION;
const guild = { name: 'Emberhold', plan: 'developer' };

let service: BotService;
let linesSeen = 0;

beforeAll(async () => {
  service = await startBotService();
});
afterAll(() => service.stop());
// No refusal is a fault of ours.
afterEach(() => {
  const lines = service.logLines.slice(linesSeen);
  linesSeen = service.logLines.length;
  expect(lines.filter((line) => JSON.parse(line).level >= ERROR)).toEqual([]);
});

const ROUTES = {
  guild: { method: 'PUT', url: `/bot/guilds/${GUILD_ID}`, good: guild },
  discharge: { method: 'PUT', url: `/bot/guilds/${GUILD_ID}/discharges/d`, good: discharge },
  newDischarge: { method: 'POST', url: `/bot/guilds/${GUILD_ID}/discharges`, good: discharge },
  transfer: { method: 'PUT', url: `/bot/guilds/${GUILD_ID}/transfers/t`, good: transfer },
  newTransfer: { method: 'POST', url: `/bot/guilds/${GUILD_ID}/transfers`, good: transfer },
  verification: { method: 'PUT', url: '/bot/users/900', good: verification },
} as const;
type RouteName = keyof typeof ROUTES;

/** Spoils the good body of a route and expects a refusal that leaves no trace. */
async function expectRefused(name: RouteName, changes: object, message: string): Promise<void> {
  const { method, url, good } = ROUTES[name];
  const before = service.snapshot();
  const reply = await service.bot(method, url, { payload: { ...good, ...changes } });
  expectRefusal(reply, 400, errorText(`Bad request - ${message}`, { code: 'invalid_input' }));
  expect(service.snapshot()).toBe(before);
}

describe('ids that differ between address and body', () => {
  test.each<[RouteName, object, string]>([
    ['guild', { guildId: MARK }, 'guildId'],
    ['discharge', { id: MARK }, 'id'],
    ['discharge', { guildId: MARK }, 'guildId'],
    ['newDischarge', { guildId: MARK }, 'guildId'],
    ['transfer', { id: MARK }, 'id'],
    ['transfer', { guildId: MARK }, 'guildId'],
    ['newTransfer', { guildId: MARK }, 'guildId'],
    ['verification', { chatId: MARK }, 'chatId'],
  ])('%s %j', (name, changes, field) =>
    expectRefused(name, changes, `${field} in the body differs from the address`),
  );
});

describe('dates that are not dates', () => {
  const texts = ['2026-02-30', '2026-13-01', '2026-02-29T00:00:00Z', '14.03.2026', 'yesterday', '2026', ''];
  const values = [...texts, 1_772_000_000_000, true, ['2026-01-01'], { year: 2026 }];
  test.each(values)('%j is no date of a discharge', (date) => {
    const message = date === '' ? 'date is missing' : `date must be ${DATE}`;
    return expectRefused('discharge', { date }, message);
  });
  test.each([
    ...values,
    '2026-05-02',
    '2026-05-02T18:22:05',
    '2026-05-02T25:00:00Z',
    '2026-05-02T18:22:05+99:00',
  ])('%j is no time of a transfer', (date) => {
    const message = date === '' ? 'date is missing' : `date must be ${TIME}`;
    return expectRefused('transfer', { date }, message);
  });
  test.each(values)('%j is no end of a plan', (planUntil) =>
    expectRefused('guild', { planUntil }, `planUntil must be ${DATE}`),
  );
});

describe('texts that are none', () => {
  test.each<[RouteName, string, string]>([
    ['guild', 'name', LINE(256)],
    ['guild', 'icon', LINE(256)],
    ['guild', 'ownerChatId', LINE(256)],
    ['discharge', 'chatId', LINE(128)],
    ['discharge', 'playerId', LINE(128)],
    ['discharge', 'name', LINE(256)],
    ['discharge', 'reason', LINE(4_000, 0)],
    ['discharge', 'type', LINE(256, 0)],
    ['discharge', 'from', LINE(256, 0)],
    ['discharge', 'signed', LINE(256, 0)],
    ['transfer', 'playerId', LINE(128)],
    ['transfer', 'name', LINE(256)],
    ['transfer', 'to', LINE(256, 0)],
    ['verification', 'playerId', LINE(128)],
    ['verification', 'username', LINE(256)],
  ])('%s: %s must be %s', async (name, field, rule) => {
    const max = Number(/to (\d+)/.exec(rule)?.[1]);
    const spoilt = ['x'.repeat(max + 1), `${MARK}\u0000`, `${MARK}\u202e`, '\ud800', 7, true, [MARK], {}];
    for (const value of spoilt) {
      await expectRefused(name, { [field]: value }, `${field} must be ${rule}`);
    }
  });

  test('a text of the greatest length is taken, counted in characters and not in bytes', async () => {
    const { method, url, good } = ROUTES.discharge;
    const payload = { ...good, name: '🛡'.repeat(256), reason: '🛡'.repeat(4_000) };
    const reply = await service.bot(method, url, { payload });
    expect(reply.body.data).toMatchObject(payload);
  });
});

describe('what is missing', () => {
  test.each<[RouteName, string[]]>([
    ['guild', ['name']],
    ['discharge', Object.keys(discharge)],
    ['newDischarge', Object.keys(discharge)],
    ['transfer', Object.keys(transfer)],
    ['newTransfer', Object.keys(transfer)],
    ['verification', ['playerId', 'username']],
  ])('%s without one of %j', async (name, fields) => {
    for (const field of fields) {
      await expectRefused(name, { [field]: undefined }, `${field} is missing`);
      await expectRefused(name, { [field]: null }, `${field} is missing`);
    }
  });

  test('comes before what is wrong', () =>
    expectRefused('discharge', { signed: undefined, date: 'never', name: 7 }, 'signed is missing'));

  test('an id that is blank is missing', () =>
    expectRefused('discharge', { playerId: ' ', date: 'never' }, 'playerId is missing'));

  test('a field that may be empty is not missing when it is, and the real fault is named', () =>
    expectRefused('discharge', { reason: '', signed: '', date: 'never' }, `date must be ${DATE}`));
});

describe('lists and nested fields', () => {
  test.each<[RouteName, object, string]>([
    ['verification', { pastUsers: 'none' }, 'pastUsers must be a list of at most 100'],
    ['verification', { pastUsers: [MARK] }, 'pastUsers[0] must be an object'],
    ['verification', { pastUsers: [{ playerId: '1' }] }, 'pastUsers[0].username is missing'],
    [
      'verification',
      { pastUsers: [{ playerId: '1', username: 7 }] },
      `pastUsers[0].username must be ${LINE(256)}`,
    ],
    [
      'verification',
      { pastUsers: [...VERIFICATION.pastUsers, { playerId: '', username: 'x' }] },
      `pastUsers[2].playerId must be ${LINE(128)}`,
    ],
    [
      'verification',
      { pastUsers: Array.from({ length: 101 }, (_, index) => ({ playerId: `${index}`, username: 'x' })) },
      'pastUsers must be a list of at most 100',
    ],
    ['guild', { plan: MARK }, 'plan must be one of: none, developer, enterprise'],
    ['guild', { settings: MARK }, 'settings must be an object'],
    ['guild', { settings: { overdraftAllowed: 'yes' } }, 'settings.overdraftAllowed must be true or false'],
  ])('%s %j', (name, changes, message) => expectRefused(name, changes, message));
});

describe('commands', () => {
  const [first] = COMMANDS;
  test.each<[string, unknown, string]>([
    ['no list', {}, 'the body must be a JSON array'],
    ['a text', '"x"', 'the body must be a JSON array'],
    ['a number in the list', [7], '[0] must be an object'],
    ['a command without a name', [first, { ...first, name: undefined }], '[1].name is missing'],
    ['a blank category', [{ ...first, category: ' ' }], `[0].category must be ${LINE(256)}`],
    [
      'a condition that is no text',
      [{ ...first, preconditions: [7] }],
      `[0].preconditions[0] must be ${LINE(256, 0)}`,
    ],
    [
      'conditions that are no list',
      [{ ...first, preconditions: 'x' }],
      '[0].preconditions must be a list of at most 50',
    ],
  ])('%s is refused', async (_name, payload, message) => {
    const before = service.snapshot();
    const reply = await service.bot('PUT', '/bot/commands', {
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      headers: { 'content-type': 'application/json' },
    });
    expectRefusal(reply, 400, errorText(`Bad request - ${message}`, { code: 'invalid_input' }));
    expect(service.snapshot()).toBe(before);
  });
});

describe.each([...Object.values(ROUTES), { method: 'PUT' as const, url: '/bot/commands', good: COMMANDS }])(
  '$method $url as a whole',
  ({ method, url, good }) => {
    test.each<[string, string | Buffer, Record<string, string>, number, string]>([
      ['no body', '', { 'content-type': 'application/json' }, 400, MISSING],
      ['null', 'null', { 'content-type': 'application/json' }, 400, MISSING],
      [
        'cut off',
        JSON.stringify(good).slice(0, -1),
        { 'content-type': 'application/json' },
        400,
        'malformed JSON',
      ],
      [
        'Latin-1',
        Buffer.from('{"name":"é"}', 'latin1'),
        { 'content-type': 'application/json' },
        400,
        'malformed JSON',
      ],
      ['text', JSON.stringify(good), { 'content-type': 'text/plain' }, 415, ''],
      ['NDJSON', `${JSON.stringify(good)}\n`, { 'content-type': 'application/x-ndjson' }, 415, ''],
      ['too large', TOO_LARGE, { 'content-type': 'application/json' }, 413, LARGE],
    ])('a body that is %s is refused', async (_name, payload, headers, status, message) => {
      const before = service.snapshot();
      const reply = await service.bot(method, url, { payload, headers });
      const text = {
        '': errorText('Unsupported media type - send application/json', { code: 'unsupported_media_type' }),
        'malformed JSON': errorText('Bad request - malformed JSON', { code: 'malformed_json' }),
      }[message];
      expectRefusal(reply, status, text ?? message);
      expect(service.snapshot()).toBe(before);
    });
  },
);

test('a record may be up to 64 KiB, spaces included, and not a byte more', async () => {
  const { method, url, good } = ROUTES.discharge;
  const text = JSON.stringify(good);
  const padded = (bytes: number) => text + ' '.repeat(bytes - Buffer.byteLength(text));
  const send = (payload: string) =>
    service.bot(method, url, { payload, headers: { 'content-type': 'application/json' } });
  expect((await send(padded(64 * 1024))).status).toBe(200);
  expectRefusal(await send(padded(64 * 1024 + 1)), 413, LARGE);
});

test('over-long or broken ids in the address are refused', async () => {
  const before = service.snapshot();
  for (const id of ['x'.repeat(129), '%00', '%E2%80%AE', '%ff', '%']) {
    for (const [method, url] of [
      ['PUT', `/bot/guilds/${id}`],
      ['PUT', `/bot/guilds/${GUILD_ID}/discharges/${id}`],
      ['DELETE', `/bot/guilds/${id}/transfers/t`],
      ['DELETE', `/bot/users/${id}`],
    ] as const) {
      const reply = await service.bot(method, url, method === 'PUT' ? { payload: discharge } : {});
      expect(reply.status).toBe(400);
    }
  }
  expect(service.snapshot()).toBe(before);
});

test('fields nobody knows are passed over, those that name insides of the language too', async () => {
  const { method, url, good } = ROUTES.verification;
  const payload = `{"__proto__":{"username":"x"},"constructor":1,"extra":[1],${JSON.stringify(good).slice(1)}`;
  const reply = await service.bot(method, url, { payload, headers: { 'content-type': 'application/json' } });
  expect(reply.body).toEqual({ success: true, data: { chatId: '900', ...good } });
});
