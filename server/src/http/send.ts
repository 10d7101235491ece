import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import fastJsonStringify from 'fast-json-stringify';
import type { BaseLogger } from 'pino';
import type { TSchema } from 'typebox';
import { type Answer, type Body, JSON_TYPE, toBody } from './answer.ts';
import { compressForClient, isCompressed } from './compress.ts';
import { endAnswer } from './connections.ts';
import type { Route } from './endpoint.ts';
import { endRequest, type Lifetimes } from './lifetimes.ts';
import type { Metrics } from './metrics.ts';
import type { HttpRequest } from './request.ts';
import { createRequestLog } from './request-log.ts';

export interface SendParts {
  metrics: Metrics;
  logger: BaseLogger;
  lifetimes: Lifetimes;
  /** True while the service is about to stop: connections then end with their next answer. */
  isStopping: () => boolean;
}

export interface SendOptions {
  /** The name under which metrics and logs know the route. */
  path: string;
  /** The method of most requests, whose counter is found once instead of with each request. */
  method?: Route['method'];
  /** Who may call the route. */
  access?: Route['access'];
  /** The schema by which objects are serialized. */
  reply?: TSchema | undefined;
  /** The caller's name in the log. */
  nameOf: (who: unknown) => string | undefined;
  /** Called for each answer to an identified caller. */
  onAnswer?: ((request: HttpRequest, status: number) => void) | undefined;
  /** Called when a stream fails. */
  onStreamError: (request: HttpRequest, error: Error) => void;
}

export type Send = (request: HttpRequest, answer: Answer) => void;

/** Sends the answers of one route on Node's own response, then counts and logs them. */
export function createSend(
  options: SendOptions,
  { metrics, logger, lifetimes, isStopping }: SendParts,
): Send {
  const { path, method, nameOf, onAnswer, onStreamError } = options;
  const recordUsual = metrics.recorderOf(path, method ?? 'GET');
  const log = createRequestLog(logger);
  const serialize = createSerializer(options.reply);
  const isRouteCompressed = isCompressed(options);

  function end(request: HttpRequest): void {
    endAnswer(request.raw);
    endRequest(request);
  }

  function finish(request: HttpRequest, status: number): void {
    end(request);
    note(request, status);
  }

  function note(request: HttpRequest, status: number): void {
    const { id, raw, startMs, who } = request;
    if (who !== undefined) {
      onAnswer?.(request, status);
    }
    const ms = performance.now() - startMs;
    if (raw.method === method) {
      recordUsual(status, ms);
    } else {
      metrics.recordRequest(path, raw.method ?? '', status, ms);
    }
    log?.({ reqId: id, route: path, method: raw.method ?? '', status, ms, key: nameOf(who) });
  }

  return (
    request,
    { status = 200, body, contentType = JSON_TYPE, headers: more = [], isEndless = false },
  ) => {
    const { response, answerHeaders: headers } = request;
    if (isStopping()) {
      headers.push('connection', 'close');
    }
    if (body instanceof Readable && request.raw.method === 'HEAD') {
      // There is nothing to send, and an endless stream would never end.
      body.destroy();
      response.writeHead(status, [...headers, ...more, 'content-type', contentType]).end();
      finish(request, status);
      return;
    }
    if (body instanceof Readable) {
      request.releaseWork?.();
      // A copy, because the answer to a stream that fails at once has another content type.
      const head = { status, headers: [...headers, ...more, 'content-type', contentType] };
      lifetimes.holdStream(request, 'streamed_answer', body);
      sendStream(response, body, head, {
        onStart() {
          if (isEndless) {
            note(request, status);
          }
          response.once('close', () => (isEndless ? end(request) : finish(request, status)));
        },
        onError: (error) => onStreamError(request, error),
      });
      return;
    }
    const whole: Body = 'json' in body ? toBody(serialize(body.json)) : body;
    headers.push(...more);
    const {
      content,
      length,
      encoding = 'utf8',
    } = isRouteCompressed && contentType === JSON_TYPE ? compressInto(headers, request, whole) : whole;
    if (length > 0) {
      headers.push('content-type', contentType);
    }
    headers.push('content-length', String(length));
    response.writeHead(status, headers).end(request.raw.method === 'HEAD' ? undefined : content, encoding);
    finish(request, status);
  };
}

function compressInto(headers: string[], request: HttpRequest, whole: Body): Body {
  const { body, headers: more } = compressForClient(request, whole);
  headers.push(...more);
  return body;
}

/** Serializes objects by a schema and drops fields that it does not name. Compiled at the first use. */
function createSerializer(schema: TSchema | undefined): (json: object) => string {
  let write: ((json: object) => string) | undefined;
  return (json) => {
    // Every wire schema is plain JSON schema; the library's own type of one is narrower than it has to be.
    write ??= fastJsonStringify((schema ?? {}) as Parameters<typeof fastJsonStringify>[0]);
    return write(json);
  };
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
}
