import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { HttpRequest } from './request.ts';

/** Everything that requests can hold. Each kind has a limit, so resources that are never released would lock callers out. */
export const RESOURCES = [
  'unfinished_body',
  'session_request',
  'export',
  'live_stream',
  'streamed_answer',
] as const;
export type Resource = (typeof RESOURCES)[number];

/**
 * Ties resources to the requests that hold them. A request ends when its answer has been sent or its connection has closed,
 * whichever is first. Use this instead of a listener for `close`: one that is added after an `await` misses a client that left
 * during it.
 */
export interface Lifetimes {
  /**
   * Counts a resource as held and calls `onRelease` once: when the request ends, when the caller releases it earlier with the
   * returned function, or at once when the request has ended before the call.
   */
  hold(request: HttpRequest, resource: Resource, onRelease: () => void): () => void;
  /**
   * Like `hold`, for a resource that the handler uses: while `request.isAtWork`, a disconnect does not release it, because the
   * handler still runs. It is released when the handler is done, which ends the request.
   */
  holdWork(request: HttpRequest, resource: Resource, onRelease: () => void): () => void;
  /**
   * Destroys a stream when the request ends, at once when it has ended before the call. The stream counts as held until it has
   * closed: one that reads the store closes after its last read.
   */
  holdStream(request: HttpRequest, resource: Resource, stream: Readable): void;
  /** The number of resources of each kind that are held now. */
  held(): Readonly<Record<Resource, number>>;
}

export function createLifetimes(): Lifetimes {
  const held = { unfinished_body: 0, session_request: 0, export: 0, live_stream: 0, streamed_answer: 0 };

  function take(resource: Resource, onRelease: () => void): () => void {
    held[resource] += 1;
    return () => {
      held[resource] -= 1;
      onRelease();
    };
  }

  return {
    hold: (request, resource, onRelease) => atEndOf(request, take(resource, onRelease)),
    holdWork: (request, resource, onRelease) =>
      atEndOf(request, take(resource, onRelease), { isOfWork: true }),
    holdStream(request, resource, stream) {
      if (stream.closed) {
        return;
      }
      held[resource] += 1;
      const forget = atEndOf(request, () => stream.destroy());
      stream.once('close', () => {
        held[resource] -= 1;
        forget();
      });
    },
    held: () => held,
  };
}

/** Ends a request whose answer has been sent. One that holds nothing costs no more than this check. */
export function endRequest(request: HttpRequest): void {
  if (request.isHolding) {
    for (const ending of endingsOf(request.raw.socket)) {
      if (ending.request === request) {
        ending.run();
      }
    }
  }
}

interface Ending {
  request: HttpRequest;
  /** True when it must not run because the connection closed while the handler still runs. */
  isOfWork: boolean;
  run: () => void;
}

const endings = Symbol('endings of the requests of a connection');

interface HoldingSocket extends Socket {
  [endings]?: Set<Ending>;
}

/** Calls `end` once: at the end of the request, at once when that is past, or earlier through the returned function. */
function atEndOf(request: HttpRequest, end: () => void, { isOfWork = false } = {}): () => void {
  const ofConnection = endingsOf(request.raw.socket);
  const ending: Ending = {
    request,
    isOfWork,
    run() {
      if (ofConnection.delete(ending)) {
        end();
      }
    },
  };
  ofConnection.add(ending);
  request.isHolding = true;
  if (hasEnded(request)) {
    ending.run();
  }
  return ending.run;
}

/** The connection counts too: a response that waits behind another one on its connection never emits `close`. */
function hasEnded({ raw, response }: HttpRequest): boolean {
  return raw.socket.destroyed || response.destroyed || response.writableEnded;
}

/** Adds one listener to each connection, however many requests hold something on it. */
function endingsOf(socket: HoldingSocket): Set<Ending> {
  let known = socket[endings];
  if (known === undefined) {
    const created = new Set<Ending>();
    socket[endings] = created;
    socket.once('close', () => {
      for (const ending of created) {
        if (!(ending.isOfWork && ending.request.isAtWork)) {
          ending.run();
        }
      }
    });
    known = created;
  }
  return known;
}
