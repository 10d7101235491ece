import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from '../domain/errors.ts';
import type { Scope } from '../domain/model.ts';
import type { RateBucket } from '../domain/ports.ts';
import { type Body, JSON_TYPE } from './answer-text.ts';
import type { ErrorShape } from './error-reply.ts';

/** What a route is on the wire. */
export interface Route<
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With parameters in braces, as in the interface document. */
  path: string;
  /** Who may call it: a key's holder, the operator's bot, somebody signed in to the dashboard, or anybody. */
  access: 'key' | 'bot' | 'session' | 'public';
  errorShape: ErrorShape;
  params?: Params;
  query?: Query;
  body?: Body;
  headers?: TObject;
  /** Where the common limit of 16 KiB is too little. */
  bodyBytesMax?: number;
  /** The body is a stream of lines that may take its time; the handler reads it. */
  isStreamed?: boolean;
  /** A body to show where none can be made from a schema. */
  bodyExample?: string;
  reply: TSchema;
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
  replyHeaders?: Record<string, { description: string; example: string }>;
  /** Examples of success, by name. */
  examples: Record<string, unknown>;
  /** The failures of its own, beside those every endpoint of its kind has. */
  errors: readonly { code: ErrorCode; detail?: string }[];
}

export interface EndpointRequest<Params, Query, Body> extends FastifyRequest {
  params: Params;
  query: Query;
  body: Body;
}

export type EndpointHandler<Params extends TObject, Query extends TObject, Body extends TSchema> = (
  request: EndpointRequest<Static<Params>, Static<Query>, Static<Body>>,
  reply: FastifyReply,
) => Promise<unknown>;

/**
 * Registers an endpoint with its guard. Paths that leave a parameter out lead to the same place, so that they
 * are answered in the endpoint's own words, after the key was checked like everywhere else.
 */
export function addEndpoint<Params extends TObject, Query extends TObject, Body extends TSchema>(
  app: FastifyInstance,
  endpoint: Route<Params, Query, Body>,
  guard: onRequestAsyncHookHandler,
  handler: EndpointHandler<Params, Query, Body>,
): void {
  const { method, path, params, query, body, headers, reply, errorShape, bodyBytesMax, isStreamed } =
    endpoint;
  const schema = {
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && isStreamed !== true && { body }),
    ...(headers && { headers }),
    ...(isStreamed !== true && { response: { 200: reply } }),
  };
  const urls = [
    path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(['bot', 'session'].includes(endpoint.access) ? [] : pathsWithoutParameter(path)),
  ];
  for (const url of urls) {
    app.route({
      method,
      url,
      schema,
      config: { errorShape, route: path },
      ...(bodyBytesMax !== undefined && { bodyLimit: bodyBytesMax }),
      onRequest: guard,
      // The schemas above have been enforced by the time the handler runs, so the types they give hold.
      handler: (request, response) =>
        handler(request as EndpointRequest<Static<Params>, Static<Query>, Static<Body>>, response),
    });
  }
}

/** Sends a body that is written already. */
export function sendBody(reply: FastifyReply, { content }: Body): FastifyReply {
  return reply.type(JSON_TYPE).serializer(String).send(content);
}

/** Sets headers given as names and values in turn. */
export function addHeaders(reply: FastifyReply, headers: readonly string[]): void {
  for (let index = 0; index < headers.length; index += 2) {
    reply.header(headers[index] ?? '', headers[index + 1]);
  }
}

/** `/users/{query}` gives `/users` and `/users/`. */
function pathsWithoutParameter(path: string): string[] {
  return /\{\w+\}/.test(path) ? [path.replace(/\/\{\w+\}/, ''), path.replace(/\{\w+\}/, '')] : [];
}
