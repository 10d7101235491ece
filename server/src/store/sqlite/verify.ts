import type { DatabaseSync } from 'node:sqlite';
import {
  type AccountRow,
  createAccountCheck,
  createFindings,
  type LedgerRow,
  type VerifyProgress,
} from '../operations/verify-account.ts';
import { ARCHIVES, archiveFindings, SUM_DAYS, SUM_ROWS } from '../operations/verify-archive.ts';
import { IS_ARCHIVED_DAY, MISSING_AUDIT_ENTRIES, NUMBER_FACTS } from '../operations/verify-numbers.ts';
import { prepare } from './connection.ts';
import { faultKind } from './faults.ts';
import { addRecordFunctions } from './record-functions.ts';
import { createSql } from './sql.ts';
import { checkDailySums } from './verify-daily-sums.ts';

/**
 * Checks everything the store promises and describes each violation in plain words: the file itself, references
 * between rows, for each account that seq has no gaps, times never decrease and balances are the sums, and for each
 * day of a guild that its sums are those of its transactions.
 */
export function verifySqliteStore(db: DatabaseSync, onProgress: VerifyProgress): string[] {
  const findings = createFindings();
  try {
    addFileFindings(db, findings.add);
    addMissingParts(db);
    for (const finding of checkFacts(db)) {
      findings.add(finding);
    }
    checkTransactions(db, findings.add, onProgress);
    checkArchives(db, findings.add);
  } catch (error) {
    // A page can be so broken that no check gets past it.
    if (!(error instanceof Error) || faultKind(error) !== 'fatal') {
      throw error;
    }
    findings.add(damage(error.message));
  }
  return findings.list();
}

/** Gives a store of an older version the tables and columns of now, for this connection alone. */
function addMissingParts(db: DatabaseSync): void {
  const isMissing = (table: string) =>
    db.prepare('SELECT 1 FROM main.sqlite_schema WHERE name = ?').get(table) === undefined;
  if (isMissing('audit_removed')) {
    db.exec('CREATE TEMP TABLE audit_removed (guild_no INTEGER, through_entry_no INTEGER)');
  }
  if (isMissing('archive')) {
    db.exec(`CREATE TEMP TABLE archive (guild_no INTEGER, through_number INTEGER, before_at INTEGER, deposit_count INTEGER,
        deposit_units TEXT, withdrawal_count INTEGER, withdrawal_units TEXT);
      CREATE TEMP VIEW account AS SELECT *, 0 AS archived_count FROM main.account;
      CREATE TEMP VIEW guild_ledger AS SELECT *, 0 AS archived_number FROM main.guild_ledger`);
  }
}

function checkArchives(db: DatabaseSync, add: (finding: string) => void): void {
  const sql = createSql(db);
  for (const archive of sql.all(ARCHIVES)) {
    const { guildNo, throughNumber } = archive;
    const days = sql.first(SUM_DAYS, [guildNo]);
    const rows = sql.first(SUM_ROWS, [guildNo, throughNumber]);
    archiveFindings(archive, days, rows).forEach(add);
  }
}

/** Checks what SQLite itself can check, in a store of any version: pages, indexes and references. */
export function verifyFileAlone(db: DatabaseSync): string[] {
  const findings = createFindings();
  addFileFindings(db, findings.add);
  return findings.list();
}

export function damage(message: string): string {
  return `the file is damaged: ${message}`;
}

function addFileFindings(db: DatabaseSync, add: (finding: string) => void): void {
  for (const { message } of checkFile(db)) {
    add(damage(message));
  }
  for (const { table, parent } of checkReferences(db)) {
    add(`a row of ${table} points to something in ${parent} that is not there`);
  }
}

function checkFile(db: DatabaseSync): { message: string }[] {
  const rows = prepare<{ integrity_check: string }>(db, 'PRAGMA integrity_check').all();
  return rows.map((row) => ({ message: row.integrity_check })).filter(({ message }) => message !== 'ok');
}

function checkReferences(db: DatabaseSync): { table: string; parent: string }[] {
  return prepare<{ table: string; parent: string }>(db, 'PRAGMA foreign_key_check').all();
}

interface Fact {
  claim: string;
  table: string;
  /** The fact is skipped in a store without this column. */
  column?: string;
  sql: string;
}

