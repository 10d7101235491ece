import type { ApiKey, GuildRef, Scope } from '../domain/model.ts';

/** Called once for each look-up, for the metrics. */
export type OnKeyLookup = (result: 'hit' | 'miss') => void;

/** Keys in the cache; beyond this many it is emptied and fills again. */
export const CACHED_KEYS_MAX = 50_000;

/** What authentication reads of a key. */
export interface StoredRow {
  keyNo: number;
  keyId: string;
  guildNo: number;
  guildId: string;
  scopes: string;
  expiresAtMs: number;
}

export type ListedRow = Omit<ApiKey, 'guild' | 'scopes' | 'lastUsedAtMs'> & {
  scopes: string;
  lastUsedAtMs: number | null;
};

export function toScopes(text: string): Scope[] {
  // Only scopes of the closed list are ever written.
  return text === '' ? [] : (text.split(' ') as Scope[]);
}

export function toListedKey(row: ListedRow, { guildNo, guildId }: GuildRef): ApiKey {
  return {
    ...row,
    guild: { guildNo, guildId },
    scopes: toScopes(row.scopes),
    lastUsedAtMs: row.lastUsedAtMs ?? undefined,
  };
}

/** What a list tells of a key, in the words of both dialects. */
export const LISTED_COLUMNS = `key_id AS "keyId", name, prefix, scopes, created_by AS "createdBy",
  created_at AS "createdAtMs", expires_at AS "expiresAtMs", last_used_at AS "lastUsedAtMs"`;
