import { afterEach, describe, expect, test } from 'vitest';
import { parseDay } from '../../server/src/domain/calendar.ts';
import { createCalendar } from '../../server/src/domain/guild-calendar.ts';
import {
  askedRange,
  daysInAddress,
  daysOfRange,
  keptRange,
  labelInSentence,
  lastMonths,
  noRange,
  rangeFilters,
  resolveRange,
} from '../src/components/date-range.ts';
import { addDays } from '../src/components/days.ts';
import { readFilters } from '../src/components/search-filters.ts';
import {
  chooseCalendar,
  choosePageTimeZone,
  dayInZone,
  startOfDayInZone,
} from '../src/components/time-zone.ts';

const zone = 'Europe/Berlin';
const nowMs = Date.parse('2026-11-15T23:30:00Z');
const resolve = (values: object, usual: 'all' | '30d' = 'all') =>
  resolveRange({ ...noRange, ...values }, { nowMs, usual, zone });
const asked = (values: object) => askedRange(resolve(values));

test.each([
  [{ range: '30d' }, 'last 30 days'],
  [{ since: '2026-10-01', until: '2026-10-31' }, 'Oct 2026'],
  [{ until: '2026-10-03' }, 'until 3 Oct 2026'],
  [{ since: '2026-10-03' }, 'from 3 Oct 2026'],
])('inside a sentence %j is “%s”', (values, text) => {
  expect(labelInSentence(resolve(values))).toBe(text);
});

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
    ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ])('%s in %s', (day, ofZone, moment) => {
    const startMs = startOfDayInZone(day, ofZone);
    expect(new Date(startMs).toISOString()).toBe(moment);
    expect(dayInZone(startMs, ofZone)).toBe(day);
    expect(dayInZone(startMs - 1, ofZone)).not.toBe(day);
  });
});

test('the pages and the service agree on every day of a zone', () => {
  for (const ofZone of ['Europe/Berlin', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Pacific/Apia']) {
    const calendar = createCalendar(ofZone);
    for (const first of ['2011-12-15', '2018-10-20', '2026-03-15', '2026-10-15']) {
      for (let count = 0; count < 40; count += 1) {
        const day = addDays(first, count);
        expect([ofZone, day, startOfDayInZone(day, ofZone)]).toEqual([
          ofZone,
          day,
          calendar.startOfDayMs(parseDay(day)),
        ]);
      }
    }
  }
});

describe('the calendar of a guild', () => {
  afterEach(() => {
    choosePageTimeZone(null);
    chooseCalendar('UTC');
  });

  test('the same days in an address are the same moments for every viewer', () => {
    const october = { ...noRange, since: '2026-10-01', until: '2026-10-31' };
    const seenFrom = (viewer: string) => {
      choosePageTimeZone(viewer);
      return askedRange(resolveRange(october, { nowMs, usual: 'all' }));
    };
    const utc = { since: '2026-10-01T00:00:00.000Z', until: '2026-11-01T00:00:00.000Z' };
    expect([seenFrom('Asia/Tokyo'), seenFrom('America/New_York')]).toEqual([utc, utc]);
    chooseCalendar('Asia/Tokyo');
    const tokyo = { since: '2026-09-30T15:00:00.000Z', until: '2026-10-31T15:00:00.000Z' };
    expect([seenFrom('Asia/Tokyo'), seenFrom('America/New_York')]).toEqual([tokyo, tokyo]);
    expect(daysInAddress(october, 'Asia/Tokyo')).toEqual({ since: '2026-10-01', until: '2026-10-31' });
  });

  test('a zone that the browser does not know is replaced by UTC', () => {
    chooseCalendar('Mars/Olympus');
    expect(dayInZone(nowMs)).toBe('2026-11-15');
  });
});

describe('the range of an address', () => {
  test('presets are whole days of the zone, the present one included', () => {
    expect(asked({ range: 'today' })).toEqual({
      since: '2026-11-15T23:00:00.000Z',
      until: '2026-11-16T23:00:00.000Z',
    });
    expect(asked({ range: '7d' }).since).toBe('2026-11-09T23:00:00.000Z');
    expect(asked({ range: 'last-month' })).toEqual(asked({ since: '2026-10-01', until: '2026-10-31' }));
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
    const day = daysInAddress({ since: '2026-10-02', until: '2026-10-02' }, 'Asia/Tokyo');
    expect(day).toEqual({ since: '2026-10-01T15:00:00.000Z', until: '2026-10-02T15:00:00.000Z' });
    const utc = { since: '2026-10-02T00:00:00.000Z', until: '2026-10-03T00:00:00.000Z' };
    expect(asked(day)).toEqual(day);
    expect(resolve(utc).label).toBe('2 Oct 2026 UTC');
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
