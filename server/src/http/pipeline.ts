import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TObject, TSchema } from 'typebox';
import { DomainError } from '../domain/errors.ts';
import type { Answer } from './answer.ts';
import { BODY_BYTES_MAX, collectBody, JSON_MEDIA_TYPE } from './body.ts';
import { hasBody, startBodyDeadline } from './body-deadline.ts';
import { beginAnswer } from './connections.ts';
import type { Handler, Route } from './endpoint.ts';
import { answerRefusal, toDomainError } from './errors.ts';
import { createInput } from './input.ts';
import { type HttpRequest, requireClearHead } from './request.ts';
import { createRequestIds } from './request-id.ts';
import { createRouter, type RouteTarget } from './router.ts';
import { createSend, type SendParts } from './send.ts';
import { createUnknownRoute } from './unknown-route.ts';

/** Who may call an endpoint. `Who` is the type of the caller that the handler gets. */
export interface Access<Who> {
  /** Identifies the caller from the head of a request, so that most are refused before their body is read. */
  identify(request: HttpRequest): Who | Promise<Who>;
  /**
   * Called once the request is complete, before its input is validated: counts it against limits and, when a body was
   * waited for, makes sure that the caller still has access. It may add headers to the answer.
   */
  admit?(call: AccessCall<Who>): void | Promise<void>;
  /** The caller's name in the log. */
  nameOf?(who: Who): string | undefined;
  /** Called once for each answer to an identified caller, with its status. */
  onAnswer?(who: Who, request: HttpRequest, status: number): void;
  /** Answers failures of a route that people open in their browser. Other routes answer failures as JSON. */
  answerFailure?(thrown: unknown, request: HttpRequest): Answer;
}

export interface AccessCall<Who> {
  who: Who;
  request: HttpRequest;
  hasWaitedForBody: boolean;
}

export interface PipelineParts extends SendParts {
  isOverloaded: () => boolean;
  /** True when some requests may take hours. The server's own timeout is then too long for other bodies. */
  hasLongRequests: boolean;
}

export type AddEndpoint = <Who, Params extends TObject, Query extends TObject, Content extends TSchema>(
  route: Route<Params, Query, Content>,
  access: Access<Who>,
  handler: Handler<Who, Params, Query, Content>,
) => void;

export interface Pipeline {
  add: AddEndpoint;
  /** Answers one request of Node's server. */
  handle(raw: IncomingMessage, response: ServerResponse): void;
}

/** Proxies and browsers must not cache answers that need a key or a session. */
const HEADERS_BY_ACCESS: Record<Route['access'], readonly string[]> = {
  key: ['cache-control', 'no-store'],
  bot: ['cache-control', 'no-store'],
  signed: ['cache-control', 'no-store'],
  session: ['cache-control', 'no-store', 'x-content-type-options', 'nosniff'],
  public: [],
};

/**
 * Every request takes these steps: route, access check, body, admission, input validation, handler, answer. Each step
 * runs in the same turn of the event loop as the one before unless it has to wait, because a promise costs more than
 * most of these steps do.
 */
export function createPipeline(parts: PipelineParts): Pipeline {
  const router = createRouter();
  const nextRequestId = createRequestIds();
  const createSteps = createStepsFactory(parts);
  const unknownRoute = createUnknownRoute(router, parts);
  // The pages match every address below /dashboard/, so unknown addresses below /dashboard/api/ need this fallback.
  router.addFallback('/dashboard/api/*', { ...unknownRoute, fixedHeaders: HEADERS_BY_ACCESS.session });

  return {
    add(route, access, handler) {
      const target = {
        fixedHeaders: route.fixedHeaders ?? HEADERS_BY_ACCESS[route.access],
        run: createSteps(route, access, handler),
      };
      for (const path of pathsOf(route)) {
        router.add(route.method, path, target, route);
      }
    },

    handle(raw, response) {
      // Requests that a server receives have a method and an address.
      const found = router.find(raw.method ?? '', raw.url ?? '');
      const target = found === undefined ? unknownRoute : found.target;
      const id = nextRequestId();
      beginAnswer(raw, id);
      target.run({
        id,
        raw,
        response,
        startMs: performance.now(),
        params: found === undefined ? {} : found.params,
        queryText: found === undefined ? '' : found.queryText,
        answerHeaders: ['x-request-id', id, ...target.fixedHeaders],
        who: undefined,
        keyHash: undefined,
        checkedAtMs: 0,
        refusal: undefined,
        body: undefined,
        releaseBody: undefined,
        releaseWork: undefined,
        isAtWork: false,
        isHolding: false,
      });
    },
  };
}

