import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findSparePort } from '../../server/test/support/spare-port.ts';
import { cpuOf, memoryOf, openFilesOf, PROGRAM, stopAtEnd } from './processes.ts';
import { headersOf, type Load, type LoadRequest, UNIQUE_TEXT } from './wrk.ts';

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
  signal: (signal: NodeJS.Signals) => void;
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
  return startProgram({
    command: process.execPath,
    arguments: [
      ...(options.nodeArguments ?? []),
      options.program ?? PROGRAM,
      'serve',
      ...(options.arguments ?? []),
    ],
    env: {
      DATABASE_URL: options.databaseUrl,
      PORT: String(port),
      METRICS_PORT: 'off',
      LOG_LEVEL: 'error',
      ...options.env,
    },
    port,
    readyPath: '/readyz',
    output: 'inherit',
  });
}

/** Starts a server that listens on a loopback port, and waits until the path is answered with a status below 300. */
export async function startProgram(options: {
  command: string;
  arguments: readonly string[];
  env: Record<string, string>;
  port: number;
  readyPath: string;
  /** The descriptor of a log file, or this process's own output. */
  output: number | 'inherit';
}): Promise<RunningServer> {
  const { command, port, readyPath, output } = options;
  const startMs = performance.now();
  const child = spawn(command, options.arguments, {
    env: { ...process.env, ...options.env },
    stdio: ['ignore', output, output],
  });
  // A program that cannot be started has no process; the loop below reports it.
  child.on('error', (error) => console.error(error.message));
  const stop = stopAtEnd(child);
  const address = `http://127.0.0.1:${port}`;
  while (!(await isReady(`${address}${readyPath}`))) {
    const hasEnded = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
    if (hasEnded || performance.now() - startMs > READY_WAIT_MS) {
      throw new Error(`${path.basename(command)} did not become ready`);
    }
    await wait(5);
  }
  return runningServer(child, { address, startMs, stop });
}

/** Starts a bare server that answers like the service just did for one request of each of the load's kinds. */
export async function startBareServer(
  load: Load,
  service: string,
  /** In PEM: the server checks signatures with it before it answers. */
  publicKey?: string,
): Promise<RunningServer> {
  const kinds = load.kinds ?? [0];
  const answers = await Promise.all(
    kinds.map((index) =>
      captureAnswer(load.request(index), { address: service, isRefused: load.isRefused === true }),
    ),
  );
  const startMs = performance.now();
  const child = fork(BARE, { stdio: 'inherit' });
  const stop = stopAtEnd(child);
  child.send({ answers, publicKey });
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
    signal: (signal) => child.kill(signal),
    stop,
  };
}

export interface CapturedAnswer {
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
  for (let attempt = 1; isRefused && isSuccess(answer.status) && attempt < REFUSED_AFTER_MAX; attempt += 1) {
    answer = await askOnce(request, address);
  }
  if (isSuccess(answer.status) === isRefused) {
    throw new Error(`${request.path} was answered with ${answer.status}: ${answer.body}`);
  }
  return answer;
}

/** Some services answer a post with 201. */
function isSuccess(status: number): boolean {
  return status === 200 || status === 201;
}

/** Sends one request of a load and returns the whole answer. */
export async function askOnce(loadRequest: LoadRequest, address: string): Promise<CapturedAnswer> {
  const { path: target, body } = loadRequest;
  const method = body === undefined ? 'GET' : 'POST';
  const asked = request(new URL(target, address), {
    method,
    signal: AbortSignal.timeout(ANSWER_WAIT_MS),
    headers: headersOf(loadRequest),
  });
  asked.end(
    body?.replace(UNIQUE_TEXT, randomBytes(UNIQUE_TEXT.length).toString('hex').slice(UNIQUE_TEXT.length)),
  );
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of response) {
    parts.push(part);
  }
  const text = Buffer.concat(parts).toString();
  const headers = Object.entries(response.headers).filter(([name]) => !OWN_HEADERS.has(name));
  const prefix = target.split('/').slice(0, 3).join('/');
  return { method, prefix, status: response.statusCode ?? 0, headers: headers.flat(), body: text };
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WAIT_MS) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
