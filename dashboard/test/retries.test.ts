import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, request } from '../src/api/request.ts';
import { isRateLimited, retryDelayMs, shouldRetry } from '../src/api/retries.ts';

afterEach(() => vi.unstubAllGlobals());

/** The error of a request that is answered like this. */
async function failure(status: number, headers: Record<string, string> = {}): Promise<ApiError> {
  const message = 'Too many requests - limit is 600 requests per 10 seconds';
  const body = JSON.stringify({ success: false, message, code: 'rate_limited' });
  vi.stubGlobal('fetch', async () => new Response(body, { status, headers }));
  const error = await request('SessionReply', '/session').catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  return error;
}

test('a refusal because of too many requests says how long to wait, and is followed by another attempt then', async () => {
  const error = await failure(429, { 'retry-after': '11' });
  expect(error.message).toBe(
    'Too many requests - limit is 600 requests per 10 seconds. Try again in 11 seconds.',
  );
  expect(isRateLimited(error)).toBe(true);
  expect([0, 1, 2, 3].map((count) => shouldRetry(count, error))).toEqual([true, true, true, false]);
  expect(retryDelayMs(0, error)).toBeGreaterThanOrEqual(11_000);
  expect(retryDelayMs(2, error)).toBeLessThanOrEqual(12_000);
});

test('a longer wait is left to the person, and so is a refusal that names none', async () => {
  for (const headers of [{ 'retry-after': '60' }, {}, { 'retry-after': 'soon' }]) {
    const error = await failure(429, headers as Record<string, string>);
    expect(isRateLimited(error)).toBe(false);
    expect(shouldRetry(0, error)).toBe(false);
  }
});

test('other failures are tried again once where that may help', async () => {
  const error = await failure(503, { 'retry-after': '2' });
  expect([0, 1].map((count) => shouldRetry(count, error))).toEqual([true, false]);
  expect(shouldRetry(0, await failure(404))).toBe(false);
});
