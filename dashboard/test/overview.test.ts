import { describe, expect, test } from 'vitest';
import type { DayTurnover, Overview, SourceTurnover } from '../src/api/overview.ts';
import { axisNumber, fittingLabels, roundTicks, spreadTicks } from '../src/charts/axis.ts';
import { noRange, type RangeValues } from '../src/components/date-range.ts';
import { countDays } from '../src/components/days.ts';
import { chooseCalendar } from '../src/components/time-zone.ts';
import { cutIntoBuckets, type Step, stepOf, stepsFor } from '../src/overview/buckets.ts';
import { changeOfCount, changeOfSum } from '../src/overview/change.ts';
import { comparisonOf } from '../src/overview/comparison.ts';
import { rowsAddress } from '../src/overview/links.ts';
import { chooseDays, daysMax, fromFirstDay, isAllTimeIn } from '../src/overview/range.ts';
import { topSources } from '../src/overview/top-sources.ts';
import { dailyTotals } from '../src/overview/totals.ts';

const dayOfTurnover = (day: string, deposits: string, withdrawals = '0'): DayTurnover => ({
  day,
  deposits,
  withdrawals,
  depositCount: 1,
  withdrawalCount: 1,
});

describe('the range of the overview', () => {
  const nowMs = Date.parse('2026-03-01T20:00:00Z');
  const choose = (values: Partial<RangeValues>) => chooseDays({ ...noRange, ...values }, nowMs);

  test('is of days of the guild’s calendar, by default of the last thirty', () => {
    const { since, until } = choose({});
    expect([since, until, countDays(since, until)]).toEqual(['2026-01-31', '2026-03-01', 30]);
    expect(choose({ range: 'today' })).toMatchObject({ since: '2026-03-01', until: '2026-03-01' });
    chooseCalendar('Asia/Tokyo');
    expect(choose({ range: 'today' })).toMatchObject({ since: '2026-03-02', until: '2026-03-02' });
    expect(choose({ range: 'last-month' })).toMatchObject({ since: '2026-02-01', until: '2026-02-28' });
    chooseCalendar('UTC');
  });

  test('has the days that moments reach into, and no more than can be added up', () => {
    const moments = { since: '2026-02-01T05:00:00.000Z', until: '2026-02-03T00:00:00.000Z' };
    expect(choose(moments)).toMatchObject({ since: '2026-02-01', until: '2026-02-02' });
    const { since, until } = choose({ range: 'all' });
    expect(countDays(since, until)).toBe(daysMax);
    expect(countDays(choose({ since: '1990-01-01' }).since, until)).toBe(daysMax);
  });

  test('a sum leads to exactly its rows', () => {
    const day = { since: '2026-02-01', until: '2026-02-01', timeZone: 'UTC' };
    const address = () => rowsAddress('1', day, { direction: 'out', source: 'a&b' });
    expect(address()).toBe('/guilds/1/ledger?since=2026-02-01&until=2026-02-01&from=a%26b&maxAmount=0');
    // Sums by days in UTC lead to their rows in every other calendar, too.
    chooseCalendar('Asia/Tokyo');
    expect(address()).toBe(
      '/guilds/1/ledger?since=2026-02-01T00%3A00%3A00.000Z&until=2026-02-02T00%3A00%3A00.000Z&from=a%26b&maxAmount=0',
    );
    chooseCalendar('UTC');
  });

  test('the guild’s total goes on from day to day', () => {
    const days = [dayOfTurnover('2026-02-02', '5', '0.5')];
    const at = '2026-02-01T00:00:00.000Z';
    const range = { since: '2026-02-01', until: '2026-02-03', sinceAt: at, untilAt: at };
    expect(dailyTotals({ opening: '-1', days, range }).map(({ total }) => total)).toEqual([
      '-1',
      '3.5',
      '3.5',
    ]);
  });
});

test('pictures of all time begin with the first transaction, unless there was money before', () => {
  const days = [dayOfTurnover('2026-01-05', '1'), dayOfTurnover('2026-01-09', '2')];
  const range = { since: '2016-01-01', until: '2026-01-10', sinceAt: '', untilAt: '' };
  const since = (opening: string, of = days) =>
    fromFirstDay({ opening, days: of, range } as Overview).range.since;
  expect([since('0'), since('5'), since('0', [])]).toEqual(['2026-01-05', '2016-01-01', '2016-01-01']);
  const short = { since: '2026-01-01', until: '2026-01-10', sinceAt: '', untilAt: '' };
  expect(fromFirstDay({ opening: '0', days, range: short } as Overview).range).toBe(short);
  const isAllTime = (values: Partial<RangeValues>) => isAllTimeIn({ ...noRange, ...values });
  expect([
    isAllTime({ range: 'all' }),
    isAllTime({}),
    isAllTime({ range: 'all', since: '2026-01-01' }),
  ]).toEqual([true, false, false]);
});

