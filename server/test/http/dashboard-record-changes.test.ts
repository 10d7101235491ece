import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aDischarge, aTransfer } from '../contract/specimens.ts';
import {
  type DashboardService,
  GUILD,
  PLANLESS_GUILD,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';

const NOBODY = { guildNo: 0, guildId: '' };
const { id: _d, guildId: _dg, ...DISCHARGE } = aDischarge(NOBODY);
const { id: _t, guildId: _tg, ...TRANSFER } = aTransfer(NOBODY);
const KINDS = [
  { kind: 'discharge', list: 'discharges', fields: DISCHARGE, label: 'Discharge' },
  { kind: 'transfer', list: 'transfers', fields: TRANSFER, label: 'Transfer' },
] as const;

let service: DashboardService;
let olga: SignedInBrowser;
let key: string;
beforeAll(async () => {
  service = await startDashboardService();
  olga = await service.signIn('olga');
  key = (await service.addKey(GUILD)).value;
});
afterAll(() => service.stop());

const address = (path: string, guildId = GUILD) => `/dashboard/api/guilds/${guildId}/${path}`;
const change = (method: string, path: string, json?: object) => olga.change(method, address(path), json);

/** The record as the interface shows it to a key, without its envelope. */
async function readBack(list: string, id: string): Promise<unknown> {
  const { status, body } = await service.send({
    method: 'GET',
    url: `/guild/${list}/${encodeURIComponent(id)}`,
    key,
  });
  return status === 404 ? undefined : (body.data ?? body);
}

async function lastEntry(): Promise<unknown> {
  return (await service.store.audit.list(await service.guilds.find(GUILD), { limit: 1 }))[0];
}

function contents(): unknown[] {
  return ['discharge', 'transfer', 'audit_entry'].map((table) =>
    service.db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all(),
  );
}

describe.each(KINDS)('a $kind', ({ kind, list, fields, label }) => {
  test('is added, changed and deleted, read back through the interface, and the log says by whom', async () => {
    service.clock.advance(1_000);
    const made = await change('POST', list, { ...fields, id: 'mine' });
    expect(made.status).toBe(200);
    const record = { ...fields, id: 'mine', guildId: GUILD };
    expect(made.body).toEqual({ success: true, data: record });
    expect(await readBack(list, 'mine')).toEqual(record);
    const by = { actor: { kind: 'user', id: '101' }, subjectKind: kind, subjectId: 'mine' };
    expect(await lastEntry()).toMatchObject({ ...by, action: 'create', detail: { after: record } });

    service.clock.advance(1_000);
    const changed = await change('PUT', `${list}/mine`, { ...fields, name: 'Somebody <b>else</b>' });
    expect(changed.body).toEqual({ success: true, data: { ...record, name: 'Somebody <b>else</b>' } });
    expect(await readBack(list, 'mine')).toEqual({ ...record, name: 'Somebody <b>else</b>' });
    const detail = { before: { name: fields.name }, after: { name: 'Somebody <b>else</b>' } };
    expect(await lastEntry()).toMatchObject({ ...by, action: 'update', detail });

    service.clock.advance(1_000);
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
      expect(reply.text).toBe(`{"success":false,"message":"Conflict - a ${kind} with this id exists"}`);
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
      Array(201).fill(fields),
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
      expect(reply.text).toBe(`{"success":false,"message":"${label} not found"}`);
    }
    expect(contents()).toEqual(before);
  });

  test('that somebody else changed since it was read is neither changed nor deleted', async () => {
    const made = await change('POST', list, { ...fields, id: 'shared' });
    const path = address(`${list}/shared`);
    const read = await olga.go(path);
    const tag = read.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    expect(made.headers.get('etag')).toBe(tag);
    const send = (method: string, ifMatch: string, json?: object) => {
      const headers = { origin: service.address, 'x-csrf-token': olga.csrfToken, 'if-match': ifMatch };
      return olga.go(path, { method, headers, json });
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

  test('may have any text for its id', async () => {
    const id = 'a/b ?#%é🛡"<script>';
    expect((await change('POST', list, { ...fields, id })).status).toBe(200);
    const path = `${list}/${encodeURIComponent(id)}`;
    expect((await olga.go(address(path))).body.data.id).toBe(id);
    expect((await change('PUT', path, { ...fields, name: 'New' })).body.data).toMatchObject({
      id,
      name: 'New',
    });
    expect((await change('DELETE', path)).status).toBe(200);
  });

  const LINE = 'without control characters or direction marks';
  test.each([
    [{ name: undefined }, 'missing required fields'],
    [{ name: '  ' }, 'missing required fields'],
    [{ playerId: null }, 'missing required fields'],
    [{ date: undefined }, 'missing required fields'],
    [{ name: 'n'.repeat(257) }, `name must be text of 1 to 256 characters ${LINE}`],
    [{ name: 'a\u202eb' }, `name must be text of 1 to 256 characters ${LINE}`],
    [{ signed: 5 }, `signed must be text of 0 to 256 characters ${LINE}`],
    [{ from: 'a\nb' }, `from must be text of 0 to 256 characters ${LINE}`],
    [{ playerId: 'p'.repeat(129) }, `playerId must be text of 1 to 128 characters ${LINE}`],
  ])('is not made of or changed to %j', async (changed, fault) => {
    await change('POST', list, { ...fields, id: 'good' });
    const before = contents();
    for (const [method, path] of [
      ['POST', list],
      ['PUT', `${list}/good`],
    ] as const) {
      const reply = await change(method, path, { ...fields, ...changed });
      expect(reply.status).toBe(400);
      expect(reply.body).toEqual({ success: false, message: `Bad request - ${fault}` });
    }
    expect(contents()).toEqual(before);
  });

  test.each([
    ['', 400],
    ['  ', 400],
    ['i'.repeat(129), 400],
    ['a\u0000', 400],
    [5, 400],
  ])('is not made with the id %j', async (id, status) => {
    const before = contents();
    expect((await change('POST', list, { ...fields, id })).status).toBe(status);
    expect(contents()).toEqual(before);
  });

  test('is not made of what is no JSON object', async () => {
    const before = contents();
    for (const json of [[], 'text', 5, null]) {
      const reply = await olga.change('POST', address(list), json);
      expect(reply.status).toBe(400);
    }
    expect(contents()).toEqual(before);
  });

  test('may be added by a guild without a plan', async () => {
    const pia = await service.signIn('pia');
    const made = await pia.change('POST', address(list, PLANLESS_GUILD), { ...fields, id: 'theirs' });
    expect(made.body.data).toMatchObject({ id: 'theirs', guildId: PLANLESS_GUILD });
    expect((await olga.go(address(`${list}/theirs`))).status).toBe(404);
  });

  test('may be added by an admin and by a manager too, and each change asks the platform', async () => {
    for (const name of ['adam', 'mara']) {
      const browser = await service.signIn(name);
      const before = service.platform.asked.length;
      for (let count = 0; count < 3; count += 1) {
        expect((await browser.change('POST', address(list), fields)).status).toBe(200);
      }
      expect(service.platform.asked.slice(before)).toHaveLength(3);
    }
  });
});

describe('dates', () => {
  test.each(['2026-03-04', '2026-03-04T05:06:07Z', '2026-03-04T05:06:07.5+05:30'])(
    'of a discharge stay as they were written: %s',
    async (date) => {
      const { body } = await change('POST', 'discharges', { ...DISCHARGE, date });
      expect(body.data.date).toBe(date);
    },
  );

  test('of a transfer are kept in UTC to the millisecond', async () => {
    const { body } = await change('POST', 'transfers', { ...TRANSFER, date: '2026-03-04T05:06:07.5+05:30' });
    expect(body.data.date).toBe('2026-03-03T23:36:07.500Z');
    const changed = await change('PUT', `transfers/${body.data.id}`, {
      ...TRANSFER,
      date: '2026-03-04T05:06Z',
    });
    expect(changed.body.data.date).toBe('2026-03-04T05:06:00.000Z');
    expect(await readBack('transfers', body.data.id)).toEqual(changed.body.data);
  });

  test.each([
    [
      'discharges',
      { ...DISCHARGE, date: '2026-02-30' },
      'date must be a date such as 2027-01-31 or 2027-01-31T18:00:00Z',
    ],
    ['transfers', { ...TRANSFER, date: '2026-03-04' }, 'date must be a time such as 2027-01-31T18:00:00Z'],
  ])('of %s that are none are refused', async (list, json, fault) => {
    const reply = await change('POST', list, json);
    expect([reply.status, reply.body.message]).toEqual([400, `Bad request - ${fault}`]);
  });
});

test('a reason may be as long as the interface allows, in any script', async () => {
  const reason = '🛡'.repeat(4_000);
  const made = await change('POST', 'discharges', { ...DISCHARGE, reason });
  expect(made.body.data.reason).toBe(reason);
  const tooLong = await change('POST', 'discharges', { ...DISCHARGE, reason: `${reason}x` });
  expect(tooLong.status).toBe(400);
  const huge = await change('POST', 'discharges', { ...DISCHARGE, reason: 'x'.repeat(70_000) });
  expect(huge.status).toBe(413);
});
