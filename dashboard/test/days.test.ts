import { describe, expect, test } from 'vitest';
import { addDays, countDays, dayOf, formatDays, formatShortDays, mondayOf } from '../src/components/days.ts';

describe('days in UTC', () => {
  test('they are counted across months, leap days and years', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2027-01-01', -1)).toBe('2026-12-31');
    expect(countDays('2027-12-31', '2028-01-01')).toBe(2);
    expect(countDays('2027-05-05', '2027-05-05')).toBe(1);
  });

  test('a moment just before midnight in UTC belongs to that day, wherever the reader is', () => {
    expect(dayOf(Date.parse('2027-03-04T23:59:59.999Z'))).toBe('2027-03-04');
  });

  test.each([
    ['2026-11-16', '2026-11-16'],
    ['2026-11-22', '2026-11-16'],
    ['2027-01-01', '2026-12-28'],
  ])('the week of %s begins on %s', (day, monday) => {
    expect(mondayOf(day)).toBe(monday);
  });

  test('a range is said once where its ends agree', () => {
    expect(formatDays('2026-10-01', '2026-10-15')).toMatch(/^1\s?–\s?15 Oct 2026$/);
    expect(formatShortDays('2026-09-28', '2026-10-15')).toMatch(/^28 Sept?\s?–\s?15 Oct$/);
  });
});
