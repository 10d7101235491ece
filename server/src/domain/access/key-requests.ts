import { DomainError } from '../errors.ts';
import type { GuildRef } from '../guild-ref.ts';

/** A request of a key as the log of requests has it: never with a body, a key or another secret. */
export interface KeyRequest {
  requestId: string;
  atMs: number;
  method: string;
  /** The `operationId` of the route. */
  route: string;
  /** The path with its ids, and the query parameters that the route knows. */
  path: string;
  status: number;
  /** The error code; undefined when the request was not refused. */
  code: string | undefined;
  /** The text of the refusal. */
  message: string | undefined;
  durationMs: number;
  address: string;
  userAgent: string;
}

/** A request in a list of one or all keys of a guild. */
export interface ListedRequest extends KeyRequest {
  keyId: string;
}

/** A request that is to be stored. */
export interface NewKeyRequest extends KeyRequest {
  keyNo: number;
  /** True when it is stored because the key keeps all of its requests for a while. */
  isOfAll: boolean;
}

/** A filter of requests. `undefined` matches all. */
export interface RequestFilter {
  keyId: string | undefined;
  isRefused: boolean | undefined;
  route: string | undefined;
  code: string | undefined;
  requestId: string | undefined;
}

/** A page of the requests that match. */
export interface RequestQuery extends RequestFilter {
  /** Requests before this one, in the order of the list. */
  before: RequestPlace | undefined;
  limit: number;
}

export const ANY_REQUEST: Omit<RequestQuery, 'limit'> = {
  keyId: undefined,
  isRefused: undefined,
  route: undefined,
  code: undefined,
  requestId: undefined,
  before: undefined,
};

/** The place of a request in a list, newest first. */
export interface RequestPlace {
  atMs: number;
  requestId: string;
}

/** The last refused requests of a key that are kept. */
export const REFUSED_KEPT = 200;
/** A key may have this number more before they are removed, so that a flood does not remove some at each write. */
export const REFUSED_BEYOND = 20;
/** The last requests of any result that are kept of a key which keeps all of them. */
export const ALL_KEPT = 2_000;

export interface RequestStore {
  /**
   * Stores requests. A key keeps its last `REFUSED_KEPT` refused ones, or up to `REFUSED_BEYOND` more, and the last `ALL_KEPT` of those
   * that are stored because it keeps all.
   */
  add(requests: readonly NewKeyRequest[]): Promise<void>;
  /** Newest first. Requests of deleted keys are left out. */
  list(guild: GuildRef, query: RequestQuery): Promise<ListedRequest[]>;
}

/** Requests of one key that wait for the next write. More would be removed after it. */
const WAITING_OF_KEY_MAX = REFUSED_KEPT;
/** Requests of all keys that wait for the next write, before those of a key replace each other. */
const WAITING_MAX = 500;
/** A key has at least this share of the places, whatever others send. */
const WAITING_OF_KEY_MIN = 4;
/** Beyond this number of waiting requests nothing is kept. */
const WAITING_OF_ALL_MAX = 1_000;
/**
 * After this number of requests of a key between two writes, or after `WAITING_OF_KEY_MAX` while `WAITING_MAX` of all keys wait, only one of
 * `FLOOD_SHARE` is kept: describing a request takes longer than counting it, and most of a flood would be replaced before the next write. The share
 * is a prime number, so that a client that repeats a few requests in turn has all of them in the log.
 */
const FLOOD_FROM = 1_000;
const FLOOD_SHARE = 31;
/** Requests in one write, so that other writers do not wait long. */
const WRITTEN_AT_ONCE = 500;

/** Collects requests of keys in memory and writes them in batches. */
export interface KeyRequests {
  /**
   * False for a request that is not kept and need not be described: while the bound of waiting requests is reached, and for most requests of
   * a key that sends a flood. Called once for each request that could be kept.
   */
  isWanted(keyNo: number): boolean;
  /** Keeps a request for the next write, unless too many wait already. */
  note(request: NewKeyRequest): void;
  /**
   * Writes the waiting requests. While the store is unavailable they wait on, as far as there is room. After any other failure they are
   * dropped: counts are exact, this log is not.
   */
  flush(): Promise<void>;
}

/** The requests of a key that wait, and the number that could be kept since the last write. */
interface WaitingRequests {
  requests: NewKeyRequest[];
  offered: number;
}

export function createKeyRequests(store: RequestStore): KeyRequests {
  let waiting = new Map<number, WaitingRequests>();
  let count = 0;

  function isWanted(keyNo: number): boolean {
    if (count >= WAITING_OF_ALL_MAX) {
      return false;
    }
    const key = waiting.get(keyNo);
    if (key === undefined) {
      return true;
    }
    key.offered += 1;
    const isFlood = key.offered >= FLOOD_FROM || (isBeyondShare(key) && key.offered > WAITING_OF_KEY_MAX);
    return !isFlood || key.offered % FLOOD_SHARE === 0;
  }

  /** True for a key whose oldest request makes room for a new one, because the requests of all keys take all places. */
  const isBeyondShare = ({ requests }: WaitingRequests) =>
    count >= WAITING_MAX && requests.length >= WAITING_OF_KEY_MIN;

  function note(request: NewKeyRequest): void {
    const key = waiting.get(request.keyNo);
    if (count >= WAITING_OF_ALL_MAX) {
      return;
    }
    if (key === undefined) {
      waiting.set(request.keyNo, { requests: [request], offered: 1 });
      count += 1;
      return;
    }
    const { requests: own } = key;
    if (own.length >= WAITING_OF_KEY_MAX || isBeyondShare(key)) {
      // The newest requests are the ones that are kept.
      own.shift();
      count -= 1;
    }
    own.push(request);
    count += 1;
  }

  function takeAll(): NewKeyRequest[] {
    const requests = [...waiting.values()].flatMap((key) => key.requests);
    waiting = new Map();
    count = 0;
    return requests;
  }

  return {
    isWanted,
    note,
    async flush() {
      const requests = takeAll();
      for (let start = 0; start < requests.length; start += WRITTEN_AT_ONCE) {
        try {
          await store.add(requests.slice(start, start + WRITTEN_AT_ONCE));
        } catch (error) {
          if (error instanceof DomainError && error.code === 'store_unavailable') {
            // In the order of their times, because the newest ones are kept.
            for (const request of [...requests.slice(start), ...takeAll()]) {
              note(request);
            }
          }
          throw error;
        }
      }
    },
  };
}

const PLACE = /^(\d{1,16})\.([\w-]{1,64})$/;

/** The place after a request, encoded for the address of the next page. */
export function placeText({ atMs, requestId }: RequestPlace): string {
  return Buffer.from(`${atMs}.${requestId}`).toString('base64url');
}

/** Decodes a text of `placeText`, and refuses any other text. */
export function readPlace(text: string): RequestPlace {
  const [, at = '', requestId = ''] = PLACE.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  const place = { atMs: Number(at), requestId };
  if (requestId === '' || placeText(place) !== text) {
    throw new DomainError('invalid_input', { detail: 'cursor must be the nextCursor of an earlier page' });
  }
  return place;
}
