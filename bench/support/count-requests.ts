import diagnostics from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a service before its own code (`--import`). Writes to COUNT_FILE the requests of each tenth of a second, those of public
 * boards apart, and the processor time of the main thread.
 */
const EVERY_MS = 100;

export interface CountedTime {
  fromMs: number;
  toMs: number;
  visits: number;
  others: number;
  cpuMs: number;
}

let fromMs = Date.now();
let visits = 0;
let others = 0;
let cpuBeforeMs = 0;

function count(message: unknown): void {
  const { request } = message as { request: IncomingMessage };
  if (request.url?.startsWith('/board/') === true) {
    visits += 1;
  } else {
    others += 1;
  }
}

function write(): void {
  const { user, system } = process.threadCpuUsage();
  const cpuMs = (user + system) / 1_000;
  const counted: CountedTime = { fromMs, toMs: Date.now(), visits, others, cpuMs: cpuMs - cpuBeforeMs };
  appendFileSync(process.env.COUNT_FILE ?? '', `${JSON.stringify(counted)}\n`);
  fromMs = counted.toMs;
  cpuBeforeMs = cpuMs;
  visits = 0;
  others = 0;
}

// The threads of the service load this module, too.
if (isMainThread) {
  diagnostics.subscribe('http.server.request.start', count);
  setInterval(write, EVERY_MS).unref();
}
