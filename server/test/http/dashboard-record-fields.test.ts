import { describe, expect, test } from 'vitest';
import { DISCHARGE_FIELDS, KINDS, recordPath, shareRecords, TRANSFER_FIELDS } from './dashboard-records.ts';

const records = shareRecords();
const { change, readBack, contents } = records;

describe.each(KINDS)('a $kind', ({ list, fields }) => {
  test('may have any text for its id', async () => {
    const id = 'a/b ?#%é🛡"<script>';
    expect((await change('POST', list, { ...fields, id })).status).toBe(200);
    const path = `${list}/${encodeURIComponent(id)}`;
    expect((await records.olga.go(recordPath(path))).body.data.id).toBe(id);
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
      expect(reply.body).toEqual({
        success: false,
        message: `Bad request - ${fault}`,
        code: fault === 'missing required fields' ? 'missing_fields' : 'invalid_input',
      });
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
      const reply = await records.olga.change('POST', recordPath(list), json);
      expect(reply.status).toBe(400);
    }
    expect(contents()).toEqual(before);
  });
});

describe('dates', () => {
  test.each(['2026-03-04', '2026-03-04T05:06:07Z', '2026-03-04T05:06:07.5+05:30'])(
    'of a discharge stay as they were written: %s',
    async (date) => {
      const { body } = await change('POST', 'discharges', { ...DISCHARGE_FIELDS, date });
      expect(body.data.date).toBe(date);
    },
  );

  test('of a transfer are kept in UTC to the millisecond', async () => {
    const { body } = await change('POST', 'transfers', {
      ...TRANSFER_FIELDS,
      date: '2026-03-04T05:06:07.5+05:30',
    });
    expect(body.data.date).toBe('2026-03-03T23:36:07.500Z');
    const changed = await change('PUT', `transfers/${body.data.id}`, {
      ...TRANSFER_FIELDS,
      date: '2026-03-04T05:06Z',
    });
    expect(changed.body.data.date).toBe('2026-03-04T05:06:00.000Z');
    expect(await readBack('transfers', body.data.id)).toEqual(changed.body.data);
  });

  test.each([
    [
      'discharges',
      { ...DISCHARGE_FIELDS, date: '2026-02-30' },
      'date must be a date such as 2027-01-31 or 2027-01-31T18:00:00Z',
    ],
    [
      'transfers',
      { ...TRANSFER_FIELDS, date: '2026-03-04' },
      'date must be a time such as 2027-01-31T18:00:00Z',
    ],
  ])('of %s that are none are refused', async (list, json, fault) => {
    const reply = await change('POST', list, json);
    expect([reply.status, reply.body.message]).toEqual([400, `Bad request - ${fault}`]);
  });
});

test('a reason may be as long as the interface allows, in any script', async () => {
  const reason = '🛡'.repeat(4_000);
  const made = await change('POST', 'discharges', { ...DISCHARGE_FIELDS, reason });
  expect(made.body.data.reason).toBe(reason);
  const tooLong = await change('POST', 'discharges', { ...DISCHARGE_FIELDS, reason: `${reason}x` });
  expect(tooLong.status).toBe(400);
  const huge = await change('POST', 'discharges', { ...DISCHARGE_FIELDS, reason: 'x'.repeat(70_000) });
  expect(huge.status).toBe(413);
});