describe('a comparison', () => {
  const compare = (range: [string, string], previous: [string, string], timeZone = 'UTC') =>
    comparisonOf({
      range: { since: '', until: '', sinceAt: range[0], untilAt: range[1] },
      previous: { sinceAt: previous[0], untilAt: previous[1] },
      timeZone,
    });

  test('of a month that has passed names days, and their number', () => {
    const october = ['2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'] as [string, string];
    const compared = compare(october, ['2026-08-31T00:00:00.000Z', '2026-10-01T00:00:00.000Z']);
    // Intl writes ranges with several kinds of spaces.
    expect(Object.values(compared).map((text) => text.replaceAll(/\s/g, ' '))).toEqual([
      '1 – 31 Oct 2026',
      '31 Aug – 30 Sept 2026',
      '31 days',
    ]);
  });

  test('of more than one year names the years', () => {
    const compared = compare(
      ['2025-11-20T00:00:00.000Z', '2026-11-20T00:00:00.000Z'],
      ['2024-11-20T00:00:00.000Z', '2025-11-19T10:43:00.000Z'],
    );
    expect(compared.current).toBe('20 Nov 2025, 00:00 – 19 Nov 2026, 10:43');
    expect(compared.previous).toBe('20 Nov 2024, 00:00 – 19 Nov 2025, 10:43');
  });

  test('of a range under way names the hours of both sides, which are equally long', () => {
    const compared = compare(
      ['2026-11-17T15:00:00.000Z', '2026-11-18T15:00:00.000Z'],
      ['2026-11-16T15:00:00.000Z', '2026-11-17T04:23:00.000Z'],
      'Asia/Tokyo',
    );
    expect(compared).toEqual({
      current: '18 Nov, 00:00 – 18 Nov, 13:23',
      previous: '17 Nov, 00:00 – 17 Nov, 13:23',
      length: '13 hours, 23 minutes',
    });
  });
});

describe('the bars of the overview', () => {
  test('days without turnover have a bar of their own', () => {
    const range = { since: '2026-02-27', until: '2026-03-01' };
    const bars = cutIntoBuckets([dayOfTurnover('2026-02-28', '5')], range, 'day');
    expect(bars.map(({ since, deposits }) => [since, deposits])).toEqual([
      ['2026-02-27', '0'],
      ['2026-02-28', '5'],
      ['2026-03-01', '0'],
    ]);
  });

  test('weeks begin on Monday and are cut off where the range ends', () => {
    const range = { since: '2026-11-18', until: '2026-11-24' };
    const days = [
      dayOfTurnover('2026-11-18', '0.1'),
      dayOfTurnover('2026-11-22', '0.2', '3'),
      dayOfTurnover('2026-11-23', '7'),
    ];
    expect(cutIntoBuckets(days, range, 'week')).toMatchObject([
      { since: '2026-11-18', until: '2026-11-22', deposits: '0.3', withdrawals: '3' },
      { since: '2026-11-23', until: '2026-11-24', deposits: '7', withdrawals: '0' },
    ]);
  });

  test('months follow the calendar, whatever their length', () => {
    const range = { since: '2027-12-31', until: '2028-03-01' };
    const bars = cutIntoBuckets([dayOfTurnover('2028-02-29', '1')], range, 'month');
    expect(bars.map(({ since, until, deposits }) => [since, until, deposits])).toEqual([
      ['2027-12-31', '2027-12-31', '0'],
      ['2028-01-01', '2028-01-31', '0'],
      ['2028-02-01', '2028-02-29', '1'],
      ['2028-03-01', '2028-03-01', '0'],
    ]);
  });

  test.each([
    [1, 'day'],
    [30, 'day'],
    [90, 'week'],
    [365, 'week'],
    [3_660, 'month'],
  ])('%d days are shown by %s unless something else is asked for', (days, step) => {
    const until = '2026-12-31';
    const since = new Date(Date.parse(until) - (days - 1) * 86_400_000).toISOString().slice(0, 10);
    expect(stepOf({ since, until }, 'auto')).toBe(step);
  });

  test('whatever the range, there is a step, and never more bars than can be told apart', () => {
    const until = '2026-12-31';
    const daysMax = 3_660;
    const rangeOf = (days: number) => ({
      since: new Date(Date.parse(until) - (days - 1) * 86_400_000).toISOString().slice(0, 10),
      until,
    });
    const possible = Array.from({ length: daysMax }, (_, index) => stepsFor(rangeOf(index + 1)));
    expect(possible.filter((steps) => steps.length === 0)).toEqual([]);
    for (const [index, steps] of possible.entries()) {
      // There are most bars in the longest range that a step is possible for. Others are looked at here and there.
      const isLongest = (step: Step) => possible[index + 1]?.includes(step) !== true;
      for (const step of steps.filter((one) => index % 61 === 0 || isLongest(one))) {
        expect(cutIntoBuckets([], rangeOf(index + 1), step).length).toBeLessThanOrEqual(125);
      }
    }
  });

  test('a step that makes no sense for the range gives way', () => {
    expect(stepOf({ since: '2020-01-01', until: '2026-01-01' }, 'day')).toBe('month');
    expect(stepOf({ since: '2026-01-01', until: '2026-03-31' }, 'day')).toBe('day');
  });
});

