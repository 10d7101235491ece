import type { DatabaseSync } from 'node:sqlite';
import { DomainError } from '../../domain/errors.ts';
import type { GuildRef } from '../../domain/model.ts';
import type { Store } from '../../domain/ports.ts';
import { createGuildStore } from '../access/guilds.ts';
import { createInstanceStore } from '../access/instances.ts';
import { createInvitationStore } from '../access/invitations.ts';
import { createRequestStore } from '../access/key-requests.ts';
import type { OnKeyLookup } from '../access/key-rows.ts';
import { createKeyStore } from '../access/keys.ts';
import { createPreferenceStore } from '../access/preferences.ts';
import { createRoleStore } from '../access/roles.ts';
import { createSessionStore } from '../access/sessions.ts';
import { createAuditStore } from '../audit/audit-log.ts';
import { createBoardStore } from '../board/boards.ts';
import { createChatStore } from '../chat/chat.ts';
import { createEntryStore } from '../ledger/entries.ts';
import { createLedgerViewStore } from '../ledger/ledger-views.ts';
import type { SchemaRule, UpgradeOptions } from '../operations/migrate.ts';
import { listSteps } from '../operations/schema-steps.ts';
import { createMemberStore } from '../people/members.ts';
import { createVerificationStore } from '../people/verifications.ts';
import { createCommandStore } from '../records/commands.ts';
import { createDischargeStore, createTransferStore } from '../records/records.ts';
import { createRetentionStore } from '../retention/retention.ts';
import { createRecentLeaves } from '../seal/recent-leaves.ts';
import { createSealStore } from '../seal/seal-logs.ts';
import { createMovedGuilds, noteLedger, noteWrites } from '../webhooks/moved-guilds.ts';
import { createWebhookStore } from '../webhooks/webhooks.ts';
import { startSteps } from './background-steps.ts';
import { assertMigrated } from './backup.ts';
import { openConnection, prepare } from './connection.ts';
import { assertNoCopyUnderWay } from './copy-mark.ts';
import { createEngine } from './engine.ts';
import { faultKind, toDomainError } from './faults.ts';
import { createFigures } from './figures.ts';
import { createLedgerStore } from './ledger.ts';
import { createAccountViews } from './ledger-views.ts';
import { migrateSqliteFile, upgradeSqliteFile } from './migrate.ts';
import type { OpenReader } from './read-rows.ts';
import { createReaderThreads } from './reader-threads.ts';
import { createRecordRanges } from './record-readings.ts';
import { createRevisions, partRevision } from './revision.ts';
import { createSnapshotGuard, type SnapshotGuard } from './snapshot-guard.ts';
import type { Guarded } from './sql.ts';
import { assertWritable, identify } from './store-file.ts';
import type { Read, ReadNow } from './thread-calls.ts';
import { startWriterThread } from './writer-thread.ts';

/** Page cache of the connection for reads. */
const READ_CACHE_KIBIBYTES = 8 * 1024;
/** Transactions that the sealer hashes on the calling thread. More take longer than passing them to its own. */
const SEALED_HERE_MAX = 16;

export interface SqliteStoreOptions {
  file: string;
  /** Called when the store's files can no longer be trusted; the process should end. */
  onFatal: (error: Error) => void;
  /** The treatment of an absent or older schema; by default it is created or upgraded. */
  schema?: SchemaRule;
  upgrade?: UpgradeOptions;
  onBatch?: (size: number) => void;
  /** Called with the duration of each COMMIT. */
  onCommit?: (durationMs: number) => void;
  onKeyLookup?: OnKeyLookup;
  /** Called with the reason when nothing can be written any more, and with undefined when it can be again. */
  onUnwritable?: (reason: string | undefined) => void;
  /** Readings that hold a snapshot are ended when the WAL is larger than this; without a value they never are. */
  readingWalBytesMax?: number;
}

