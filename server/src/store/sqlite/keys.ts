import type { DatabaseSync } from 'node:sqlite';
import { KEYS_PER_GUILD_MAX } from '../../domain/access/api-keys.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Change, GuildRef, KeyUsageCount, NewApiKey, StoredKey } from '../../domain/model.ts';
import type { KeyStore } from '../../domain/ports.ts';
import {
  CACHED_KEYS_MAX,
  deletedKeyFacts,
  findByFormer,
  findByPresent,
  type ListedRow,
  listKeyNames,
  listKeys,
  NEWEST_FIRST,
  type OnKeyLookup,
  PRESENT_KEY_COLUMNS,
  type PresentKeyRow,
  type StoredRow,
  toListedKey,
  toStoredKey,
} from '../key-rows.ts';
import { createAuditWriter } from './audit.ts';
import { prepare } from './connection.ts';
import { type ChangedKey, createKeyChanges } from './key-changes.ts';
import { createUsageWrites } from './key-usage.ts';
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
  const findByGuild = prepare<ListedRow>(db, `${listKeys('?1')} ${NEWEST_FIRST}`);
  const findAllNames = prepare<{ keyId: string; name: string }>(db, `${listKeyNames('?')} ${NEWEST_FIRST}`);
  const findOne = prepare<ListedRow>(db, `${listKeys('?1')} AND k.key_id = ?2`);
  const findUsage = prepare<KeyUsageCount>(
    db,
    `SELECT u.day, u.code, u.count FROM api_key k JOIN key_usage u ON u.guild_no = k.guild_no AND u.key_no = k.key_no
     WHERE k.key_id = ? AND k.guild_no = ? AND u.day >= ? ORDER BY u.day, u.code`,
  );
  const findName = prepare<{ keyId: string; name: string }>(
    db,
    'SELECT key_id AS keyId, name FROM api_key WHERE key_id = ? AND guild_no = ?',
  );
  const find = (guild: GuildRef, keyId: string) =>
    read(() => {
      const row = findOne.get(guild.guildNo, keyId);
      return row && toListedKey(row, guild);
    });
  const showKey = (changed: ChangedKey | undefined) => changed && find(changed.guild, changed.keyId);
  return {
    findByHash: (hash) => read(() => keys.find(hash)),
    recall: keys.recall,
    insert: (key, change) => write('insertKey', { key, change }).finally(revisions.lookAgain),
    find,
    list: (guild) => read(() => findByGuild.all(guild.guildNo).map((row) => toListedKey(row, guild))),
    listNames: ({ guildNo }) => read(() => findAllNames.all(guildNo)),
    delete: (keyId, change, guild) =>
      write('deleteKey', { keyId, change, guild }).finally(revisions.lookAgain),
    rotate: (rotation, change, guild) =>
      write('rotateKey', { rotation, change, guild }).then(showKey).finally(revisions.lookAgain),
    update: (keyId, key, change, guild) =>
      write('updateKey', { keyId, key, change, guild }).then(showKey).finally(revisions.lookAgain),
    usage: ({ guildNo }, keyId, sinceDay) => read(() => findUsage.all(keyId, guildNo, sinceDay)),
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
  const findPresent = prepare<StoredRow>(db, `${findByPresent()} ?`);
  const findFormer = prepare<StoredRow>(db, `${findByFormer()} ?`);
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
    const row = findPresent.get(hash) ?? findFormer.get(hash);
    if (row === undefined) {
      return undefined;
    }
    const key = toStoredKey(row);
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
  const findPresent = prepare<PresentKeyRow>(
    db,
    `SELECT ${PRESENT_KEY_COLUMNS} FROM api_key WHERE key_id = ? AND deleted_at IS NULL`,
  );
  const forget = prepare(db, 'UPDATE api_key SET hash = NULL, deleted_at = ? WHERE key_id = ?');
  const forgetFormer = prepare(
    db,
    'DELETE FROM former_key WHERE key_no = (SELECT key_no FROM api_key WHERE key_id = ?)',
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
      const { guildNo } = key;
      forget.run(change.atMs, keyId);
      forgetFormer.run(keyId);
      const before = deletedKeyFacts(key);
      audit({ guildNo, change, subjectKind: 'key', subjectId: keyId, before, after: undefined });
      bump();
      return true;
    },
    ...createKeyChanges(db),
    ...createUsageWrites(db),
  };
}
