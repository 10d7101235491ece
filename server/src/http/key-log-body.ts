import {
  type ListedRequest,
  placeText,
  type RequestFilter,
  type RequestQuery,
  readPlace,
} from '../domain/access/key-requests.ts';
import { HOUR_MS } from '../domain/calendar.ts';
import type { KeyUsageCount } from '../domain/model.ts';

/** The answers about the use of keys, for a key itself and for the pages of its guild. */

export function hourBody({ hour, route, code, count }: KeyUsageCount): object {
  return { hour: new Date(hour * HOUR_MS).toISOString(), route, code, count };
}

export function requestBody(request: ListedRequest): object {
  const { keyId: _, atMs, code = null, message = null, ...rest } = request;
  return { ...rest, at: new Date(atMs).toISOString(), code, message };
}

interface GivenFilter {
  refused?: 'true' | 'false' | undefined;
  route?: string | undefined;
  code?: string | undefined;
  requestId?: string | undefined;
}

interface GivenQuery extends GivenFilter {
  limit: number;
  cursor?: string | undefined;
}

export function toRequestFilter(given: GivenFilter, keyId: string | undefined): RequestFilter {
  const { refused, route, code, requestId } = given;
  const isRefused = refused === undefined ? undefined : refused === 'true';
  return { keyId, isRefused, route, code, requestId };
}

/** One request more than the page has shows whether another page follows. */
export function toRequestQuery(given: GivenQuery, keyId: string | undefined): RequestQuery {
  const { limit, cursor } = given;
  return {
    ...toRequestFilter(given, keyId),
    before: cursor === undefined ? undefined : readPlace(cursor),
    limit: limit + 1,
  };
}

export function requestPage<Item>(
  found: readonly ListedRequest[],
  limit: number,
  toBody: (request: ListedRequest) => Item,
): { requests: Item[]; nextCursor: string | null } {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    requests: page.map(toBody),
    nextCursor: last === undefined || found.length <= limit ? null : placeText(last),
  };
}
