import { createClient } from '@redis/client';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/compose.ts';
import { depth } from '../support/depth.ts';
import { untilTrue } from '../support/patience.ts';
import { listenOnFreePort } from '../support/raw-http.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { isEachToldOnce, limitChanges } from '../support/redis-log.ts';
import { startTestService, type TestService } from '../support/service.ts';

const GUILD_ID = '1491363316481801678';
const LIST_PATH = '/guild/ledger/p1/transactions';
const LAST_COMMAND = 'the last command of the test';
const INSTANCES = 3;
const HAMMERS_EACH = 2;
/** Every ten of them take a second of real time. */
const ADMITTED_ENOUGH = depth({ normal: 21, deep: 51 });
/** Longer than any machine takes for an answer, so that slowness is never taken for a Redis out of reach. */
const PATIENT_MS = 60_000;
/** Far longer than an answer takes without Redis, also on a busy machine, so that a test can distinguish the two. */
const LIMITER_WAIT_MS = 1_000;
/** The limiter gives up after its wait; the rest is for a busy machine. */
const ANSWER_MS_MAX = 20 * LIMITER_WAIT_MS;

interface Instance extends TestService {
  address: string;
}

let redis: TestRedis;
/** They wait for Redis however long it takes: what is counted must be its doing, also on a busy machine. */
let patient: Instance[];
/** They are given a Redis that does not answer. */
let deserted: Instance[];
let key: string;

beforeAll(async () => {
  redis = await startRedis();
  const first = await startInstance({ redisWaitMs: PATIENT_MS });
  await first.addGuild(GUILD_ID);
  const databaseUrl = `sqlite:${first.file}`;
  const startMore = (redisWaitMs: number, count: number) =>
    Promise.all(Array.from({ length: count }, () => startInstance({ redisWaitMs }, databaseUrl)));
  patient = [first, ...(await startMore(PATIENT_MS, INSTANCES - 1))];
  deserted = await startMore(LIMITER_WAIT_MS, INSTANCES - 1);
  // A connection that takes longer than a second on a busy machine is tried again later.
  await untilTrue(allAre('shared', [...patient, ...deserted]));
});
afterAll(async () => {
  // The first one owns the folder, so it goes last.
  for (const instance of [...patient, ...deserted].toReversed()) {
    await instance.stop();
  }
});
beforeEach(async () => {
  key = (await newKey()).value;
});

/** A service on the machine's own clock: what is shown here is about real time. */
async function startInstance(overrides: { redisWaitMs?: number }, databaseUrl?: string): Promise<Instance> {
  const clock = { ...systemClock, advance: () => expect.unreachable('real time cannot be moved') };
  const environment = { REDIS_URL: redis.url, ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
  const service = await startTestService(environment, { clock, ...overrides });
  return { ...service, address: `http://127.0.0.1:${await listenOnFreePort(service.app)}` };
}

function newKey() {
  const [first] = patient;
  return first?.addKey(GUILD_ID) ?? expect.unreachable('there is an instance');
}

async function list({ fetch, address }: Instance, value = key): Promise<number> {
  return (await fetch(`${address}${LIST_PATH}`, { headers: { 'x-api-key': value } })).status;
}

/** Keeps every instance busy with one key until the work is done. Returns all statuses and the longest time of an answer. */
async function hammerDuring(
  instances: readonly Instance[],
  work: (statuses: readonly number[]) => Promise<void>,
) {
  const statuses: number[] = [];
  let longestMs = 0;
  let isOver = false;
  const hammers = instances.flatMap((instance) =>
    Array.from({ length: HAMMERS_EACH }, async () => {
      while (!isOver) {
        const begunMs = performance.now();
        statuses.push(await list(instance));
        longestMs = Math.max(longestMs, performance.now() - begunMs);
      }
    }),
  );
  await work(statuses).finally(() => {
    isOver = true;
  });
  await Promise.all(hammers);
  return { statuses, longestMs };
}

const countOf = (statuses: readonly number[], status: number) =>
  statuses.filter((one) => one === status).length;
const allAre = (state: 'shared' | 'local', instances: readonly Instance[]) => () =>
  instances.every(({ logLines }) => limitChanges(logLines).at(-1) === state);

/** The moments at which Redis admitted requests, as it writes them down: in microseconds of its own clock. */
async function watchAdmissions() {
  const moments: number[] = [];
  let isOver = false;
  const client = createClient({ url: redis.url, RESP: 2 });
  await client.connect();
  await client.monitor((line) => {
    const moment = /lua\] "LPUSH" "guildbook:limit:list-transactions:[^"]+" "(\d+)"/i.exec(String(line))?.[1];
    if (moment !== undefined) {
      moments.push(Number(moment));
    }
    isOver ||= String(line).includes(LAST_COMMAND);
  });
  return {
    /** All of them, up to now. */
    async stop(): Promise<number[]> {
      await redis.send('ECHO', LAST_COMMAND);
      await untilTrue(() => isOver);
      client.destroy();
      return moments;
    },
  };
}

