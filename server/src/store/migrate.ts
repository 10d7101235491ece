import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { commandLine } from '../command-name.ts';
import { OperatorError } from '../domain/errors.ts';

/** One numbered step of the schema. Published steps never change: their checksum is kept with the data. */
export interface Migration {
  version: number;
  name: string;
  sql: string;
  checksum: string;
}

export interface AppliedMigration {
  version: number;
  name: string;
  checksum: string;
}

/** The schema of a store beside the one that this program makes. */
export interface SchemaState {
  version: number;
  knownVersion: number;
  /** True when both have the same steps. */
  isCurrent: boolean;
}

/**
 * What opening may do about the schema: `upgrade` brings any store up to date, `create` makes one where there is none,
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
  | { kind: 'finished'; from: number; to: number; durationMs: number };

export interface UpgradeOptions {
  onEvent?: ((event: UpgradeEvent) => void) | undefined;
  /** Runs the copy that is kept before an embedded store is upgraded, and may stop it. Without this none is kept. */
  keepCopy?: ((copy: (stop: AbortSignal) => Promise<string>) => Promise<string>) | undefined;
}

/** Reads `0001-name.sql`, `0002-...` of a folder, in order and without gaps. */
export function loadMigrations(folder: URL): Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return files.sort().map((file, index) => {
    const match = /^(\d{4})-([a-z0-9-]+)\.sql$/.exec(file);
    if (match === null || Number(match[1]) !== index + 1) {
      throw new OperatorError(`migration files must be numbered without gaps: ${file}`);
    }
    const sql = readFileSync(new URL(file, folder), 'utf8');
    const checksum = createHash('sha256').update(sql).digest('hex');
    return { version: index + 1, name: match[2] ?? '', sql, checksum };
  });
}

/** The steps still to be taken, or a refusal when what was applied is not the beginning of what we know. */
export function pendingMigrations(known: Migration[], applied: readonly AppliedMigration[]): Migration[] {
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
  return known.slice(applied.length);
}

/** Refuses a store that lacks steps. */
export function assertUpToDate(known: Migration[], applied: readonly AppliedMigration[]): void {
  if (pendingMigrations(known, applied).length > 0) {
    throw new OperatorError(`the store is of an older version: run "${commandLine('migrate')}" first`);
  }
}

export interface UpgradeReport {
  copying(state: { done: number; total: number }): void;
  copied(file: string): void;
  applied(step: Migration): void;
  finished(): void;
}

/** Reports that an upgrade starts, and then each part of it with the time since the part before. */
export function startUpgradeReport(
  { from, pending }: { from: number; pending: readonly Migration[] },
  onEvent: (event: UpgradeEvent) => void = () => {},
): UpgradeReport {
  const to = from + pending.length;
  const startedMs = performance.now();
  let lastMs = startedMs;
  let done = 0;
  const lap = () => {
    const durationMs = Math.round(performance.now() - lastMs);
    lastMs = performance.now();
    return durationMs;
  };
  onEvent({ kind: 'started', from, to, steps: pending.map(nameStep) });
  return {
    copying: (state) => onEvent({ kind: 'copying', ...state }),
    copied: (file) => onEvent({ kind: 'copied', file, durationMs: lap() }),
    applied(step) {
      done += 1;
      onEvent({ kind: 'applied', step: nameStep(step), done, total: pending.length, durationMs: lap() });
    },
    finished: () =>
      onEvent({ kind: 'finished', from, to, durationMs: Math.round(performance.now() - startedMs) }),
  };
}

/** A step as operators see it, as in "3 daily-sums". */
function nameStep({ version, name }: Migration): string {
  return `${version} ${name}`;
}

/** A step that failed, in words. Its transaction was rolled back. */
export function explainFailedStep({ version, name }: Migration, error: unknown): OperatorError {
  const reason = error instanceof Error ? error.message : String(error);
  return new OperatorError(`migration ${version} (${name}) failed, nothing of it remains: ${reason}`, {
    cause: error,
  });
}
