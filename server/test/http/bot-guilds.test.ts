import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { transactionBody } from '../support/service.ts';
import { type BotService, startBotService } from './bot-service.ts';
import { errorText, expectRefusal, GUILD_ID } from './filled-service.ts';

let service: BotService;
let founded = 0;
let guildId: string;
let url: string;

beforeAll(async () => {
  service = await startBotService();
});
afterAll(() => service.stop());
/** Each test has a guild that nobody has set up yet. */
beforeEach(() => {
  founded += 1;
  guildId = `new-${founded}`;
  url = `/bot/guilds/${guildId}`;
});

const now = () => new Date(service.clock.nowMs()).toISOString();

test('a guild is set up with nothing but a name, and the answer shows all of it', async () => {
  const reply = await service.bot('PUT', url, { payload: { name: 'Harbour Watch' } });
  expect(reply.status).toBe(200);
  const data = {
    guildId,
    name: 'Harbour Watch',
    icon: null,
    ownerChatId: null,
    plan: 'none',
    planUntil: null,
    settings: { overdraftAllowed: true },
    createdAt: now(),
  };
  expect(reply.text).toBe(JSON.stringify({ success: true, data }));
});

test('a guild can be read back, alone and among all', async () => {
  const { data } = (await service.bot('PUT', url, { payload: { name: 'Harbour Watch', icon: 'a_1b2c' } }))
    .body;
  expect((await service.bot('GET', url)).body).toEqual({ success: true, data });
  const all = (await service.bot('GET', '/bot/guilds')).body.data;
  expect(all).toContainEqual(data);
  expect(all.map((guild: { guildId: string }) => guild.guildId)).toContain(GUILD_ID);
});

test('a guild that was never set up is not found', async () => {
  expectRefusal(
    await service.bot('GET', url),
    404,
    errorText('Guild not found', { code: 'guild_not_found' }),
  );
});

test('what is given changes, what is left out stays, and null takes away', async () => {
  const full = {
    guildId,
    name: 'Harbour Watch',
    icon: 'a_1b2c',
    ownerChatId: '302817465920118784',
    plan: 'enterprise',
    planUntil: '2027-12-31',
    settings: { overdraftAllowed: false },
  };
  const put = async (payload: object) => (await service.bot('PUT', url, { payload })).body.data;
  const planUntil = '2027-12-31T00:00:00.000Z';
  const createdAt = now();
  expect(await put(full)).toEqual({ ...full, planUntil, createdAt });
  service.clock.advance(60_000);
  expect(await put({ name: 'The Watch' })).toEqual({ ...full, name: 'The Watch', planUntil, createdAt });
  expect(await put({ name: 'The Watch', icon: null, ownerChatId: null, planUntil: null })).toMatchObject({
    icon: null,
    ownerChatId: null,
    plan: 'enterprise',
    planUntil: null,
  });
  expect(await put({ name: 'The Watch', planUntil: '2027-06-30T12:00:00+02:00' })).toMatchObject({
    planUntil: '2027-06-30T10:00:00.000Z',
  });
  // A newly given plan replaces the old end date too.
  expect(await put({ name: 'The Watch', plan: 'developer' })).toMatchObject({
    plan: 'developer',
    planUntil: null,
    settings: { overdraftAllowed: false },
  });
});

test('putting the same guild again changes nothing, not even in the audit log', async () => {
  const payload = { name: 'Harbour Watch', plan: 'developer', settings: { overdraftAllowed: false } };
  const first = await service.bot('PUT', url, { payload });
  const before = service.snapshot();
  service.clock.advance(60_000);
  const second = await service.bot('PUT', url, { payload });
  expect(second.text).toBe(first.text);
  expect(service.snapshot()).toBe(before);
});

test("the guild's settings hold for its keys at once", async () => {
  await service.bot('PUT', url, { payload: { name: 'Harbour Watch', plan: 'developer' } });
  const key = (await service.addKey(guildId)).value;
  const withdraw = () =>
    service.ask({ method: 'POST', url: '/guild/ledger', key, payload: transactionBody({ amount: -1 }) });
  expect((await withdraw()).status).toBe(200);
  await service.bot('PUT', url, { payload: { name: 'x', settings: { overdraftAllowed: false } } });
  expectRefusal(await withdraw(), 400, errorText('Bad request - the balance does not cover this withdrawal'));
});

test('the audit log tells that the bot did it', async () => {
  await service.bot('PUT', url, { payload: { name: 'Harbour Watch' } });
  const guild = await service.guilds.find(guildId);
  expect(await service.store.audit.list(guild, { limit: 10 })).toMatchObject([
    {
      entryNo: 1,
      actor: { kind: 'bot', id: 'bot' },
      action: 'create',
      subjectKind: 'guild',
      subjectId: guildId,
      detail: { after: { name: 'Harbour Watch' } },
    },
  ]);
});
