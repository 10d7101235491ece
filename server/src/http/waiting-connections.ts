import type { Socket } from 'node:net';

/** Connections of one address that have waited for their first request for longer than EXCESS_GRACE_MS. */
const WAITING_PER_ADDRESS_MAX = 64;
/** Every client sends its first request at once, but on a busy machine the server may read it late. */
const GRACE_MS = 1_000;
/** While there is room for more connections, clients on busy machines have longer. */
const EXCESS_GRACE_MS = 5_000;

const waitingRoom = Symbol('connections without a request');

interface WaitingSocket extends Socket {
  [waitingRoom]?: Map<Socket, Waiting>;
}

interface Waiting {
  network: string;
  sinceMs: number;
}

/** The connections on which no request head has been complete yet. They cost a client nothing, so they are the first to be closed. */
export interface WaitingConnections {
  /** Adds a connection until its first request begins or it closes. */
  add(socket: Socket, network: string): void;
  size(): number;
  /** Closes the connection that has waited longest, or none when its client may still be about to send. Returns whether it did. */
  closeOverdue(): boolean;
  /** Closes the connection that has waited longest, however short that is. */
  closeOldest(): void;
  /** Closes the oldest connections of addresses that have too many. */
  closeExcess(): void;
}

/** Called with the first request of a connection. */
export function endWaiting(socket: WaitingSocket): void {
  socket[waitingRoom]?.delete(socket);
}

export function createWaitingConnections(): WaitingConnections {
  // In the order of their arrival.
  const waiting = new Map<Socket, Waiting>();

  function close(socket: Socket): void {
    waiting.delete(socket);
    socket.destroy();
  }

  return {
    add(socket: WaitingSocket, network) {
      waiting.set(socket, { network, sinceMs: performance.now() });
      socket[waitingRoom] = waiting;
      socket.once('close', () => waiting.delete(socket));
    },
    size: () => waiting.size,
    closeOverdue() {
      const [oldest] = waiting;
      const isOverdue = oldest !== undefined && oldest[1].sinceMs <= performance.now() - GRACE_MS;
      if (isOverdue) {
        close(oldest[0]);
      }
      return isOverdue;
    },
    closeOldest() {
      const [oldest] = waiting.keys();
      if (oldest !== undefined) {
        close(oldest);
      }
    },
    closeExcess() {
      const counts = new Map<string, number>();
      const latestMs = performance.now() - EXCESS_GRACE_MS;
      for (const [socket, { network, sinceMs }] of [...waiting].reverse()) {
        const count = (counts.get(network) ?? 0) + (sinceMs <= latestMs ? 1 : 0);
        counts.set(network, count);
        if (count > WAITING_PER_ADDRESS_MAX) {
          close(socket);
        }
      }
    },
  };
}
