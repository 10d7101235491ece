import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { createCommandCatalogue } from '../../server/src/demo/sample-data/command-catalogue.ts';
import { createKeyValue, hashOfKeyValue } from '../../server/src/domain/access/key-value.ts';
import { dischargeKeys } from '../../server/src/store/records/record-keys.ts';
import { openConnection } from '../../server/src/store/sqlite/connection.ts';
import { migrateSqliteFile } from '../../server/src/store/sqlite/migrate.ts';

// Fills a store with a ledger of any size in about a minute: straight into the tables, in the order of their keys, and
// with the indexes made afterwards. The rows are the same as after posts; `guildbook verify` finds no fault.

export const GUILD_ID = '730184620193847296';
/**
 * The number of keys of the guild that has the ledger; the other guilds share as many again. At ten requests a second for
 * each key they are enough for 100,000 requests a second.
 */
export const KEYS = 10_000;
export const OTHER_GUILDS = 200;
/** The first of the others. */
export const OTHER_GUILD_ID = 'guild-2';
export const RECORDS = 10_000;
/** The accounts the jobs ask for, by their number of transactions. */
export const ACCOUNTS = { hundred: 'p100', tenThousand: 'p10000', million: 'p1000000' } as const;
const ROWS_OF_OTHERS = 100;
const START_MS = Date.parse('2025-01-01T00:00:00Z');
const SPAN_MS = 600 * 86_400_000;

export interface LedgerSize {
  /** Transactions in all. */
  rows: number;
  /** Transactions of the three accounts above; an account of none is left out. */
  accounts: { hundred: number; tenThousand: number; million: number };
}

export const LARGE: LedgerSize = {
  rows: 10_000_000,
  accounts: { hundred: 100, tenThousand: 10_000, million: 1_000_000 },
};
export const SMALL: LedgerSize = {
  rows: 10_000,
  accounts: { hundred: 100, tenThousand: 0, million: 0 },
};

/** Makes the file and returns the values of the keys: those of the guild that has the ledger first, then the others. */
export function createLedgerFile(file: string, size: LedgerSize): string[] {
  migrateSqliteFile(file);
  const db = openConnection(file);
  try {
    // The file is thrown away when this fails, so nothing has to survive it.
    db.exec('PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -400000; BEGIN');
    const keys = fillAccess(db);
    fillRecords(db);
    fillLedger(db, size);
    db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
    return keys;
  } finally {
    db.close();
  }
}

function fillAccess(db: DatabaseSync): string[] {
  db.prepare(
    `INSERT INTO guild (guild_no, guild_id, name, plan, overdraft_allowed, created_at)
     VALUES (1, ?, 'The Measured Guild', 'enterprise', 1, ?)`,
  ).run(GUILD_ID, START_MS);
  const found = db.prepare(
    `INSERT INTO guild (guild_no, guild_id, name, plan, overdraft_allowed, created_at)
     VALUES (?, ?, 'Another Guild', 'enterprise', 1, ?)`,
  );
  for (let index = 0; index < OTHER_GUILDS; index += 1) {
    found.run(2 + index, `guild-${2 + index}`, START_MS);
  }
  const insert = db.prepare(
    `INSERT INTO api_key (key_id, guild_no, hash, prefix, name, scopes, created_by, created_at, expires_at)
     VALUES (?, ?, ?, ?, 'Measured', 'guild:read guild:write users:read', 'operator:bench', ?, ?)`,
  );
  const ids = { uuid: () => '', randomBytes: (count: number) => randomBytes(count) };
  const expiresAtMs = Date.now() + 90 * 86_400_000;
  return Array.from({ length: 2 * KEYS }, (_unused, index) => {
    const value = createKeyValue(ids);
    const guildNo = index < KEYS ? 1 : 2 + (index % OTHER_GUILDS);
    insert.run(`bench-${index}`, guildNo, hashOfKeyValue(value), value.slice(0, 12), START_MS, expiresAtMs);
    return value;
  });
}

