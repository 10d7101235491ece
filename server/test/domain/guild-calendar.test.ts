import { describe, expect, it, test } from 'vitest';
import { DAY_MS, dayText, parseDay } from '../../src/domain/calendar.ts';
import { createCalendar, UTC_CALENDAR } from '../../src/domain/guild-calendar.ts';
import { CUT_DAYS_READ_MAX, type LedgerViewStore } from '../../src/domain/ledger/ledger-views.ts';
import { readRange } from '../../src/domain/ledger/overview.ts';
import { aGuild } from '../contract/specimens.ts';

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  // Clocks were set forward at midnight, and by half an hour.
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  // 30 December 2011 did not exist.
  'Pacific/Apia',
];

describe('the calendar of a guild', () => {
  it.each(ZONES)('divides time in %s into days without gaps, as Intl writes them', (timeZone) => {
    const calendar = createCalendar(timeZone);
    const written = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone });
    for (const [first, last] of [
      ['2011-12-01', '2012-04-30'],
      ['2017-10-01', '2018-03-31'],
      ['2026-01-01', '2026-12-31'],
    ] as const) {
      for (let day = parseDay(first); day <= parseDay(last); day += 1) {
        const [startMs, endMs] = [calendar.startOfDayMs(day), calendar.startOfDayMs(day + 1)];
        const isSkipped = timeZone === 'Pacific/Apia' && dayText(day) === '2011-12-30';
        expect([dayText(day), endMs - startMs > 0]).toEqual([dayText(day), !isSkipped]);
        if (!isSkipped) {
          expect([written.format(startMs), written.format(endMs - 1)]).toEqual([dayText(day), dayText(day)]);
          expect([calendar.dayOf(startMs), calendar.dayOf(endMs - 1)]).toEqual([day, day]);
        }
      }
    }
  });

  it('is UTC without a setting', () => {
    expect(createCalendar(undefined)).toBe(UTC_CALENDAR);
    expect(createCalendar('UTC')).toBe(UTC_CALENDAR);
  });

  it('has days in years that Intl writes with other digits', () => {
    const calendar = createCalendar('Asia/Tokyo');
    for (const text of ['0000-01-03', '1899-12-31', '9998-12-31']) {
      const day = parseDay(text);
      expect(calendar.startOfDayMs(day + 1) - calendar.startOfDayMs(day)).toBe(DAY_MS);
    }
  });
});

test('days are those of UTC where the calendar’s would take too long, or are archived', async () => {
  const guild = { ...aGuild({ timeZone: 'Asia/Tokyo' }), guildNo: 1, guildId: '1' };
  const zoneWith = async (count: number | undefined) => {
    const views = { countCutDays: async () => count } as unknown as LedgerViewStore;
    const clock = { nowMs: () => Date.parse('2026-11-18T04:00:00Z'), monotonicMs: () => 0 };
    const { calendar, sinceMs, since } = await readRange({ views, clock }, guild as never, {
      since: '2026-10-01',
    });
    expect(dayText(since)).toBe('2026-10-01');
    return [calendar.timeZone, new Date(sinceMs).toISOString()];
  };
  const utc = ['UTC', '2026-10-01T00:00:00.000Z'];
  expect(await zoneWith(CUT_DAYS_READ_MAX)).toEqual(['Asia/Tokyo', '2026-09-30T15:00:00.000Z']);
  expect(await zoneWith(CUT_DAYS_READ_MAX + 1)).toEqual(utc);
  expect(await zoneWith(undefined)).toEqual(utc);
});
