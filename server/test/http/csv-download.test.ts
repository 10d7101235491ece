import { once } from 'node:events';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createCsvDownloads } from '../../src/http/dashboard/csv-download.ts';
import type { HttpRequest } from '../../src/http/request.ts';
import { domainError } from '../contract/specimens.ts';
import { createTestClock } from '../support/clock.ts';

const LIMITS = { windowMs: 1_000, windowBytesMin: 10_000, deadlineMs: 60_000 };
const FULL = domainError('overloaded');
const clock = createTestClock();
/** No request ends early here: abandoned-requests-suite.ts has those. */
const PARTS = { lifetimes: { holdStream() {} }, clock };
// Nothing else of the request is used here.
const REQUEST = { raw: { method: 'GET' } } as HttpRequest;

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

async function start(
  downloads: ReturnType<typeof createCsvDownloads>,
  guildId: string,
  rows = endless(),
): Promise<Readable> {
  const { body } = await downloads.answer(REQUEST, {
    guildId,
    fileName: 'x.csv',
    readRows: async () => rows,
  });
  expect(body).toBeInstanceOf(Readable);
  // The line above has shown it.
  return body as Readable;
}

describe('an export', () => {
  test('that is taken too slowly is broken off, with the reason', async () => {
    const body = await start(createCsvDownloads(PARTS, LIMITS), '1');
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
    const body = await start(createCsvDownloads(PARTS, LIMITS), '1');
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
    const body = await start(createCsvDownloads(PARTS, LIMITS), '1', search.rows);
    const ended = Array.fromAsync(body);
    vi.advanceTimersByTime(10 * LIMITS.windowMs);
    search.end();
    expect((await ended).join('')).toBe('the only one');
  });
});

test('two exports of a guild and eight altogether find a place, and each gives its own back', async () => {
  const downloads = createCsvDownloads(PARTS, LIMITS);
  const bodies = await Promise.all(
    ['1', '1', '2', '2', '3', '3', '4'].map((guildId) => start(downloads, guildId)),
  );
  await expect(start(downloads, '1')).rejects.toMatchObject(FULL);
  const eighth = await start(downloads, '4');
  await expect(start(downloads, '5')).rejects.toMatchObject(FULL);
  eighth.destroy();
  await once(eighth, 'close');
  (await start(downloads, '5')).destroy();
  for (const body of bodies) {
    body.destroy();
  }
});

test('an export whose client leaves occupies the place of its guild for two more seconds, and no place of others', async () => {
  const downloads = createCsvDownloads(PARTS, LIMITS);
  for (const guildId of ['1', '1', '2', '2', '3', '3', '4', '4']) {
    const body = await start(downloads, guildId);
    body.destroy();
    await once(body, 'close');
  }
  await expect(start(downloads, '1')).rejects.toMatchObject(FULL);
  (await start(downloads, '5')).destroy();
  clock.advance(2_000);
  (await start(downloads, '1')).destroy();
});

test('an export that was read to its end gives its place back at once', async () => {
  const downloads = createCsvDownloads(PARTS, LIMITS);
  for (let number = 0; number < 3; number += 1) {
    const search = createSearch();
    search.end();
    await Array.fromAsync(await start(downloads, '1', search.rows));
  }
});

test('an export that cannot be read gives its place back at once, and one without a place reads nothing', async () => {
  const downloads = createCsvDownloads(PARTS, LIMITS);
  const readRows = vi.fn(() => Promise.reject(new Error('no such player')));
  const answer = () => downloads.answer(REQUEST, { guildId: '1', fileName: 'x.csv', readRows });
  for (let number = 0; number < 3; number += 1) {
    await expect(answer()).rejects.toThrow('no such player');
  }
  const bodies = [await start(downloads, '1'), await start(downloads, '1')];
  await expect(answer()).rejects.toMatchObject(FULL);
  expect(readRows).toHaveBeenCalledTimes(3);
  for (const body of bodies) {
    body.destroy();
  }
});
