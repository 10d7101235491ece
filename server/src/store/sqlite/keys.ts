import type { DatabaseSync } from 'node:sqlite';
import { KEYS_PER_GUILD_MAX } from '../../domain/access/api-keys.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Change, GuildRef, NewApiKey, StoredKey } from '../../domain/model.ts';
import type { KeyStore, KeyUse } from '../../domain/ports.ts';
import {
  CACHED_KEYS_MAX,
  LISTED_COLUMNS,
  type ListedRow,
  type OnKeyLookup,
  type StoredRow,
  toListedKey,
  toScopes,
} from '../key-rows.ts';
import { createAuditWriter } from './audit.ts';
import { prepare } from './connection.ts';
import { createRevisionBump, type Revisions } from './revision.ts';
import type { Read, WriteOf } from './write.ts';

export type KeyWrites = ReturnType<typeof createKeyWrites>;

interface KeyDelete {
  keyId: string;
  change: Change;
  guild: GuildRef | undefined;
}

export interface KeyStoreParts {
  db: DatabaseSync;
  read: Read;
  write: WriteOf<KeyWrites>;
  revisions: Revisions;
  onLookup: OnKeyLookup;
}

export function createKeyStore({ db, read, write, revisions, onLookup }: KeyStoreParts): KeyStore {
  const keys = createCachedLookup(db, revisions, onLookup);
  const findByGuild = prepare<ListedRow>(
    db,
    `SELECT ${LISTED_COLUMNS}
     FROM api_key WHERE guild_no = ? AND deleted_at IS NULL ORDER BY created_at DESC, key_no DESC`,
  );
  const findOne = prepare<ListedRow>(
    db,
    `SELECT ${LISTED_COLUMNS} FROM api_key WHERE key_id = ? AND guild_no = ? AND deleted_at IS NULL`,
  );
  const findName = prepare<{ keyId: string; name: string }>(
    db,
    'SELECT key_id AS keyId, name FROM api_key WHERE key_id = ? AND guild_no = ?',
  );
  return {
    findByHash: (hash) => read(() => keys.find(hash)),
    recall: keys.recall,
    insert: (key, change) => write('insertKey', { key, change }).finally(revisions.lookAgain),
    find: (guild, keyId) =>
      read(() => {
        const row = findOne.get(keyId, guild.guildNo);
        return row && toListedKey(row, guild);
      }),
    list: (guild) => read(() => findByGuild.all(guild.guildNo).map((row) => toListedKey(row, guild))),
    delete: (keyId, change, guild) =>
      write('deleteKey', { keyId, change, guild }).finally(revisions.lookAgain),
    findNames: ({ guildNo }, keyIds) =>
      read(() => keyIds.flatMap((keyId) => findName.get(keyId, guildNo) ?? [])),
    touch: (uses) => write('touchKeys', uses),
  };
}

/** Looks a key up once and remembers it until any process changes any key: a delete takes effect at once. */
function createCachedLookup(
  db: DatabaseSync,
  revisions: Revisions,
  onLookup: OnKeyLookup,
): Pick<KeyStore, 'recall'> & { find(hash: string): StoredKey | undefined } {
  const find = prepare<StoredRow>(
    db,
    `SELECT k.key_no AS keyNo, k.key_id AS keyId, g.guild_no AS guildNo, g.guild_id AS guildId, k.scopes,
       k.expires_at AS expiresAtMs
     FROM api_key k JOIN guild g USING (guild_no) WHERE k.hash = ?`,
  );
  const cache = new Map<string, StoredKey>();
  let cachedRevision = 0;

  /** Forgets everything once it may not hold any more. */
  function renew(): void {
    const current = revisions.of('keys');
    if (current !== cachedRevision || cache.size >= CACHED_KEYS_MAX) {
      cache.clear();
      cachedRevision = current;
    }
  }

  function look(hash: string): StoredKey | undefined {
    const row = find.get(hash);
    if (row === undefined) {
      return undefined;
    }
    const { keyNo, keyId, guildNo, guildId, scopes, expiresAtMs } = row;
    const key = { keyNo, keyId, guild: { guildNo, guildId }, scopes: toScopes(scopes), expiresAtMs };
    cache.set(hash, key);
    return key;
  }

  return {
    recall(hash) {
      // A store that fails is for `find` to report.
      if (!revisions.isReadable()) {
        return undefined;
      }
      renew();
      const key = cache.get(hash);
      if (key !== undefined) {
        onLookup('hit');
      }
      return key;
    },
    find(hash) {
      renew();
      const key = cache.get(hash);
      onLookup(key === undefined ? 'miss' : 'hit');
      return key ?? look(hash);
    },
  };
}

export function createKeyWrites(db: DatabaseSync) {
  const insert = prepare(
    db,
    `INSERT INTO api_key (key_id, guild_no, hash, prefix, name, scopes, created_by, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const countLive = prepare<{ count: number }>(
    db,
    'SELECT count(*) AS count FROM api_key WHERE guild_no = ? AND deleted_at IS NULL AND expires_at > ?',
  );
  const findPresent = prepare<{ guildNo: number; name: string; prefix: string }>(
    db,
    'SELECT guild_no AS guildNo, name, prefix FROM api_key WHERE key_id = ? AND deleted_at IS NULL',
  );
  const forget = prepare(db, 'UPDATE api_key SET hash = NULL, deleted_at = ? WHERE key_id = ?');
  const touch = prepare(
    db,
    'UPDATE api_key SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE key_no = ?',
  );
  const bump = createRevisionBump(db, 'keys');
  const audit = createAuditWriter(db);
  return {
    insertKey({ key, change }: { key: NewApiKey; change: Change }): void {
      const { keyId, guild, hash, prefix, name, scopes, createdBy, createdAtMs, expiresAtMs } = key;
      if ((countLive.get(guild.guildNo, change.atMs)?.count ?? 0) >= KEYS_PER_GUILD_MAX) {
        throw new DomainError('key_limit', { detail: KEYS_PER_GUILD_MAX.toLocaleString('en') });
      }
      insert.run(
        keyId,
        guild.guildNo,
        hash,
        prefix,
        name,
        scopes.join(' '),
        createdBy,
        createdAtMs,
        expiresAtMs,
      );
      audit({
        guildNo: guild.guildNo,
        change,
        subjectKind: 'key',
        subjectId: keyId,
        before: undefined,
        after: { name, prefix, scopes, expiresAtMs },
      });
      bump();
    },
    deleteKey({ keyId, change, guild }: KeyDelete): boolean {
      const key = findPresent.get(keyId);
      if (key === undefined || (guild !== undefined && guild.guildNo !== key.guildNo)) {
        return false;
      }
      const { guildNo, ...before } = key;
      forget.run(change.atMs, keyId);
      audit({ guildNo, change, subjectKind: 'key', subjectId: keyId, before, after: undefined });
      bump();
      return true;
    },
    touchKeys(uses: readonly KeyUse[]): void {
      for (const { keyNo, usedAtMs } of uses) {
        touch.run(usedAtMs, keyNo);
      }
    },
  };
}
