import { DomainError } from '../../domain/errors.ts';
import type { Clock, Store } from '../../domain/ports.ts';
import { createGuildStore } from '../access/guilds.ts';
import { createInstanceStore } from '../access/instances.ts';
import { createInvitationStore } from '../access/invitations.ts';
import { createRequestStore } from '../access/key-requests.ts';
import type { OnKeyLookup } from '../access/key-rows.ts';
import { createKeyStore } from '../access/keys.ts';
import { createPreferenceStore } from '../access/preferences.ts';
import { createRoleStore } from '../access/roles.ts';
import { createSessionStore } from '../access/sessions.ts';
import { AUDIT_READS, createAuditStore } from '../audit/audit-log.ts';
import { NO_GUILD } from '../audit/audit-writer.ts';
import { createBoardStore } from '../board/boards.ts';
import { createChatStore } from '../chat/chat.ts';
import { createEntryStore } from '../ledger/entries.ts';
import { createLedgerViewStore } from '../ledger/ledger-views.ts';
import type { SchemaRule, UpgradeOptions } from '../operations/migrate.ts';
import { type BackgroundRun, startInBackground, WHILE_SERVING } from '../operations/step-runner.ts';
import { createMemberStore } from '../people/members.ts';
import { createVerificationStore } from '../people/verifications.ts';
import { createCommandStore } from '../records/commands.ts';
import { createDischargeStore, createTransferStore } from '../records/records.ts';
import { createRetentionStore } from '../retention/retention.ts';
import type { Part, PartRevision } from '../revision.ts';
import { type GrowthInput, SEAL_READS } from '../seal/growth.ts';
import { createSealStore } from '../seal/seal-logs.ts';
import { createMovedGuilds, noteLedger, noteWrites } from '../webhooks/moved-guilds.ts';
import { createWebhookStore } from '../webhooks/webhooks.ts';
import { createAccountNumbers } from './account-numbers.ts';
import { finishPostgresSteps } from './background-steps.ts';
import { assertServer, type ConnectionEvents, type Database, parseDatabaseUrl } from './connection.ts';
import { assertWhole } from './copy-mark.ts';
import { readDistribution } from './distribution.ts';
import { createEngine } from './engine.ts';
import { createFigures } from './figures.ts';
import { createLedgerStore } from './ledger.ts';
import { createAccountViews } from './ledger-views.ts';
import { type Listener, startListener } from './listener.ts';
import type { Marks } from './marks.ts';
import { upgradePostgres } from './migrate.ts';
import { openNodes } from './nodes.ts';
import { createPosts } from './posts.ts';
import { createRecordExport } from './record-export.ts';
import { assertReplica, createReplicaReads, type ReplicaOptions, type ReplicaReads } from './replica.ts';
import { createRevisionReader } from './revision.ts';
import { loadSchema } from './schema.ts';
import { createSealingThread } from './sealing-thread.ts';
import { createSettling, noteListings } from './settle-accounts.ts';
import { prepare } from './statement.ts';
import { createWriter } from './transactions.ts';
import type { WorkerEvent } from './workers.ts';

const PROBE = prepare<{ value: number }>(`SELECT value FROM revision WHERE part = 'keys'`);

export interface PostgresStoreOptions extends ConnectionEvents {
  url: string;
  /** The same database on a replica, for pages, exports and feeds. */
  readUrl?: string | undefined;
  /** Real time, even in tests that stop the time of the domain: it bounds how long a change can go unseen. */
  clock: Pick<Clock, 'monotonicMs'>;
  /** The treatment of an absent or older schema; by default it is created or upgraded. */
  schema?: SchemaRule;
  onUpgrade?: UpgradeOptions['onEvent'];
  onBatch?: (size: number) => void;
  /** Called with the duration of each statement that posts. */
  onCommit?: (durationMs: number) => void;
  onKeyLookup?: OnKeyLookup;
  /** Called when a worker of a distributed store becomes known, is down or answers again. */
  onWorker?: (event: WorkerEvent) => void;
}

