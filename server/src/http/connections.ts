import type { IncomingMessage, Server } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import { networkOf } from './access/rate-limit.ts';
import { createWaitingConnections, endWaiting, type WaitingConnections } from './waiting-connections.ts';

/** Connections of one address. Trusted proxies have no such limit, because each connects for many clients. */
const CONNECTIONS_PER_ADDRESS_MAX = 512;
/** Requests of one connection that may wait for their answers. Pipelining clients send far fewer. */
const PENDING_MAX = 64;
/** A client that reads nothing of its answer for this long is disconnected. */
const STALLED_MS = 30_000;
const STALL_CHECK_MS = 5_000;
const WAITING_CHECK_MS = 1_000;
/** Connections that wait for their first request, as a share of all that the server may have. */
const WAITING_SHARE_MAX = 0.25;
/** From this share of all connections on, a new one takes the place of one that waits or is idle. */
const CROWDED_SHARE = 0.9;

const state = Symbol('requests of a connection');

interface CountedSocket extends Socket {
  [state]?: {
    pendingCount: number;
    latest: IncomingMessage;
    latestId: string;
    isLatestAnswered: boolean;
    isTimedOut: boolean;
  };
}

/** Counts a request whose answer has not been written yet. Closes a connection with more than PENDING_MAX. */
export function beginAnswer(request: IncomingMessage, id: string): void {
  const socket: CountedSocket = request.socket;
  const requests = socket[state];
  if (requests === undefined) {
    endWaiting(socket);
    socket[state] = {
      pendingCount: 1,
      latest: request,
      latestId: id,
      isLatestAnswered: false,
      isTimedOut: false,
    };
    return;
  }
  requests.pendingCount += 1;
  requests.latest = request;
  requests.latestId = id;
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

/** Notes that the request whose body did not arrive in time gets its answer now. Returns its id; undefined when no head has arrived. */
export function noteTimeout({ [state]: requests }: CountedSocket): string | undefined {
  if (requests === undefined || requests.latest.complete) {
    return undefined;
  }
  requests.isTimedOut = true;
  return requests.latestId;
}

/** True for a request that was answered because its body did not arrive in time. */
export function isTimedOut(request: IncomingMessage): boolean {
  const { [state]: requests }: CountedSocket = request.socket;
  return requests?.isTimedOut === true && requests.latest === request;
}

/** The bytes sent on a connection so far, and the time at which that number last changed or nothing was left to send. */
interface Progress {
  sentBytes: number;
  sinceMs: number;
  isOfProxy: boolean;
}

export interface ConnectionOptions {
  /** Addresses of proxies whose forwarding headers are believed. */
  trustedProxies: readonly string[];
  /** A client that reads nothing of its answer for this long is disconnected. The default is STALLED_MS. */
  stalledMs?: number | undefined;
}

/**
 * Bounds what one address can hold: its connections, and the memory of answers that it does not read. When the server is close to
 * its limit of connections, it closes unused ones, so that new clients can connect. Those of trusted proxies are never closed.
 */
export function boundConnections(
  server: Server,
  { trustedProxies, stalledMs = STALLED_MS }: ConnectionOptions,
): void {
  const isTrusted = createAddressTest(trustedProxies);
  const counts = new Map<string, number>();
  const open = new Map<Socket, Progress>();
  const waiting = createWaitingConnections();

  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const isOfProxy = isTrusted(socket.remoteAddress ?? '');
    const count = (counts.get(network) ?? 0) + 1;
    if (count > CONNECTIONS_PER_ADDRESS_MAX && !isOfProxy) {
      socket.destroy();
      return;
    }
    counts.set(network, count);
    makeRoom(server.maxConnections, open, waiting);
    open.set(socket, { sentBytes: 0, sinceMs: performance.now(), isOfProxy });
    if (!isOfProxy) {
      waiting.add(socket, network);
    }
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
  // `setImmediate` runs after the event loop has read its sockets: on a busy machine a request may have arrived unread.
  const waitingTimer = setInterval(() => setImmediate(waiting.closeExcess), WAITING_CHECK_MS).unref();
  server.once('close', () => {
    clearInterval(timer);
    clearInterval(waitingTimer);
  });
}

/**
 * Closes a connection when there are many and another one is added: one that has waited too long for its first request, else one
 * that is idle, else the one that has waited longest.
 */
function makeRoom(
  connectionsMax: number,
  open: ReadonlyMap<Socket, Progress>,
  waiting: WaitingConnections,
): void {
  if (waiting.size() >= connectionsMax * WAITING_SHARE_MAX) {
    waiting.closeOldest();
  } else if (open.size >= connectionsMax * CROWDED_SHARE && !waiting.closeOverdue() && !closeIdle(open)) {
    waiting.closeOldest();
  }
}

/** Closes the oldest connection that is idle. Returns whether there was one. */
function closeIdle(open: ReadonlyMap<Socket, Progress>): boolean {
  for (const [socket, { isOfProxy }] of open) {
    if (!isOfProxy && isIdle(socket)) {
      socket.destroy();
      return true;
    }
  }
  return false;
}

/** Returns true if a connection has had requests, and all of them have been answered. */
function isIdle(socket: CountedSocket): boolean {
  return socket[state]?.pendingCount === 0 && socket.writableLength === 0 && !socket.destroyed;
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
