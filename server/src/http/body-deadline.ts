import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerClientError } from './client-error.ts';

/** A body must be complete within this time. */
export const BODY_TIMEOUT_MS = 15_000;

export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Gives the body of every request a deadline, of refused ones too: nobody may hold a connection with a body that never
 * ends. The answer is written to the socket itself, because a reply sent while the body is still being read would not
 * keep the handler from running afterwards; a closed socket does.
 */
export function startBodyDeadline(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  if (hasBody(request)) {
    const deadline = setTimeout(() => {
      if (response.headersSent) {
        socket.destroySoon();
      } else {
        answerClientError(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
      }
    }, BODY_TIMEOUT_MS).unref();
    deadlines.set(request, deadline);
    const clear = () => clearTimeout(deadline);
    request.once('end', clear);
    // Without this the timer would keep the request of a client that left in memory.
    request.once('close', clear);
  }
}

/** Removes the deadline of a body that may take long. Call it only once the sender is authenticated. */
export function liftBodyDeadline(request: IncomingMessage): void {
  clearTimeout(deadlines.get(request));
}
