import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRetryAfter, restAfter } from '../../src/domain/webhooks/retries.ts';

const ANSWERED = { status: 200, durationMs: 5, error: undefined, retryAfterMs: undefined };
const SILENT = { status: undefined, durationMs: 20_000, error: 'no answer in time', retryAfterMs: undefined };
const STANDARD = { kind: 'standard' } as const;
const CHAT = { kind: 'discord' } as const;

test('an endpoint that answers soon has no rest, whatever its status', () => {
  expect(restAfter(STANDARD, ANSWERED, 0)).toBeUndefined();
  expect(restAfter(STANDARD, { ...ANSWERED, status: 503, error: 'answered 503' }, 9_999_999)).toBeUndefined();
  expect(
    restAfter(STANDARD, { ...ANSWERED, status: 429, error: '429', retryAfterMs: 60_000 }, 0),
  ).toBeUndefined();
});

test('without an answer it rests for a quarter of its failing time, up to a minute', () => {
  expect(restAfter(STANDARD, SILENT, 0)).toBe(0);
  expect(restAfter(STANDARD, SILENT, 20_000)).toBe(5_000);
  expect(restAfter(CHAT, SILENT, 86_400_000)).toBe(60_000);
});

test('a slow success rests for as long as it took', () => {
  expect(restAfter(STANDARD, { ...ANSWERED, durationMs: 19_000 }, 0)).toBe(19_000);
});

test('a chat channel rests for as long as its platform asks, up to ten minutes', () => {
  const limited = (retryAfterMs?: number) => ({ ...ANSWERED, status: 429, error: '429', retryAfterMs });
  expect(restAfter(CHAT, limited(1_500), 0)).toBe(1_500);
  expect(restAfter(CHAT, limited(86_400_000), 0)).toBe(600_000);
  expect(restAfter(CHAT, limited(), 0)).toBe(5_000);
});

test('all times are whole milliseconds, which is what the stores keep', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.double({ min: 0, max: 100_000, noNaN: true }), (failingMs, seconds) => {
      expect(Number.isInteger(restAfter(STANDARD, SILENT, failingMs))).toBe(true);
      const retryAfterMs = readRetryAfter(seconds.toFixed(9), 0);
      expect(Number.isInteger(retryAfterMs)).toBe(true);
    }),
  );
});
