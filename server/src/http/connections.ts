import type { IncomingMessage, Server } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import { networkOf } from './access/rate-limit.ts';

/** Connections of one address. A trusted proxy has as many as it needs, because it speaks for many. */
const CONNECTIONS_PER_ADDRESS_MAX = 512;
/** Requests of one connection that may wait for their answers. Clients that pipeline send far fewer. */
const PENDING_MAX = 64;
/** A client that takes nothing of its answer for this long is disconnected. */
const STALLED_MS = 30_000;
const STALL_CHECK_MS = 5_000;

const state = Symbol('requests of a connection');

interface CountedSocket extends Socket {
  [state]?: { pendingCount: number; latest: IncomingMessage; isLatestAnswered: boolean };
}

/** Counts a request whose answer has not been written yet. Too many on one connection end it. */
export function beginAnswer(request: IncomingMessage): void {
  const socket: CountedSocket = request.socket;
  const requests = socket[state];
  if (requests === undefined) {
    socket[state] = { pendingCount: 1, latest: request, isLatestAnswered: false };
    return;
  }
  requests.pendingCount += 1;
  requests.latest = request;
  requests.isLatestAnswered = false;
  if (requests.pendingCount > PENDING_MAX) {
    socket.destroy();
  }
}

export function endAnswer(request: IncomingMessage): void {
  const { [state]: requests }: CountedSocket = request.socket;
  if (requests !== undefined) {
    requests.pendingCount -= 1;
    requests.isLatestAnswered ||= requests.latest === request;
  }
}

/**
 * Returns true if bytes that cannot be read may be answered: the client expects no other answer on the connection, and the request
 * that they belong to has none yet.
 */
export function mayAnswerFault(socket: CountedSocket): boolean {
  const requests = socket[state];
  if (requests === undefined) {
    return true;
  }
  const { pendingCount, latest, isLatestAnswered } = requests;
  return latest.complete ? pendingCount === 0 : pendingCount === 1 && !isLatestAnswered;
}

/** What was sent on a connection so far, and since when nothing more was. */
interface Progress {
  sentBytes: number;
  sinceMs: number;
}

export interface ConnectionOptions {
  /** Addresses of proxies whose forwarding headers are believed. */
  trustedProxies: readonly string[];
  /** How long a client may take nothing of its answer, when not the usual time. */
  stalledMs?: number | undefined;
}

/** Bounds what one address can hold: its connections, and the memory of answers that it does not read. */
export function boundConnections(
  server: Server,
  { trustedProxies, stalledMs = STALLED_MS }: ConnectionOptions,
): void {
  const isTrusted = createAddressTest(trustedProxies);
  const counts = new Map<string, number>();
  const open = new Map<Socket, Progress>();

  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = (counts.get(network) ?? 0) + 1;
    if (count > CONNECTIONS_PER_ADDRESS_MAX && !isTrusted(socket.remoteAddress ?? '')) {
      socket.destroy();
      return;
    }
    counts.set(network, count);
    open.set(socket, { sentBytes: 0, sinceMs: performance.now() });
    socket.once('close', () => {
      open.delete(socket);
      const left = (counts.get(network) ?? 1) - 1;
      if (left > 0) {
        counts.set(network, left);
      } else {
        counts.delete(network);
      }
    });
  });

  const timer = setInterval(
    () => {
      const nowMs = performance.now();
      for (const [socket, progress] of open) {
        const sentBytes = socket.bytesWritten - socket.writableLength;
        if (socket.writableLength === 0 || sentBytes !== progress.sentBytes) {
          progress.sentBytes = sentBytes;
          progress.sinceMs = nowMs;
        } else if (nowMs - progress.sinceMs >= stalledMs) {
          socket.destroy();
        }
      }
    },
    Math.min(STALL_CHECK_MS, stalledMs),
  ).unref();
  server.once('close', () => clearInterval(timer));
}

function createAddressTest(addresses: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of addresses) {
    const [address = '', bits] = entry.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) {
      list.addAddress(address, family);
    } else {
      list.addSubnet(address, Number(bits), family);
    }
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
