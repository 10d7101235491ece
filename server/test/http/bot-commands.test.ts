import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CHANGE } from '../contract/specimens.ts';
import { type BotService, startBotService } from './bot-service.ts';
import { COMMANDS, errorText, expectRefusal } from './filled-service.ts';

const URL = '/bot/commands';
const NEW_COMMANDS = [
  { category: 'Fun', name: 'dice', description: 'Throws one.', extendedHelp: '', preconditions: [] },
  { category: 'Economy', name: 'pay', description: '', extendedHelp: 'Usage:\n/pay', preconditions: ['x'] },
];
const CHANGED = errorText('Precondition failed - the command catalogue has changed since it was read', {
  code: 'commands_changed',
});

let service: BotService;

beforeAll(async () => {
  service = await startBotService();
});
afterAll(() => service.stop());
// Each test begins with the catalogue that the service was filled with.
beforeEach(() => service.store.commands.replace(COMMANDS, CHANGE));

const replace = (payload: object, headers: Record<string, string> = {}) =>
  service.bot('PUT', URL, { payload, headers });
const listed = async () => (await service.ask({ method: 'GET', url: '/commands' })).body.data;

test('the bot reads the whole catalogue, with a tag that names it', async () => {
  const reply = await service.bot('GET', URL);
  expect(reply.body).toEqual({ success: true, data: COMMANDS });
  expect(reply.headers.etag).toMatch(/^"[\w-]{22}"$/);
  expect((await service.bot('GET', URL)).headers.etag).toBe(reply.headers.etag);
});

test('a catalogue that is put is listed for everybody at once, in its order', async () => {
  const reply = await replace(NEW_COMMANDS);
  expect({ status: reply.status, body: reply.body }).toEqual({
    status: 200,
    body: { success: true, data: NEW_COMMANDS },
  });
  expect(await listed()).toEqual(NEW_COMMANDS);
  const { headers } = await service.bot('GET', URL);
  expect(reply.headers.etag).toBe(headers.etag);
});

test('the same catalogue again changes nothing and keeps its tag', async () => {
  const first = await replace(NEW_COMMANDS);
  const before = service.snapshot();
  const second = await replace(NEW_COMMANDS);
  expect(second.headers.etag).toBe(first.headers.etag);
  expect(service.snapshot()).toBe(before);
});

test('another order is another catalogue', async () => {
  const first = await replace(NEW_COMMANDS);
  const second = await replace(NEW_COMMANDS.toReversed());
  expect(second.headers.etag).not.toBe(first.headers.etag);
  expect(await listed()).toEqual(NEW_COMMANDS.toReversed());
});

test('an empty list empties the catalogue', async () => {
  expect((await replace([])).body).toEqual({ success: true, data: [] });
  expect(await listed()).toEqual([]);
});

test('with the tag that was read, a catalogue is replaced; with an old one it is not, and nothing changes', async () => {
  const { etag } = (await service.bot('GET', URL)).headers;
  expect((await replace(NEW_COMMANDS, { 'if-match': String(etag) })).status).toBe(200);
  const before = service.snapshot();
  expectRefusal(await replace([], { 'if-match': String(etag) }), 412, CHANGED);
  expect(service.snapshot()).toBe(before);
  expect(await listed()).toEqual(NEW_COMMANDS);
});

test.each([
  ['a star', () => '*', 200],
  ['a weak tag', (etag: string) => `W/${etag}`, 200],
  ['a tag without quotes', (etag: string) => etag.slice(1, -1), 200],
  ['a tag cut short', (etag: string) => `${etag.slice(0, -3)}"`, 412],
  ['an empty tag', () => '""', 412],
])('If-Match with %s', async (_name, ifMatch, status) => {
  const etag = String((await service.bot('GET', URL)).headers.etag);
  const reply = await replace(NEW_COMMANDS, { 'if-match': ifMatch(etag) });
  expect(reply.status).toBe(status);
  expect(await listed()).toEqual(status === 200 ? NEW_COMMANDS : COMMANDS);
});

test('of two bots that read the same catalogue only one replaces it', async () => {
  const headers = { 'if-match': String((await service.bot('GET', URL)).headers.etag) };
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      replace([{ ...NEW_COMMANDS[0], name: `from-${index}` }], headers),
    ),
  );
  const winners = replies.filter(({ status }) => status === 200);
  expect(winners).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 412)).toHaveLength(7);
  expect(await listed()).toEqual(winners[0]?.body.data);
});

test('two thousand commands are taken, one more is refused and nothing changes', async () => {
  const many = Array.from({ length: 2_001 }, (_, index) => ({ ...NEW_COMMANDS[0], name: `c${index}` }));
  expect((await replace(many.slice(1))).status).toBe(200);
  expect(await listed()).toHaveLength(2_000);
  const before = service.snapshot();
  const reply = await replace(many);
  expectRefusal(
    reply,
    400,
    /^\{"success":false,"message":"Bad request - .* a list of at most 2000","code":"invalid_input"\}$/,
  );
  expect(service.snapshot()).toBe(before);
});
