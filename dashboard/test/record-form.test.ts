import { describe, expect, test } from 'vitest';
import type { GuildRecord } from '../src/api/records.ts';
import { longDay, shortDay } from '../src/components/record-days.ts';
import { textFault } from '../src/components/text-fault.ts';
import { fromDateInput, toDateInput, withTime } from '../src/records/record-date.ts';
import { findRecordFaults, formOrder, recordBody, startValues } from '../src/records/record-form.ts';
import { dischargeKind, transferKind } from '../src/records/record-kinds.ts';

const nowMs = new Date(2026, 10, 15, 4, 31, 40).getTime();

const record: GuildRecord = {
  id: 'D-12',
  playerId: '640478151',
  name: ' Rowan ',
  date: '2026-10-31T20:00:00.5+02:00',
  from: 'Outriders',
  signed: '',
  chatId: '4711',
  type: 'honourable',
  reason: 'First line\r\nSecond line ',
  to: '',
};

describe('what the form sends', () => {
  test('an untouched record goes back to the letter', () => {
    const body = recordBody(dischargeKind(), startValues(dischargeKind(), record, nowMs), record);
    const { id: _id, to: _to, ...fields } = record;
    expect(body).toEqual(fields);
  });

  test('what was typed loses the spaces around it', () => {
    const values = { ...startValues(dischargeKind(), record, nowMs), name: ' Kestrel ', signed: ' Niall' };
    expect(recordBody(dischargeKind(), values, record)).toMatchObject({ name: 'Kestrel', signed: 'Niall' });
  });

  test('another time replaces the date, in UTC', () => {
    const values = startValues(dischargeKind(), record, nowMs);
    const body = recordBody(
      dischargeKind(),
      { ...values, date: { hasTime: true, value: '2026-01-02T03:04:05' } },
      record,
    );
    expect(body.date).toBe(new Date(2026, 0, 2, 3, 4, 5).toISOString());
  });

  test('a new record has an id only where one was entered, and only the fields of its kind', () => {
    const values = { ...startValues(transferKind(), undefined, nowMs), name: 'Rowan', playerId: '1' };
    expect(Object.keys(recordBody(transferKind(), values, undefined)).sort()).toEqual([
      'date',
      'from',
      'name',
      'playerId',
      'signed',
      'to',
    ]);
    expect(recordBody(transferKind(), { ...values, id: ' T-1 ' }, undefined).id).toBe('T-1');
  });
});

describe('what the form refuses', () => {
  test('an empty form names every field that is needed', () => {
    const values = { ...startValues(dischargeKind(), undefined, nowMs), date: { hasTime: false, value: '' } };
    expect(Object.keys(findRecordFaults(dischargeKind(), values)).sort()).toEqual([
      'chatId',
      'date',
      'name',
      'playerId',
    ]);
  });

  test.each([
    ['id', 128],
    ['line', 256],
    ['note', 256],
    ['block', 4_000],
  ] as const)('a text of kind %s has at most %d characters, counted by code points', (kind, max) => {
    expect(textFault('🏰'.repeat(max), kind)).toBeNull();
    expect(textFault('x'.repeat(max + 1), kind)).toContain((max + 1).toLocaleString('en'));
  });

  test('marks that turn the direction of writing are refused, letters of such scripts are not', () => {
    expect(textFault('שומר הנהר', 'line')).toBeNull();
    expect(textFault('abc\u202Edef', 'line')).not.toBeNull();
    expect(textFault('two\nlines', 'line')).not.toBeNull();
    expect(textFault('two\nlines', 'block')).toBeNull();
    expect(textFault('', 'note')).toBeNull();
  });
});

test('the date follows who it is about, the id comes only with a new record, long texts end the form', () => {
  expect(formOrder(dischargeKind(), true)).toEqual([
    'name',
    'playerId',
    'chatId',
    'date',
    'type',
    'from',
    'signed',
    'id',
    'reason',
  ]);
  expect(formOrder(transferKind(), false)).toEqual(['name', 'playerId', 'from', 'to', 'date', 'signed']);
});

describe('dates', () => {
  test('a plain date stays the same day, whatever the time zone', () => {
    expect(toDateInput('2026-03-01')).toEqual({ hasTime: false, value: '2026-03-01' });
    expect(fromDateInput({ hasTime: false, value: '2026-03-01' })).toBe('2026-03-01');
    expect(shortDay('2026-03-01')).toBe('1 Mar 2026');
    expect(longDay('2026-03-01')).toMatch(/^Sunday,? 1 March 2026$/);
  });

  test('a moment is entered to the second and reads back', () => {
    const iso = '2026-03-01T10:20:30.000Z';
    expect(fromDateInput(toDateInput(iso))).toBe(iso);
  });

  test('what is empty or not complete is no date', () => {
    expect(fromDateInput({ hasTime: true, value: '' })).toBeUndefined();
    expect(fromDateInput({ hasTime: false, value: '2026-03' })).toBeUndefined();
  });

  test('a time can be added to a day and taken away', () => {
    const withNoon = withTime({ hasTime: false, value: '2026-03-01' }, true);
    expect(withNoon).toEqual({ hasTime: true, value: '2026-03-01T12:00' });
    expect(withTime(withNoon, false)).toEqual({ hasTime: false, value: '2026-03-01' });
  });
});
