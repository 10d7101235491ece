import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { headersOf, type Load } from './wrk.ts';

const CONNECTIONS = 128;
const TICK_MS = 1;
/** Answers that are not there so long after the last request was due are not waited for. */
const LATE_MS = 30_000;
const HEAD_END = Buffer.from('\r\n\r\n');
/** All connections read into this one: what they read is taken before the next one reads. */
const READ_BUFFER = Buffer.allocUnsafeSlow(64 * 1024);

export interface Latencies {
  p50Ms: number;
  p99Ms: number;
  /** Of reads alone: posts wait for the disk besides. */
  readP99Ms: number;
  requests: number;
  /** Posts that were answered with 200. */
  posts: number;
  failures: number;
  /** The failures by the status of their answers. */
  statuses: ReadonlyMap<string, number>;
}

interface Connection {
  socket: Socket;
  /** When the request under way was due. */
  dueMs: number;
  isRead: boolean;
  received: Buffer | undefined;
}

interface PreparedRequest {
  bytes: Buffer;
  isRead: boolean;
}

/**
 * Sends requests at a steady rate, whether or not answers come, and counts each wait from the moment the request was due: a
 * service that stalls cannot hide it by slowing the sender down. It speaks HTTP by hand, since Node's own client costs more
 * than what is measured, and makes little garbage: while the sender collects it, nothing is sent, and that counts as a wait.
 */
export async function runSteadyLoad(
  load: Load,
  address: string,
  {
    perSecond,
    seconds,
    connections: connectionCount = CONNECTIONS,
  }: { perSecond: number; seconds: number; connections?: number },
): Promise<Latencies> {
  const { hostname, port } = new URL(address);
  const total = Math.round(perSecond * seconds);
  const requests = Array.from({ length: load.count }, (_unused, index) =>
    prepareRequest(load, index, hostname),
  );
  const waits = new Float64Array(total);
  const readWaits = new Float64Array(total);
  const waiting: number[] = [];
  const done = Promise.withResolvers<void>();
  const statuses = new Map<string, number>();
  let answered = 0;
  let readsAnswered = 0;
  let failures = 0;
  let posts = 0;
  let sent = 0;
  let isOver = false;

  function finish(connection: Connection, status: string): void {
    const isGood = status === '200';
    const waitMs = performance.now() - connection.dueMs;
    waits[answered] = waitMs;
    answered += 1;
    if (connection.isRead) {
      readWaits[readsAnswered] = waitMs;
      readsAnswered += 1;
    } else {
      posts += isGood ? 1 : 0;
    }
    if (!isGood) {
      failures += 1;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    if (answered === total) {
      done.resolve();
    }
    const next = waiting.shift();
    if (next === undefined) {
      idle.push(connection);
    } else {
      send(connection, next);
    }
  }

  function send(connection: Connection, dueMs: number): void {
    const request = requests[sent % requests.length];
    if (request === undefined) {
      done.reject(new Error('the load has no requests'));
      return;
    }
    connection.dueMs = dueMs;
    connection.isRead = request.isRead;
    connection.socket.write(request.bytes);
    sent += 1;
  }

  const idle = await Promise.all(
    Array.from({ length: connectionCount }, () =>
      open({
        hostname,
        port: Number(port),
        finish,
        fail: (error) => (isOver ? undefined : done.reject(error)),
      }),
    ),
  );
  const connections = [...idle];
  const startMs = performance.now();
  let due = 0;
  const timer = setInterval(() => {
    const dueNow = Math.min(total, Math.floor(((performance.now() - startMs) * perSecond) / 1_000));
    for (; due < dueNow; due += 1) {
      const dueMs = startMs + (due * 1_000) / perSecond;
      // In turn: the service closes a connection that sends nothing for ten seconds.
      const connection = idle.shift();
      if (connection === undefined) {
        waiting.push(dueMs);
      } else {
        send(connection, dueMs);
      }
    }
  }, TICK_MS);
  const late = setTimeout(
    () => done.reject(new Error(`${total - answered} of ${total} requests were not answered`)),
    seconds * 1_000 + LATE_MS,
  );
  await done.promise.finally(() => {
    isOver = true;
    clearInterval(timer);
    clearTimeout(late);
    for (const { socket } of connections) {
      socket.destroy();
    }
  });
  return {
    p50Ms: quantile(waits, 0.5),
    p99Ms: quantile(waits, 0.99),
    readP99Ms: quantile(readWaits.subarray(0, readsAnswered), 0.99),
    requests: total,
    posts,
    failures,
    statuses,
  };
}

function quantile(waits: Float64Array, share: number): number {
  const sorted = waits.toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

async function open(options: {
  hostname: string;
  port: number;
  finish: (connection: Connection, status: string) => void;
  fail: (error: Error) => void;
}): Promise<Connection> {
  const socket = connect({
    host: options.hostname,
    port: options.port,
    noDelay: true,
    onread: {
      buffer: READ_BUFFER,
      callback(length) {
        receive(READ_BUFFER.subarray(0, length));
        return true;
      },
    },
  });
  const connection: Connection = { socket, dueMs: 0, isRead: false, received: undefined };

  /** A part of an answer is copied, since its buffer is used again. */
  function receive(part: Buffer): void {
    const received = connection.received === undefined ? part : Buffer.concat([connection.received, part]);
    if (received.length >= answerLength(received)) {
      connection.received = undefined;
      options.finish(connection, received.toString('latin1', 9, 12));
    } else {
      connection.received = Buffer.from(received);
    }
  }

  await once(socket, 'connect');
  socket.on('error', options.fail);
  socket.on('close', () => options.fail(new Error('the service closed a connection')));
  return connection;
}

/** How many bytes the answer that begins here has; more than there are, while that is not known. */
function answerLength(received: Buffer): number {
  const end = received.indexOf(HEAD_END);
  if (end < 0) {
    return Number.POSITIVE_INFINITY;
  }
  const [, length = '0'] = /content-length: (\d+)/i.exec(received.toString('latin1', 0, end)) ?? [];
  return end + HEAD_END.length + Number(length);
}

function prepareRequest(load: Load, index: number, host: string): PreparedRequest {
  const request = load.request(index);
  const { path, body } = request;
  const lines = [
    `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    `host: ${host}`,
    ...Object.entries(headersOf(request)).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
  ];
  const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
  return { bytes, isRead: body === undefined };
}
