import { once } from 'node:events';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createCsvDownloads } from '../../src/http/dashboard/csv-download.ts';
import type { HttpRequest } from '../../src/http/request.ts';
import { domainError } from '../contract/specimens.ts';

const LIMITS = { windowMs: 1_000, windowBytesMin: 10_000, deadlineMs: 60_000 };
const FULL = domainError('overloaded');
/** No client leaves here: abandoned-requests-suite.ts has those. */
const NO_LIFETIMES = { holdStream() {} };
// Only lifetimes look at the request.
const REQUEST = {} as HttpRequest;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function* endless(): AsyncGenerator<string> {
  for (;;) {
    yield 'x'.repeat(70_000);
  }
}

/** A generator that yields nothing until `end` is called. */
function createSearch() {
  const found = Promise.withResolvers<void>();
  async function* rows(): AsyncGenerator<string> {
    await found.promise;
    yield 'the only one';
  }
  return { rows: rows(), end: found.resolve };
}

function start(
  downloads: ReturnType<typeof createCsvDownloads>,
  guildId: string,
  rows = endless(),
): Readable {
  const { body } = downloads.answer(REQUEST, { guildId, fileName: 'x.csv', rows });
  expect(body).toBeInstanceOf(Readable);
  // The line above has shown it.
  return body as Readable;
}

describe('an export', () => {
  test('that is taken too slowly is broken off, with the reason', async () => {
    const body = start(createCsvDownloads(NO_LIFETIMES, LIMITS), '1');
    const failure = once(body, 'error');
    await once(body, 'readable');
    body.read(1);
    // The first window includes the rows that were read ahead at the beginning.
    vi.advanceTimersByTime(2 * LIMITS.windowMs);
    await expect(failure).resolves.toMatchObject([
      { message: 'the export was taken too slowly: less than 10000 bytes in 1000 ms' },
    ]);
  });

  test('that is taken fast enough goes on until its deadline', async () => {
    const body = start(createCsvDownloads(NO_LIFETIMES, LIMITS), '1');
    const failure = once(body, 'error');
    for (let second = 1; second < 60; second += 1) {
      await once(body, 'readable');
      while (body.read() !== null) {
        // Everything that is there is taken.
      }
      vi.advanceTimersByTime(LIMITS.windowMs);
      expect(body.destroyed).toBe(false);
    }
    vi.advanceTimersByTime(LIMITS.windowMs);
    await expect(failure).resolves.toMatchObject([{ message: 'the export took longer than 60000 ms' }]);
  });

  test('that searches for long and finds little is not taken for slow', async () => {
    const search = createSearch();
    const body = start(createCsvDownloads(NO_LIFETIMES, LIMITS), '1', search.rows);
    const ended = Array.fromAsync(body);
    vi.advanceTimersByTime(10 * LIMITS.windowMs);
    search.end();
    expect((await ended).join('')).toBe('the only one');
  });
});

test('two exports of a guild and eight altogether find a place, and each gives its own back', async () => {
  const downloads = createCsvDownloads(NO_LIFETIMES, LIMITS);
  const bodies = ['1', '1', '2', '2', '3', '3', '4'].map((guildId) => start(downloads, guildId));
  expect(() => start(downloads, '1')).toThrow(expect.objectContaining(FULL));
  const eighth = start(downloads, '4');
  expect(() => start(downloads, '5')).toThrow(expect.objectContaining(FULL));
  eighth.destroy();
  await once(eighth, 'close');
  start(downloads, '5').destroy();
  for (const body of bodies) {
    body.destroy();
  }
});
