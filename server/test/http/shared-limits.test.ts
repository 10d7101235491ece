import { createClient } from '@redis/client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/compose.ts';
import { untilTrue } from '../support/patience.ts';
import { listenOnFreePort } from '../support/raw-http.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { isEachToldOnce, limitChanges } from '../support/redis-log.ts';
import { startTestService, type TestService } from '../support/service.ts';

const GUILD_ID = '1491363316481801678';
const LIST_PATH = '/guild/ledger/p1/transactions';
const INSTANCES = 3;
const HAMMERS_EACH = 4;
const ADMITTED_ENOUGH = 31;
/** The limiter gives up after 50 ms; the rest is for a busy machine. */
const ANSWER_MS_MAX = 1_000;

interface Instance extends TestService {
  address: string;
}

let redis: TestRedis;
/** They wait for Redis however long it takes: what is counted must be its doing, also on a busy machine. */
let patient: Instance[];
/** They wait as long as in production. */
let usual: Instance[];
let key: string;

beforeAll(async () => {
  redis = await startRedis();
  const first = await startInstance({ redisWaitMs: 10_000 });
  await first.addGuild(GUILD_ID);
  const databaseUrl = `sqlite:${first.file}`;
  const startMore = (options: { redisWaitMs?: number }, count: number) =>
    Promise.all(Array.from({ length: count }, () => startInstance(options, databaseUrl)));
  patient = [first, ...(await startMore({ redisWaitMs: 10_000 }, INSTANCES - 1))];
  usual = await startMore({}, INSTANCES);
});
afterAll(async () => {
  // The first one owns the folder, so it goes last.
  for (const instance of [...patient, ...usual].toReversed()) {
    await instance.stop();
  }
});
beforeEach(async () => {
  key = (await newKey()).value;
});

/** A service on the machine's own clock: what is shown here is about real time. */
async function startInstance(
  surroundings: { redisWaitMs?: number },
  databaseUrl?: string,
): Promise<Instance> {
  const clock = { ...systemClock, advance: () => expect.unreachable('real time cannot be moved') };
  const environment = { REDIS_URL: redis.url, ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
  const service = await startTestService(environment, { clock, ...surroundings });
  return { ...service, address: `http://127.0.0.1:${await listenOnFreePort(service.app)}` };
}

function newKey() {
  const [first] = patient;
  return first?.addKey(GUILD_ID) ?? expect.unreachable('there is an instance');
}

async function list({ address }: Instance, value = key): Promise<number> {
  const reply = await fetch(`${address}${LIST_PATH}`, { headers: { 'x-api-key': value } });
  await reply.text();
  return reply.status;
}

/** Keeps every instance busy with one key until the work is done, and tells all statuses. */
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
const allAre = (state: 'shared' | 'local') => () =>
  usual.every(({ logLines }) => limitChanges(logLines).at(-1) === state);

/** The moments at which Redis admitted requests, as it writes them down: in microseconds of its own clock. */
async function watchAdmissions() {
  const moments: number[] = [];
  const client = createClient({ url: redis.url, RESP: 2 });
  await client.connect();
  await client.monitor((line) => {
    const moment = /lua\] "LPUSH" "guildbook:limit:[^"]+" "(\d+)"/i.exec(String(line))?.[1];
    if (moment !== undefined) {
      moments.push(Number(moment));
    }
  });
  return { moments, stop: () => client.destroy() };
}

test('one key through three instances: never more than ten in any second, by the times of Redis', async () => {
  const watch = await watchAdmissions();
  const { statuses } = await hammerDuring(patient, (all) =>
    untilTrue(() => countOf(all, 200) >= ADMITTED_ENOUGH, 15_000),
  );
  await redis.send('PING');
  watch.stop();
  expect(watch.moments).toHaveLength(countOf(statuses, 200));
  expect(countOf(statuses, 200) + countOf(statuses, 429)).toBe(statuses.length);
  expect(countOf(statuses, 429)).toBeGreaterThan(ADMITTED_ENOUGH);
  for (const [index, moment] of watch.moments.entries()) {
    const eleventh = watch.moments[index + 10] ?? Number.POSITIVE_INFINITY;
    expect(eleventh - moment).toBeGreaterThan(1_000_000);
  }
});

test('failed authentications are counted over all instances', async () => {
  const statuses: number[] = [];
  for (let failure = 0; failure < 102; failure += 1) {
    const instance = patient[failure % INSTANCES];
    statuses.push(instance === undefined ? 0 : await list(instance, 'wrong'));
  }
  expect(statuses).toEqual([...Array(100).fill(401), 429, 429]);
});

test.each([
  ['held still', () => redis.pause(), () => redis.resume()],
  ['killed', () => redis.kill(), () => redis.start()],
] as const)(
  'Redis is %s: requests are answered without it, each instance limits alone, and all come back by themselves',
  async (_name, take, giveBack) => {
    const [first] = usual;
    const { statuses, longestMs } = await hammerDuring(usual, async (all) => {
      await untilTrue(() => allAre('shared')() && countOf(all, 200) >= 10);
      await take();
      await untilTrue(allAre('local'));
      // What is known to be out of reach is not waited for.
      const begunMs = performance.now();
      for (let request = 0; request < 20; request += 1) {
        await (first && list(first));
      }
      expect(performance.now() - begunMs).toBeLessThan(20 * 50);
      expect(await metricsOf(first)).toMatch(/^guildbook_shared_limits_reachable 0$/m);
      expect(await metricsOf(first)).toMatch(/^guildbook_local_limit_decisions_total [1-9]/m);
      await giveBack();
      await untilTrue(allAre('shared'));
    });
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(longestMs).toBeLessThan(ANSWER_MS_MAX);
    await untilTrue(async () => /^guildbook_shared_limits_reachable 1$/m.test(await metricsOf(first)));
    expect(usual.every(({ logLines }) => isEachToldOnce(limitChanges(logLines)))).toBe(true);
  },
);

test('a forgotten script is sent again, and nobody notices', async () => {
  await redis.send('SCRIPT', 'FLUSH');
  const statuses: number[] = [];
  await untilTrue(() => patient.every(({ logLines }) => limitChanges(logLines).at(-1) === 'shared'));
  for (const instance of [...patient, ...patient, ...patient, ...patient]) {
    statuses.push(await list(instance));
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);
});

async function metricsOf(instance: Instance | undefined): Promise<string> {
  return (await fetch(`${instance?.address}/metrics`)).text();
}
