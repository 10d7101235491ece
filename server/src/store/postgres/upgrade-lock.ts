import { setTimeout as pause } from 'node:timers/promises';
import { APPLICATION_NAME, type Database, openClient } from './connection.ts';
import { LOCK_SPACE } from './transactions.ts';

/** Advisory locks, each held by one instance at a time: one to apply migrations, one to run steps in the background. */
export const APPLYING_LOCK = 3;
export const BACKGROUND_LOCK = 4;
const TRY_EVERY_MS = 100;

export interface UpgradeLock {
  /** False when another instance has the lock. */
  tryTake(): Promise<boolean>;
  /** Waits until no other instance has the lock, however long that takes. */
  take(): Promise<void>;
  /** Releases the lock and ends its connection. */
  close(): Promise<void>;
}

/**
 * Opens a connection for an advisory lock. The lock belongs to a transaction that stays open, so that it works behind a transaction
 * pooler and is free as soon as this process is gone. The transaction has no snapshot: it keeps nobody from building an index.
 */
export async function openUpgradeLock(database: Database, lock: number): Promise<UpgradeLock> {
  const client = await openClient(database, { application_name: `${APPLICATION_NAME} upgrade` });

  async function tryTake(): Promise<boolean> {
    await client.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
    // Never waited for in a statement: a statement that waits has a snapshot, and building an index waits for that.
    const { rows } = await client.query<{ isOurs: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${LOCK_SPACE}, ${lock}) AS "isOurs"`,
    );
    const isOurs = rows[0]?.isOurs === true;
    if (!isOurs) {
      await client.query('ROLLBACK');
    }
    return isOurs;
  }

  return {
    tryTake,
    async take() {
      while (!(await tryTake())) {
        await pause(TRY_EVERY_MS);
      }
    },
    async close() {
      await client.query('ROLLBACK').catch(() => {});
      await client.end();
    },
  };
}
