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
import { openAudit } from './audit.ts';
import { bumpRevision, type RevisionReader } from './revision.ts';
import { prepare, type Runner } from './statement.ts';
import type { Writer } from './write.ts';

const FIND = prepare<StoredRow>(
  `SELECT k.key_no AS "keyNo", k.key_id AS "keyId", g.guild_no AS "guildNo", g.guild_id AS "guildId", k.scopes,
     k.expires_at AS "expiresAtMs"
   FROM api_key k JOIN guild g USING (guild_no) WHERE k.hash = $1`,
);
const FIND_BY_GUILD = prepare<ListedRow>(
  `SELECT ${LISTED_COLUMNS}
   FROM api_key WHERE guild_no = $1 AND deleted_at IS NULL ORDER BY created_at DESC, key_no DESC`,
);
const FIND_ONE = prepare<ListedRow>(
  `SELECT ${LISTED_COLUMNS} FROM api_key WHERE key_id = $1 AND guild_no = $2 AND deleted_at IS NULL`,
);
const FIND_NAMES = prepare<{ keyId: string; name: string }>(
  `SELECT k.key_id AS "keyId", k.name FROM unnest($2::text[]) WITH ORDINALITY AS wanted (key_id, position)
   JOIN api_key k ON k.key_id = wanted.key_id COLLATE "C" AND k.guild_no = $1 ORDER BY wanted.position`,
);
const INSERT = prepare(
  `INSERT INTO api_key (key_id, guild_no, hash, prefix, name, scopes, created_by, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
const COUNT_LIVE = prepare<{ count: number }>(
  'SELECT count(*) AS count FROM api_key WHERE guild_no = $1 AND deleted_at IS NULL AND expires_at > $2',
);
const FIND_PRESENT = prepare<{ guildNo: number; name: string; prefix: string }>(
  'SELECT guild_no AS "guildNo", name, prefix FROM api_key WHERE key_id = $1 AND deleted_at IS NULL',
);
// The hash is part of a unique index; only whoever really takes it away has deleted the key.
const FORGET = prepare(
  'UPDATE api_key SET hash = NULL, deleted_at = $1 WHERE key_id = $2 AND deleted_at IS NULL',
);
// Instances touch the same keys at the same time: locked in one order they cannot wait for each other.
const TOUCH = prepare(
  `WITH used AS (SELECT key_no, max(used_at) AS used_at FROM unnest($1::bigint[], $2::bigint[]) AS u (key_no, used_at)
     GROUP BY key_no),
   locked AS (SELECT key_no FROM api_key WHERE key_no = ANY ($1::bigint[]) ORDER BY key_no FOR NO KEY UPDATE)
   UPDATE api_key SET last_used_at = greatest(coalesce(last_used_at, 0), used.used_at)
   FROM used JOIN locked USING (key_no) WHERE api_key.key_no = used.key_no`,
);

export interface KeyStoreParts {
  read: Runner;
  writer: Writer;
  revision: RevisionReader;
  onLookup: OnKeyLookup;
}

export function createKeyStore({ read, writer, revision, onLookup }: KeyStoreParts): KeyStore {
  const { write } = writer;
  return {
    ...createCachedLookup(read, revision, onLookup),
    insert: (key, change) =>
      write(laneOf(key.guild), (transaction) => insert(transaction, key, change)).finally(revision.lookAgain),
    async list(guild) {
      const rows = await read.all(FIND_BY_GUILD, [guild.guildNo]);
      return rows.map((row) => toListedKey(row, guild));
    },
    async find(guild, keyId) {
      const row = await read.first(FIND_ONE, [keyId, guild.guildNo]);
      return row && toListedKey(row, guild);
    },
    delete: (keyId, change, guild) =>
      write(`key ${keyId}`, (transaction) => forget(transaction, { keyId, change, guild })).finally(
        revision.lookAgain,
      ),
    findNames: ({ guildNo }, keyIds) => read.all(FIND_NAMES, [guildNo, keyIds]),
    touch: (uses) => write('key uses', (transaction) => touch(transaction, uses)),
  };
}

/** Writes of one guild follow one another in the order given. */
function laneOf(guild: GuildRef): string {
  return `guild ${guild.guildNo}`;
}

/** Looks a key up once and remembers it until any process changes any key, which it learns within half a second. */
function createCachedLookup(
  read: Runner,
  revision: RevisionReader,
  onLookup: OnKeyLookup,
): Pick<KeyStore, 'findByHash' | 'recall'> {
  const cache = new Map<string, StoredKey>();
  let cachedRevision = 0;

  async function look(hash: string, current: number): Promise<StoredKey | undefined> {
    const row = await read.first(FIND, [hash]);
    if (row === undefined) {
      return undefined;
    }
    const { keyNo, keyId, guildNo, guildId, scopes, expiresAtMs } = row;
    const key = { keyNo, keyId, guild: { guildNo, guildId }, scopes: toScopes(scopes), expiresAtMs };
    // The answer may have been under way while the counter moved; then it belongs to a memory that is gone.
    if (cachedRevision === current) {
      cache.set(hash, key);
    }
    return key;
  }

  return {
    recall(hash) {
      const key = revision.read() === cachedRevision ? cache.get(hash) : undefined;
      if (key !== undefined) {
        onLookup('hit');
      }
      return key;
    },
    async findByHash(hash) {
      const seen = revision.read();
      const current = typeof seen === 'number' ? seen : await seen;
      if (current !== cachedRevision || cache.size >= CACHED_KEYS_MAX) {
        cache.clear();
        cachedRevision = current;
      }
      const cached = cache.get(hash);
      onLookup(cached === undefined ? 'miss' : 'hit');
      return cached ?? look(hash, current);
    },
  };
}

async function insert(transaction: Runner, key: NewApiKey, change: Change): Promise<void> {
  const { keyId, guild, hash, prefix, name, scopes, createdBy, createdAtMs, expiresAtMs } = key;
  const { guildNo } = guild;
  const audit = await openAudit(transaction, { guildNo, change, subjectKind: 'key' });
  const live = await transaction.first(COUNT_LIVE, [guildNo, change.atMs]);
  if ((live?.count ?? 0) >= KEYS_PER_GUILD_MAX) {
    throw new DomainError('key_limit', { detail: KEYS_PER_GUILD_MAX.toLocaleString('en') });
  }
  await transaction.run(INSERT, [
    keyId,
    guildNo,
    hash,
    prefix,
    name,
    scopes.join(' '),
    createdBy,
    createdAtMs,
    expiresAtMs,
  ]);
  audit.add({ subjectId: keyId, before: undefined, after: { name, prefix, scopes, expiresAtMs } });
  await audit.write();
  await bumpRevision(transaction, 'keys');
}

interface KeyDelete {
  keyId: string;
  change: Change;
  guild: GuildRef | undefined;
}

async function forget(transaction: Runner, { keyId, change, guild }: KeyDelete): Promise<boolean> {
  const key = await transaction.first(FIND_PRESENT, [keyId]);
  if (key === undefined || (guild !== undefined && guild.guildNo !== key.guildNo)) {
    return false;
  }
  const { guildNo, ...before } = key;
  const audit = await openAudit(transaction, { guildNo, change, subjectKind: 'key' });
  // Somebody else may have deleted it while this one waited for the log.
  if ((await transaction.run(FORGET, [change.atMs, keyId])) === 0) {
    return false;
  }
  audit.add({ subjectId: keyId, before, after: undefined });
  await audit.write();
  await bumpRevision(transaction, 'keys');
  return true;
}

async function touch(transaction: Runner, uses: readonly KeyUse[]): Promise<void> {
  if (uses.length > 0) {
    await transaction.run(TOUCH, [uses.map(({ keyNo }) => keyNo), uses.map(({ usedAtMs }) => usedAtMs)]);
  }
}
