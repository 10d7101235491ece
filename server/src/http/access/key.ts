import { type ApiKeys, RefusedKey, requireScope } from '../../domain/access/api-keys.ts';
import { hashOfKeyValue, hashOfPossibleKey, isWellFormedKeyValue } from '../../domain/access/key-value.ts';
import { createCache } from '../../domain/cache.ts';
import { DomainError } from '../../domain/errors.ts';
import { continueWith, type MaybePromise } from '../../domain/maybe-promise.ts';
import type { Principal, StoredKey } from '../../domain/model.ts';
import type { Clock } from '../../domain/ports.ts';
import { KEY_ROUTES } from '../../key-terms.ts';
import { hasBody } from '../body-deadline.ts';
import type { ClientAddresses } from '../client-address.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Lifetimes } from '../lifetimes.ts';
import type { Access } from '../pipeline.ts';
import type { HttpRequest } from '../request.ts';
import type { FailedAuthentications } from './failed-authentications.ts';
import { createNoteRequest, type NamedRoute } from './noted-request.ts';
import { countAgainstAll, countRequest, type LimitParts } from './rate-limit.ts';

/** Bodies of one key that may be received at once. Each holds memory and a connection. */
const UNFINISHED_BODIES_MAX = 64;

export interface KeyAccessParts extends LimitParts {
  keys: ApiKeys;
  lookUp: LookUp;
  bodies: UnfinishedBodies;
  clients: ClientAddresses;
  clock: Pick<Clock, 'nowMs'>;
}

/**
 * Looks up keys that are not in the cache. Concurrent requests with the same key share one look-up, and a malformed value
 * is refused without one.
 */
export type LookUp = (value: string | undefined, request: HttpRequest) => MaybePromise<StoredKey>;

/** Size of the cache of known keys, which keeps two generations of this size at most. */
const KNOWN_KEYS_MAX = 100_000;

export function createLookUp(
  keys: ApiKeys,
  failures: FailedAuthentications,
  clients: ClientAddresses,
): LookUp {
  // Hashes of keys that were valid when they were last looked up. Such a key is never throttled by its address.
  const known = createCache<true>(KNOWN_KEYS_MAX);
  const underWay = new Map<string, Promise<StoredKey>>();

  async function find(value: string, hash: string, request: HttpRequest): Promise<StoredKey> {
    if (known.get(hash) === undefined) {
      await failures.checkLookUp(request);
    }
    const principal = await keys.authenticate(value);
    known.set(hash, true);
    return principal;
  }

  async function findOnce(value: string, request: HttpRequest): Promise<StoredKey> {
    const hash = hashOfKeyValue(value);
    let finding = underWay.get(hash);
    if (finding === undefined) {
      finding = find(value, hash, request).finally(() => underWay.delete(hash));
      underWay.set(hash, finding);
    }
    try {
      return requireAllowed(await finding, request, clients);
    } catch (error) {
      if (error instanceof RefusedKey) {
        // The refusal is counted for the key, and its log says why.
        request.who = error.key;
      }
      if (error instanceof DomainError && error.code === 'unauthorized') {
        await failures.count(request);
      }
      throw error;
    }
  }

  return (value, request) =>
    value === undefined || !isWellFormedKeyValue(value)
      ? continueWith(failures.count(request), refuse)
      : findOnce(value, request);
}

function refuse(): never {
  throw new DomainError('unauthorized');
}

/** A key that is used from an address that it does not allow gets the same error as an unknown key. */
function requireAllowed(key: StoredKey, request: HttpRequest, clients: ClientAddresses): StoredKey {
  if (!isAllowed(key, request, clients)) {
    throw new RefusedKey(key, 'the address of the client is not among those that the key allows');
  }
  return key;
}

function isAllowed({ allows }: StoredKey, { raw }: HttpRequest, clients: ClientAddresses): boolean {
  return allows === undefined || allows(clients.addressOf(raw));
}