/** Uses one key through all instances at once, and expects of what Redis wrote down that they had one limit. */
async function expectOneLimit(meanwhile: () => Promise<unknown> = async () => {}): Promise<void> {
  const watch = await watchAdmissions();
  const { statuses } = await hammerDuring(patient, async (all) => {
    await untilTrue(() => countOf(all, 429) > 0);
    await meanwhile();
    await untilTrue(() => countOf(all, 200) >= ADMITTED_ENOUGH && countOf(all, 429) > ADMITTED_ENOUGH);
  });
  const moments = await watch.stop();
  expect(moments).toHaveLength(countOf(statuses, 200));
  expect(countOf(statuses, 200) + countOf(statuses, 429)).toBe(statuses.length);
  for (const [index, moment] of moments.entries()) {
    const eleventh = moments[index + 10] ?? Number.POSITIVE_INFINITY;
    expect(eleventh - moment).toBeGreaterThan(1_000_000);
  }
}

test('one key through three instances: never more than ten in any second, by the times of Redis', () =>
  expectOneLimit());

test('failed authentications are counted over all instances', async () => {
  const fail = (instance: Instance) => list(instance, 'wrong');
  const failures = Array.from({ length: 100 }, (_, index) => patient[index % INSTANCES]);
  const statuses = await Promise.all(failures.map((instance) => instance && fail(instance)));
  expect(statuses).toEqual(Array(100).fill(401));
  expect(await Promise.all(patient.map(fail))).toEqual(Array(INSTANCES).fill(429));
});

test.each([
  ['held still', () => redis.pause(), () => redis.resume()],
  ['killed', () => redis.kill(), () => redis.start()],
] as const)(
  'Redis is %s: requests are answered without it, each instance limits alone, and all come back by themselves',
  async (_name, take, giveBack) => {
    const [first] = deserted;
    const { statuses, longestMs } = await hammerDuring(deserted, async (all) => {
      await untilTrue(() => allAre('shared', deserted)() && countOf(all, 200) >= 10);
      await take();
      await untilTrue(allAre('local', deserted));
      // Once Redis is known to be out of reach, requests do not wait for it.
      const begunMs = performance.now();
      for (let request = 0; request < 20; request += 1) {
        await (first && list(first));
      }
      expect(performance.now() - begunMs).toBeLessThan(20 * LIMITER_WAIT_MS);
      expect(await metricsOf(first)).toMatch(/^guildbook_shared_limits_reachable 0$/m);
      expect(await metricsOf(first)).toMatch(/^guildbook_local_limit_decisions_total [1-9]/m);
      // A busy machine may have sent fewer requests than the limit admits.
      await untilTrue(() => countOf(all, 429) > 0);
      await giveBack();
      await untilTrue(allAre('shared', deserted));
    });
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(longestMs).toBeLessThan(ANSWER_MS_MAX);
    await untilTrue(async () => /^guildbook_shared_limits_reachable 1$/m.test(await metricsOf(first)));
    expect(deserted.every(({ logLines }) => isEachToldOnce(limitChanges(logLines)))).toBe(true);
    await untilTrue(allAre('shared', patient));
  },
);

test('unless told otherwise a request waits 250 milliseconds for Redis, and no longer when the instance is the only one', async () => {
  const usual = await startInstance({});
  onTestFinished(() => usual.stop());
  await usual.addGuild(GUILD_ID);
  const { value } = await usual.addKey(GUILD_ID);
  await untilTrue(allAre('shared', [usual]));
  const linesBefore = usual.logLines.length;
  redis.pause();
  onTestFinished(() => redis.resume());
  expect(await list(usual, value)).toBe(200);
  const told = usual.logLines.slice(linesBefore).filter((line) => line.includes('Redis is out of reach'));
  expect(told).toEqual([expect.stringContaining('"reason":"no answer within 250 ms"')]);
});

test('a forgotten script is sent again, and nobody notices', () =>
  expectOneLimit(() => redis.send('SCRIPT', 'FLUSH')));

async function metricsOf(instance: Instance | undefined): Promise<string> {
  return (await instance?.metrics.text()) ?? '';
}

test('a delay of our own event loop is not taken for a Redis that does not answer', async () => {
  const usual = await startInstance({ redisWaitMs: LIMITER_WAIT_MS });
  onTestFinished(() => usual.stop());
  await usual.addGuild(GUILD_ID);
  const { value } = await usual.addKey(GUILD_ID);
  await untilTrue(allAre('shared', [usual]));
  const linesBefore = usual.logLines.length;
  const asked = usual.send({ url: LIST_PATH, key: value });
  // The question is on its way, and more time than it may take passes before the answer can be read.
  await new Promise(setImmediate);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1.5 * LIMITER_WAIT_MS);
  expect((await asked).status).toBe(200);
  expect(await metricsOf(usual)).not.toMatch(/^guildbook_local_limit_decisions_total [1-9]/m);
  expect(usual.logLines.slice(linesBefore).join('')).not.toContain('Redis is out of reach');
});
