import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoreFigures, WebhookFigures } from '../../domain/store-figures.ts';
import { NO_GUILD } from '../audit/audit-writer.ts';
import { lastBackupAtMs } from './backup-mark.ts';
import { prepare } from './connection.ts';
import { readUnfinished } from './schema.ts';
import { freeBytes } from './store-file.ts';
import type { Read } from './thread-calls.ts';
import { walBytes } from './wal-truncation.ts';

/** Guilds or endpoints that are read in one turn of the event loop; each takes some microseconds. */
const ROWS_PER_TURN = 500;

export interface FigureParts {
  file: string;
  db: DatabaseSync;
  read: Read;
  checkWritable: () => Promise<void>;
}

export function createFigures({ file, db, read, checkWritable }: FigureParts): StoreFigures {
  const newest = createNewest(db);
  const webhooks = createWebhookFigures(db);
  return {
    workers: () => [],
    disk: async () => ({
      databaseBytes: statSync(file).size,
      walBytes: walBytes(file),
      freeBytes: freeBytes(file),
      lastBackupAtMs: lastBackupAtMs(file),
    }),
    newestTransactionAtMs: () => read(newest),
    webhooks: () => read(webhooks),
    isWritable: () =>
      checkWritable().then(
        () => true,
        () => false,
      ),
    upgradeSteps: () => read(() => readUnfinished(db)),
    server: async () => undefined,
  };
}

/** The newest transaction of each guild is the last entry of its part of the index on times. */
function createNewest(db: DatabaseSync): () => Promise<number> {
  const find = prepare<{ guildNo: number; newestAtMs: number | null }>(
    db,
    `SELECT l.guild_no AS guildNo, (SELECT max(t.created_at) FROM ledger_transaction AS t INDEXED BY ledger_by_time
       WHERE t.guild_no = l.guild_no) AS newestAtMs
     FROM guild_ledger AS l WHERE l.guild_no > ? ORDER BY l.guild_no LIMIT ${ROWS_PER_TURN}`,
  );
  return async () => {
    let newestAtMs = 0;
    let last = 0;
    for (;;) {
      const rows = find.all(last);
      newestAtMs = rows.reduce((most, row) => Math.max(most, row.newestAtMs ?? 0), newestAtMs);
      if (rows.length < ROWS_PER_TURN) {
        return newestAtMs;
      }
      last = rows.at(-1)?.guildNo ?? last;
      await nextTurn();
    }
  };
}

interface WebhookFiguresRow {
  guildNo: number;
  webhookId: string;
  state: 'active' | 'failing' | 'disabled';
  feedAtMs: number | null;
  auditAtMs: number | null;
  peopleAtMs: number | null;
  retryAtMs: number | null;
}

/**
 * Numbers have no gaps: in each log that an endpoint follows, its oldest pending event has the number after its
 * position.
 */
function createWebhookFigures(db: DatabaseSync): () => Promise<WebhookFigures> {
  const find = prepare<WebhookFiguresRow>(
    db,
    `SELECT w.guild_no AS guildNo, w.webhook_id AS webhookId,
       CASE WHEN w.status = 'disabled' THEN 'disabled' WHEN w.failing_since IS NULL THEN 'active' ELSE 'failing' END AS state,
       CASE WHEN w.status = 'active' AND w.follows_feed THEN (SELECT t.created_at FROM ledger_transaction AS t
         WHERE t.guild_no = w.guild_no AND t.number = w.feed_number + 1) END AS feedAtMs,
       CASE WHEN w.status = 'active' AND w.follows_audit THEN (SELECT e.created_at FROM audit_entry AS e
         WHERE e.guild_no = w.guild_no AND e.entry_no = w.audit_entry_no + 1) END AS auditAtMs,
       CASE WHEN w.status = 'active' AND w.follows_people THEN (SELECT e.created_at FROM audit_entry AS e
         WHERE e.guild_no = ${NO_GUILD} AND e.entry_no = w.people_entry_no + 1) END AS peopleAtMs,
       CASE WHEN w.status = 'active' AND w.retry_at IS NOT NULL THEN (SELECT min(r.event_at) FROM webhook_retry AS r
         WHERE r.guild_no = w.guild_no AND r.webhook_id = w.webhook_id) END AS retryAtMs
     FROM webhook AS w WHERE (w.guild_no, w.webhook_id) > (?, ?)
     ORDER BY w.guild_no, w.webhook_id LIMIT ${ROWS_PER_TURN}`,
  );
  return async () => {
    const counts = { active: 0, failing: 0, disabled: 0 };
    let [oldestNewAtMs, oldestRetryAtMs]: (number | undefined)[] = [];
    let last: Pick<WebhookFiguresRow, 'guildNo' | 'webhookId'> = { guildNo: 0, webhookId: '' };
    for (;;) {
      const rows = find.all(last.guildNo, last.webhookId);
      for (const { state, feedAtMs, auditAtMs, peopleAtMs, retryAtMs } of rows) {
        counts[state] += 1;
        oldestNewAtMs = earliest(oldestNewAtMs, feedAtMs, auditAtMs, peopleAtMs);
        oldestRetryAtMs = earliest(oldestRetryAtMs, retryAtMs);
      }
      if (rows.length < ROWS_PER_TURN) {
        return { ...counts, oldestNewAtMs, oldestRetryAtMs };
      }
      last = rows.at(-1) ?? last;
      await nextTurn();
    }
  };
}

function earliest(...times: (number | null | undefined)[]): number | undefined {
  const known = times.filter((time) => typeof time === 'number');
  return known.length === 0 ? undefined : Math.min(...known);
}