/** For holders of a guild's key. The checks have a fixed order: key, scope, rate limit. */
export function createKeyAccess(
  route: Pick<Endpoint, 'operationId' | 'scope' | 'bucket' | 'query'>,
  parts: KeyAccessParts,
): Access<Principal> {
  const { operationId, scope, bucket } = route;
  const accept = (principal: Principal, request: HttpRequest) => {
    // Set before the scope check, so that a refusal is counted for the key.
    request.who = principal;
    if (scope !== undefined) {
      requireScope(principal, scope);
    }
    return principal;
  };
  // Allocates no closure for a cached key, because this runs with every request.
  const identify = (request: HttpRequest) => {
    const found = authenticate(request, parts);
    return found instanceof Promise ? found.then((key) => accept(key, request)) : accept(found, request);
  };
  assertKeyRoute(operationId);
  const count = (principal: Principal, headers: string[]) => {
    const { keyId, routeBuckets } = principal;
    const own = routeBuckets?.get(operationId);
    if (own !== undefined) {
      // The route's limit is counted first, because its window is the shorter one: when the key's own limit then refuses the
      // request, that count expires soon.
      const ofRoute = bucket === undefined ? [] : [{ ...bucket, subject: keyId, label: bucket.name }];
      return countAgainstAll([...ofRoute, { ...own, label: 'key-route' }], headers, parts);
    }
    return bucket === undefined ? undefined : countRequest(bucket, { subject: keyId, headers }, parts);
  };

  return {
    identify(request) {
      const principal = identify(request);
      if (request.raw.method === 'GET' || !hasBody(request.raw)) {
        return principal;
      }
      const expectBody = (known: Principal) => {
        parts.bodies.expect(known.keyId, request);
        return known;
      };
      return continueWith(principal, expectBody);
    },
    admit({ who, request, hasWaitedForBody }) {
      const { answerHeaders: headers } = request;
      // The key may have expired or been deleted while the body was received.
      return hasWaitedForBody
        ? continueWith(identify(request), (known) => count(known, headers))
        : count(who, headers);
    },
    nameOf: ({ keyId }) => keyId,
    onAnswer: createNoteUse(route, parts),
  };
}

/** Counts the answers of a route, and keeps requests that the key's log has. */
function createNoteUse(route: NamedRoute, { keys, clients }: KeyAccessParts) {
  const record = keys.recorderOf(route.operationId, createNoteRequest(route, clients.addressOf));
  return (principal: Principal, request: HttpRequest, status: number) =>
    record(principal, request.checkedAtMs, request.refusal?.code, request, status);
}

/** Fails for a route that is missing in KEY_ROUTES, because a key's settings could not limit it. */
function assertKeyRoute(operationId: string): void {
  if (!KEY_ROUTES.some((route) => route === operationId)) {
    throw new Error(`${operationId} is not in the list of routes that a key can be limited on`);
  }
}

/** For routes that are public unless the operator requires a key. Any valid key is then accepted. */
export function createOptionalKeyAccess(
  route: NamedRoute,
  isKeyRequired: boolean,
  parts: KeyAccessParts,
): Access<Principal | undefined> {
  const noteUse = createNoteUse(route, parts);
  async function requireKey(request: HttpRequest): Promise<Principal> {
    try {
      return await authenticate(request, parts);
    } catch (error) {
      const isUnauthorized = error instanceof DomainError && error.code === 'unauthorized';
      throw isUnauthorized ? new DomainError('authentication_required', { cause: error }) : error;
    }
  }

  return {
    identify: (request) => (isKeyRequired ? requireKey(request) : undefined),
    nameOf: (principal) => principal?.keyId ?? '',
    onAnswer: (principal, request, status) => principal && noteUse(principal, request, status),
  };
}

/** Finds the principal of the request's key: synchronously for a cached key, with at most one look-up for any other. */
function authenticate(request: HttpRequest, parts: KeyAccessParts): MaybePromise<Principal> {
  const value = keyOf(request);
  // Kept for the second check, after the body: hashing takes longer than the check itself.
  request.keyHash ??= hashOfPossibleKey(value);
  request.checkedAtMs = parts.clock.nowMs();
  const known = parts.keys.recognise(request.keyHash, request.checkedAtMs);
  return known !== undefined && isAllowed(known, request, parts.clients)
    ? known
    : parts.lookUp(value, request);
}

/** Node joins repeated headers with a comma, which no key holds: a request with two keys is refused like a mistyped one. */
function keyOf({ raw }: HttpRequest): string | undefined {
  const value = raw.headers['x-api-key'];
  return typeof value === 'string' ? value : undefined;
}

/** Counts the bodies that are being received, by key. */
export interface UnfinishedBodies {
  /** Counts the body of a request until it is complete, refused, or its sender has disconnected. Refuses a body beyond the limit. */
  expect(keyId: string, request: HttpRequest): void;
}

export function createUnfinishedBodies({
  onRateLimited,
  lifetimes,
}: Pick<LimitParts, 'onRateLimited'> & { lifetimes: Lifetimes }): UnfinishedBodies {
  const counts = new Map<string, number>();
  const forget = (keyId: string) => {
    const left = (counts.get(keyId) ?? 1) - 1;
    if (left > 0) {
      counts.set(keyId, left);
    } else {
      counts.delete(keyId);
    }
  };
  return {
    expect(keyId, request) {
      const count = counts.get(keyId) ?? 0;
      if (count >= UNFINISHED_BODIES_MAX) {
        onRateLimited('unfinished-bodies');
        throw new DomainError('rate_limited', {
          detail: `${UNFINISHED_BODIES_MAX} unfinished requests`,
          retryAfterSeconds: 1,
        });
      }
      counts.set(keyId, count + 1);
      request.releaseBody = lifetimes.hold(request, 'unfinished_body', () => forget(keyId));
    },
  };
}
