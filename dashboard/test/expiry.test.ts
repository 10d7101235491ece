import { describe, expect, test } from 'vitest';
import {
  allowedPresets,
  expiryFault,
  expiryWarning,
  fromCalendarValue,
  presetValue,
  toCalendarValue,
} from '../src/keys/expiry.ts';
import { nameFault, scopesFault } from '../src/keys/key-form.ts';

const nowMs = new Date(2026, 10, 15, 4, 31, 40).getTime();
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe('when a key expires', () => {
  test('the calendar’s form is local time to the minute, and reads back', () => {
    expect(toCalendarValue(nowMs)).toBe('2026-11-15 04:31:00');
    expect(fromCalendarValue('2026-11-15 04:31:00')).toBe(nowMs - 40_000);
    expect(fromCalendarValue('')).toBeUndefined();
    expect(fromCalendarValue('nonsense')).toBeUndefined();
  });

  test('the presets are those the longest lifetime leaves', () => {
    expect(allowedPresets(366)).toEqual([30, 90, 180, 365]);
    expect(allowedPresets(90)).toEqual([30, 90]);
    expect(allowedPresets(7)).toEqual([7]);
  });

  test.each([30, 90, 180, 365, 7, 1])('a preset of %d days is within a lifetime of as many', (days) => {
    expect(expiryFault(presetValue(days, nowMs), nowMs, days)).toBeUndefined();
  });

  test('what lies outside the range is named', () => {
    expect(expiryFault(toCalendarValue(nowMs + hourMs - 60_000), nowMs, 366)).toContain('1 hour');
    expect(expiryFault(toCalendarValue(nowMs + hourMs + 60_000), nowMs, 366)).toBeUndefined();
    expect(expiryFault(toCalendarValue(nowMs + 367 * dayMs), nowMs, 366)).toContain('366 days');
    expect(expiryFault(null, nowMs, 366)).toBe('Choose when the key expires');
  });
});

describe('the other fields of a key', () => {
  test('a name has 1 to 100 characters', () => {
    expect(nameFault('   ')).toBe('Give the key a name');
    expect(nameFault('x')).toBeNull();
    expect(nameFault('x'.repeat(100))).toBeNull();
    expect(nameFault('🏰'.repeat(100))).toBeNull();
    expect(nameFault('x'.repeat(101))).toContain('these are 101');
  });

  test('a key needs a scope', () => {
    expect(scopesFault([])).not.toBeNull();
    expect(scopesFault(['guild:read'])).toBeNull();
  });
});

test('the most urgent warning counts the keys of its span, and ended keys count for nothing', () => {
  const day = 86_400_000;
  expect(expiryWarning([])).toBeUndefined();
  expect(expiryWarning([-1, 0, 15 * day])).toBeUndefined();
  expect(expiryWarning([14 * day, 4 * day, -day])).toEqual({ days: 14, count: 2 });
  expect(expiryWarning([3 * day, 10 * day])).toEqual({ days: 3, count: 1 });
  expect(expiryWarning([day, day / 2, 2 * day])).toEqual({ days: 1, count: 2 });
});
