import { describe, expect, test } from 'vitest';
import {
  askedRange,
  daysOfRange,
  keptRange,
  lastMonths,
  noRange,
  rangeFilters,
  resolveRange,
  utcDays,
} from '../src/components/date-range.ts';
import { readFilters } from '../src/components/search-filters.ts';
import { dayInZone, startOfDayInZone } from '../src/components/time-zone.ts';

const zone = 'Europe/Berlin';
const nowMs = Date.parse('2026-11-15T23:30:00Z');
const resolve = (values: object, usual: 'all' | '30d' = 'all') =>
  resolveRange({ ...noRange, ...values }, { nowMs, usual, zone });
const asked = (values: object) => askedRange(resolve(values));

describe('a day begins where its zone says', () => {
  test.each([
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
    ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
    ['2027-01-01', 'Pacific/Kiritimati', '2026-12-31T10:00:00.000Z'],
    ['2027-01-01', 'Pacific/Pago_Pago', '2027-01-01T11:00:00.000Z'],
    ['2027-01-01', 'Asia/Kathmandu', '2026-12-31T18:15:00.000Z'],
    // Clocks are put forward at midnight, so that the day begins at one.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    ['2027-01-01', 'UTC', '2027-01-01T00:00:00.000Z'],
  ])('%s in %s', (day, ofZone, moment) => {
    const startMs = startOfDayInZone(day, ofZone);
    expect(new Date(startMs).toISOString()).toBe(moment);
    expect(dayInZone(startMs, ofZone)).toBe(day);
    expect(dayInZone(startMs - 1, ofZone)).not.toBe(day);
  });
});

describe('the range of an address', () => {
  test('presets are whole days of the zone, the present one included', () => {
    expect(asked({ range: 'today' })).toEqual({
      since: '2026-11-15T23:00:00.000Z',
      until: '2026-11-16T23:00:00.000Z',
    });
    expect(asked({ range: '7d' }).since).toBe('2026-11-09T23:00:00.000Z');
    expect(asked({})).toEqual({ since: '', until: '' });
    expect(resolve({}, '30d').label).toBe('Last 30 days');
  });

  test('days include their last one, across a change of the clocks', () => {
    const october = { since: '2026-10-01', until: '2026-10-31' };
    expect(asked(october)).toEqual({ since: '2026-09-30T22:00:00.000Z', until: '2026-10-31T23:00:00.000Z' });
    expect(resolve(october).label).toBe('Oct 2026');
    expect(daysOfRange(resolve(october), zone)).toEqual(october);
    expect(lastMonths(nowMs, 2, zone)[1]).toEqual({ label: 'Oct 2026', ...october });
  });

  test('moments stay exact, and days of UTC say so', () => {
    const day = utcDays('2026-10-02', '2026-10-02');
    expect(asked(day)).toEqual(day);
    expect(resolve(day).label).toBe('2 Oct 2026 UTC');
    expect(asked({ since: '2026-10-02' })).toEqual({ since: '2026-10-01T22:00:00.000Z', until: '' });
  });

  test('what makes no range is not taken, and nonsense is not read', () => {
    expect(resolve({ since: '2026-10-02', until: '2026-10-01' }).preset).toBe('all');
    const read = (search: string) => readFilters(rangeFilters, new URLSearchParams(search));
    expect(read('range=1y&since=2026-02-30&until=2026-10-01T00:00')).toEqual(noRange);
    expect(read('range=7d&since=2026-10-01T00:00:00.000Z')).toEqual({
      range: '7d',
      since: '2026-10-01T00:00:00.000Z',
      until: '',
    });
  });

  test('only the range goes along to another page', () => {
    expect(keptRange('?range=7d&from=shop&record=1')).toBe('?range=7d');
    expect(keptRange('?from=shop')).toBe('');
  });
});
