import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { PROGRAMS } from '../../scripts/requirements.ts';
import { createLoads } from '../support/loads.ts';
import { compare } from '../support/measure.ts';
import { type RunningServer, startService } from '../support/servers.ts';
import { type Bench, createStage, type Stage, secondsOf } from '../support/stage.ts';
import { undoAtEnd } from '../support/undo.ts';
import { copySmallLedger, query, startDatabase, warmUpKeys } from './postgres.ts';

const ENDPOINTS = 10;
/** So slow that the other instance never comes to the end of what it has to deliver, and keeps all endpoints. */
const ANSWER_AFTER_MS = 50;
const CPU_MAX = 1.05;
const P99_MAX = 2;

interface Served {
  withEndpoints: RunningServer;
  without: RunningServer;
  keys: { withEndpoints: string[]; without: string[] };
  stop: () => Promise<void>;
}

/**
 * Measures the cost of ten webhooks for a post, with two services on two databases: one has ten endpoints that follow
 * everything, the other has none. Another instance delivers, so that only the request and its commit are measured.
 */
export function createWebhookStage(bench: Bench): Stage {
  const { pace } = bench;
  const title = 'post, PostgreSQL, ten webhooks / none';
  return createStage<Served>({
    name: 'webhooks',
    programs: [PROGRAMS.wrk, PROGRAMS.postgres],
    aboutSecondsToStart: 30,
    start: serveBoth,
    jobs: [
      {
        name: 'webhooks-post',
        title,
        aboutSeconds: secondsOf(pace),
        async run({ withEndpoints, without, keys }) {
          const loadOf = (own: string[]) => createLoads(own).postDistinct;
          const found = await compare(
            title,
            [
              { name: 'with', server: withEndpoints, load: loadOf(keys.withEndpoints) },
              { name: 'without', server: without, load: loadOf(keys.without) },
            ],
            bench,
          );
          bench.findings.addComparison(found);
          const { measured, limit } = found.cpuMicroseconds;
          bench.findings.addFigure({
            title: `${title}: processor time`,
            value: measured / limit,
            unit: 'times',
            atMost: CPU_MAX,
          });
          bench.findings.addFigure({
            title: `${title}: p99`,
            value: found.p99Ms / found.limitP99Ms,
            unit: 'times',
            atMost: P99_MAX,
          });
        },
      },
    ],
    stop: ({ stop }) => stop(),
  });
}

async function serveBoth(): Promise<Served> {
  const receiver = await startReceiver();
  const [first, second] = [await startDatabase([]), await startDatabase([])];
  const keys = {
    withEndpoints: await copySmallLedger(first.url),
    without: await copySmallLedger(second.url),
  };
  const settings = { SECRET_KEY: randomBytes(32).toString('hex'), WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' };
  await query(first.url, "UPDATE api_key SET scopes = scopes || ' webhooks:manage' WHERE key_id = 'bench-0'");
  const delivering = await startService({ databaseUrl: first.url, env: settings });
  await createEndpoints(delivering.address, keys.withEndpoints[0] ?? '', receiver.url);
  await postUntil(delivering.address, keys.withEndpoints, () => receiver.paths().size === ENDPOINTS);
  const withEndpoints = await startService({ databaseUrl: first.url, env: settings });
  const without = await startService({ databaseUrl: second.url, env: settings });
  await warmUpKeys(withEndpoints.address, keys.withEndpoints);
  await warmUpKeys(without.address, keys.without);
  return {
    withEndpoints,
    without,
    keys,
    async stop() {
      await withEndpoints.stop();
      await without.stop();
      await delivering.stop();
      await receiver.stop();
      await first.stop();
      await second.stop();
    },
  };
}

async function createEndpoints(address: string, key: string, url: string): Promise<void> {
  for (let index = 0; index < ENDPOINTS; index += 1) {
    const answer = await fetch(`${address}/guild/webhooks`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({
        url: `${url}/${index}`,
        kind: 'standard',
        events: ['transaction.*', 'payment.posted'],
      }),
    });
    if (!answer.ok) {
      throw new Error(`a webhook was refused: ${await answer.text()}`);
    }
    // Ten requests a second.
    await wait(110);
  }
}

/** Posts until the other instance has begun to deliver to every endpoint. */
async function postUntil(address: string, keys: readonly string[], isEnough: () => boolean): Promise<void> {
  for (let index = 0; !isEnough(); index += 1) {
    const answer = await fetch(`${address}/guild/ledger`, {
      method: 'POST',
      headers: { 'x-api-key': keys[index % keys.length] ?? '', 'content-type': 'application/json' },
      body: JSON.stringify({ playerId: 'first', name: 'First', quantity: 1, amount: 1, source: 'bench' }),
    });
    await answer.arrayBuffer();
  }
}

async function startReceiver() {
  const paths = new Set<string>();
  const server = createServer(async (request, response) => {
    paths.add(request.url ?? '');
    request.resume();
    await wait(ANSWER_AFTER_MS);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = undoAtEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, paths: () => paths, stop };
}
