import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
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

/**
 * What opening may do about the schema: `upgrade` brings any store up to date, `create` makes one where there is none,
 * `expect` changes nothing. The latter two refuse a store of an older version: the version that serves it now could not
 * be started again afterwards, so its operator decides when it is upgraded.
 */
export type SchemaRule = 'upgrade' | 'create' | 'expect';

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
        `the store has schema version ${step.version}, this program knows ${known.length}: use a newer Guildbook`,
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
    throw new OperatorError('the store is of an older version: run "guildbook migrate" first');
  }
}
