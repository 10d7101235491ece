import type { Change, GuildRef } from '../model.ts';
import type { ApiKey, KeyChange, KeyRotation, KeyUsageCount, NewApiKey, StoredKey } from './key.ts';
import type { RefusalCount } from './refusal-jumps.ts';

export interface KeyStore {
  /**
   * Finds the key with this SHA-256, expired ones too. A deleted key is not found once its delete has resolved; on
   * other instances, at most one second later.
   */
  findByHash(hash: string): Promise<StoredKey | undefined>;
  /** Returns what `findByHash` would find if it is cached and still valid. Undefined means not cached. */
  recall(hash: string): StoredKey | undefined;
  /** Inserts a key together with its settings. Rejects with `key_limit` when the guild has `KEYS_PER_GUILD_MAX` keys that were neither deleted nor are expired. */
  insert(key: NewApiKey, change: Change): Promise<void>;
  /** A key of the guild that was not deleted, expired ones too. */
  find(guild: GuildRef, keyId: string): Promise<ApiKey | undefined>;
  /** The guild of a key that was not deleted. */
  guildOf(keyId: string): Promise<GuildRef | undefined>;
  /** The guild's keys that were not deleted, newest first. */
  list(guild: GuildRef): Promise<ApiKey[]>;
  /** Id and name of the same keys in the same order. */
  listNames(guild: GuildRef): Promise<{ keyId: string; name: string }[]>;
  /**
   * Removes the key's hash and hides the key; transactions keep their reference to it. False when there is no such
   * key, or when a guild is given and the key is another guild's.
   */
  delete(keyId: string, change: Change, guild?: GuildRef): Promise<boolean>;
  /**
   * Gives a key another value. The replaced value, and the earlier ones that are still valid, end at `formerUntilMs`
   * at the latest. At most `FORMER_VALUES_MAX` of them are valid at a time; one more rejects with `invalid_input`.
   * Undefined when there is no such key, or when a guild is given and the key is another guild's. A value that ends
   * at once is not found once this has resolved; on other instances, at most one second later.
   */
  rotate(rotation: KeyRotation, change: Change, guild?: GuildRef): Promise<ApiKey | undefined>;
  /**
   * Changes the given fields of a key. Once it has resolved, transactions are held to the new limits, and withdrawals
   * made earlier on the same day count; on other instances, at most one second later. Undefined as for `rotate`. With
   * `isTighteningOnly` it rejects with `not_guild_manager` when the change would loosen the key as stored at the
   * moment of the write.
   */
  update(keyId: string, key: KeyChange, change: Change, guild?: GuildRef): Promise<ApiKey | undefined>;
  /** The number of requests of a key since an hour, ordered by hour, route and code. */
  usage(guild: GuildRef, keyId: string, sinceHour: number): Promise<KeyUsageCount[]>;
  /** The same for all keys of the guild that were not deleted. */
  guildUsage(guild: GuildRef, sinceHour: number): Promise<(KeyUsageCount & { keyId: string })[]>;
  /** The refused requests since an hour, of each key that was not deleted. Those from `recentHour` on are counted apart. */
  refusals(guild: GuildRef, hours: { sinceHour: number; recentHour: number }): Promise<RefusalCount[]>;
  /** The names of those of the given keys that belong to the guild, deleted ones too. */
  findNames(guild: GuildRef, keyIds: readonly string[]): Promise<{ keyId: string; name: string }[]>;
  /**
   * Moves the last use of each key forward, never back, and adds the counts to those of their hours. Deletes counts of
   * hours more than `USAGE_DAYS_MAX` before the last use. Returns the keys whose refusals in an hour have reached `REFUSALS_NOTED`.
   */
  touch(uses: readonly KeyUse[]): Promise<RefusedHour[]>;
  /** Writes into the audit log that many requests of a key were refused in an hour, once for an hour. */
  noteRefusals(hour: RefusedHour, change: Change): Promise<void>;
}

/** The number of refused requests of a key in one hour. */
export interface RefusedHour {
  keyNo: number;
  hour: number;
  refused: number;
}

export interface KeyUse {
  keyNo: number;
  usedAtMs: number;
  counts?: readonly KeyUsageCount[];
}
