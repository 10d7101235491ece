import { describe, expect, test } from 'vitest';
import type { KeyHour } from '../src/api/requests.ts';
import { barsOf, codesOf, routeLabel, routesOf } from '../src/requests/request-counts.ts';

const nowMs = Date.parse('2027-01-31T02:30:00Z');
const count = (hour: string, facts: Partial<KeyHour> = {}): KeyHour => ({
  keyId: 'k',
  hour,
  route: 'getKey',
  code: 'ok',
  count: 1,
  ...facts,
});

describe('bars of requests', () => {
  test('today has a bar for each hour so far', () => {
    const bars = barsOf([count('2027-01-31T01:00:00.000Z', { count: 3 })], { days: 1, nowMs });
    expect(bars.map(({ answered }) => answered)).toEqual([0, 3, 0]);
  });

  test('several days have a bar each, and hours before the first are left out', () => {
    const hours = [
      count('2027-01-24T23:00:00.000Z'),
      count('2027-01-25T00:00:00.000Z', { code: 'rate_limited', count: 2 }),
      count('2027-01-31T02:00:00.000Z', { count: 5 }),
    ];
    const bars = barsOf(hours, { days: 7, nowMs });
    expect(bars).toHaveLength(7);
    expect(bars[0]).toMatchObject({ answered: 0, refused: 2 });
    expect(bars[6]).toMatchObject({ answered: 5, refused: 0 });
  });
});

test('routes and reasons are ordered by refusals', () => {
  const hours = [
    count('2027-01-31T01:00:00.000Z', { count: 9 }),
    count('2027-01-31T01:00:00.000Z', { route: 'postTransaction', code: 'overdraft', count: 2 }),
    count('2027-01-31T02:00:00.000Z', { route: 'postTransaction', code: 'rate_limited', count: 3 }),
  ];
  expect(routesOf(hours)).toEqual([
    { route: 'postTransaction', answered: 0, refused: 5 },
    { route: 'getKey', answered: 9, refused: 0 },
  ]);
  expect(codesOf(hours)).toEqual(['rate_limited', 'overdraft']);
  expect(['postTransaction', '', 'newRoute'].map(routeLabel)).toEqual([
    'POST /guild/ledger',
    'Before routes were counted',
    'newRoute',
  ]);
});
