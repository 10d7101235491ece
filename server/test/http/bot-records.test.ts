import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CHANGE } from '../contract/specimens.ts';
import { type BotService, startBotService } from './bot-service.ts';
import { DISCHARGE, errorText, expectRefusal, GUILD_ID, OTHER_GUILD_ID, TRANSFER } from './filled-service.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const { id: _d, guildId: _dg, ...dischargeFields } = DISCHARGE;
const { id: _t, guildId: _tg, ...transferFields } = TRANSFER;

let service: BotService;
let made = 0;
/** An id that no record has yet. */
let newId: string;

beforeAll(async () => {
  service = await startBotService();
});
afterAll(() => service.stop());
/** Each test begins with the records that the service was filled with as they were. */
beforeEach(async () => {
  made += 1;
  newId = `new-${made}`;
  const guild = await service.guilds.find(GUILD_ID);
  await Promise.all([
    service.store.discharges.put(guild, [DISCHARGE], CHANGE),
    service.store.transfers.put(guild, [TRANSFER], CHANGE),
  ]);
});

const KINDS = [
  {
    kind: 'discharge',
    plural: 'discharges',
    fields: dischargeFields,
    known: DISCHARGE.id,
    notFound: 'Discharge not found',
    code: 'discharge_not_found',
    // The transfer is the one success without an envelope.
    shown: (body: { data: unknown }): unknown => body.data,
    isBare: false,
  },
  {
    kind: 'transfer',
    plural: 'transfers',
    fields: transferFields,
    known: TRANSFER.id,
    notFound: 'Transfer not found',
    code: 'transfer_not_found',
    shown: (body: unknown): unknown => body,
    isBare: true,
  },
] as const;

