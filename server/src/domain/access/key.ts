import type { GuildRef } from '../guild-ref.ts';
import type { RouteBucket, RouteLimit } from './route-limits.ts';

/** The nouns of keys, as plain data. */

export const SCOPES = [
  'guild:read',
  'guild:write',
  'users:read',
  'records:write',
  'webhooks:manage',
] as const;
export type Scope = (typeof SCOPES)[number];

/** What is known of a key once its value has been shown: never the value itself. */
export interface ApiKey {
  keyId: string;
  guild: GuildRef;
  name: string;
  /** The first characters of the value, enough to tell keys apart. */
  prefix: string;
  scopes: readonly Scope[];
  createdBy: string;
  createdAtMs: number;
  expiresAtMs: number;
  lastUsedAtMs: number | undefined;
  note: string | undefined;
  /** The networks it may be used from, such as `203.0.113.0/24`; none for anywhere. */
  networks: readonly string[];
  limits: KeyLimits;
  /** How many requests of single routes it may send, in the order of `KEY_ROUTES`. */
  routeLimits: readonly RouteLimit[];
  /** When the last of the values that a rotation replaced ends; undefined when there was none, or it was long ago. */
  formerUntilMs: number | undefined;
}

/** What a key may do at most; undefined for no limit. */
export interface KeyLimits {
  /** The largest total of one transaction, deposit or withdrawal. */
  amountMaxUnits: number | undefined;
  /** What it may withdraw on one day in UTC, all transactions together. */
  withdrawnPerDayMaxUnits: number | undefined;
}

export type NewApiKey = Omit<
  ApiKey,
  'lastUsedAtMs' | 'note' | 'networks' | 'limits' | 'routeLimits' | 'formerUntilMs'
> & {
  hash: string;
};

/** What is to be different about a key; what is not given stays as it is. */
export interface KeyChange {
  name?: string | undefined;
  /** null takes it away. */
  note?: string | null | undefined;
  networks?: readonly string[] | undefined;
  /** null takes a limit away, what is not given stays. */
  limits?:
    | { amountMaxUnits?: number | null | undefined; withdrawnPerDayMaxUnits?: number | null | undefined }
    | undefined;
  /** All of them; none for no limits. */
  routeLimits?: readonly RouteLimit[] | undefined;
  /** Refuses a change that loosens the key. */
  isTighteningOnly?: boolean | undefined;
}

/** A new value for a key. */
export interface KeyRotation {
  keyId: string;
  hash: string;
  prefix: string;
  /** When the value before ends, and every one before that at the latest. */
  formerUntilMs: number;
}

/** How often a key was answered in one way on one day. */
export interface KeyUsageCount {
  /** The day in UTC, counted from 1970. */
  day: number;
  /** The code of the refusal; `ok` for none. */
  code: string;
  count: number;
}

/** What authentication needs of a key, and nothing more. */
export interface StoredKey {
  keyNo: number;
  keyId: string;
  guild: GuildRef;
  scopes: readonly Scope[];
  /** When the value ends: the key's own end, or an earlier one of a value that was replaced. */
  expiresAtMs: number;
  /** Whether it may be used from an address; undefined for any. */
  allows: ((address: string) => boolean) | undefined;
  /** Whether it has limits that its transactions are held to, or may have some: then each transaction looks for them. */
  isLimited: boolean;
  /** What its requests of single routes count against; undefined when it has no such limits. */
  routeBuckets: ReadonlyMap<string, RouteBucket> | undefined;
}

/** Who is asking: the key, and through it the one guild it opens. */
export type Principal = Omit<StoredKey, 'expiresAtMs' | 'allows'>;