/** Builds the steps of a route. */
function createStepsFactory(parts: PipelineParts) {
  return <Who, Params extends TObject, Query extends TObject, Content extends TSchema>(
    route: Route<Params, Query, Content>,
    access: Access<Who>,
    handler: Handler<Who, Params, Query, Content>,
  ): RouteTarget['run'] => {
    const read = createInput(route);
    const send = createSend(
      {
        ...route,
        // `who` is the result of `identify` of the same access, hence a `Who`.
        nameOf: (who) => (who === undefined ? undefined : access.nameOf?.(who as Who)),
        onAnswer:
          access.onAnswer && ((request, status) => access.onAnswer?.(request.who as Who, request, status)),
        onStreamError: fail,
      },
      parts,
    );
    const bodyOptions = {
      mediaType: route.mediaType ?? JSON_MEDIA_TYPE,
      bytesMax: route.bodyBytesMax ?? BODY_BYTES_MAX,
      isStreamed: route.isStreamed === true,
    };

    function fail(request: HttpRequest, thrown: unknown): void {
      if (request.response.headersSent) {
        parts.logger.error({ reqId: request.id, err: thrown }, 'the answer could not be completed');
        request.response.destroy();
        return;
      }
      request.refusal = toDomainError(thrown);
      const about = { log: parts.logger, requestId: request.id };
      const answer =
        access.answerFailure?.(thrown, request) ?? answerRefusal(thrown, route.errorShape, about);
      send(request, answer);
    }

    /** Runs the next step now, or when the promise is fulfilled. A rejected promise or a failed step fails the request. */
    function proceed<Result>(
      request: HttpRequest,
      result: Result | Promise<Result>,
      next: (request: HttpRequest, result: Result) => void,
    ): void {
      if (result instanceof Promise) {
        const goOn = (value: Result) => {
          try {
            next(request, value);
          } catch (error) {
            fail(request, error);
          }
        };
        result.then(goOn, (error) => fail(request, error));
      } else {
        next(request, result);
      }
    }

    function identify(request: HttpRequest): Who | Promise<Who> {
      requireClearHead(request);
      requireCapacity(route, parts);
      return access.identify(request);
    }

    function waitForBody(request: HttpRequest, who: Who): void {
      request.who = who;
      if (isBodyless(request)) {
        complete(request);
      } else {
        collectBody(request, bodyOptions, complete);
      }
    }

    /**
     * Called when the request is complete. A refused body still counts against limits, and an error of `admit` comes
     * before the error of the body.
     */
    function complete(request: HttpRequest, bodyError?: DomainError): void {
      request.releaseBody?.();
      try {
        const hasWaitedForBody = !isBodyless(request) && hasBody(request.raw);
        const admitted = access.admit?.({ who: request.who as Who, request, hasWaitedForBody });
        if (bodyError === undefined) {
          proceed(request, admitted, answer);
        } else {
          proceed(request, admitted, () => fail(request, bodyError));
        }
      } catch (error) {
        fail(request, error);
      }
    }

    /** Validates the input of an admitted request and runs its handler. */
    function answer(request: HttpRequest): void {
      const { params, query, body } = read(request);
      proceed(request, handler({ who: request.who as Who, params, query, body, request }), send);
    }

    return (request) => {
      try {
        if (parts.hasLongRequests) {
          startBodyDeadline(request.raw, request.response);
        }
        proceed(request, identify(request), waitForBody);
      } catch (error) {
        fail(request, error);
      }
    };
  };
}

/** A body of a GET has no meaning, so it is not read. */
function isBodyless({ raw }: HttpRequest): boolean {
  return raw.method === 'GET' || raw.method === 'HEAD';
}

function requireCapacity({ isAlwaysServed }: Pick<Route, 'isAlwaysServed'>, parts: PipelineParts): void {
  if (isAlwaysServed !== true && parts.isOverloaded()) {
    throw new DomainError('overloaded', { retryAfterSeconds: 2 });
  }
}

/** The paths of a route. An address without the parameter leads to the route too, so that its error has the shape of the route. */
function pathsOf({ path, access, isBesideList }: Pick<Route, 'path' | 'access' | 'isBesideList'>): string[] {
  const withParams = path.replaceAll(/\{(\w+)\}/g, ':$1');
  const isOfInterface = access === 'key' || access === 'public';
  if (!isOfInterface || withParams === path) {
    return [withParams];
  }
  const withoutSegment = isBesideList === true ? [] : [path.replace(/\/\{\w+\}/, '')];
  return [withParams, ...withoutSegment, path.replace(/\{\w+\}/, '')];
}