describe('the change to the month before', () => {
  test.each([
    ['150', '100', { direction: 'up', size: '50%' }],
    ['99.5', '100', { direction: 'down', size: '1%' }],
    ['99.6', '100', { direction: 'same', size: '0%' }],
    ['100000', '1', { direction: 'up', size: 'over 999%' }],
    ['0', '0', { direction: 'same', size: '0%' }],
    ['0', '10', { direction: 'down', size: '100%' }],
  ])('%s after %s', (current, previous, change) => {
    expect(changeOfSum({ current, previous })).toEqual(change);
  });

  test('after nothing there is no percentage', () => {
    expect(changeOfSum({ current: '5', previous: '0' })).toBeUndefined();
  });

  test('counts tell the difference', () => {
    expect(changeOfCount({ current: 3, previous: 5 })).toEqual({ direction: 'down', size: '2' });
    expect(changeOfCount({ current: 5, previous: 5 })).toEqual({ direction: 'same', size: '0' });
  });
});

describe('where money comes from and goes to', () => {
  const sourceOf = (source: string | null, deposits: string, withdrawals: string): SourceTurnover => ({
    source,
    deposits,
    withdrawals,
    depositCount: 2,
    withdrawalCount: 3,
  });
  const sources = [
    sourceOf('shop', '10', '40'),
    sourceOf('quest', '20', '0'),
    sourceOf('fee', '5', '1'),
    sourceOf(null, '2.5', '0'),
  ];

  test('the largest come first, the rest together at the end', () => {
    expect(topSources(sources, { direction: 'in', countMax: 2 })).toEqual([
      { source: 'quest', sum: '20', count: 2, percent: 100 },
      { source: 'shop', sum: '10', count: 2, percent: 50 },
      { source: null, sum: '7.5', count: 4, percent: 37.5 },
    ]);
  });

  test('a source that gave nothing is no bar', () => {
    expect(topSources(sources, { direction: 'out', countMax: 2 }).map(({ source }) => source)).toEqual([
      'shop',
      'fee',
    ]);
  });
});

describe('pictures', () => {
  test('leave out labels that would touch their neighbours', () => {
    const labels = ['Nov 2016', 'Mar 2018', 'Jul 2019', 'Nov 2020'].map((label, index) => ({
      label,
      at: index * 0.25,
    }));
    const shown = (width: number) => fittingLabels(labels, width).map(({ label }) => label);
    expect(shown(400)).toHaveLength(4);
    expect(shown(200)).toEqual(['Nov 2016', 'Jul 2019']);
    const wide = labels.map((one) => ({ ...one, label: '2016年11月' }));
    expect(fittingLabels(wide, 270)).toHaveLength(2);
    expect(fittingLabels([], 100)).toEqual([]);
    const uneven = [0, 0.6, 0.65, 1].map((at) => ({ at, label: 'Nov 2016' }));
    expect(fittingLabels(uneven, 400).map(({ at }) => at)).toEqual([0, 0.6, 1]);
  });

  test.each([
    [0, 1_400, [0, 500, 1_000, 1_500]],
    [-3_200, 9_000, [-5_000, 0, 5_000, 10_000]],
    [0, 0.07, [0, 0.02, 0.04, 0.06, 0.08]],
    [0, 0, [0, 1]],
  ])('an axis from %d to %d has round figures', (lowest, highest, ticks) => {
    expect(roundTicks(lowest, highest, 5)).toEqual(ticks);
  });

  test('labels are few, and the first is among them', () => {
    const days = Array.from({ length: 30 }, (_, index) => index);
    const ticks = spreadTicks(days, 8);
    expect(ticks[0]).toBe(0);
    expect(ticks.length).toBeLessThanOrEqual(8);
    expect(axisNumber(-12_500)).toBe('−12.5K');
  });
});
