import pg from 'pg';
import { openStoreFile } from '../support/read-store.ts';
import type { DashboardService } from './dashboard-service.ts';

/** Runs `work` while the store lacks a table. */
export async function withoutTransfers(
  { databaseUrl }: DashboardService,
  work: () => Promise<void>,
): Promise<void> {
  await execute(databaseUrl, 'ALTER TABLE transfer RENAME TO transfer_away');
  await work();
  await execute(databaseUrl, 'ALTER TABLE transfer_away RENAME TO transfer');
}

/** Runs `work` while the store cannot write: another process holds the lock of the file, or the server has no room. */
export async function withFullStore(
  { databaseUrl, file }: DashboardService,
  work: () => Promise<void>,
): Promise<void> {
  if (isPostgres(databaseUrl)) {
    await execute(databaseUrl, FULL_TABLE);
    await work();
    await execute(databaseUrl, 'DROP TRIGGER full_disk ON transfer; DROP FUNCTION fail_as_full');
  } else {
    const db = openStoreFile(file);
    db.exec('BEGIN IMMEDIATE');
    await work();
    db.close();
  }
}

const FULL_TABLE = `
  CREATE FUNCTION fail_as_full() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the disk is full' USING ERRCODE = 'disk_full'; END $$;
  CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON transfer FOR EACH ROW EXECUTE FUNCTION fail_as_full()`;

const isPostgres = (databaseUrl: string) => databaseUrl.startsWith('postgres');

async function execute(databaseUrl: string, sql: string): Promise<void> {
  if (isPostgres(databaseUrl)) {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  } else {
    const db = openStoreFile(databaseUrl.replace(/^sqlite:/, ''));
    db.exec(sql);
    db.close();
  }
}
