import type { UpgradeOptions } from '../store/operations/migrate.ts';
import type { UpgradePlan } from '../store/operations/plan.ts';
import { OF_A_COMMAND } from '../store/operations/step-runner.ts';
import { finishSqliteSteps } from '../store/sqlite/background-steps.ts';
import { printSqliteMigrations, upgradeSqliteFile } from '../store/sqlite/migrate.ts';
import { planSqliteUpgrade } from '../store/sqlite/plan.ts';
import { loadSchema } from '../store/sqlite/schema.ts';
import { isPostgres, type Place, sqliteFile } from './stores.ts';

/** Upgrades of a whole store. The address selects the engine. */

export interface MigrateOptions extends UpgradeOptions {
  /** Runs the steps that `serve` runs in the background, and may abort them. An instance or another run continues them. */
  inForeground: (run: (stop: AbortSignal) => Promise<void>) => Promise<void>;
}

/** Upgrades the store's schema, and runs all steps to their end. */
export async function migrateStore(place: Place, options: MigrateOptions): Promise<void> {
  if (isPostgres(place)) {
    return migrateDatabase(place, options);
  }
  const { onEvent = () => {}, inForeground } = options;
  const file = sqliteFile(place);
  const { hasUnfinished } = await upgradeSqliteFile(file, options);
  if (hasUnfinished) {
    const { steps } = loadSchema();
    await inForeground((stop) => finishSqliteSteps(file, steps, { pace: OF_A_COMMAND, onEvent, stop }));
  }
}

async function migrateDatabase(
  { databaseUrl }: Place,
  { onEvent = () => {}, inForeground }: MigrateOptions,
): Promise<void> {
  const { assertServer, parseDatabaseUrl } = await import('../store/postgres/connection.ts');
  const { upgradePostgres } = await import('../store/postgres/migrate.ts');
  const database = parseDatabaseUrl(databaseUrl);
  await assertServer(database);
  const { hasUnfinished } = await upgradePostgres(database, { onEvent });
  if (hasUnfinished) {
    const { finishPostgresSteps } = await import('../store/postgres/background-steps.ts');
    const postgres = await import('../store/postgres/schema.ts');
    const { steps } = postgres.loadSchema();
    await inForeground((stop) => finishPostgresSteps(database, steps, { pace: OF_A_COMMAND, onEvent, stop }));
  }
}

/** The steps that `migrateStore` would run. Changes nothing. */
export async function planUpgrade(place: Place): Promise<UpgradePlan> {
  if (!isPostgres(place)) {
    return planSqliteUpgrade(sqliteFile(place));
  }
  const { parseDatabaseUrl } = await import('../store/postgres/connection.ts');
  const { planPostgresUpgrade } = await import('../store/postgres/plan.ts');
  return planPostgresUpgrade(parseDatabaseUrl(place.databaseUrl));
}

/** The SQL that upgrades a store of schema version `from`, as one script. A store of version 0 is a new one. */
export async function printMigrations(place: Place, from: number): Promise<string> {
  if (!isPostgres(place)) {
    return printSqliteMigrations(from);
  }
  const { printPostgresMigrations } = await import('../store/postgres/upgrade-script.ts');
  return printPostgresMigrations(from);
}