/**
 * Opens the embedded store: one file, reads on the calling thread, long reads and writes on threads of their own.
 * Upgrades the schema first, unless `schema` forbids it.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const {
    file,
    onFatal,
    schema = 'upgrade',
    onBatch = () => {},
    onCommit = () => {},
    onKeyLookup = () => {},
    onUnwritable = () => {},
  } = options;
  const { hasUnfinished } = await bringUpToDate(file, schema, options.upgrade);
  const db = openServable(file);
  // A write on this connection fails instead of bypassing the writer thread.
  db.exec(`PRAGMA query_only = ON; PRAGMA cache_size = -${READ_CACHE_KIBIBYTES}`);
  const recent = createRecentLeaves();
  const onLeaves = recent.add;
  // Started last: the thread would keep the process alive if a step before it failed.
  const writer = await startWriterThread({ file, onFatal, onBatch, onCommit, onLeaves, onUnwritable }).catch(
    (error) => {
      db.close();
      throw error;
    },
  );
  const readers = createReaderThreads({ file, onFatal, truncateWal: writer.truncateWal });

  const readNow = createReadNow(db, onFatal);
  const read: Read = async (work) => readNow(work);
  const guard = createSnapshotGuard(file, options.readingWalBytesMax ?? Number.POSITIVE_INFINITY);
  const openReader = createOpenReader(db, { file, guard });
  const { write } = writer;
  const readLong = readers.read;
  const moved = createMovedGuilds();
  const grown = createMovedGuilds();
  const revisions = createRevisions(db);
  const { lookAgain } = revisions;
  const bareEngine = createEngine({
    db,
    guarded: createGuard(db, onFatal),
    readNow: readNow as <Result>(work: () => Result) => Result,
    openReader,
    // A caller that waited for a change may read in the same turn, and has to see it.
    write: (name: never, input: never) => write(name, input).finally(lookAgain),
    readElsewhere: readLong,
  });
  const engine = noteWrites(bareEngine, moved);
  const ledgerRevision = ({ guildNo }: GuildRef) => revisions.ofLedger(guildNo);
  const recordParts = { engine, lookAgain, exportRecords: createRecordRanges(readers.readExport, guard) };
  const upgrade = hasUnfinished
    ? startSteps({ list: () => listSteps(engine.read), write }, options.upgrade)
    : undefined;
  const guilds = createGuildStore(engine);
  const identity = identify(file);
  const probe = prepare<{ alive: number }>(db, 'SELECT 1 AS alive FROM revision LIMIT 1');
  return {
    guilds,
    keys: createKeyStore({
      engine,
      revision: partRevision(revisions, 'keys'),
      onLookup: onKeyLookup,
      isDistributed: false,
    }),
    discharges: createDischargeStore(recordParts),
    transfers: createTransferStore(recordParts),
    verifications: createVerificationStore({
      engine,
      lookAgain,
      revision: () => (db.isOpen && revisions.isReadable() ? revisions.of('verifications') : undefined),
    }),
    members: createMemberStore(engine),
    commands: createCommandStore(engine, partRevision(revisions, 'commands')),
    ledger: noteLedger(
      createLedgerStore({ db, read, readNow, readLong, openReader, write, revisions }),
      moved,
      grown,
    ),
    ledgerViews: createLedgerViewStore({
      engine,
      ...createAccountViews({ db, read, readLong, readExport: readers.readExport }),
    }),
    entries: createEntryStore({ engine, revision: ledgerRevision, accountRevision: ledgerRevision }),
    audit: createAuditStore({
      read: engine.read,
      exportPage: (input) => readers.readExport('listAudit', input),
    }),
    sessions: createSessionStore(engine),
    webhooks: createWebhookStore({ engine, moved }),
    roles: createRoleStore(engine),
    invitations: createInvitationStore(engine),
    chat: createChatStore({
      engine,
      guilds,
      lastEntry: (guildNo) => readNow(() => revisions.ofLog(guildNo)),
    }),
    boards: createBoardStore(engine, partRevision(revisions, 'boards')),
    preferences: createPreferenceStore(engine),
    requests: createRequestStore(engine),
    instances: createInstanceStore(engine),
    retention: createRetentionStore(engine),
    seals: createSealStore({
      engine,
      growSeal: (input, rows) =>
        rows > SEALED_HERE_MAX
          ? readers.readBehind('growSeal', input)
          : engine.readLong('growSeal', input, () => rows),
      grown,
      recent,
      inSnapshot: engine.inSnapshot,
      isDistributed: false,
    }),
    figures: createFigures({ file, db, read, checkWritable: writer.checkWritable }),
    allOrNothing: writer.allOrNothing,
    revision(part) {
      if (!db.isOpen || !revisions.isReadable()) {
        return undefined;
      }
      return typeof part === 'string' ? revisions.of(part) : revisions.ofGuild(part);
    },
    async check() {
      await read(() => probe.get());
      await read(() => assertSameFile(file, identity));
      await writer.checkWritable();
    },
    async close() {
      // Readers refuse new work at once. The writer is closed later: a batch of the upgrade may still use it.
      const readersClosed = readers.close();
      await upgrade?.stop();
      await Promise.all([readersClosed, writer.close()]);
      if (db.isOpen) {
        db.close();
      }
    },
  };
}

/** Refuses a file that was moved or may no longer be written. Reads would still work but posts would not, so the store is not ready. */
function assertSameFile(file: string, identity: string | undefined): void {
  try {
    assertWritable(file);
  } catch (error) {
    throw new DomainError('store_unavailable', { cause: error, retryAfterSeconds: 5 });
  }
  if (identify(file) !== identity) {
    const cause = new Error(`${file} is not the file any more that the store was opened from`);
    throw new DomainError('store_unavailable', { cause, retryAfterSeconds: 5 });
  }
}

