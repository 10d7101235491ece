import { KEYS_PER_GUILD_MAX } from '../../domain/access/api-keys.ts';
import { DomainError } from '../../domain/errors.ts';
import type { ApiKey, Change, GuildRef, KeyUsageCount, NewApiKey, StoredKey } from '../../domain/model.ts';
import type { KeyStore } from '../../domain/ports.ts';
import {
  CACHED_KEYS_MAX,
  deletedKeyFacts,
  findByFormer,
  findByPresent,
  HAS_LIMIT,
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
import { bumpRevision, type PartRevision } from '../revision.ts';
import { openAudit } from './audit.ts';
import { type ChangedKey, rotateKey, updateKey } from './key-changes.ts';
import { touchKeys } from './key-usage.ts';
import { prepare, type Runner } from './statement.ts';
import type { Writer } from './write.ts';

// Where tables are distributed, limits are with the guild, which only the key tells: each post looks for one.
const MAY_HAVE_LIMIT = 'true';
const FIND_BY_GUILD = prepare<ListedRow>(`${listKeys('$1')} ${NEWEST_FIRST}`);
const FIND_ALL_NAMES = prepare<{ keyId: string; name: string }>(`${listKeyNames('$1')} ${NEWEST_FIRST}`);
const FIND_ONE = prepare<ListedRow>(`${listKeys('$1')} AND k.key_id = $2`);
const FIND_USAGE = prepare<KeyUsageCount>(
  `SELECT u.day, u.code, u.count FROM api_key k JOIN key_usage u ON u.guild_no = k.guild_no AND u.key_no = k.key_no
   WHERE k.key_id = $1 AND u.guild_no = $2 AND u.day >= $3 ORDER BY u.day, u.code`,
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
const FIND_PRESENT = prepare<PresentKeyRow>(
  `SELECT ${PRESENT_KEY_COLUMNS} FROM api_key WHERE key_id = $1 AND deleted_at IS NULL`,
);
// The hash is part of a unique index; only whoever really takes it away has deleted the key.
const FORGET = prepare(
  'UPDATE api_key SET hash = NULL, deleted_at = $1 WHERE key_id = $2 AND deleted_at IS NULL',
);
const FORGET_FORMER = prepare(
  'DELETE FROM former_key WHERE key_no = (SELECT key_no FROM api_key WHERE key_id = $1)',
);

export interface KeyStoreParts {
  read: Runner;
  writer: Writer;
  revision: PartRevision;
  onLookup: OnKeyLookup;
  isDistributed: boolean;
}

export function createKeyStore(parts: KeyStoreParts): KeyStore {
  const { read, writer, revision } = parts;
  const { write } = writer;
  return {
    ...createCachedLookup(parts),
    insert: (key, change) =>
      write(laneOf(key.guild), (transaction) => insert(transaction, key, change)).finally(revision.lookAgain),
    async list(guild) {
      const rows = await read.all(FIND_BY_GUILD, [guild.guildNo]);
      return rows.map((row) => toListedKey(row, guild));
    },
    listNames: ({ guildNo }) => read.all(FIND_ALL_NAMES, [guildNo]),
    find: (guild, keyId) => findOne(read, guild, keyId),
    rotate: (rotation, change, guild) =>
      write(`key ${rotation.keyId}`, (transaction) =>
        rotateKey(transaction, { rotation, change, guild }).then(showIn(transaction)),
      ).finally(revision.lookAgain),
    update: (keyId, key, change, guild) =>
      write(`key ${keyId}`, (transaction) =>
        updateKey(transaction, { keyId, key, change, guild }).then(showIn(transaction)),
      ).finally(revision.lookAgain),
    usage: ({ guildNo }, keyId, sinceDay) => read.all(FIND_USAGE, [keyId, guildNo, sinceDay]),
    delete: (keyId, change, guild) =>
      write(`key ${keyId}`, (transaction) => forget(transaction, { keyId, change, guild })).finally(
        revision.lookAgain,
      ),
    findNames: ({ guildNo }, keyIds) => read.all(FIND_NAMES, [guildNo, keyIds]),
    touch: (uses) => write('key uses', (transaction) => touchKeys(transaction, uses)),
  };
}

async function findOne(runner: Runner, guild: GuildRef, keyId: string): Promise<ApiKey | undefined> {
  const row = await runner.first(FIND_ONE, [guild.guildNo, keyId]);
  return row && toListedKey(row, guild);
}

const showIn = (transaction: Runner) => (changed: ChangedKey | undefined) =>
  changed && findOne(transaction, changed.guild, changed.keyId);

/** Writes of one guild follow one another in the order given. */
function laneOf(guild: GuildRef): string {
  return `guild ${guild.guildNo}`;
}

/** Looks a key up once and remembers it until any process changes any key, which it learns within half a second. */
function createCachedLookup({
  read,
  revision,
  onLookup,
  isDistributed,
}: KeyStoreParts): Pick<KeyStore, 'findByHash' | 'recall'> {
  const limit = isDistributed ? MAY_HAVE_LIMIT : HAS_LIMIT;
  const findPresent = prepare<StoredRow>(`${findByPresent(limit)} $1`);
  const findFormer = prepare<StoredRow>(`${findByFormer(limit)} $1`);
  const cache = new Map<string, StoredKey>();
  let cachedRevision = 0;

  async function look(hash: string, current: number): Promise<StoredKey | undefined> {
    const row = (await read.first(findPresent, [hash])) ?? (await read.first(findFormer, [hash]));
    if (row === undefined) {
      return undefined;
    }
    const key = toStoredKey(row);
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
  const { guildNo } = key;
  const audit = await openAudit(transaction, { guildNo, change, subjectKind: 'key' });
  // Somebody else may have deleted it while this one waited for the log.
  if ((await transaction.run(FORGET, [change.atMs, keyId])) === 0) {
    return false;
  }
  await transaction.run(FORGET_FORMER, [keyId]);
  audit.add({ subjectId: keyId, before: deletedKeyFacts(key), after: undefined });
  await audit.write();
  await bumpRevision(transaction, 'keys');
  return true;
}
