import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from '../domain/errors.ts';
import type { MaybePromise } from '../domain/maybe-promise.ts';
import type { Scope } from '../domain/model.ts';
import type { RateBucket } from '../domain/ports.ts';
import type { Answer } from './answer.ts';
import type { ErrorShape } from './errors.ts';
import type { HttpRequest } from './request.ts';

/** A route as clients see it. */
export interface Route<
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With parameters in braces, as in the interface document. */
  path: string;
  /**
   * Who may call it: a key's holder, the operator's bot, somebody signed in to the dashboard, the chat platform by its
   * signature, or anybody.
   */
  access: 'key' | 'bot' | 'session' | 'signed' | 'public';
  errorShape: ErrorShape;
  params?: Params;
  query?: Query;
  /**
   * How the route treats query parameters beside those of `query`. `refused`, the default, answers 400. `named` ignores them
   * and lists their names in a header of the answer. `ignored` only ignores them.
   */
  unknownParameters?: 'refused' | 'named' | 'ignored';
  body?: Body;
  headers?: TObject;
  /** The path without its parameter is another endpoint, a list. */
  isBesideList?: boolean;
  /** Size limit of the body, when it is not the usual 16 KiB. */
  bodyBytesMax?: number;
  /** The media type of the body, where it is not JSON. */
  mediaType?: string;
  /** Matches every address below its path. Such an address still counts as unknown for other methods. */
  isCatchAll?: boolean;
  /** The body is a stream of lines, which the handler reads. It may last for hours. */
  isStreamed?: boolean;
  /** The schemas of the lines of a streamed body. */
  bodyLines?: readonly TSchema[];
  /** A body to show where none can be made from a schema. */
  bodyExample?: string;
  /** Headers of every answer, errors included: names and values in turn. */
  fixedHeaders?: readonly string[];
  /** Answered even while the event loop is overloaded, as health checks are. */
  isAlwaysServed?: boolean;
  reply?: TSchema;
}

/** Everything about an endpoint but its code: the route, the documentation and the tests all read this. */
export interface Endpoint<
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
> extends Route<Params, Query, Body> {
  operationId: string;
  tag: string;
  summary: string;
  description: string;
  access: 'key' | 'bot' | 'public';
  /** The scope a key needs. */
  scope?: Scope;
  bucket?: RateBucket;
  reply: TSchema;
  replyHeaders?: Record<string, { description: string; example: string }>;
  /** Examples of success, by name. */
  examples: Record<string, unknown>;
  /** Its own errors, in addition to those of every endpoint of its kind. */
  errors: readonly { code: ErrorCode; detail?: string; item?: string }[];
}

/** The input of a handler: the caller, and the request as the route's schemas have validated it. */
export interface Call<Who, Params, Query, Body> {
  who: Who;
  params: Params;
  query: Query;
  body: Body;
  request: HttpRequest;
}

/**
 * Computes the answer of an endpoint: at once when everything is in memory, as a promise when something has to be
 * awaited.
 */
export type Handler<Who, Params extends TObject, Query extends TObject, Body extends TSchema> = (
  call: Call<Who, Static<Params>, Static<Query>, Static<Body>>,
) => MaybePromise<Answer>;
