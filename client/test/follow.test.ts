import { createClient, type GuildbookError, type LedgerEntry } from '@guildbook/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { depth } from '../../server/test/support/depth.ts';
import { LONG_TEST, PATIENCE_MS, untilTrue } from '../../server/test/support/patience.ts';
import { findSparePort } from '../../server/test/support/spare-port.ts';
import { type Conduct, findDeadAddress, startGateway } from './support/gateway.ts';
import { type Place, startPlace } from './support/place.ts';
import { refusalOf } from './support/refusal.ts';
import { OTHER_GUILD_ID, transaction } from './support/specimens.ts';

const KILLS = depth({ normal: 2, deep: 6 });
const BATCHES = depth({ normal: 30, deep: 150 });
const PER_BATCH = 7;

const numbersOf = (entries: readonly LedgerEntry[]) => entries.map(({ number }) => number);
const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('while the service is killed and started again', () => {
  test(
    `every transaction of ${BATCHES} batches comes once and in order, through ${KILLS} kills and a restart of the follower`,
    LONG_TEST,
    async ({ onTestFinished }) => {
      const place = await startPlace({ PORT: String(await findSparePort()) });
      onTestFinished(() => place.stop());
      const patience = { timeoutMs: LONG_TEST.timeout, attemptTimeoutMs: PATIENCE_MS, retries: 1_000 };
      const total = BATCHES * PER_BATCH;
      const seen: LedgerEntry[] = [];
      const stop = new AbortController();
      onTestFinished(() => stop.abort());
      const trouble: GuildbookError[] = [];
      // Without retries of its own each broken call is trouble that the follower has to live through.
      const follower = place.connect({ retries: 0, attemptTimeoutMs: PATIENCE_MS, timeoutMs: PATIENCE_MS });
      const onTrouble = (error: GuildbookError) => void trouble.push(error);
      const countBroken = () => trouble.filter(({ kind }) => kind === 'connection').length;

      /** Follows from the last position that was saved, as a bot does that is started again. */
      async function follow(until: number): Promise<void> {
        const options = { signal: stop.signal, pollMs: 5, pollMaxMs: 20, onTrouble };
        for await (const entry of follower.follow({ after: seen.at(-1)?.number ?? 0, limit: 10 }, options)) {
          seen.push(entry);
          if (seen.length >= until) return;
        }
      }

      async function post(): Promise<void> {
        const poster = place.connect(patience);
        for (let batch = 0; batch < BATCHES; batch += 1) {
          const items = upTo(PER_BATCH).map((item) => transaction({ name: `post ${batch}.${item}` }));
          await poster.postBatch(items);
        }
      }

      async function kill(): Promise<void> {
        for (let kill = 1; kill <= KILLS; kill += 1) {
          await untilTrue(() => seen.length >= (kill * total) / (KILLS + 1));
          const before = countBroken();
          place.server.child.kill('SIGKILL');
          // The follower notices before the service is there again.
          await untilTrue(() => countBroken() > before);
          await place.restart();
        }
      }

      const following = follow(Math.ceil(total / 2)).then(() => follow(total));
      await Promise.all([following, post(), kill()]);
      expect(numbersOf(seen)).toEqual(upTo(total));
      const names = upTo(BATCHES).flatMap((batch) =>
        upTo(PER_BATCH).map((item) => `post ${batch - 1}.${item}`),
      );
      expect(seen.map(({ name }) => name)).toEqual(names);
    },
  );
});