/**
 * Opens the store for many instances on one PostgreSQL database. Upgrades the schema first, unless `schema` forbids
 * it.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const {
    clock,
    schema = 'upgrade',
    onBatch = () => {},
    onCommit = () => {},
    onKeyLookup = () => {},
  } = options;
  const { onPoolWait, onRepeat, onReplicaRead } = options;
  const place = parseDatabaseUrl(options.url, { onPoolWait, onRepeat, onReplicaRead });
  await assertServer(place);
  const { hasUnfinished } = await upgradePostgres(place, { rule: schema, onEvent: options.onUpgrade });
  await assertWhole(place);
  const database = await readDistribution(place);
  const nodes = await openNodes(database, options.onWorker);
  const { reads: primary, marks } = nodes;
  const replica = await openReplica(options.readUrl, { database, primary });
  const aside = replica ?? primary;
  const { readLong, inSnapshot, openReader } = aside;
  const { divideByServer } = nodes;
  const reads = {
    read: primary.read,
    readAside: aside.read,
    readLong,
    inSnapshot,
    openReader,
    divideByServer,
  };
  const writer = createWriter(nodes.pools, database);
  const numbers = createAccountNumbers(database);
  // From the primary: a replica may lack the last transactions.
  const growSealHere = (input: GrowthInput) => primary.inSnapshot((sql) => SEAL_READS.growSeal(sql, input));
  // The nodes of a distributed store can be down one by one, and only this thread knows which.
  const sealing = database.isDistributed
    ? undefined
    : createSealingThread({ url: options.url, growHere: growSealHere, monotonicMs: clock.monotonicMs });
  const posts = createPosts({
    database,
    linesOf: nodes.linesOf,
    writer,
    numbers,
    sealing,
    onBatch,
    onCommit,
  });
  const parts = { ...reads, writer, isDistributed: database.isDistributed };
  const { read } = reads;
  const moved = createMovedGuilds();
  const grown = createMovedGuilds();
  const engine = noteWrites(createEngine(reads, writer), moved);
  // Nothing to invalidate: the marks are read for each request.
  const recordParts = { engine, lookAgain: () => {}, exportRecords: createRecordExport(engine.stream) };
  const revisions = {
    keys: createRevisionReader(read, 'keys', clock),
    commands: createRevisionReader(read, 'commands', clock),
    boards: createRevisionReader(read, 'boards', clock),
  };
  const listings = noteListings(
    {
      members: createMemberStore(engine),
      ledgerViews: createLedgerViewStore({
        engine,
        ...createAccountViews({ ...reads, read: reads.readAside }),
      }),
      entries: createEntryStore({
        engine,
        // On a distributed store the names of keys, on every node, are not committed at the same moment as the guild's log.
        revision: ({ guildNo }) => (database.isDistributed ? undefined : marks.ofLedger(guildNo)),
        accountRevision: async ({ guildNo }, playerId) => {
          const { count = 0, skipped = 0 } = (await marks.ofAccount(guildNo, playerId)) ?? {};
          return `${count} ${skipped}`;
        },
      }),
    },
    createSettling(writer, clock),
  );
  const listener = listen(database, revisions);
  const upgrade = hasUnfinished && schema === 'upgrade' ? startSteps(database, options.onUpgrade) : undefined;
  let closed: Promise<void> | undefined;

  async function end(): Promise<void> {
    const readsEnded = Promise.all([nodes.closeReads(), replica?.close(), sealing?.close(), upgrade?.stop()]);
    // Drops the counters in memory, so that caches do not answer for a closed store.
    for (const revision of Object.values(revisions)) {
      revision.lookAgain();
    }
    await writer.close();
    await Promise.all([readsEnded, nodes.close(), numbers.close(), listener?.close()]);
  }

  const guilds = createGuildStore(engine);
  return {
    guilds,
    keys: createKeyStore({
      engine,
      revision: revisions.keys,
      onLookup: onKeyLookup,
      isDistributed: database.isDistributed,
    }),
    discharges: createDischargeStore(recordParts),
    transfers: createTransferStore(recordParts),
    verifications: createVerificationStore({ engine, lookAgain: () => {} }),
    ...listings,
    commands: createCommandStore(engine, revisions.commands),
    ledger: noteLedger(createLedgerStore({ ...parts, posts, numbers, marks }), moved, grown),
    audit: createAuditStore({
      read: reads.readAside,
      exportPage: async (input) => AUDIT_READS.listAudit(readLong, input),
    }),
    sessions: createSessionStore(engine),
    webhooks: createWebhookStore({ engine, moved }),
    roles: createRoleStore(engine),
    invitations: createInvitationStore(engine),
    chat: createChatStore({ engine, guilds, lastEntry: marks.ofLog }),
    boards: createBoardStore(engine, revisions.boards),
    preferences: createPreferenceStore(engine),
    requests: createRequestStore(engine),
    instances: createInstanceStore(engine),
    retention: createRetentionStore(engine),
    seals: createSealStore({
      engine,
      growSeal: sealing?.growSeal ?? growSealHere,
      grown,
      inSnapshot: primary.inSnapshot,
      isDistributed: database.isDistributed,
    }),
    figures: createFigures(primary.readLong, nodes.figures, replica?.lagBytes),
    allOrNothing: writer.allOrNothing,
    revision(part) {
      if (part === 'commands') {
        return revisions.commands.read();
      }
      return part === 'verifications' ? peopleRevision(marks, database) : marks.ofLog(part.guildNo);
    },
    async check() {
      await read.first(PROBE);
      nodes.assertAnyUp();
    },
    close() {
      closed ??= end();
      return closed;
    },
  };
}

/** Runs the steps of an upgrade that need not be done before the store is served. */
function startSteps(database: Database, onEvent: UpgradeOptions['onEvent'] = () => {}): BackgroundRun {
  const { steps } = loadSchema();
  return startInBackground(
    (stop) => finishPostgresSteps(database, steps, { pace: WHILE_SERVING, onEvent, stop }),
    onEvent,
  );
}

async function openReplica(
  url: string | undefined,
  parts: Omit<ReplicaOptions, 'url'>,
): Promise<ReplicaReads | undefined> {
  if (url === undefined) {
    return undefined;
  }
  await assertReplica(url, parts.database);
  return createReplicaReads({ url, ...parts });
}

/**
 * The number of the last entry in the log of people. On a distributed store one worker has that log, while every node has a copy of the
 * people: while that worker is down nothing is answered from memory, and people are still found.
 */
async function peopleRevision(
  marks: Pick<Marks, 'ofLog'>,
  { isDistributed }: Database,
): Promise<number | undefined> {
  try {
    return await marks.ofLog(NO_GUILD);
  } catch (error) {
    if (isDistributed && error instanceof DomainError && error.code === 'store_unavailable') {
      return undefined;
    }
    throw error;
  }
}

/**
 * A transaction pooler passes on no notifications. Behind one there is no listener, and the counters are only polled.
 */
function listen(database: Database, revisions: Record<Part, PartRevision>): Listener | undefined {
  if (database.isPooled) {
    return undefined;
  }
  return startListener(database, (part) => {
    for (const [name, revision] of Object.entries(revisions)) {
      if (part === undefined || part === name) {
        revision.lookAgain();
      }
    }
  });
}
