import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { DomainError } from '../domain/errors.ts';
import type { Answer } from './answer.ts';
import { hasBody, startBodyDeadline } from './body-deadline.ts';
import { beginAnswer } from './connections.ts';
import type { Handler, Route } from './endpoint.ts';
import { answerRefusal } from './errors.ts';
import { createInputs } from './input.ts';
import { createSend, type SendParts } from './send.ts';

/** Who may call an endpoint. `Who` is what its handler gets to know about the caller. */
export interface Access<Who> {
  /** Identifies the caller from the head of a request, so that most are refused before their body is read. */
  identify(request: FastifyRequest): Who | Promise<Who>;
  /**
   * Called once the request is complete, before it is read: counts it against limits and, when a body was waited for,
   * makes sure that the caller still has access. It may add headers to the answer.
   */
  admit?(call: AccessCall<Who>): void | Promise<void>;
  /** What the log calls the caller. */
  nameOf?(who: Who): string | undefined;
  /** Answers a failure where a browser shows it to a person; elsewhere failures are JSON. */
  answerFailure?(thrown: unknown, request: FastifyRequest): Answer;
}

export interface AccessCall<Who> {
  who: Who;
  request: FastifyRequest;
  /** The headers of the answer, names and values in turn. */
  headers: string[];
  hasWaitedForBody: boolean;
}

/** What the pipeline keeps of a request under way, as `state` of Fastify's request. */
export interface RequestState {
  startMs: number;
  /** The headers of the answer so far, names and values in turn. */
  headers: string[];
  /** Set by the route's own access check. */
  who: unknown;
  /** Answers a request whose body Fastify could not read. */
  refuseBody(request: FastifyRequest, reply: FastifyReply, thrown: unknown): void;
}

export interface PipelineParts extends SendParts {
  isOverloaded: () => boolean;
  /** Whether some requests may take hours, so that the server's own time limit is not the one for bodies. */
  hasLongRequests: boolean;
}

export type AddEndpoint = <Who, Params extends TObject, Query extends TObject, Content extends TSchema>(
  app: FastifyInstance,
  route: Route<Params, Query, Content>,
  access: Access<Who>,
  handler: Handler<Who, Params, Query, Content>,
) => void;

/** What a key or a session was needed for must not be kept by anybody on the way. */
export const HEADERS_BY_ACCESS: Record<Route['access'], readonly string[]> = {
  key: ['cache-control', 'no-store'],
  bot: ['cache-control', 'no-store'],
  session: ['cache-control', 'no-store', 'x-content-type-options', 'nosniff'],
  public: [],
};

/**
 * Every request of every endpoint takes these steps: route, access check, input validation, handler, answer. Each step
 * runs in the same turn of the event loop as the one before unless it has to wait, because a promise costs more than
 * most of these steps do. Fastify finds the route and reads the body; everything else happens here.
 */
