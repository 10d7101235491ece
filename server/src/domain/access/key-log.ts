import { DAY_MS, dayOf, HOUR_MS, hourOf } from '../calendar.ts';
import { DomainError, type ErrorCode } from '../errors.ts';
import type { KeyUsageCount, Principal } from '../model.ts';
import type { Clock, KeyStore } from '../ports.ts';
import type { Guilds } from './guilds.ts';
import type {
  KeyRequests,
  ListedRequest,
  NewKeyRequest,
  RequestFilter,
  RequestQuery,
  RequestStore,
} from './key-requests.ts';
import type { KeyUsage } from './key-usage.ts';
import { BASELINE_DAYS, RECENT_HOURS, type RefusalJump, refusalJumps } from './refusal-jumps.ts';
import { type ExportedRequest, readRequests } from './request-export.ts';

/** Counts the requests of keys and keeps the last ones. */
export interface KeyLog {
  /**
   * Returns a function that counts the requests of a route. `describe` is called only for requests that `KeyRequests.isWanted`
   * accepts. Called once for each route, so that counting a request allocates nothing.
   */
  recorderOf<Request>(route: string, describe: DescribeRequest<Request>): RecordUse<Request>;
  /**
   * The number of requests of a key by hour, route and result for the last days, `USAGE_DAYS_MAX` at most. `sinceMs` is the
   * time from which on its requests are counted.
   */
  usage(guildId: string, keyId: string, days: number): Promise<{ sinceMs: number; counts: KeyUsageCount[] }>;
  /** The same for all keys of a guild, since the first of them was created. */
  guildUsage(
    guildId: string,
    days: number,
  ): Promise<{ sinceMs: number; counts: (KeyUsageCount & { keyId: string })[] }>;
  /** The keys of a guild that are refused much more often than before. */
  jumps(guildId: string): Promise<RefusalJump[]>;
  /** The last requests of a key, or of all keys of the guild, newest first. Without a guild, the key's own. */
  requests(guildId: string | undefined, query: RequestQuery): Promise<ListedRequest[]>;
  /** All requests of a guild that match, newest first, as the receiver takes them. */
  exportRequests(guildId: string, filter: RequestFilter): Promise<AsyncIterable<ExportedRequest>>;
}

/** `status` is that of the answer. */
export type DescribeRequest<Request> = (request: Request, status: number, kept: KeptOf) => NewKeyRequest;

/** The facts of a kept request that the log knows. */
export type KeptOf = Pick<NewKeyRequest, 'keyNo' | 'atMs' | 'isOfAll'>;

/** Counts a request of a key, with the error code if it was refused. `atMs` is the time at which the key was checked. */
export type RecordUse<Request> = (
  principal: Principal,
  atMs: number,
  refusal: ErrorCode | undefined,
  request: Request,
  status: number,
) => void;

export interface KeyLogParts {
  store: KeyStore;
  requestStore: RequestStore;
  guilds: Guilds;
  usage: KeyUsage;
  requests: KeyRequests;
  clock: Clock;
}

export function createKeyLog(parts: KeyLogParts): KeyLog {
  const { store, requestStore, guilds, usage, requests, clock } = parts;
  return {
    recorderOf(route, describe) {
      const count = usage.recorderOf(route);
      return (key, atMs, refusal, request, status) => {
        count(key, atMs, refusal);
        const isOfAll = key.keepsAllUntilMs > atMs;
        if ((isOfAll || refusal !== undefined) && requests.isWanted(key.keyNo)) {
          requests.note(describe(request, status, { keyNo: key.keyNo, atMs, isOfAll }));
        }
      };
    },

    async usage(guildId, keyId, days) {
      const guild = await guilds.find(guildId);
      const { createdAtMs } = requireKey(await store.find(guild, keyId), keyId);
      const first = firstHour(clock.nowMs(), days);
      return {
        sinceMs: Math.max(first * HOUR_MS, createdAtMs),
        counts: await store.usage(guild, keyId, first),
      };
    },

    async guildUsage(guildId, days) {
      const guild = await guilds.find(guildId);
      const nowMs = clock.nowMs();
      const first = firstHour(nowMs, days);
      const created = (await store.list(guild)).map(({ createdAtMs }) => createdAtMs);
      return {
        sinceMs: Math.max(first * HOUR_MS, Math.min(nowMs, ...created)),
        counts: await store.guildUsage(guild, first),
      };
    },

    async jumps(guildId) {
      const recentHour = hourOf(clock.nowMs()) - RECENT_HOURS + 1;
      const sinceHour = recentHour - BASELINE_DAYS * (DAY_MS / HOUR_MS);
      return refusalJumps(await store.refusals(await guilds.find(guildId), { sinceHour, recentHour }));
    },

    async requests(guildId, query) {
      const { keyId } = query;
      const guild =
        guildId === undefined
          ? requireKey(await store.guildOf(keyId ?? ''), keyId ?? '')
          : await guilds.find(guildId);
      if (keyId !== undefined) {
        requireKey(await store.find(guild, keyId), keyId);
      }
      return requestStore.list(guild, query);
    },

    async exportRequests(guildId, filter) {
      const guild = await guilds.find(guildId);
      if (filter.keyId !== undefined) {
        requireKey(await store.find(guild, filter.keyId), filter.keyId);
      }
      return readRequests({ requests: requestStore, keys: store }, guild, filter);
    },
  };
}

/** Fails for a key that does not exist. */
export function requireKey<Key>(key: Key | undefined, keyId: string): Key {
  if (key === undefined) {
    throw new DomainError('key_not_found', { detail: `there is no key ${keyId}` });
  }
  return key;
}

/** The first hour of the days up to now. */
function firstHour(nowMs: number, days: number): number {
  return (dayOf(nowMs) - days + 1) * (DAY_MS / HOUR_MS);
}
