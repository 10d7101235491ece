import type { Change, GuildRef } from '../model.ts';
import type { ApiKey, KeyChange, KeyRotation, KeyUsageCount, NewApiKey, StoredKey } from './key.ts';

export interface KeyStore {
  /**
   * Finds the key with this SHA-256, expired ones too. A deleted key is not found from the moment its delete resolved;
   * where another instance deleted it, at most one second later.
   */
  findByHash(hash: string): Promise<StoredKey | undefined>;
  /** What `findByHash` would find, at once, when it is in memory and still counts; undefined tells nothing. */
  recall(hash: string): StoredKey | undefined;
  /** Rejects with `key_limit` when the guild has `KEYS_PER_GUILD_MAX` keys that were neither deleted nor are expired. */
  insert(key: NewApiKey, change: Change): Promise<void>;
  /** A key of the guild that was not deleted, expired ones too. */
  find(guild: GuildRef, keyId: string): Promise<ApiKey | undefined>;
  /** The guild's keys that were not deleted, newest first. */
  list(guild: GuildRef): Promise<ApiKey[]>;
  /** The names of the same keys in the same order, for whoever needs nothing else of them. */
  listNames(guild: GuildRef): Promise<{ keyId: string; name: string }[]>;
  /**
   * Forgets the key's hash and hides it; transactions keep pointing to it. False when there is no such key, or when a
   * guild is given and the key is another guild's.
   */
  delete(keyId: string, change: Change, guild?: GuildRef): Promise<boolean>;
  /**
   * Gives a key another value. The one before, and those before that which are still valid, end at `formerUntilMs` at the
   * latest; at most `FORMER_VALUES_MAX` are valid at a time, and one more rejects with `invalid_input`. Undefined when there
   * is no such key, or when a guild is given and the key is another guild's. A value that ends at once is not found from
   * the moment this resolved; where another instance did it, at most one second later.
   */
  rotate(rotation: KeyRotation, change: Change, guild?: GuildRef): Promise<ApiKey | undefined>;
  /**
   * Changes what is given of a key. From the moment it resolved on transactions are held to its limits, what it withdrew on
   * that day before included; where another instance did it, at most one second later. Undefined as for `rotate`. A change that
   * only tightens rejects with `not_guild_manager` when it would loosen the key as it is at the moment of the write.
   */
  update(keyId: string, key: KeyChange, change: Change, guild?: GuildRef): Promise<ApiKey | undefined>;
  /** How often a key was answered since a day, ordered by day and code. */
  usage(guild: GuildRef, keyId: string, sinceDay: number): Promise<KeyUsageCount[]>;
  /** The names of those of the given keys that are the guild's, deleted ones too. */
  findNames(guild: GuildRef, keyIds: readonly string[]): Promise<{ keyId: string; name: string }[]>;
  /**
   * Moves the last use of each key forward, never back, and adds its counts to those of their days. Counts of days more than
   * `USAGE_DAYS` before the last use are forgotten.
   */
  touch(uses: readonly KeyUse[]): Promise<void>;
}

export interface KeyUse {
  keyNo: number;
  usedAtMs: number;
  counts?: readonly KeyUsageCount[];
}
