import type {
  ServerFigures,
  StoreFigures,
  WebhookFigures,
  WorkerFigures,
} from '../../domain/store-figures.ts';
import { NO_GUILD } from '../audit/audit-writer.ts';
import { listSteps } from '../operations/schema-steps.ts';
import { prepare, type Runner } from './statement.ts';

const SIZE = prepare<{ bytes: number }>('SELECT pg_database_size(current_database())::bigint AS bytes');

// The newest transaction of each guild is the last entry of its part of the index on times.
export const NEWEST = prepare<{ newest: number | null }>(
  `SELECT max(g.newest) AS newest FROM (SELECT (SELECT max(t.created_at) FROM ledger_transaction AS t
     WHERE t.guild_no = l.guild_no) AS newest FROM guild_ledger AS l) AS g`,
);

interface States {
  active: number;
  failing: number;
  disabled: number;
  retry: number | null;
}

const STATES = prepare<States>(
  `SELECT count(*) FILTER (WHERE w.status = 'active' AND w.failing_since IS NULL) AS active,
     count(*) FILTER (WHERE w.status = 'active' AND w.failing_since IS NOT NULL) AS failing,
     count(*) FILTER (WHERE w.status = 'disabled') AS disabled,
     min((SELECT min(r.event_at) FROM webhook_retry AS r WHERE r.guild_no = w.guild_no AND r.webhook_id = w.webhook_id))
       FILTER (WHERE w.status = 'active' AND w.retry_at IS NOT NULL) AS retry
   FROM webhook AS w`,
);

interface Position {
  guildNo: number;
  feed: number | null;
  audit: number | null;
  people: number | null;
}

// Numbers have no gaps: in each log that an endpoint follows, its oldest pending event has the number after its
// position.
const NEXT = prepare<Position>(
  `SELECT w.guild_no AS "guildNo", CASE WHEN w.follows_feed THEN w.feed_number + 1 END AS feed,
     CASE WHEN w.follows_audit THEN w.audit_entry_no + 1 END AS audit,
     CASE WHEN w.follows_people THEN w.people_entry_no + 1 END AS people
   FROM webhook AS w WHERE w.status = 'active'`,
);

// Endpoints and logs are read by separate statements: on a distributed store they are on different nodes.
export const OLDEST_TRANSACTION = prepare<{ oldest: number | null }>(
  `SELECT min(t.created_at) AS oldest FROM ledger_transaction AS t
   JOIN unnest($1::bigint[], $2::bigint[]) AS n (guild_no, number) ON t.guild_no = n.guild_no AND t.number = n.number`,
);
export const OLDEST_ENTRY = prepare<{ oldest: number | null }>(
  `SELECT min(e.created_at) AS oldest FROM audit_entry AS e
   JOIN unnest($1::bigint[], $2::bigint[]) AS n (guild_no, entry_no) ON e.guild_no = n.guild_no AND e.entry_no = n.entry_no`,
);

/** Tables whose rows are updated with posts, deliveries and requests. */
const HOT_TABLES = [
  'account',
  'audit_counter',
  'guild_day',
  'guild_day_source',
  'guild_ledger',
  'key_hour',
  'key_request',
  'session',
  'webhook',
  'webhook_retry',
];

const OLDEST_OPEN = prepare<{ seconds: number | null }>(
  `SELECT max(extract(epoch FROM clock_timestamp() - xact_start))::float8 AS seconds FROM pg_stat_activity
   WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
);
// A standby refuses to name its current position in the WAL, so the CASE must not evaluate it there.
const SLOWEST_STANDBY = prepare<{ bytes: number | null }>(
  `SELECT CASE WHEN NOT pg_is_in_recovery() THEN (SELECT max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))
     FROM pg_stat_replication)::float8 END AS bytes`,
);
const TABLE_ROWS = prepare<{ table: string; live: number; dead: number }>(
  `SELECT relname AS "table", n_live_tup AS live, n_dead_tup AS dead FROM pg_stat_user_tables
   WHERE schemaname = ANY (current_schemas(false)) AND relname = ANY ($1::text[]) ORDER BY relname`,
);

export function createFigures(
  read: Runner,
  workers: () => WorkerFigures[],
  replicaLagBytes: () => Promise<number | undefined> = async () => undefined,
): StoreFigures {
  return {
    workers,
    disk: async () => ({ databaseBytes: (await read.first(SIZE))?.bytes ?? 0 }),
    newestTransactionAtMs: async () => (await read.first(NEWEST))?.newest ?? 0,
    webhooks: () => readWebhooks(read),
    isWritable: async () => undefined,
    upgradeSteps: () => listSteps(read),
    server: async () => ({ ...(await readServer(read)), readReplicaLagBytes: await replicaLagBytes() }),
  };
}

async function readServer(read: Runner): Promise<Omit<ServerFigures, 'readReplicaLagBytes'>> {
  return {
    oldestTransactionSeconds: (await read.first(OLDEST_OPEN))?.seconds ?? 0,
    replicationLagBytes: (await read.first(SLOWEST_STANDBY))?.bytes ?? undefined,
    tables: await read.all(TABLE_ROWS, [HOT_TABLES]),
  };
}

async function readWebhooks(read: Runner): Promise<WebhookFigures> {
  const { retry = null, ...counts } = (await read.first(STATES)) ?? { active: 0, failing: 0, disabled: 0 };
  const next = await read.all(NEXT);
  const transactions = next.flatMap(({ guildNo, feed }) => (feed === null ? [] : { guildNo, number: feed }));
  const entries = next.flatMap(({ guildNo, audit, people }) => [
    ...(audit === null ? [] : [{ guildNo, number: audit }]),
    ...(people === null ? [] : [{ guildNo: NO_GUILD, number: people }]),
  ]);
  const times = [
    await findOldest(read, OLDEST_TRANSACTION, transactions),
    await findOldest(read, OLDEST_ENTRY, entries),
  ].filter((time) => time !== undefined);
  return {
    ...counts,
    oldestNewAtMs: times.length === 0 ? undefined : Math.min(...times),
    oldestRetryAtMs: retry ?? undefined,
  };
}

/** The time of the oldest wanted row that exists. */
async function findOldest(
  read: Runner,
  statement: typeof OLDEST_TRANSACTION,
  wanted: readonly { guildNo: number; number: number }[],
): Promise<number | undefined> {
  if (wanted.length === 0) {
    return undefined;
  }
  const columns = [wanted.map(({ guildNo }) => guildNo), wanted.map(({ number }) => number)];
  return (await read.first(statement, columns))?.oldest ?? undefined;
}
