/** Metrics of a store. All of them are cheap to read: none scans the ledger. */
export interface StoreFigures {
  disk(): Promise<DiskFigures>;
  /** Creation time of the newest transaction of all guilds; 0 when there is none. */
  newestTransactionAtMs(): Promise<number>;
  webhooks(): Promise<WebhookFigures>;
  /** True when the store can be written; undefined on PostgreSQL, where the disk is the database server's. */
  isWritable(): Promise<boolean | undefined>;
  /** The steps of an upgrade that are not finished, in their order. They run in the background. */
  upgradeSteps(): Promise<UpgradeStepFigures[]>;
  /** The workers of a store that is distributed by guild, as this instance sees them now. Empty for other stores. */
  workers(): readonly WorkerFigures[];
  /** Figures of the database server; undefined for SQLite. */
  server(): Promise<ServerFigures | undefined>;
}

export interface UpgradeStepFigures {
  name: string;
  /** Rows that a backfill has visited, and its estimate of all rows. Both are 0 for other steps. */
  rowsDone: number;
  rowsTotal: number;
}

export interface WorkerFigures {
  /** Host and port. */
  name: string;
  isUp: boolean;
  /** False when this instance uses the worker through the coordinator. */
  isDirect: boolean;
  /** Statements that wait for a connection to the worker. */
  waiting: number;
}

export interface ServerFigures {
  /** How long the oldest open transaction of the database has been running; 0 when there is none. */
  oldestTransactionSeconds: number;
  /**
   * WAL that the slowest connected standby has not replayed; undefined without a standby, and when the server does
   * not show it to this user.
   */
  replicationLagBytes: number | undefined;
  /** WAL that the replica of `READ_DATABASE_URL` has not replayed; undefined without one, and when it does not answer. */
  readReplicaLagBytes: number | undefined;
  /** Rows of the tables that are updated most, as the server estimates them. Dead ones wait for a vacuum. */
  tables: { table: string; live: number; dead: number }[];
}

export interface DiskFigures {
  databaseBytes: number;
  /** This and the following fields exist for SQLite only. */
  walBytes?: number;
  /** Room left on the file system. */
  freeBytes?: number;
  /** The moment whose data the last backup holds; 0 when there has been none. */
  lastBackupAtMs?: number;
}

export interface WebhookFigures {
  /** Active endpoints whose last delivery succeeded, and those without a delivery. */
  active: number;
  /** Active endpoints whose last deliveries failed. */
  failing: number;
  disabled: number;
  /** Time of the oldest event for which no delivery was attempted; undefined when there is none. */
  oldestNewAtMs: number | undefined;
  /** Time of the oldest event that waits for another attempt; undefined when there is none. */
  oldestRetryAtMs: number | undefined;
}
