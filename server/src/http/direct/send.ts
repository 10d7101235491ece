import type { ServerResponse } from 'node:http';
import type { Principal } from '../../domain/model.ts';
import { type Body, JSON_TYPE, toBody } from '../answer-text.ts';
import type { Endpoint } from '../endpoint.ts';
import { refuse } from '../error-reply.ts';
import { createRequestLog } from '../request-log.ts';
import type { DirectParts } from './parts.ts';

export interface Outgoing {
  startMs: number;
  status: number;
  body: Body;
  /** Names and values in turn. What every answer has is added. */
  headers: string[];
  principal: Principal | undefined;
  requestId?: string;
}

export type Send = (response: ServerResponse, outgoing: Outgoing) => void;

/** Sends the answers of one endpoint, and counts them. */
export function createSend(
  { path, method }: Pick<Endpoint, 'path' | 'method'>,
  { metrics, logger, nextRequestId, isStopping }: DirectParts,
): Send {
  const record = metrics.recorderOf(path, method);
  const log = createRequestLog(logger);
  return (response, { startMs, status, body, headers, principal, requestId = nextRequestId() }) => {
    headers.push('x-request-id', requestId, 'content-type', JSON_TYPE, 'content-length', String(body.length));
    if (isStopping()) {
      headers.push('connection', 'close');
    }
    response.writeHead(status, headers).end(body.content);
    const ms = performance.now() - startMs;
    record(status, ms);
    log?.({ reqId: requestId, route: path, method, status, ms, key: principal?.keyId });
  };
}

/** Sends the failure of a request that has had an effect already, so that the long way is closed to it. */
export function sendRefusal(
  send: Send,
  response: ServerResponse,
  outgoing: Pick<Outgoing, 'startMs' | 'headers' | 'principal'> & { thrown: unknown },
  { logger, nextRequestId }: DirectParts,
): void {
  const { thrown, headers, ...rest } = outgoing;
  const requestId = nextRequestId();
  const { status, body, retryAfterSeconds } = refuse(thrown, 'enveloped', { log: logger, requestId });
  const retry = retryAfterSeconds === undefined ? [] : ['retry-after', String(retryAfterSeconds)];
  send(response, { ...rest, status, body: toBody(body), headers: [...headers, ...retry], requestId });
}
