import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findSparePort } from '../../server/test/support/spare-port.ts';
import { cpuOf, memoryOf, openFilesOf, PROGRAM, stopAtEnd } from './processes.ts';
import type { Load, LoadRequest } from './wrk.ts';

const BARE = fileURLToPath(new URL('./bare-server.ts', import.meta.url));
const READY_WAIT_MS = 120_000;
const ANSWER_WAIT_MS = 10_000;
const REFUSED_AFTER_MAX = 50;
// Made by every server on its own, so that sending a copy would send them twice.
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

export interface RunningServer {
  address: string;
  readyMs: number;
  /** Resident memory of its processes, now and at its highest so far. Linux only. */
  memory: () => { nowBytes: number; peakBytes: number };
  /** File descriptors of its processes. Linux only. */
  openFiles: () => number;
  /** Processor time of all its processes and their threads so far. Linux only. */
  cpuMs: () => number;
  stop: () => Promise<void>;
}

/** Starts the service as an operator would, and waits until it is ready. */
export async function startService(options: {
  databaseUrl: string;
  /** The program of another checkout, when it is not this one's. */
  program?: string;
  env?: Record<string, string>;
  arguments?: string[];
  nodeArguments?: string[];
}): Promise<RunningServer> {
  const port = await findSparePort();
  const startMs = performance.now();
  const child = spawn(
    process.execPath,
    [...(options.nodeArguments ?? []), options.program ?? PROGRAM, 'serve', ...(options.arguments ?? [])],
    {
      env: {
        ...process.env,
        DATABASE_URL: options.databaseUrl,
        PORT: String(port),
        LOG_LEVEL: 'error',
        ...options.env,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const stop = stopAtEnd(child);
  const address = `http://127.0.0.1:${port}`;
  while (!(await isReady(address))) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (hasEnded || performance.now() - startMs > READY_WAIT_MS) {
      throw new Error('the service did not become ready');
    }
    await wait(5);
  }
  return runningServer(child, { address, startMs, stop });
}

/** Starts a bare server that answers like the service just did for one request of each of the load's kinds. */
export async function startBareServer(load: Load, service: string): Promise<RunningServer> {
  const kinds = load.kinds ?? [0];
  const answers = await Promise.all(
    kinds.map((index) =>
      captureAnswer(load.request(index), { address: service, isRefused: load.isRefused === true }),
    ),
  );
  const startMs = performance.now();
  const child = fork(BARE, { stdio: 'inherit' });
  const stop = stopAtEnd(child);
  child.send(answers);
  const [{ port }] = (await once(child, 'message', { signal: AbortSignal.timeout(ANSWER_WAIT_MS) })) as [
    AddressInfo,
  ];
  return runningServer(child, { address: `http://127.0.0.1:${port}`, startMs, stop });
}

function runningServer(
  child: ChildProcess,
  { address, startMs, stop }: { address: string; startMs: number; stop: () => Promise<void> },
): RunningServer {
  return {
    address,
    readyMs: performance.now() - startMs,
    memory: () => memoryOf(child),
    openFiles: () => openFilesOf(child),
    cpuMs: () => cpuOf(child),
    stop,
  };
}

interface CapturedAnswer {
  method: string;
  prefix: string;
  status: number;
  headers: (string | string[] | undefined)[];
  body: string;
}

/** A limit is reached only after some requests, so a refusal is asked for a few times. */
async function captureAnswer(
  request: LoadRequest,
  { address, isRefused }: { address: string; isRefused: boolean },
): Promise<CapturedAnswer> {
  let answer = await askOnce(request, address);
  for (let attempt = 1; isRefused && answer.status === 200 && attempt < REFUSED_AFTER_MAX; attempt += 1) {
    answer = await askOnce(request, address);
  }
  if ((answer.status === 200) === isRefused) {
    throw new Error(`${request.path} was answered with ${answer.status}: ${answer.body}`);
  }
  return answer;
}

async function askOnce({ path, key, body }: LoadRequest, address: string): Promise<CapturedAnswer> {
  const method = body === undefined ? 'GET' : 'POST';
  const asked = request(new URL(path, address), {
    method,
    signal: AbortSignal.timeout(ANSWER_WAIT_MS),
    headers: {
      ...(key !== undefined && { 'x-api-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
  });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of response) {
    parts.push(part);
  }
  const text = Buffer.concat(parts).toString();
  const headers = Object.entries(response.headers).filter(([name]) => !OWN_HEADERS.has(name));
  const prefix = path.split('/').slice(0, 3).join('/');
  return { method, prefix, status: response.statusCode ?? 0, headers: headers.flat(), body: text };
}

async function isReady(address: string): Promise<boolean> {
  try {
    const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(ANSWER_WAIT_MS) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