describe.each(KINDS)('a $kind', ({ kind, plural, fields, known, notFound, code, shown, isBare }) => {
  const collection = `/bot/guilds/${GUILD_ID}/${plural}`;
  const read = (id: string, key = service.key) =>
    service.ask({ method: 'GET', url: `/guild/${plural}/${encodeURIComponent(id)}`, key });

  test('that is put is read with exactly the same fields, and by its own guild alone', async () => {
    const put = await service.bot('PUT', `${collection}/${newId}`, { payload: fields });
    const expected = { id: newId, guildId: GUILD_ID, ...fields };
    expect({ status: put.status, body: put.body }).toEqual({
      status: 200,
      body: { success: true, data: expected },
    });
    const got = await read(newId);
    expect(got.status).toBe(200);
    expect(shown(got.body)).toEqual(expected);
    expectRefusal(await read(newId, service.otherKey), 404, errorText(notFound, { isBare }));
  });

  test('that is put again stays the same, and the audit log does not grow', async () => {
    const first = await service.bot('PUT', `${collection}/${newId}`, { payload: fields });
    const before = service.snapshot();
    const second = await service.bot('PUT', `${collection}/${newId}`, { payload: fields });
    expect(second.text).toBe(first.text);
    expect(service.snapshot()).toBe(before);
  });

  test('that is put with other fields is replaced', async () => {
    const payload = { ...fields, name: 'Somebody Else', signed: '' };
    expect((await service.bot('PUT', `${collection}/${known}`, { payload })).status).toBe(200);
    expect(shown((await read(known)).body)).toEqual({ id: known, guildId: GUILD_ID, ...payload });
  });

  test('may repeat its ids in the body when they are those of the address', async () => {
    const payload = { ...fields, id: newId, guildId: GUILD_ID };
    expect((await service.bot('PUT', `${collection}/${newId}`, { payload })).status).toBe(200);
  });

  test('of another guild may have the same id, and both stay apart', async () => {
    const url = `/bot/guilds/${OTHER_GUILD_ID}/${plural}/${known}`;
    await service.bot('PUT', url, { payload: { ...fields, name: 'Theirs' } });
    expect(shown((await read(known)).body)).toMatchObject({ guildId: GUILD_ID, name: fields.name });
    expect(shown((await read(known, service.otherKey)).body)).toMatchObject({
      guildId: OTHER_GUILD_ID,
      name: 'Theirs',
    });
    await service.bot('DELETE', url);
    expect((await read(known)).status).toBe(200);
    expect((await read(known, service.otherKey)).status).toBe(404);
  });

  test('that is posted gets a UUIDv7 of its own, under which it can be read', async () => {
    const post = () => service.bot('POST', collection, { payload: fields });
    const [first, second] = [await post(), await post()];
    expect(first.body.data.id).toMatch(UUID_V7);
    expect(second.body.data.id).not.toBe(first.body.data.id);
    const got = await read(first.body.data.id);
    expect(shown(got.body)).toEqual({ id: first.body.data.id, guildId: GUILD_ID, ...fields });
  });

  test('that is posted brings no id along', async () => {
    const before = service.snapshot();
    const reply = await service.bot('POST', collection, { payload: { ...fields, id: 'mine' } });
    expectRefusal(
      reply,
      400,
      errorText('Bad request - id in the body differs from the address', { code: 'invalid_input' }),
    );
    expect(service.snapshot()).toBe(before);
  });

  test('that is deleted is gone for its readers, and cannot be deleted twice', async () => {
    const gone = await service.bot('DELETE', `${collection}/${known}`);
    const name = `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`;
    expect({ status: gone.status, text: gone.text }).toEqual({
      status: 200,
      text: `{"success":true,"message":"${name} deleted"}`,
    });
    expectRefusal(await read(known), 404, errorText(notFound, { isBare }));
    expectRefusal(await service.bot('DELETE', `${collection}/${known}`), 404, errorText(notFound, { code }));
  });

  test('of a guild that nobody set up is refused', async () => {
    const before = service.snapshot();
    for (const [method, url, payload] of [
      ['PUT', `/bot/guilds/nobody/${plural}/x`, fields],
      ['POST', `/bot/guilds/nobody/${plural}`, fields],
      ['DELETE', `/bot/guilds/nobody/${plural}/${known}`, undefined],
    ] as const) {
      const reply = await service.bot(method, url, payload === undefined ? {} : { payload });
      expectRefusal(reply, 404, errorText('Guild not found', { code: 'guild_not_found' }));
    }
    expect(service.snapshot()).toBe(before);
  });

  test('may have an id with any printable character, encoded in the address', async () => {
    const id = 'Nr. 7/26 ünï & 100 %';
    await service.bot('PUT', `${collection}/${encodeURIComponent(id)}`, { payload: fields });
    expect(shown((await read(id)).body)).toMatchObject({ id });
  });

  test('is written into the audit log in the name of the bot, with what changed', async () => {
    await service.bot('PUT', `${collection}/${known}`, { payload: { ...fields, name: 'Renamed' } });
    const guild = await service.guilds.find(GUILD_ID);
    const [entry] = await service.store.audit.list(guild, { limit: 1 });
    expect(entry).toMatchObject({
      actor: { kind: 'bot', id: 'bot' },
      action: 'update',
      subjectKind: kind,
      subjectId: known,
      detail: { before: { name: fields.name }, after: { name: 'Renamed' } },
    });
  });
});

describe('dates and times', () => {
  test.each([
    ['2026-05-02T18:22:05.000Z', '2026-05-02T18:22:05.000Z'],
    ['2026-05-02T18:22:05Z', '2026-05-02T18:22:05.000Z'],
    ['2026-05-02T18:22Z', '2026-05-02T18:22:00.000Z'],
    ['2026-05-02T20:22:05.123456+02:00', '2026-05-02T18:22:05.123Z'],
    ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00.000Z'],
  ])('the time %s of a transfer comes out as %s', async (date, expected) => {
    const url = `/bot/guilds/${GUILD_ID}/transfers/t`;
    const put = await service.bot('PUT', url, { payload: { ...transferFields, date } });
    expect(put.body.data.date).toBe(expected);
    const got = await service.ask({ method: 'GET', url: '/guild/transfers/t' });
    expect(got.body.date).toBe(expected);
  });

  test.each(['2026-03-14', '2024-02-29', '2026-03-14T18:00:00+02:00'])(
    'the date %s of a discharge stays as it is',
    async (date) => {
      const url = `/bot/guilds/${GUILD_ID}/discharges/d`;
      await service.bot('PUT', url, { payload: { ...dischargeFields, date } });
      const got = await service.ask({ method: 'GET', url: '/guild/discharges/d' });
      expect(got.body.data.date).toBe(date);
    },
  );
});
