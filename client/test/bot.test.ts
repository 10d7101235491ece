import { createBotClient, type GuildbookBot, type ImportLine } from '@guildbook/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startGateway } from './support/gateway.ts';
import { type Place, startPlace } from './support/place.ts';
import { refusalOf } from './support/refusal.ts';
import { COMMANDS, DISCHARGE, GUILD_ID, OTHER_GUILD_ID, TRANSFER } from './support/specimens.ts';

const BOT_TOKEN = 'client-tests-0123456789-abcdefghijklmnop';
const { id: _d, guildId: _dg, ...discharge } = DISCHARGE;
const { id: _t, guildId: _tg, ...transfer } = TRANSFER;

let place: Place;
let bot: GuildbookBot;
let count = 0;
/** An id that no other test uses. */
let id: string;

beforeAll(async () => {
  place = await startPlace({ BOT_TOKEN });
  bot = createBotClient({ baseUrl: place.address, botToken: BOT_TOKEN });
});
afterAll(() => place.stop());
beforeEach(() => {
  count += 1;
  id = `bot-${count}`;
});

async function gather(lines: AsyncIterable<ImportLine>): Promise<ImportLine[]> {
  const all: ImportLine[] = [];
  for await (const line of lines) {
    all.push(line);
  }
  return all;
}

test('guilds are set up, changed and read back', async () => {
  const guild = await bot.setGuild(id, { name: 'Harbour Watch', plan: 'developer', icon: 'a_1' });
  expect(guild).toMatchObject({ guildId: id, name: 'Harbour Watch', plan: 'developer', icon: 'a_1' });
  expect(await bot.setGuild(id, { name: 'The Watch', icon: null })).toEqual({
    ...guild,
    name: 'The Watch',
    icon: null,
  });
  expect(await bot.getGuild(id)).toMatchObject({ name: 'The Watch' });
  expect((await bot.listGuilds()).map(({ guildId }) => guildId)).toEqual(
    expect.arrayContaining([id, GUILD_ID]),
  );
  expect(await refusalOf(bot.getGuild('nobody'))).toMatchObject({ kind: 'not-found', status: 404 });
});

test('discharges are written, written anew and deleted once', async () => {
  const written = await bot.putDischarge(GUILD_ID, id, discharge);
  expect(written).toEqual({ ...DISCHARGE, id });
  expect(await bot.putDischarge(GUILD_ID, id, { ...discharge, reason: '' })).toEqual({
    ...written,
    reason: '',
  });
  expect(await place.connect().getDischarge(id)).toEqual({ ...written, reason: '' });
  expect(await bot.deleteDischarge(GUILD_ID, id)).toBe(true);
  expect(await bot.deleteDischarge(GUILD_ID, id)).toBe(false);
});

test('transfers are written, written anew and deleted once', async () => {
  const written = await bot.putTransfer(GUILD_ID, id, { ...transfer, date: '2026-05-02T20:22:05+02:00' });
  expect(written).toEqual({ ...TRANSFER, id });
  expect(await place.connect().getTransfer(id)).toEqual(written);
  expect(await bot.deleteTransfer(GUILD_ID, id)).toBe(true);
  expect(await bot.deleteTransfer(GUILD_ID, id)).toBe(false);
});

test('a new record is written once, even when the first answer is lost', async () => {
  const loseAnswer = async (
    _request: unknown,
    response: { destroy(): void },
    passOn: () => Promise<unknown>,
  ) => {
    await passOn();
    response.destroy();
  };
  const baseUrl = await startGateway(place.address, [loseAnswer]);
  const patient = createBotClient({ baseUrl, botToken: BOT_TOKEN, createId: () => id });
  expect(await patient.addDischarge(OTHER_GUILD_ID, discharge)).toMatchObject({
    id,
    guildId: OTHER_GUILD_ID,
  });
  expect(await patient.addTransfer(OTHER_GUILD_ID, transfer)).toMatchObject({ id });
  expect(await bot.deleteDischarge(OTHER_GUILD_ID, id)).toBe(true);
});

test('people are verified, verified anew and forgotten', async () => {
  await bot.verifyUser(id, { playerId: `${id}-1`, username: 'first' });
  const second = await bot.verifyUser(id, { playerId: `${id}-2`, username: 'second' });
  expect(second.pastUsers).toEqual([{ playerId: `${id}-1`, username: 'first' }]);
  expect(await place.connect().getUser(`chat:${id}`)).toEqual(second);
  expect(await bot.forgetUser(id)).toBe(true);
  expect(await bot.forgetUser(id)).toBe(false);
});

test('commands are replaced, unless somebody else was faster', async () => {
  const { etag, commands } = await bot.readCommands();
  expect(commands).toEqual(COMMANDS);
  const replaced = await bot.replaceCommands(COMMANDS.slice(0, 1), { ifMatch: etag });
  expect(replaced.commands).toHaveLength(1);
  const late = await refusalOf(bot.replaceCommands([], { ifMatch: etag }));
  expect(late).toMatchObject({ kind: 'conflict', status: 412 });
  expect(await bot.readCommands()).toEqual(replaced);
});

describe('an import', () => {
  test('takes more records than one request holds, and numbers them as they were given', async () => {
    const records = Array.from({ length: 1_203 }, (_, index) => ({
      chatId: `${id}-${index}`,
      playerId: `p-${id}-${index}`,
      username: index === 700 ? '' : `u-${id}-${index}`,
    }));
    const lines = await gather(bot.importRecords('verifications', records));
    expect(lines.map(({ line }) => line)).toEqual(records.map((_, index) => index + 1));
    expect(lines.filter(({ outcome }) => outcome !== 'created')).toEqual([
      { line: 701, outcome: 'rejected', reason: expect.stringContaining('username must be') },
    ]);
    const again = await gather(bot.importRecords('verifications', records.slice(0, 3)));
    expect(again.map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged', 'unchanged']);
  });

  test('puts records into the guild that is named for all', async () => {
    async function* records() {
      yield { ...discharge, id };
    }
    expect(await gather(bot.importRecords('discharges', records(), { guildId: OTHER_GUILD_ID }))).toEqual([
      { line: 1, outcome: 'created' },
    ]);
    expect(await bot.deleteDischarge(OTHER_GUILD_ID, id)).toBe(true);
  });

  test('of nothing sends nothing', async () => {
    const nowhere = createBotClient({ baseUrl: 'http://127.0.0.1:9', botToken: BOT_TOKEN, retries: 0 });
    expect(await gather(nowhere.importRecords('transfers', []))).toEqual([]);
  });
});

test('a wrong token is refused, and shows in no error', async () => {
  const botToken = 'wrong-token-0123456789-abcdefghijklmnop';
  const error = await refusalOf(createBotClient({ baseUrl: place.address, botToken }).listGuilds());
  expect(error).toMatchObject({ kind: 'unauthorized', status: 401 });
  expect(JSON.stringify(error) + error.stack).not.toContain(botToken);
  expect(() => createBotClient({ baseUrl: place.address, botToken: 'a b' })).toThrow(
    'botToken must be a token',
  );
});