function fillRecords(db: DatabaseSync): void {
  const put = db.prepare(
    `INSERT INTO discharge (guild_no, discharge_id, chat_id, player_id, name, reason, date, type, origin, signed,
       date_at, name_key, search_text)
     VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const verify = db.prepare('INSERT INTO verification VALUES (?, ?, ?, ?, ?)');
  const same = {
    guildId: GUILD_ID,
    reason: 'Leaves after three years of service with the thanks of the whole company.',
    date: '2026-01-31',
    type: 'Honourable',
    from: 'Third Company',
    signed: 'Captain Orla',
  };
  for (let index = 0; index < RECORDS; index += 1) {
    const [id, chatId, playerId, name] = [
      `D-${index}`,
      `chat-${index}`,
      `player-${index}`,
      `Member_${index}`,
    ];
    const { dateMs, nameKey, searchText } = dischargeKeys({ ...same, id, chatId, playerId, name });
    const { reason, date, type, from, signed } = same;
    put.run(id, chatId, playerId, name, reason, date, type, from, signed, dateMs, nameKey, searchText);
    verify.run(chatId, playerId, name, nameKey, START_MS);
  }
  const command = db.prepare('INSERT INTO command VALUES (?, ?, ?, ?, ?, ?)');
  for (const [position, entry] of createCommandCatalogue().entries()) {
    const { category, name, description, extendedHelp, preconditions } = entry;
    command.run(position, category, name, description, extendedHelp, JSON.stringify(preconditions));
  }
}

function fillLedger(db: DatabaseSync, { rows, accounts }: LedgerSize): void {
  const indexes = takeIndexes(db);
  makeNumbers(db, Math.max(...Object.values(accounts), Math.ceil(rows / ROWS_OF_OTHERS)));
  let accountNo = 0;
  let left = rows;
  for (const kind of ['hundred', 'tenThousand', 'million'] as const) {
    if (accounts[kind] > 0) {
      accountNo += 1;
      const run = { first: accountNo, last: accountNo, rowsEach: accounts[kind], name: ACCOUNTS[kind] };
      fillAccounts(db, { ...run, rowsBefore: rows - left });
      left -= accounts[kind];
    }
  }
  const others = Math.floor(left / ROWS_OF_OTHERS);
  const run = { first: accountNo + 1, last: accountNo + others, rowsEach: ROWS_OF_OTHERS };
  fillAccounts(db, { ...run, rowsBefore: rows - left });
  db.exec(`INSERT INTO guild_ledger (guild_no, last_number) SELECT 1, max(number) FROM ledger_transaction`);
  for (const sql of indexes) {
    db.exec(sql);
  }
  fillDailySums(db);
}

/** By statements of their own: posting row by row would take an hour. */
function fillDailySums(db: DatabaseSync): void {
  db.exec(readFileSync(new URL('./daily-sums.sql', import.meta.url), 'utf8'));
}

/** An index made at the end is sorted once, which is much quicker than keeping it sorted row by row. */
function takeIndexes(db: DatabaseSync): string[] {
  const found = db
    .prepare(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name IN ('ledger_transaction', 'account') AND sql IS NOT NULL",
    )
    .all() as unknown as { name: string; sql: string }[];
  for (const { name } of found) {
    db.exec(`DROP INDEX "${name}"`);
  }
  return found.map(({ sql }) => sql);
}

interface AccountRun {
  first: number;
  last: number;
  rowsEach: number;
  /** How many there are already: numbers go on behind them. */
  rowsBefore: number;
  name?: string;
}

/** The id that an account's transaction has in every such ledger. */
export function transactionIdOf(account: number, seq: number): string {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  const middle = `${hex(seq >> 16, 4)}-7${hex(seq & 4_095, 3)}-8${hex(account & 4_095, 3)}`;
  return `${hex(account, 8)}-${middle}-${hex(account * 1_000_003 + seq, 12)}`;
}

/**
 * Every odd transaction pays in what the next one takes out, so balances are known without adding anything up. All
 * accounts have an even number of them.
 */
function fillAccounts(db: DatabaseSync, { first, last, rowsEach, rowsBefore, name }: AccountRun): void {
  const playerId = name === undefined ? "'player-' || n" : `'${name}'`;
  db.exec(`
    INSERT INTO account (account_no, guild_no, player_id, balance, transaction_count, last_created_at)
    SELECT n, 1, ${playerId}, 0, ${rowsEach}, ${START_MS + SPAN_MS} FROM temp.number WHERE n BETWEEN ${first} AND ${last};
    INSERT INTO ledger_transaction (guild_no, account_no, seq, transaction_id, amount, quantity, total, name, source,
      balance_after, key_no, created_at, number)
    SELECT 1, account, seq,
      printf('%08x-%04x-7%03x-8%03x-%012x', account, seq >> 16, seq & 4095, account & 4095, account * 1000003 + seq),
      sign * value, quantity, sign * value * quantity, 'Iron Ingot ' || (value / 2500 % 300), 'source-' || (quantity % 10),
      (seq % 2) * value * quantity, 1 + (account * 31 + seq) % ${KEYS}, ${START_MS} + seq * ${SPAN_MS} / ${rowsEach},
      ${rowsBefore} + (account - ${first}) * ${rowsEach} + seq
    FROM (
      SELECT a.n AS account, s.n AS seq, 2 * (s.n % 2) - 1 AS sign,
        (1 + ((s.n + 1) / 2 * 7919 + a.n) % 4000) * 2500 AS value,
        1 + ((s.n + 1) / 2 * 31 + a.n) % 12 AS quantity
      FROM temp.number a CROSS JOIN temp.number s
      WHERE a.n BETWEEN ${first} AND ${last} AND s.n <= ${rowsEach}
    )`);
}

function makeNumbers(db: DatabaseSync, count: number): void {
  db.exec(`
    CREATE TEMP TABLE number (n INTEGER PRIMARY KEY);
    WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count})
    INSERT INTO temp.number SELECT n FROM counted`);
}
