import { query as queryText } from './address.ts';
import type { CallOptions } from './calls.ts';
import { listOf } from './check-shape.ts';
import { type CursorPage, dataOf, pageOf, walk } from './cursor-pages.ts';
import type { Answer } from './parse-response.ts';
import type { GetKeyUsageQuery, KeyHour, KeyRequest, ListKeyRequestsQuery } from './schema.ts';
import type { Request } from './send.ts';
import { isKeyHour, isKeyRequest } from './shapes.ts';

/** The requests of a key by hour, route and result. */
export interface KeyUsage {
  /** The time from which on requests are counted. */
  since: string;
  hours: KeyHour[];
}

export type WalkKeyRequestsQuery = Omit<ListKeyRequestsQuery, 'cursor'>;

/** How this key was used. */
export interface KeyLogCalls {
  /** The number of requests of this key by hour, route and result. Any scope. */
  getKeyUsage(query?: GetKeyUsageQuery, options?: CallOptions): Promise<KeyUsage>;
  /** One page of this key's last refused requests, newest first, with the reason of each. Any scope. */
  listKeyRequests(query?: ListKeyRequestsQuery, options?: CallOptions): Promise<CursorPage<KeyRequest>>;
  /** All of this key's requests that are kept, newest first, for `for await`. Any scope. */
  keyRequests(query?: WalkKeyRequestsQuery, options?: CallOptions): AsyncIterable<KeyRequest>;
}

const WALK_LIMIT = 100;

export function createKeyLogCalls(send: (request: Request) => Promise<Answer>): KeyLogCalls {
  const get = (path: string, query: object, { signal }: CallOptions = {}) =>
    send({ method: 'GET', path: `${path}${queryText({ ...query })}`, signal });

  const calls: KeyLogCalls = {
    async getKeyUsage(query = {}, options) {
      const answer = await get('/guild/key/usage', query, options);
      return { since: dataOf(answer, 'since', isText), hours: dataOf(answer, 'hours', listOf(isKeyHour)) };
    },
    async listKeyRequests(query = {}, options) {
      return pageOf(await get('/guild/key/requests', query, options), 'requests', listOf(isKeyRequest));
    },
    keyRequests: (query, options) =>
      walk((cursor) => calls.listKeyRequests({ limit: WALK_LIMIT, ...query, cursor }, options)),
  };
  return calls;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
