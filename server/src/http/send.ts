import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, type Body, JSON_TYPE, toBody } from './answer.ts';
import { endAnswer } from './connections.ts';
import type { Metrics } from './metrics.ts';
import { createRequestLog } from './request-log.ts';

export interface SendParts {
  metrics: Metrics;
  logger: FastifyBaseLogger;
  /** Whether connections should end with their next answer, because the service is about to stop. */
  isStopping: () => boolean;
}

export interface SendOptions {
  /** The name under which metrics and logs know the route. */
  path: string;
  /** The method of most requests, whose counter is found once instead of with each request. */
  method?: string;
  /** What the log calls the caller. */
  nameOf: (who: unknown) => string | undefined;
  /** Called when a stream fails. */
  onStreamError: (request: FastifyRequest, reply: FastifyReply, error: Error) => void;
}

export type Send = (request: FastifyRequest, reply: FastifyReply, answer: Answer) => void;

/** Sends the answers of one route on Node's own response, then counts and logs them. */
export function createSend(options: SendOptions, { metrics, logger, isStopping }: SendParts): Send {
  const { path, method, nameOf, onStreamError } = options;
  const recordUsual = metrics.recorderOf(path, method ?? 'GET');
  const log = createRequestLog(logger);

  function finish(request: FastifyRequest, status: number): void {
    endAnswer(request.raw);
    const { startMs, who } = request.state;
    const ms = performance.now() - startMs;
    if (request.method === method) {
      recordUsual(status, ms);
    } else {
      metrics.recordRequest(path, request.method, status, ms);
    }
    log?.({ reqId: request.id, route: path, method: request.method, status, ms, key: nameOf(who) });
  }

  return (request, reply, { status = 200, body, contentType = JSON_TYPE, headers: more = [] }) => {
    const { headers } = request.state;
    if (isStopping()) {
      headers.push('connection', 'close');
    }
    if (body instanceof Readable) {
      // A copy, because the answer to a stream that fails at once has another content type.
      const head = { status, headers: [...headers, ...more, 'content-type', contentType] };
      sendStream(reply.raw, body, head, {
        onStart: () => reply.raw.once('close', () => finish(request, status)),
        onError: (error) => onStreamError(request, reply, error),
      });
      return;
    }
    const { content, length }: Body = 'json' in body ? toBody(serialize(reply, body.json)) : body;
    headers.push(...more);
    if (length > 0) {
      headers.push('content-type', contentType);
    }
    headers.push('content-length', String(length));
    reply.raw.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : content);
    finish(request, status);
  };
}

/** Writes an object as the route's schema for a 200 says. */
function serialize(reply: FastifyReply, json: object): string {
  // The schema is the one of objects, whose serializer gives text.
  return reply.serialize(json) as string;
}

/** The head goes out with the first piece, so that a stream that fails before it can still be answered with an error. */
function sendStream(
  response: ServerResponse,
  stream: Readable,
  { status, headers }: { status: number; headers: string[] },
  { onStart, onError }: { onStart: () => void; onError: (error: Error) => void },
): void {
  stream.once('error', onError);
  stream.once('readable', () => {
    onStart();
    response.writeHead(status, headers);
    stream.pipe(response);
  });
  response.once('close', () => stream.destroy());
}
