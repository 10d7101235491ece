import { once } from 'node:events';
import { expect, it } from 'vitest';
import { withInstances } from '../postgres/instances.ts';
import { createPosterOn } from '../support/load.ts';
import { untilTrue } from '../support/patience.ts';
import { createLoadClient } from './load-client.ts';

const REQUESTS = 100_000;
const KEYS = 30;
const WORKERS_EACH = 12;
/** Counts of a killed instance may be missing that are younger than this when it is killed. */
const UNWRITTEN_MS = 5_000;
/** The instance is killed after this time at the earliest, so that a fast machine has counts that must have been written. */
const BEFORE_KILL_MS = UNWRITTEN_MS + 3_000;

const RECORD = { playerId: 'p', name: 'Rowan', from: 'First', signed: 'Ash' };
/** Each instance gets requests of a route of its own, which separates its counts from those of the others. All use the same keys. */
const PATHS = [
  ['/guild/discharges/here', '/guild/discharges/none'],
  ['/guild/transfers/here', '/guild/transfers/none'],
  // Answered ten times a second for each key, and refused beyond that.
  ['/guild/ledger/p/transactions'],
] as const;
const CODES: Readonly<Record<string, string>> = {
  '0 200': 'getDischarge ok',
  '0 404': 'getDischarge discharge_not_found',
  '1 200': 'getTransfer ok',
  '1 404': 'getTransfer transfer_not_found',
  '2 200': 'listTransactions ok',
  '2 429': 'listTransactions rate_limited',
};

it(`at least ${REQUESTS} requests through three instances are counted exactly, but for the last seconds of one that is killed`, () =>
  withInstances(async ({ databaseUrl, addresses, processes, query }) => {
    const { keys } = await createPosterOn(databaseUrl, KEYS);
    const clients = addresses.map(createLoadClient);
    const put = async (path: string, json: object) =>
      clients[1]?.ask(path, { method: 'PUT', json, headers: { 'x-api-key': keys[0] ?? '' } });
    const discharge = { ...RECORD, chatId: 'c', reason: 'Left', date: '2026-01-02', type: 'honourable' };
    expect((await put('/guild/records/discharges/here', discharge))?.status).toBe(200);
    const transfer = { ...RECORD, date: '2026-01-02T10:00:00Z', to: 'Second' };
    expect((await put('/guild/records/transfers/here', transfer))?.status).toBe(200);

    const acknowledged = new Map<string, number>();
    const ofKilled: number[] = [];
    const startedMs = performance.now();
    let killedMs = Number.POSITIVE_INFINITY;
    let count = 0;
    async function work(instance: number): Promise<void> {
      const paths = PATHS[instance] ?? [''];
      for (let turn = 0; count < REQUESTS || killedMs === Number.POSITIVE_INFINITY; turn += 1) {
        const headers = { 'x-api-key': keys[turn % KEYS] ?? '' };
        const reply = await clients[instance]?.ask(paths[turn % paths.length] ?? '', { headers });
        const name = CODES[`${instance} ${reply?.status}`] ?? `unexpected: ${reply?.status}`;
        acknowledged.set(name, (acknowledged.get(name) ?? 0) + 1);
        count += 1;
        if (instance === 0) {
          ofKilled.push(performance.now());
        }
      }
    }
    const started = addresses.flatMap((_, instance) =>
      Array.from({ length: WORKERS_EACH }, () =>
        // The requests of the killed instance fail, and its workers end.
        work(instance).catch((error: unknown) => expect(instance, String(error)).toBe(0)),
      ),
    );
    const isDue = () => count >= REQUESTS / 2 && performance.now() - startedMs >= BEFORE_KILL_MS;
    await untilTrue(isDue, 500_000);
    killedMs = performance.now();
    processes[0]?.kill('SIGKILL');
    await Promise.all(started);
    for (const child of processes.slice(1)) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    for (const client of clients) {
      client.close();
    }

    const rows = await query(
      "SELECT route || ' ' || code AS name, sum(count) AS count FROM key_hour WHERE route NOT LIKE 'put%' GROUP BY 1",
    );
    const stored = new Map(rows.map(({ name = '', count: sum }) => [name, Number(sum)]));
    const isOfKilled = (name: string) => name.startsWith('getDischarge ');
    const others = (counts: ReadonlyMap<string, number>) =>
      Object.fromEntries([...counts].filter(([name]) => !isOfKilled(name)));
    expect(others(stored)).toEqual(others(acknowledged));

    const storedOfKilled = [...stored].reduce((sum, [name, one]) => sum + (isOfKilled(name) ? one : 0), 0);
    const written = ofKilled.filter((atMs) => atMs < killedMs - UNWRITTEN_MS).length;
    console.log(
      `${count} requests; killed instance: ${ofKilled.length} acknowledged, ${storedOfKilled} counted, at least ${written}`,
    );
    expect(storedOfKilled).toBeGreaterThanOrEqual(written);
    expect(storedOfKilled).toBeLessThanOrEqual(ofKilled.length + WORKERS_EACH);
    expect(written).toBeGreaterThan(0);
  }));