export function createPipeline(parts: PipelineParts): AddEndpoint {
  const readerOf = createInputs();
  return (app, route, access, handler) => {
    const read = readerOf(route);
    const fixedHeaders = route.fixedHeaders ?? HEADERS_BY_ACCESS[route.access];
    // What `identify` gave is what the other methods of the same access and the handler take.
    type Who = Parameters<typeof handler>[0]['who'];
    const send = createSend(
      {
        ...route,
        nameOf: (who) => (who === undefined ? undefined : access.nameOf?.(who as Who)),
        onStreamError: fail,
      },
      parts,
    );

    function fail(request: FastifyRequest, reply: FastifyReply, thrown: unknown): void {
      if (reply.raw.headersSent) {
        parts.logger.error({ reqId: request.id, err: thrown }, 'the answer could not be completed');
        reply.raw.destroy();
        return;
      }
      const about = { log: parts.logger, requestId: request.id };
      const answer =
        access.answerFailure?.(thrown, request) ?? answerRefusal(thrown, route.errorShape, about);
      send(request, reply, answer);
    }

    /** Continues when a promise is fulfilled; its failure, and that of what comes next, is the request's. */
    function continueLater<Result>(
      request: FastifyRequest,
      reply: FastifyReply,
      result: Promise<Result>,
      next: (request: FastifyRequest, reply: FastifyReply, result: Result) => void,
    ): void {
      result.then((value) => next(request, reply, value)).catch((error) => fail(request, reply, error));
    }

    function identify(request: FastifyRequest): Who | Promise<Who> {
      requireHost(request);
      requireCapacity(route, parts);
      return access.identify(request);
    }

    function admit(request: FastifyRequest): void | Promise<void> {
      const { who, headers } = request.state;
      const hasWaitedForBody = request.raw.method !== 'GET' && hasBody(request.raw);
      return access.admit?.({ who: who as Who, request, headers, hasWaitedForBody });
    }

    function refuseBody(request: FastifyRequest, reply: FastifyReply, thrown: unknown): void {
      if (reply.hasHeader('connection')) {
        // Fastify stopped reading: the rest of the body may still come, and must not be taken for another request.
        request.state.headers.push('connection', 'close');
      }
      let admitted: void | Promise<void>;
      try {
        admitted = admit(request);
      } catch (error) {
        fail(request, reply, error);
        return;
      }
      if (admitted instanceof Promise) {
        continueLater(request, reply, admitted, () => fail(request, reply, thrown));
      } else {
        fail(request, reply, thrown);
      }
    }

    /** Reads what was asked and answers it, once the request is admitted. */
    function answer(request: FastifyRequest, reply: FastifyReply): void {
      const { params, query, body } = read(request);
      const result = handler({ who: request.state.who as Who, params, query, body, request });
      if (result instanceof Promise) {
        continueLater(request, reply, result, send);
      } else {
        send(request, reply, result);
      }
    }

    for (const url of urlsOf(route)) {
      app.route({
        method: route.method,
        url,
        config: { errorShape: route.errorShape },
        ...(route.reply && route.isStreamed !== true && { schema: { response: { 200: route.reply } } }),
        ...(route.bodyBytesMax !== undefined && { bodyLimit: route.bodyBytesMax }),
        onRequest(request, reply, done) {
          const headers = ['x-request-id', request.id, ...fixedHeaders];
          request.state = { startMs: performance.now(), headers, who: undefined, refuseBody };
          beginAnswer(request.raw);
          if (parts.hasLongRequests) {
            startBodyDeadline(request.raw, reply.raw);
          }
          let who: Who | Promise<Who>;
          try {
            who = identify(request);
          } catch (error) {
            fail(request, reply, error);
            return;
          }
          if (who instanceof Promise) {
            continueLater(request, reply, who, (_request, _reply, known) => {
              request.state.who = known;
              done();
            });
          } else {
            request.state.who = who;
            done();
          }
        },
        handler(request, reply) {
          try {
            const admitted = admit(request);
            if (admitted instanceof Promise) {
              continueLater(request, reply, admitted, answer);
            } else {
              answer(request, reply);
            }
          } catch (error) {
            fail(request, reply, error);
          }
        },
      });
    }
  };
}

export function requireHost({ raw }: FastifyRequest): void {
  if (raw.headers.host === undefined && raw.httpVersion === '1.1') {
    throw new DomainError('invalid_input', { detail: 'the host header is missing' });
  }
}

function requireCapacity({ isAlwaysServed }: Pick<Route, 'isAlwaysServed'>, parts: PipelineParts): void {
  if (isAlwaysServed !== true && parts.isOverloaded()) {
    throw new DomainError('overloaded', { retryAfterSeconds: 2 });
  }
}

/** Paths that leave the parameter out lead to the same place, so that they are answered in the endpoint's own shape. */
function urlsOf({ path, access }: Pick<Route, 'path' | 'access'>): string[] {
  const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
  const isOfInterface = access === 'key' || access === 'public';
  return isOfInterface && url !== path
    ? [url, path.replace(/\/\{\w+\}/, ''), path.replace(/\{\w+\}/, '')]
    : [url];
}