describe('follow', () => {
  let place: Place;
  const posts = 25;
  beforeAll(async () => {
    place = await startPlace();
    const batch = upTo(posts).map((index) => transaction({ name: `post ${index}` }));
    await place.connect().postBatch(batch);
  });
  afterAll(() => place.stop());

  /** Takes entries until the condition holds, then stops by the signal. */
  async function take(
    follower: ReturnType<Place['connect']>,
    query: { after?: number; limit?: number },
    isEnough: (entries: readonly LedgerEntry[]) => boolean,
  ): Promise<LedgerEntry[]> {
    const stop = new AbortController();
    const taken: LedgerEntry[] = [];
    for await (const entry of follower.follow(query, { signal: stop.signal })) {
      taken.push(entry);
      if (isEnough(taken)) stop.abort();
    }
    return taken;
  }

  /** A clock whose waits take no time; `onSleep` may post or stop in the meantime. */
  function createClock(onSleep: (waits: readonly number[]) => unknown = () => {}) {
    const waits: number[] = [];
    return {
      waits,
      nowMs: () => 0,
      async sleep(ms: number) {
        waits.push(ms);
        await onSleep(waits);
      },
    };
  }

  test('begins after a position, reads page by page, and ends in the middle of a page when the signal is aborted', async () => {
    const follower = place.connect();
    const taken = await take(follower, { after: 3, limit: 4 }, ({ length }) => length === 10);
    expect(numbersOf(taken)).toEqual(upTo(13, 4));
    expect(numbersOf(await take(follower, {}, ({ length }) => length === 1))).toEqual([1]);
  });

  test('lets nothing out when the signal was aborted before', async () => {
    const client = place.connect({ fetch: () => Promise.reject(new Error('sent')) });
    expect(await Array.fromAsync(client.follow({}, { signal: AbortSignal.abort() }))).toEqual([]);
  });

  test('waits longer and longer while nothing is posted, and begins anew after news', async () => {
    const stop = new AbortController();
    const poster = place.connect({}, { guildId: OTHER_GUILD_ID });
    const clock = createClock(async ({ length }) => {
      if (length === 7) await poster.postTransaction(transaction());
      if (length === 10) stop.abort();
    });
    const follower = place.connect({ clock, random: () => 1 }, { guildId: OTHER_GUILD_ID });
    const entries = await Array.fromAsync(follower.follow({}, { signal: stop.signal }));
    expect(numbersOf(entries)).toEqual([1]);
    expect(clock.waits).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 500, 1_000, 2_000]);
  });

  test('waits as it is told, and leaves half of it to chance', async () => {
    const stop = new AbortController();
    const clock = createClock(({ length }) => length === 3 && stop.abort());
    const follower = place.connect({ clock, random: () => 0 });
    const options = { signal: stop.signal, pollMs: 10, pollMaxMs: 15 };
    expect(await Array.fromAsync(follower.follow({ after: posts }, options))).toEqual([]);
    expect(clock.waits).toEqual([5, 7.5, 7.5]);
    expect(() => follower.follow({}, { pollMs: 0 })).toThrow(TypeError);
    expect(() => follower.follow({}, { pollMaxMs: 1.5 })).toThrow(
      'pollMaxMs must be an integer of at least 1',
    );
  });

  test('lives through trouble, waits as long as the service asks for, and tells of it', async () => {
    const fail: Conduct = (_request, response) => void response.writeHead(503, { 'retry-after': '7' }).end();
    const baseUrl = await startGateway(place.address, [fail, fail]);
    const clock = createClock();
    const follower = place.connect({ baseUrl, clock, retries: 0, random: () => 0 });
    const trouble: string[] = [];
    const stop = new AbortController();
    const options = { signal: stop.signal, onTrouble: ({ kind }: GuildbookError) => void trouble.push(kind) };
    for await (const { number } of follower.follow({}, options)) {
      if (number === posts) stop.abort();
    }
    expect(trouble).toEqual(['unavailable', 'unavailable']);
    expect(clock.waits).toEqual([7_250, 7_500]);
  });

  test('ends when the signal is aborted while it waits for an answer or for the next attempt', async () => {
    const follower = place.connect();
    const pending = await place.whileHalted(() =>
      Array.fromAsync(follower.follow({}, { signal: AbortSignal.timeout(50) })),
    );
    expect(pending).toEqual([]);
    const baseUrl = await findDeadAddress();
    const stop = new AbortController();
    const options = { signal: stop.signal, pollMs: 1_000_000, onTrouble: () => stop.abort() };
    expect(await Array.fromAsync(place.connect({ baseUrl, retries: 0 }).follow({}, options))).toEqual([]);
    // Aborted in the middle of a wait that no test could sit through.
    const idle = AbortSignal.timeout(50);
    const waiting = { signal: idle, pollMs: 1_000_000, pollMaxMs: 1_000_000 };
    expect(await Array.fromAsync(follower.follow({ after: posts }, waiting))).toEqual([]);
  });

  test('throws what will not pass', async () => {
    const stranger = createClient({ baseUrl: place.address, apiKey: 'gbk_none' });
    expect(await refusalOf(Array.fromAsync(stranger.follow()))).toMatchObject({ kind: 'unauthorized' });
    const writer = place.connect({}, { scopes: ['guild:write'] });
    expect(await refusalOf(Array.fromAsync(writer.follow()))).toMatchObject({ kind: 'forbidden' });
  });

  test.each([
    ['skipped', 2, /transaction 3 after 1/],
    ['repeated', 0, /transaction 1 after 1/],
  ])('throws when a number is %s on the way', async (_name, from, message) => {
    const tamper: Conduct = async (request, response, passOn) => {
      request.url = `/guild/feed?limit=1&after=${from}`;
      response.writeHead(200).end(await (await passOn()).text());
    };
    const honest: Conduct = async (_request, response, passOn) =>
      response.writeHead(200).end(await (await passOn()).text());
    const baseUrl = await startGateway(place.address, [honest, tamper]);
    const taken: number[] = [];
    const walk = async () => {
      for await (const { number } of place.connect({ baseUrl }).follow({ limit: 1 })) taken.push(number);
    };
    const error = await refusalOf(walk());
    expect(error).toMatchObject({ kind: 'unexpected-answer', message: expect.stringMatching(message) });
    expect(taken).toEqual([1]);
  });
});