/** Like `createReadNow`, for work that may wait: translates errors whenever they happen. */
function createGuard(db: DatabaseSync, onFatal: SqliteStoreOptions['onFatal']): Guarded {
  const readNow = createReadNow(db, onFatal);
  return async (work) => {
    try {
      return await readNow(work);
    } catch (error) {
      return readNow(() => {
        throw error;
      });
    }
  };
}

function createReadNow(db: DatabaseSync, onFatal: SqliteStoreOptions['onFatal']): ReadNow {
  return (work) => {
    if (!db.isOpen) {
      throw new DomainError('store_unavailable', { retryAfterSeconds: 1 });
    }
    try {
      return work();
    } catch (error) {
      if (error instanceof Error && faultKind(error) === 'fatal') {
        onFatal(error);
      }
      throw toDomainError(error);
    }
  };
}

function createOpenReader(
  db: DatabaseSync,
  { file, guard }: { file: string; guard: SnapshotGuard },
): OpenReader {
  return () => {
    if (!db.isOpen) {
      throw new DomainError('store_unavailable', { retryAfterSeconds: 1 });
    }
    try {
      const reader = openConnection(file);
      reader.exec('PRAGMA query_only = ON');
      return { db: reader, ...guard.watch(reader) };
    } catch (error) {
      throw toDomainError(error);
    }
  };
}

/** Returns whether this process has to run steps of an upgrade in the background. */
async function bringUpToDate(
  file: string,
  rule: SchemaRule,
  options?: UpgradeOptions,
): Promise<{ hasUnfinished: boolean }> {
  switch (rule) {
    case 'expect':
      assertMigrated(file);
      return { hasUnfinished: false };
    case 'create':
      migrateSqliteFile(file, rule);
      return { hasUnfinished: false };
    case 'upgrade':
      return upgradeSqliteFile(file, options);
  }
}

function openServable(file: string): DatabaseSync {
  const db = openConnection(file);
  try {
    assertNoCopyUnderWay(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
