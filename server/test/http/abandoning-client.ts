import { once } from 'node:events';
import { connect } from 'node:net';
import { PATIENCE_MS } from '../support/patience.ts';
import type { HookedStep, StepHook } from './step-hook.ts';

/** Names the client of a request, so that the hook knows which connection to close. */
const CLIENT_HEADER = 'x-abandoning-client';

export interface AbandoningClients {
  /** To be given to the service: closes the client's connection when its request reaches the chosen step. */
  stepHook: StepHook;
  /**
   * Sends requests on one connection and closes it when the last of them reaches the step; the others stay before their
   * handlers until then. Returns whether the step was reached: requests that are refused before it are answered.
   */
  abandon(port: number, step: HookedStep, requests: readonly AbandonedRequest[]): Promise<boolean>;
}

export interface AbandonedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Sends the head alone, which announces the body. */
  isBodyHeldBack?: boolean;
}

interface Visit {
  step: HookedStep;
  leave: () => void;
  hasLeft: Promise<unknown>;
}

export function createAbandoningClients(): AbandoningClients {
  const visits = new Map<string, Visit>();
  let last = 0;
  return {
    async stepHook(step, { raw }) {
      const [name = '', role] = String(raw.headers[CLIENT_HEADER]).split(' ');
      const visit = visits.get(name);
      if (visit === undefined) {
        return;
      }
      if (role === 'leaving' && step === visit.step) {
        // `once` of node:events would fail with the error of the reset, and the request with it.
        const isSeen = new Promise((resolve) => raw.socket.once('close', resolve));
        visit.leave();
        await isSeen;
      } else if (role === 'waiting' && step === 'before handler') {
        await visit.hasLeft;
      }
    },
    async abandon(port, step, requests) {
      last += 1;
      const name = String(last);
      const socket = connect({ port, host: '127.0.0.1', timeout: PATIENCE_MS });
      socket.on('timeout', () => socket.destroy(new Error(`no answer to ${requests.at(-1)?.path}`)));
      let isReached = false;
      const leave = () => {
        isReached = true;
        socket.resetAndDestroy();
      };
      // An answer that is not waited for still has to be read.
      socket.resume();
      const hasLeft = once(socket, 'close');
      visits.set(name, { step, leave, hasLeft });
      const texts = requests.map((request, index) =>
        requestText(request, `${name} ${index === requests.length - 1 ? 'leaving' : 'waiting'}`),
      );
      socket.write(texts.join(''));
      await hasLeft;
      return isReached;
    },
  };
}

function requestText(request: AbandonedRequest, client: string): string {
  const { method, path, body, isBodyHeldBack = false } = request;
  const headers: Record<string, string> = {
    host: 'localhost',
    // Only a request that leaves is the last one of its connection.
    ...(client.endsWith('leaving') && { connection: 'close' }),
    [CLIENT_HEADER]: client,
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    ...request.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${isBodyHeldBack ? '' : (body ?? '')}`;
}
