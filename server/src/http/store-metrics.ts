import type { Registry } from 'prom-client';
import type { Clock } from '../domain/ports.ts';
import type {
  DiskFigures,
  ServerFigures,
  StoreFigures,
  UpgradeStepFigures,
  WebhookFigures,
  WorkerFigures,
} from '../domain/store-figures.ts';
import { addComputedMetric, type ComputedValue } from './computed-metric.ts';
import { createSampled } from './sampled.ts';

type Figure = Exclude<keyof StoreFigures, 'workers'>;

type Figures = {
  [Name in Figure]: () => Promise<Awaited<ReturnType<StoreFigures[Name]>> | undefined>;
};

/** Gauges about the store. They have no values until the store is given. */
export function createStoreMetrics(registry: Registry): {
  watchStore(store: StoreFigures, clock: Clock): void;
} {
  let figures: Figures | undefined;
  let workers: StoreFigures['workers'] = () => [];
  let nowMs = () => 0;

  function add<Name extends Figure>(
    figure: Name,
    about: { name: string; help: string },
    values: (read: NonNullable<Awaited<ReturnType<StoreFigures[Name]>>>) => ComputedValue[],
  ): void {
    addComputedMetric(registry, {
      ...about,
      type: 'gauge',
      async values() {
        const read = await figures?.[figure]();
        return read === undefined || read === null ? [] : values(read);
      },
    });
  }

  add(
    'disk',
    {
      name: 'guildbook_store_size_bytes',
      help: "Size of the store. On SQLite by file: the database and its write-ahead log (wal); on PostgreSQL the server's figure for the database.",
    },
    sizeValues,
  );
  add(
    'disk',
    { name: 'guildbook_store_free_bytes', help: 'Room left on the file system of the SQLite store.' },
    ({ freeBytes }) => single(freeBytes),
  );
  add(
    'isWritable',
    { name: 'guildbook_store_writable', help: 'Whether the SQLite store can be written (1) or not (0).' },
    (isWritable) => single(isWritable ? 1 : 0),
  );
  add(
    'disk',
    {
      name: 'guildbook_last_backup_timestamp_seconds',
      help: 'The moment that the last backup of the SQLite store holds, as a Unix time; 0 when there has been none.',
    },
    ({ lastBackupAtMs }) => single(lastBackupAtMs === undefined ? undefined : lastBackupAtMs / 1_000),
  );
  add(
    'newestTransactionAtMs',
    {
      name: 'guildbook_clock_behind_seconds',
      help: "How far this machine's clock is behind the newest transaction; 0 when it is not.",
    },
    (newestAtMs) => single(Math.max(0, newestAtMs - nowMs()) / 1_000),
  );
  add(
    'webhooks',
    {
      name: 'guildbook_webhooks',
      help: 'Webhooks by state: active, failing (the last delivery failed) or disabled.',
    },
    stateValues,
  );
  add(
    'webhooks',
    {
      name: 'guildbook_webhook_oldest_event_age_seconds',
      help: 'Age of the oldest event that waits for its first delivery attempt, and of the oldest one that waits for a retry; 0 when none waits.',
    },
    (webhooks) => ageValues(webhooks, nowMs()),
  );
  add(
    'server',
    {
      name: 'guildbook_oldest_transaction_seconds',
      help: 'How long the oldest open transaction of the PostgreSQL database has been running; 0 when there is none.',
    },
    ({ oldestTransactionSeconds }) => single(oldestTransactionSeconds),
  );
  add(
    'server',
    {
      name: 'guildbook_replication_lag_bytes',
      help: 'Bytes of WAL that the slowest connected standby of the PostgreSQL server has not replayed.',
    },
    ({ replicationLagBytes }) => single(replicationLagBytes),
  );
  add(
    'server',
    {
      name: 'guildbook_read_replica_lag_bytes',
      help: 'Bytes of WAL that the replica of READ_DATABASE_URL has not replayed. Absent while it does not answer.',
    },
    ({ readReplicaLagBytes }) => single(readReplicaLagBytes),
  );
  add(
    'server',
    {
      name: 'guildbook_table_rows',
      help: 'Rows of the tables that are updated most, by table and state: live, or dead until the next vacuum. Estimated by PostgreSQL.',
    },
    tableValues,
  );

  add(
    'upgradeSteps',
    {
      name: 'guildbook_upgrade_steps',
      help: 'Steps of an upgrade of the store that are not finished. They run in the background.',
    },
    (steps) => single(steps.length),
  );
  add(
    'upgradeSteps',
    {
      name: 'guildbook_upgrade_rows',
      help: 'Rows of backfills that are not finished, by step: those that were visited (done) and the estimate of all (all).',
    },
    (steps) => steps.flatMap(rowValues),
  );

  for (const { value, ...about } of WORKER_METRICS) {
    addComputedMetric(registry, {
      ...about,
      type: 'gauge',
      values: async () =>
        workers().map((worker) => ({ labels: { node: worker.name }, value: value(worker) })),
    });
  }

  return {
    watchStore(store, clock) {
      workers = store.workers;
      nowMs = () => clock.nowMs();
      figures = {
        disk: createSampled(store.disk, clock),
        isWritable: createSampled(store.isWritable, clock),
        newestTransactionAtMs: createSampled(store.newestTransactionAtMs, clock),
        webhooks: createSampled(store.webhooks, clock),
        upgradeSteps: createSampled(store.upgradeSteps, clock),
        server: createSampled(store.server, clock),
      };
    },
  };
}