/** Facts that no constraint of the schema ensures. A store of an older version lacks the newer tables. */
const FACTS: readonly Fact[] = [
  {
    claim: 'transactions that belong to no account of their guild',
    table: 'ledger_transaction',
    sql: `SELECT count(*) AS count FROM ledger_transaction t
      LEFT JOIN account a ON a.account_no = t.account_no AND a.guild_no = t.guild_no WHERE a.account_no IS NULL`,
  },
  {
    claim: 'idempotency keys that point to no transaction',
    table: 'idempotency',
    sql: `SELECT count(*) AS count FROM idempotency i
      LEFT JOIN ledger_transaction t USING (guild_no, account_no, seq) WHERE t.seq IS NULL`,
  },
  {
    claim: 'game accounts that more than one person holds',
    table: 'verification',
    sql: `SELECT count(*) AS count FROM (
      SELECT player_id FROM verification GROUP BY player_id HAVING count(*) > 1)`,
  },
  {
    claim: 'audit entries that are missing from their sequence',
    table: 'audit_entry',
    sql: MISSING_AUDIT_ENTRIES,
  },
  {
    claim: 'discharges that are sorted or searched by something else than what they say',
    table: 'discharge',
    column: 'search_text',
    sql: `SELECT count(*) AS count FROM discharge WHERE date_at IS NOT time_of_date(date)
      OR name_key <> name_key(name)
      OR search_text <> search_key(discharge_id || char(10) || player_id || char(10) || chat_id || char(10) || name)`,
  },
  {
    claim: 'transfers that are sorted or searched by something else than what they say',
    table: 'transfer',
    column: 'search_text',
    sql: `SELECT count(*) AS count FROM transfer WHERE name_key <> name_key(name)
      OR search_text <> search_key(transfer_id || char(10) || player_id || char(10) || name)`,
  },
  {
    claim: 'days with sums and no transactions',
    table: 'guild_day',
    sql: `SELECT count(*) AS count FROM guild_day d WHERE NOT EXISTS (
      SELECT 1 FROM ledger_transaction t INDEXED BY ledger_by_time WHERE t.guild_no = d.guild_no
        AND t.created_at >= d.day * 86400000 AND t.created_at < (d.day + 1) * 86400000) AND NOT ${IS_ARCHIVED_DAY}`,
  },
  {
    claim: 'sources with sums on days without any',
    table: 'guild_day_source',
    sql: `SELECT count(*) AS count FROM guild_day_source s
      LEFT JOIN guild_day d USING (guild_no, day) WHERE d.day IS NULL`,
  },
  ...NUMBER_FACTS,
];

function checkFacts(db: DatabaseSync): string[] {
  const columns = prepare<{ table: string; name: string }>(
    db,
    `SELECT s.name AS "table", c.name FROM sqlite_schema s JOIN pragma_table_info(s.name) c WHERE s.type = 'table'`,
  ).all();
  const isPresent = ({ table, column }: Fact) =>
    columns.some((one) => one.table === table && (column === undefined || one.name === column));
  addRecordFunctions(db);
  return FACTS.filter(isPresent).flatMap(({ claim, sql }) => {
    const { count = 0 } = prepare<{ count: number }>(db, sql).get() ?? {};
    return count === 0 ? [] : [`${claim}: ${count}`];
  });
}

/** Reads every transaction twice: by account, and by time where the store has daily sums. */
function checkTransactions(
  db: DatabaseSync,
  add: (finding: string) => void,
  onProgress: VerifyProgress,
): void {
  const counted = prepare<{ count: number }>(
    db,
    'SELECT coalesce(sum(transaction_count), 0) AS count FROM account',
  ).get();
  const hasSums = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'guild_day'").get() !== undefined;
  const total = counted?.count ?? 0;
  const passes = hasSums ? 2 : 1;
  let visited = 0;
  const advance = (count: number) => {
    visited += count;
    onProgress({ done: Math.floor(visited / passes), total });
  };
  checkLedger(db, add, advance);
  if (hasSums) {
    checkDailySums(db, add, advance);
  }
}

/** Checks the accounts and their transactions in one pass and constant memory. */
function checkLedger(
  db: DatabaseSync,
  add: (finding: string) => void,
  advance: (count: number) => void,
): void {
  const rows = prepare<LedgerRow>(
    db,
    `SELECT seq, total AS totalUnits, balance_after AS balanceUnits, created_at AS createdAtMs
     FROM ledger_transaction WHERE guild_no = ? AND account_no = ? ORDER BY seq`,
  );
  const accounts = prepare<AccountRow>(
    db,
    `SELECT account_no AS accountNo, guild_no AS guildNo, player_id AS playerId, balance AS balanceUnits,
       transaction_count AS count, archived_count AS archivedCount, last_created_at AS lastCreatedAtMs
     FROM account ORDER BY guild_no, account_no`,
  );
  for (const account of accounts.iterate()) {
    const check = createAccountCheck(account, add);
    for (const row of rows.iterate(account.guildNo, account.accountNo)) {
      check.take(row);
    }
    check.end();
    advance(account.count);
  }
}
