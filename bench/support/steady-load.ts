import { Agent, request } from 'node:http';
import type { Load } from './wrk.ts';

const CONNECTIONS = 64;
const TICK_MS = 2;
const ANSWER_WAIT_MS = 10_000;

export interface Latencies {
  p50Ms: number;
  p99Ms: number;
  requests: number;
  failures: number;
}

/**
 * Sends at a fixed rate, whether or not answers come, and counts each wait from the moment the request was due: a
 * service that stalls cannot hide it by slowing the sender down.
 */
export async function runSteadyLoad(
  load: Load,
  address: string,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Latencies> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const { hostname, port } = new URL(address);
  const waits: number[] = [];
  const total = Math.round(perSecond * seconds);
  let failures = 0;
  let sent = 0;

  await new Promise<void>((resolve) => {
    let answered = 0;
    const startMs = performance.now();
    const finish = (dueMs: number, isGood: boolean) => {
      waits.push(performance.now() - dueMs);
      failures += isGood ? 0 : 1;
      answered += 1;
      if (answered === total) resolve();
    };
    const sendOne = (index: number) => {
      const dueMs = startMs + (index * 1_000) / perSecond;
      const { path, key, body } = load.request(index % load.count);
      const asked = request(
        {
          agent,
          timeout: ANSWER_WAIT_MS,
          hostname,
          port,
          path,
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            ...(key !== undefined && { 'x-api-key': key }),
            ...(body !== undefined && { 'content-type': 'application/json', 'content-length': body.length }),
          },
        },
        (response) => {
          response.resume().on('end', () => finish(dueMs, response.statusCode === 200));
        },
      );
      asked.on('timeout', () => asked.destroy(new Error('no answer')));
      asked.on('error', () => finish(dueMs, false));
      asked.end(body);
    };
    const timer = setInterval(() => {
      const due = Math.min(total, Math.floor(((performance.now() - startMs) * perSecond) / 1_000));
      while (sent < due) {
        sendOne(sent);
        sent += 1;
      }
      if (sent === total) clearInterval(timer);
    }, TICK_MS);
  });
  agent.destroy();
  waits.sort((left, right) => left - right);
  const at = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99), requests: total, failures };
}