/** Known without a statement, so that they are right while a worker is down. */
const WORKER_METRICS: readonly { name: string; help: string; value: (worker: WorkerFigures) => number }[] = [
  {
    name: 'guildbook_store_worker_up',
    help: 'Whether a worker of the distributed store answers this instance (1) or not (0).',
    value: ({ isUp }) => (isUp ? 1 : 0),
  },
  {
    name: 'guildbook_store_worker_direct',
    help: 'Whether this instance is connected to the worker directly (1) or uses it through the coordinator (0).',
    value: ({ isDirect }) => (isDirect ? 1 : 0),
  },
  {
    name: 'guildbook_store_worker_waiting',
    help: 'Statements of this instance that wait for a connection to the worker.',
    value: ({ waiting }) => waiting,
  },
];

function single(value: number | undefined): ComputedValue[] {
  return value === undefined ? [] : [{ labels: {}, value }];
}

function rowValues({ name, rowsDone, rowsTotal }: UpgradeStepFigures): ComputedValue[] {
  return rowsTotal === 0
    ? []
    : [
        { labels: { step: name, rows: 'done' }, value: rowsDone },
        { labels: { step: name, rows: 'all' }, value: Math.max(rowsDone, rowsTotal) },
      ];
}

function sizeValues({ databaseBytes, walBytes }: DiskFigures): ComputedValue[] {
  return [
    { labels: { part: 'database' }, value: databaseBytes },
    ...(walBytes === undefined ? [] : [{ labels: { part: 'wal' }, value: walBytes }]),
  ];
}

function stateValues({ active, failing, disabled }: WebhookFigures): ComputedValue[] {
  return Object.entries({ active, failing, disabled }).map(([state, value]) => ({
    labels: { state },
    value,
  }));
}

function tableValues({ tables }: ServerFigures): ComputedValue[] {
  return tables.flatMap(({ table, live, dead }) => [
    { labels: { table, state: 'live' }, value: live },
    { labels: { table, state: 'dead' }, value: dead },
  ]);
}

function ageValues({ oldestNewAtMs, oldestRetryAtMs }: WebhookFigures, nowMs: number): ComputedValue[] {
  const ages = { first: oldestNewAtMs, retry: oldestRetryAtMs };
  return Object.entries(ages).map(([attempt, atMs]) => ({
    labels: { attempt },
    value: atMs === undefined ? 0 : Math.max(0, nowMs - atMs) / 1_000,
  }));
}
