import { KEYS_PER_GUILD_MAX } from '../../domain/access/api-keys.ts';
import { DomainError } from '../../domain/errors.ts';
import type {
  ApiKey,
  Change,
  GuildRef,
  KeyChange,
  KeyRotation,
  NewApiKey,
  StoredKey,
} from '../../domain/model.ts';
import type { KeyStore, KeyUse, RefusedHour } from '../../domain/ports.ts';
import { openAudit } from '../audit/audit-writer.ts';
import { type Engine, inLane } from '../jobs.ts';
import { bumpKeyRevision, changedGuilds, FIND_KEY_CHANGES, type PartRevision } from '../revision.ts';
import { type Sql, statement } from '../sql.ts';
import { createKeyCache } from './key-cache.ts';
import { type ChangedKey, type KeyWrite, rotateKey, updateKey } from './key-changes.ts';
import {
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
} from './key-rows.ts';
import { noteRefusals, readGuildUsage, readRefusals, readUsage, touchKeys } from './key-usage.ts';

// On a distributed store limits are on the node of the guild, which is unknown until the key is found. So each post
// looks for limits.
const MAY_HAVE_LIMIT = 'true';
const FIND_BY_GUILD = statement<ListedRow>(`${listKeys('$1')} ${NEWEST_FIRST}`);
const FIND_ALL_NAMES = statement<{ keyId: string; name: string }>(`${listKeyNames('$1')} ${NEWEST_FIRST}`);
const FIND_ONE = statement<ListedRow>(`${listKeys('$1')} AND k.key_id = $2`);
const FIND_GUILD = statement<GuildRef>(
  `SELECT g.guild_no AS "guildNo", g.guild_id AS "guildId" FROM api_key k JOIN guild g USING (guild_no)
   WHERE k.key_id = $1 AND k.deleted_at IS NULL`,
);
const FIND_NAMES = statement<{ keyId: string; name: string }>(
  ({ isOneOf }) =>
    `SELECT key_id AS "keyId", name FROM api_key WHERE guild_no = $1 AND ${isOneOf('key_id', { value: '$2', type: 'text' })}`,
);
const INSERT = statement(
  `INSERT INTO api_key (key_id, guild_no, hash, prefix, name, scopes, created_by, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
const COUNT_LIVE = statement<{ count: number }>(
  'SELECT count(*) AS count FROM api_key WHERE guild_no = $1 AND deleted_at IS NULL AND expires_at > $2',
);
const FIND_PRESENT = statement<PresentKeyRow>(
  `SELECT ${PRESENT_KEY_COLUMNS} FROM api_key WHERE key_id = $1 AND deleted_at IS NULL`,
);
// Of two concurrent deletions, only the one that updates the row has deleted the key.
const FORGET = statement(
  'UPDATE api_key SET hash = NULL, deleted_at = $1 WHERE key_id = $2 AND deleted_at IS NULL',
);
const FORGET_FORMER = statement(
  'DELETE FROM former_key WHERE key_no = (SELECT key_no FROM api_key WHERE key_id = $1)',
);

interface KeyDelete {
  keyId: string;
  change: Change;
  guild: GuildRef | undefined;
}

const laneOfKey = ({ keyId }: { keyId: string }) => `key ${keyId}`;

export const KEY_WRITES = {
  // Audited writes of one guild run one at a time.
  insertKey: inLane(({ key }: { key: NewApiKey; change: Change }) => `guild ${key.guild.guildNo}`, insertKey),
  deleteKey: inLane(laneOfKey, deleteKey),
  rotateKey: inLane(
    ({ rotation }: KeyWrite & { rotation: KeyRotation }) => laneOfKey(rotation),
    async (sql, input) => showKey(sql, await rotateKey(sql, input)),
  ),
  updateKey: inLane(laneOfKey, async (sql, input: KeyWrite & { keyId: string; key: KeyChange }) =>
    showKey(sql, await updateKey(sql, input)),
  ),
  touchKeys: inLane((_: readonly KeyUse[]) => 'key uses', touchKeys),
  noteRefusals: inLane((_: RefusedHour & { change: Change }) => 'key uses', noteRefusals),
};

export interface KeyStoreParts {
  engine: Engine<typeof KEY_WRITES>;
  revision: PartRevision;
  onLookup: OnKeyLookup;
  isDistributed: boolean;
}

export function createKeyStore(parts: KeyStoreParts): KeyStore {
  const { engine, revision } = parts;
  const { read, write } = engine;
  return {
    ...createCachedLookup(parts),
    insert: (key, change) => write('insertKey', { key, change }).finally(revision.lookAgain),
    async list(guild) {
      const rows = await read.all(FIND_BY_GUILD, [guild.guildNo]);
      return rows.map((row) => toListedKey(row, guild));
    },
    listNames: async ({ guildNo }) => read.all(FIND_ALL_NAMES, [guildNo]),
    find: (guild, keyId) => findOne(read, guild, keyId),
    guildOf: async (keyId) => read.first(FIND_GUILD, [keyId]),
    rotate: (rotation, change, guild) =>
      write('rotateKey', { rotation, change, guild }).finally(revision.lookAgain),
    update: (keyId, key, change, guild) =>
      write('updateKey', { keyId, key, change, guild }).finally(revision.lookAgain),
    usage: ({ guildNo }, keyId, sinceHour) => readUsage(read, { guildNo, keyId, sinceHour }),
    guildUsage: ({ guildNo }, sinceHour) => readGuildUsage(read, { guildNo, sinceHour }),
    refusals: ({ guildNo }, hours) => readRefusals(read, { guildNo, ...hours }),
    delete: (keyId, change, guild) =>
      write('deleteKey', { keyId, change, guild }).finally(revision.lookAgain),
    async findNames({ guildNo }, keyIds) {
      const names = new Map((await read.all(FIND_NAMES, [guildNo, keyIds])).map((row) => [row.keyId, row]));
      return keyIds.flatMap((keyId) => names.get(keyId) ?? []);
    },
    touch: (uses) => write('touchKeys', uses),
    noteRefusals: (hour, change) => write('noteRefusals', { ...hour, change }),
  };
}

async function findOne(sql: Sql, guild: GuildRef, keyId: string): Promise<ApiKey | undefined> {
  const row = await sql.first(FIND_ONE, [guild.guildNo, keyId]);
  return row && toListedKey(row, guild);
}

async function showKey(sql: Sql, changed: ChangedKey | undefined): Promise<ApiKey | undefined> {
  return changed && findOne(sql, changed.guild, changed.keyId);
}

/**
 * Looks a key up once and caches it until any process changes a key of its guild. A change by another instance is noticed within
 * half a second.
 */
function createCachedLookup({
  engine: { read },
  revision,
  onLookup,
  isDistributed,
}: KeyStoreParts): Pick<KeyStore, 'findByHash' | 'recall'> {
  const limit = isDistributed ? MAY_HAVE_LIMIT : HAS_LIMIT;
  const findPresent = statement<StoredRow>(`${findByPresent(limit)} $1`);
  const findFormer = statement<StoredRow>(`${findByFormer(limit)} $1`);
  const cache = createKeyCache();
  /** The cache holds no key that changed up to this value of the counter. */
  let cachedRevision = 0;
  let catchingUp: { upTo: number; done: Promise<void> } | undefined;

  async function catchUp(upTo: number): Promise<void> {
    const changes = { since: cachedRevision, upTo };
    const guildNos = changedGuilds(await read.all(FIND_KEY_CHANGES, [changes.since, upTo]), changes);
    if (guildNos === undefined) {
      cache.clear();
    } else {
      guildNos.forEach(cache.dropGuild);
    }
    cachedRevision = upTo;
  }

  /** Requests that notice the same change share one read. */
  function catchUpOnce(upTo: number): Promise<void> {
    if (catchingUp?.upTo === upTo) {
      return catchingUp.done;
    }
    const done = catchUp(upTo).finally(() => {
      if (catchingUp?.done === done) {
        catchingUp = undefined;
      }
    });
    catchingUp = { upTo, done };
    return done;
  }

  async function look(hash: string, current: number): Promise<StoredKey | undefined> {
    const row = (await read.first(findPresent, [hash])) ?? (await read.first(findFormer, [hash]));
    if (row === undefined) {
      return undefined;
    }
    const key = toStoredKey(row);
    // The counter may have changed during the read. The key's guild may be the one that changed, so the result is not cached.
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
      if (current !== cachedRevision) {
        await catchUpOnce(current);
      }
      const cached = cache.get(hash);
      onLookup(cached === undefined ? 'miss' : 'hit');
      return cached ?? look(hash, current);
    },
  };
}

async function insertKey(sql: Sql, { key, change }: { key: NewApiKey; change: Change }): Promise<void> {
  const { keyId, guild, hash, prefix, name, scopes, createdBy, createdAtMs, expiresAtMs } = key;
  const { guildNo } = guild;
  const audit = await openAudit(sql, { guildNo, change, subjectKind: 'key' });
  const live = await sql.first(COUNT_LIVE, [guildNo, change.atMs]);
  if ((live?.count ?? 0) >= KEYS_PER_GUILD_MAX) {
    throw new DomainError('key_limit', { detail: KEYS_PER_GUILD_MAX.toLocaleString('en') });
  }
  await sql.run(INSERT, [
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
  await bumpKeyRevision(sql, guildNo);
  if (key.settings !== undefined) {
    await updateKey(sql, { keyId, key: key.settings, change, guild });
  }
}

async function deleteKey(sql: Sql, { keyId, change, guild }: KeyDelete): Promise<boolean> {
  const key = await sql.first(FIND_PRESENT, [keyId]);
  if (key === undefined || (guild !== undefined && guild.guildNo !== key.guildNo)) {
    return false;
  }
  const { guildNo } = key;
  const audit = await openAudit(sql, { guildNo, change, subjectKind: 'key' });
  // Another write may have deleted it while this one waited for the log.
  if ((await sql.run(FORGET, [change.atMs, keyId])) === 0) {
    return false;
  }
  await sql.run(FORGET_FORMER, [keyId]);
  audit.add({ subjectId: keyId, before: deletedKeyFacts(key), after: undefined });
  await audit.write();
  await bumpKeyRevision(sql, guildNo);
  return true;
}
