import { SCOPES } from '../../key-terms.ts';
import type { GuildRef } from '../guild-ref.ts';
import type { RouteBucket, RouteLimit } from './route-limits.ts';

/** Types of keys, as plain data. */

export { SCOPES };
export type Scope = (typeof SCOPES)[number];

/** A key without its value, which is shown only once. */
export interface ApiKey {
  keyId: string;
  guild: GuildRef;
  name: string;
  /** The first characters of the value, for telling keys apart in lists. */
  prefix: string;
  scopes: readonly Scope[];
  createdBy: string;
  createdAtMs: number;
  expiresAtMs: number;
  lastUsedAtMs: number | undefined;
  note: string | undefined;
  /** The networks it may be used from, such as `203.0.113.0/24`. An empty list allows every address. */
  networks: readonly string[];
  limits: KeyLimits;
  /** The limits of single routes, in the order of `KEY_ROUTES`. */
  routeLimits: readonly RouteLimit[];
  /** When the last of the replaced values ends; undefined when none was replaced, or only long ago. */
  formerUntilMs: number | undefined;
  /** Until when all of its requests are kept, and not only the refused ones; undefined for a past time or none. */
  keepsAllUntilMs: number | undefined;
}

/** The money limits of a key; undefined for no limit. */
export interface KeyLimits {
  /** The largest total of one transaction, deposit or withdrawal. */
  amountMaxUnits: number | undefined;
  /** The largest sum of all withdrawals of one day in UTC. */
  withdrawnPerDayMaxUnits: number | undefined;
}

export type NewApiKey = Omit<
  ApiKey,
  'lastUsedAtMs' | 'note' | 'networks' | 'limits' | 'routeLimits' | 'formerUntilMs' | 'keepsAllUntilMs'
> & {
  hash: string;
  /** Its restrictions, set in the same commit. */
  settings?: Omit<KeyChange, 'name' | 'isTighteningOnly'> | undefined;
};

/** A change of a key. `undefined` keeps the current value. */
export interface KeyChange {
  name?: string | undefined;
  /** `null` clears it. */
  note?: string | null | undefined;
  networks?: readonly string[] | undefined;
  /** `undefined` keeps a limit, `null` removes it. */
  limits?:
    | { amountMaxUnits?: number | null | undefined; withdrawnPerDayMaxUnits?: number | null | undefined }
    | undefined;
  /** Replaces all of them; an empty list removes them. */
  routeLimits?: readonly RouteLimit[] | undefined;
  /** `null` keeps only refused requests from now on. */
  keepsAllUntilMs?: number | null | undefined;
  /** Refuses a change that loosens the key. */
  isTighteningOnly?: boolean | undefined;
}

/** A new value for a key. */
export interface KeyRotation {
  keyId: string;
  hash: string;
  prefix: string;
  /** When the replaced value ends. Values replaced earlier end at this time at the latest. */
  formerUntilMs: number;
}

/** The number of requests of a key in one hour on one route with one result. */
export interface KeyUsageCount {
  /** The hour in UTC, counted from 1970. */
  hour: number;
  /** The `operationId` of the route. Empty for the requests of a day that were counted without their routes. */
  route: string;
  /** The error code of a refusal, or `ok`. */
  code: string;
  count: number;
}

/** The fields of a key that authentication needs. */
export interface StoredKey {
  keyNo: number;
  keyId: string;
  guild: GuildRef;
  scopes: readonly Scope[];
  /** When the value ends: with the key, or earlier if the value was replaced. */
  expiresAtMs: number;
  /** True for addresses that it may be used from; undefined allows every address. */
  allows: ((address: string) => boolean) | undefined;
  /** True when the key has money limits, or may have some: then each of its transactions reads them. */
  isLimited: boolean;
  /** The buckets that count its requests of single routes; undefined when it has no such limits. */
  routeBuckets: ReadonlyMap<string, RouteBucket> | undefined;
  /** Until when all of its requests are kept; 0 when only the refused ones are. */
  keepsAllUntilMs: number;
  /** The counts of its requests, from its first request on. A field, because a look-up by key costs more than counting. */
  uses: KeyUses | undefined;
}

/** A route and a result. One object stands for each pair, because comparing objects takes less time than comparing texts. */
export interface RequestKind {
  route: string;
  code: string;
}

/**
 * The requests of a key that are not written yet: first those of the last kind in the last hour, then all others. Small integers are
 * stored in the object itself; a time in milliseconds would take a second look at memory.
 */
export interface KeyUses {
  isWaiting: boolean;
  kind: RequestKind;
  hour: number;
  count: number;
  /** The last of them, in milliseconds after the beginning of the hour. */
  lastMsOfHour: number;
  keyNo: number;
  others: KeyUsageCount[];
  /** The last time of the others. */
  othersUsedAtMs: number;
}

/** The caller: the key, and through it the one guild that it belongs to. */
export type Principal = Omit<StoredKey, 'expiresAtMs' | 'allows'>;
