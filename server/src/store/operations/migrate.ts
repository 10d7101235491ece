import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { commandLine } from '../../command-name.ts';
import { OperatorError } from '../../domain/errors.ts';
import { type MigrationStep, parseSteps } from './migration-steps.ts';

/** A numbered step of the schema, as a store that has it records it. */
export interface AppliedMigration {
  version: number;
  name: string;
  checksum: string;
}

/** One file of `migrations/`. Published steps never change: their checksum is kept with the data. */
export interface Migration extends AppliedMigration {
  sql: string;
  /** Steps of the kind `expand` come first. The migration is recorded when these are done. */
  steps: readonly MigrationStep[];
}

/** A release and the steps that its stores have. */
export interface Release {
  name: string;
  steps: readonly AppliedMigration[];
}

/** The schema of one engine: how a new store is made, and how an older one is upgraded. */
export interface Schema {
  /** Makes the whole schema in an empty database. */
  sql: string;
  /** The oldest release whose stores are upgraded directly. */
  oldest: Release;
  /** The steps since that release. */
  steps: readonly Migration[];
}

/** SQL that is still to be run, and the steps that it completes. */
export interface PendingStep {
  /** As operators see it, such as "19 key-route-limits". */
  name: string;
  sql: string;
  records: readonly AppliedMigration[];
  /** The steps of a migration. Undefined when `sql` is run as a whole. */
  steps?: readonly MigrationStep[];
}

/** The schema version of a store, and the versions that this program supports. */
export interface SchemaState {
  version: number;
  knownVersion: number;
  /** The oldest version that this program upgrades. */
  oldestVersion: number;
  /** True when the store has exactly the steps that this program knows. */
  isCurrent: boolean;
}

/**
 * The changes that opening may make to the schema: `upgrade` brings any store up to date, `create` makes a missing one,
 * `expect` changes nothing. The latter two refuse a store of an older version: the version that serves it now could not
 * be started again afterwards, so its operator decides when it is upgraded.
 */
export type SchemaRule = 'upgrade' | 'create' | 'expect';

/** The events of an upgrade, in this order. A store that is up to date has none. */
export type UpgradeEvent =
  /** Version 0 is a store that was just made. */
  | { kind: 'started'; from: number; to: number; steps: string[] }
  | { kind: 'copying'; done: number; total: number }
  /** The store as it was is kept in this file. */
  | { kind: 'copied'; file: string; durationMs: number }
  | { kind: 'applied'; step: string; done: number; total: number; durationMs: number }
  | { kind: 'finished'; from: number; to: number; durationMs: number }
  | BackgroundEvent;

/** The events of steps that run in the background. */
export type BackgroundEvent =
  | { kind: 'backfilling'; step: string; done: number; total: number }
  /** A statement did not get its lock, or failed for a reason that may pass. It is repeated after a pause. */
  | { kind: 'repeating'; step: string; reason: string }
  /** The steps failed and are tried again later. */
  | { kind: 'interrupted'; reason: string }
  | { kind: 'completed'; step: string; durationMs: number };

export interface UpgradeOptions {
  onEvent?: ((event: UpgradeEvent) => void) | undefined;
  /** Runs `copy`, which copies an embedded store before the upgrade, and may abort it. Without `keepCopy` no copy is made. */
  keepCopy?: ((copy: (stop: AbortSignal) => Promise<string>) => Promise<string>) | undefined;
}

/** Numbers the steps of a release from 1. Each is a name and a checksum. */
export function releaseOf(name: string, steps: readonly (readonly [string, string])[]): Release {
  return {
    name,
    steps: steps.map(([step, checksum], index) => ({ version: index + 1, name: step, checksum })),
  };
}

/** The SQL files of a folder as one text, in the order of their names. */
export function readSqlFolder(folder: URL): string {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return files
    .sort()
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    .join('\n');
}

/** Reads the files of a folder, such as `0016-name.sql`, in order. They are numbered without gaps after `lastVersion`. */
export function loadMigrations(folder: URL, lastVersion = 0): Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return files.sort().map((file, index) => {
    const version = lastVersion + index + 1;
    const match = /^(\d{4})-([a-z0-9-]+)\.sql$/.exec(file);
    if (match === null || Number(match[1]) !== version) {
      throw new OperatorError(`migration files must be numbered without gaps: ${file}`);
    }
    const sql = readFileSync(new URL(file, folder), 'utf8');
    return { version, name: match[2] ?? '', sql, checksum: checksumOf(sql), steps: parseSteps(file, sql) };
  });
}

