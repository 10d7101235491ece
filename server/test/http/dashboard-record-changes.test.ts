import { describe, expect, test } from 'vitest';
import { KINDS, recordPath, shareRecords } from './dashboard-records.ts';
import { GUILD, PLANLESS_GUILD } from './dashboard-service.ts';

const records = shareRecords();
const { change, readBack, contents } = records;

async function lastEntry(): Promise<unknown> {
  return (await records.service.store.audit.list(await records.service.guilds.find(GUILD), { limit: 1 }))[0];
}

describe.each(KINDS)('a $kind', ({ kind, list, fields, label }) => {
  test('is added, changed and deleted, read back through the interface, and the log says by whom', async () => {
    records.service.clock.advance(1_000);
    const made = await change('POST', list, { ...fields, id: 'mine' });
    expect(made.status).toBe(200);
    const record = { ...fields, id: 'mine', guildId: GUILD };
    expect(made.body).toEqual({ success: true, data: record });
    expect(await readBack(list, 'mine')).toEqual(record);
    const by = { actor: { kind: 'user', id: '101' }, subjectKind: kind, subjectId: 'mine' };
    expect(await lastEntry()).toMatchObject({ ...by, action: 'create', detail: { after: record } });

    records.service.clock.advance(1_000);
    const changed = await change('PUT', `${list}/mine`, { ...fields, name: 'Somebody <b>else</b>' });
    expect(changed.body).toEqual({ success: true, data: { ...record, name: 'Somebody <b>else</b>' } });
    expect(await readBack(list, 'mine')).toEqual({ ...record, name: 'Somebody <b>else</b>' });
    const detail = { before: { name: fields.name }, after: { name: 'Somebody <b>else</b>' } };
    expect(await lastEntry()).toMatchObject({ ...by, action: 'update', detail });

    records.service.clock.advance(1_000);
    const deleted = await change('DELETE', `${list}/mine`);
    expect(deleted.text).toBe(`{"success":true,"message":"${label} deleted"}`);
    expect(await readBack(list, 'mine')).toBeUndefined();
    expect(await lastEntry()).toMatchObject({ ...by, action: 'delete', detail: { before: { id: 'mine' } } });
  });

  test('without an id gets one of its own each time', async () => {
    const ids = [];
    for (let count = 0; count < 2; count += 1) {
      const { body } = await change('POST', list, fields);
      expect(body.data.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
      expect(await readBack(list, body.data.id)).toEqual(body.data);
      ids.push(body.data.id);
    }
    expect(new Set(ids).size).toBe(2);
  });

  test('of an id that is taken is refused, and the one that is there stays', async () => {
    await change('POST', list, { ...fields, id: 'taken' });
    const before = contents();
    for (const name of [fields.name, 'Other']) {
      const reply = await change('POST', list, { ...fields, name, id: 'taken' });
      expect(reply.status).toBe(409);
      expect(reply.text).toBe(
        `{"success":false,"message":"Conflict - a ${kind} with this id exists","code":"record_exists"}`,
      );
    }
    expect(contents()).toEqual(before);
  });

  test('of a file is added with the others, unless its id is taken; a bad one stops the file before it begins', async () => {
    await change('POST', list, { ...fields, id: 'was there' });
    const records = [{ ...fields, id: 'new one' }, { ...fields, id: 'was there', name: 'Other' }, fields];
    const reply = await change('POST', `${list}/import`, { records });
    expect(reply.body).toEqual({ success: true, data: { outcomes: ['created', 'exists', 'created'] } });
    expect(await readBack(list, 'new one')).toMatchObject({ name: fields.name });
    expect(await readBack(list, 'was there')).toMatchObject({ name: fields.name });
    const before = contents();
    for (const bad of [
      [
        { ...fields, id: 'x' },
        { ...fields, name: '' },
      ],
      [],
      Array(1_001).fill(fields),
    ]) {
      expect((await change('POST', `${list}/import`, { records: bad })).status).toBe(400);
    }
    expect(contents()).toEqual(before);
  });

  test('of many added at once under one id exactly one is there', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        change('POST', list, { ...fields, id: 'race', name: `Name ${index}` }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    const winner = replies.find(({ status }) => status === 200);
    expect(await readBack(list, 'race')).toEqual(winner?.body.data);
  });

  test('that is not there is neither changed nor deleted nor made', async () => {
    const before = contents();
    for (const [method, json] of [
      ['PUT', fields],
      ['DELETE', undefined],
    ] as const) {
      const reply = await change(method, `${list}/absent`, json);
      expect(reply.status).toBe(404);
      expect(reply.text).toBe(`{"success":false,"message":"${label} not found","code":"${kind}_not_found"}`);
    }
    expect(contents()).toEqual(before);
  });

  test('that somebody else changed since it was read is neither changed nor deleted', async () => {
    const made = await change('POST', list, { ...fields, id: 'shared' });
    const path = recordPath(`${list}/shared`);
    const read = await records.olga.go(path);
    const tag = read.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    expect(made.headers.get('etag')).toBe(tag);
    const send = (method: string, ifMatch: string, json?: object) => {
      const headers = {
        origin: records.service.address,
        'x-csrf-token': records.olga.csrfToken,
        'if-match': ifMatch,
      };
      return records.olga.go(path, { method, headers, json });
    };
    const first = await send('PUT', tag, { ...fields, name: 'First' });
    expect(first.status).toBe(200);
    const before = contents();
    for (const [method, json] of [
      ['PUT', { ...fields, name: 'Second' }],
      ['DELETE', undefined],
    ] as const) {
      const late = await send(method, tag, json);
      expect(late.status).toBe(412);
      expect(late.body.message).toBe('Precondition failed - the record has changed since it was read');
    }
    expect(contents()).toEqual(before);
    expect((await send('DELETE', first.headers.get('etag') ?? '')).status).toBe(200);
    expect((await send('PUT', tag, fields)).status).toBe(404);
  });

  test('that stays as it is leaves no trace in the log', async () => {
    await change('POST', list, { ...fields, id: 'same' });
    const before = contents();
    expect((await change('PUT', `${list}/same`, fields)).status).toBe(200);
    expect(contents()).toEqual(before);
  });

  test('stays in its guild and under its id, whatever the body says', async () => {
    const made = await change('POST', list, { ...fields, id: 'here', guildId: 'elsewhere' });
    expect(made.body.data).toMatchObject({ id: 'here', guildId: GUILD });
    const changed = await change('PUT', `${list}/here`, { ...fields, id: 'there', guildId: 'elsewhere' });
    expect(changed.body.data).toMatchObject({ id: 'here', guildId: GUILD });
    expect(await readBack(list, 'there')).toBeUndefined();
  });

  test('may be added by a guild without a plan', async () => {
    const pia = await records.service.signIn('pia');
    const made = await pia.change('POST', recordPath(list, PLANLESS_GUILD), { ...fields, id: 'theirs' });
    expect(made.body.data).toMatchObject({ id: 'theirs', guildId: PLANLESS_GUILD });
    expect((await records.olga.go(recordPath(`${list}/theirs`))).body.data).toBeNull();
  });

  test('may be added by an admin and by a manager too, and each change asks the platform', async () => {
    for (const name of ['adam', 'mara']) {
      const browser = await records.service.signIn(name);
      const before = records.service.platform.asked.length;
      for (let count = 0; count < 3; count += 1) {
        expect((await browser.change('POST', recordPath(list), fields)).status).toBe(200);
      }
      expect(records.service.platform.asked.slice(before)).toHaveLength(3);
    }
  });
});