export function checksumOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex');
}

/** All steps that a store of this program's version has. */
export function knownSteps({ oldest, steps }: Pick<Schema, 'oldest' | 'steps'>): AppliedMigration[] {
  return [...oldest.steps, ...steps].map(({ version, name, checksum }) => ({ version, name, checksum }));
}

/**
 * Returns the pending steps of a store: the whole schema when it is new, otherwise the steps after those that were applied.
 * Refuses a store whose steps are not the beginning of those that this program knows, and one from before the oldest release that
 * it upgrades.
 */
export function pendingSteps(schema: Schema, applied: readonly AppliedMigration[]): PendingStep[] {
  const known = knownSteps(schema);
  if (applied.length === 0) {
    return [{ name: 'the whole schema', sql: schema.sql, records: known }];
  }
  assertBeginning(known, applied);
  const { name, steps } = schema.oldest;
  if (applied.length < steps.length) {
    throw new OperatorError(
      `the store has schema version ${applied.length}, which is older than that of Guildbook ${name}\n` +
        `  Upgrade it with Guildbook ${name} first, then with this version. docs/upgrading.md has the commands.`,
    );
  }
  return schema.steps.slice(applied.length - steps.length).map((step) => ({
    name: `${step.version} ${step.name}`,
    sql: step.sql,
    records: [step],
    steps: step.steps,
  }));
}

function assertBeginning(known: readonly AppliedMigration[], applied: readonly AppliedMigration[]): void {
  for (const [index, step] of applied.entries()) {
    if (step.version !== index + 1) {
      throw new OperatorError(
        `the store lacks schema version ${index + 1} but has ${step.version}: restore a backup`,
      );
    }
    const ours = known[index];
    if (ours === undefined) {
      throw new OperatorError(
        `the store has schema version ${applied.length}, this program knows ${known.length}: use a newer Guildbook`,
      );
    }
    if (ours.checksum !== step.checksum) {
      throw new OperatorError(
        `migration ${step.version} (${step.name}) differs from the one the store was made with: ` +
          'restore the published file',
      );
    }
  }
}

/** Refuses a store with pending steps. */
export function assertUpToDate(pending: readonly PendingStep[]): void {
  if (pending.length > 0) {
    throw new OperatorError(`the store is of an older version: run "${commandLine('migrate')}" first`);
  }
}

/** Refuses a store with steps that still have to run in the background: a copy of it would never run them. */
export function assertFinished(hasUnfinished: boolean): void {
  if (hasUnfinished) {
    throw new OperatorError(`an upgrade of the store is not finished: run "${commandLine('migrate')}" first`);
  }
}

export interface UpgradeReport {
  copying(state: { done: number; total: number }): void;
  copied(file: string): void;
  applied(step: PendingStep): void;
  finished(): void;
}

/** Reports that an upgrade starts, and then each part of it with the time since the part before. */
export function startUpgradeReport(
  { from, to, pending }: { from: number; to: number; pending: readonly PendingStep[] },
  onEvent: (event: UpgradeEvent) => void = () => {},
): UpgradeReport {
  const startedMs = performance.now();
  let lastMs = startedMs;
  let done = 0;
  const lap = () => {
    const durationMs = Math.round(performance.now() - lastMs);
    lastMs = performance.now();
    return durationMs;
  };
  onEvent({ kind: 'started', from, to, steps: pending.map(({ name }) => name) });
  return {
    copying: (state) => onEvent({ kind: 'copying', ...state }),
    copied: (file) => onEvent({ kind: 'copied', file, durationMs: lap() }),
    applied(step) {
      done += 1;
      onEvent({ kind: 'applied', step: step.name, done, total: pending.length, durationMs: lap() });
    },
    finished: () =>
      onEvent({ kind: 'finished', from, to, durationMs: Math.round(performance.now() - startedMs) }),
  };
}

/** Explains a failed step to the operator. Its transaction was rolled back. */
export function explainFailedStep({ name, records }: PendingStep, error: unknown): OperatorError {
  const [first, ...more] = records;
  const what =
    first !== undefined && more.length === 0
      ? `migration ${first.version} (${first.name})`
      : `making ${name}`;
  const reason = error instanceof Error ? error.message : String(error);
  return new OperatorError(`${what} failed, nothing of it remains: ${reason}`, { cause: error });
}
