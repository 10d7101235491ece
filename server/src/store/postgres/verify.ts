import type pg from 'pg';
import { dayText } from '../../domain/calendar.ts';
import { SOURCES_PER_DAY_MAX } from '../../domain/ledger/ledger-views.ts';
import type { Discharge, Transfer } from '../../domain/model.ts';
import {
  type AccountCheck,
  type AccountRow,
  createAccountCheck,
  createFindings,
  type LedgerRow,
  type VerifyProgress,
} from '../operations/verify-account.ts';
import { ARCHIVES, archiveFindings, SUM_DAYS, SUM_ROWS } from '../operations/verify-archive.ts';
import { IS_ARCHIVED_DAY, MISSING_AUDIT_ENTRIES, NUMBER_FACTS } from '../operations/verify-numbers.ts';
import { dischargeKeys, type RecordKeys, transferKeys } from '../records/record-keys.ts';
import { type Database, openClient } from './connection.ts';
import { assertMigrated } from './migrate.ts';
import { beginReading, fetchRows } from './read-rows.ts';
import { createRunner, type Runner } from './statement.ts';

/**
 * Facts that no constraint of the schema ensures, among them the references of the ledger. The server ensures other
 * references.
 */
const FACTS = [
  {
    claim: 'game accounts that more than one person holds',
    sql: `SELECT count(*) AS count FROM (
      SELECT player_id FROM verification GROUP BY player_id HAVING count(*) > 1) AS shared`,
  },
  {
    claim: 'audit entries that are missing from their sequence',
    sql: MISSING_AUDIT_ENTRIES,
  },
  {
    claim: 'audit logs that would go on with another number than their next',
    sql: `SELECT count(*) AS count FROM audit_counter c
      FULL JOIN (SELECT guild_no, max(entry_no) AS last FROM audit_entry GROUP BY guild_no) AS e USING (guild_no)
      WHERE c.last_entry_no IS DISTINCT FROM coalesce(e.last, 0)`,
  },
  {
    claim: 'accounts that belong to no guild',
    sql: `SELECT count(*) AS count FROM account LEFT JOIN guild g USING (guild_no) WHERE g.guild_no IS NULL`,
  },
  {
    claim: 'transactions that belong to no account',
    sql: `SELECT count(*) AS count FROM ledger_transaction LEFT JOIN account a USING (guild_no, account_no)
      WHERE a.guild_no IS NULL`,
  },
  {
    claim: 'idempotency keys that belong to no transaction',
    sql: `SELECT count(*) AS count FROM idempotency LEFT JOIN ledger_transaction t USING (guild_no, account_no, seq)
      WHERE t.guild_no IS NULL`,
  },
  {
    claim: 'days with sums and no transactions',
    sql: `SELECT count(*) AS count FROM guild_day d WHERE NOT EXISTS (
      SELECT 1 FROM ledger_transaction t WHERE t.guild_no = d.guild_no
        AND t.created_at >= d.day * 86400000 AND t.created_at < (d.day + 1) * 86400000) AND NOT ${IS_ARCHIVED_DAY}`,
  },
  {
    claim: 'sources with sums on days without any',
    sql: `SELECT count(*) AS count FROM guild_day_source s
      LEFT JOIN guild_day d USING (guild_no, day) WHERE d.day IS NULL`,
  },
  ...NUMBER_FACTS,
];

/**
 * Checks everything the store promises and describes each violation in plain words. The checks are those of the
 * embedded store without those of its files. They read one snapshot, while others may write.
 */
export async function verifyPostgres(database: Database, onProgress: VerifyProgress): Promise<string[]> {
  const client = await openClient(database, { statement_timeout: 0, query_timeout: 0 });
  const findings = createFindings();
  try {
    await assertMigrated(client);
    await beginReading(client);
    for (const { claim, sql } of FACTS) {
      const { rows } = await client.query<{ count: number }>(sql);
      const count = rows[0]?.count ?? 0;
      if (count > 0) {
        findings.add(`${claim}: ${count}`);
      }
    }
    await checkRecords(client, findings.add);
    await checkTransactions(client, findings.add, onProgress);
    await checkArchives(
      createRunner((query) => client.query(query), false),
      findings.add,
    );
    return findings.list();
  } finally {
    await client.end();
  }
}

async function checkArchives(sql: Runner, add: (finding: string) => void): Promise<void> {
  for (const archive of await sql.all(ARCHIVES)) {
    const { guildNo, throughNumber } = archive;
    const days = await sql.first(SUM_DAYS, [guildNo]);
    const rows = await sql.first(SUM_ROWS, [guildNo, throughNumber]);
    archiveFindings(archive, days, rows).forEach(add);
  }
}

type KeptKeys = { [Key in keyof RecordKeys as `kept${Capitalize<Key>}`]: RecordKeys[Key] };

async function checkRecords(client: pg.Client, add: (finding: string) => void): Promise<void> {
  const discharges = fetchRows<Discharge & KeptKeys>(
    client,
    `SELECT discharge_id AS id, player_id AS "playerId", chat_id AS "chatId", name, date, date_at AS "keptDateMs",
       name_key AS "keptNameKey", search_text AS "keptSearchText" FROM discharge`,
  );
  const transfers = fetchRows<Transfer & KeptKeys>(
    client,
    `SELECT transfer_id AS id, player_id AS "playerId", name, date AS "keptDateMs",
       name_key AS "keptNameKey", search_text AS "keptSearchText" FROM transfer`,
  );
  const wrong = {
    discharges: await countWrong(discharges, dischargeKeys),
    // A transfer's date is its sort key; there is nothing to compare it with.
    transfers: await countWrong(transfers, (row) => ({ ...transferKeys(row), dateMs: row.keptDateMs })),
  };
  for (const [name, count] of Object.entries(wrong)) {
    if (count > 0) {
      add(`${name} that are sorted or searched by something else than what they say: ${count}`);
    }
  }
}

async function countWrong<Row extends KeptKeys>(
  rows: AsyncIterable<Row>,
  keysOf: (row: Row) => RecordKeys,
): Promise<number> {
  let count = 0;
  for await (const row of rows) {
    const { dateMs, nameKey, searchText } = keysOf(row);
    const isRight =
      row.keptDateMs === dateMs && row.keptNameKey === nameKey && row.keptSearchText === searchText;
    count += isRight ? 0 : 1;
  }
  return count;
}

/** Reads every transaction twice: by account, and by time. */
async function checkTransactions(
  client: pg.Client,
  add: (finding: string) => void,
  onProgress: VerifyProgress,
): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    'SELECT coalesce(sum(transaction_count), 0)::bigint AS count FROM account',
  );
  const total = rows[0]?.count ?? 0;
  let visited = 0;
  await checkLedger(client, add, (more) => {
    visited += more;
    onProgress({ done: Math.floor(visited / 2), total });
  });
  await checkDailySums(client, add);
  onProgress({ done: total, total });
}

type JoinedRow = AccountRow & {
  [Field in keyof LedgerRow as `row${Capitalize<Field>}`]: LedgerRow[Field] | null;
};

/**
 * Checks accounts and their transactions in one pass and constant memory. The transaction columns are null for an
 * account without any.
 */
async function checkLedger(
  client: pg.Client,
  add: (finding: string) => void,
  advance: (count: number) => void,
): Promise<void> {
  const rows = fetchRows<JoinedRow>(
    client,
    `SELECT a.guild_no AS "guildNo", a.account_no AS "accountNo", a.player_id AS "playerId",
       a.balance AS "balanceUnits", a.transaction_count AS count, a.archived_count AS "archivedCount", a.last_created_at AS "lastCreatedAtMs",
       t.seq AS "rowSeq", t.total AS "rowTotalUnits", t.balance_after AS "rowBalanceUnits",
       t.created_at AS "rowCreatedAtMs"
     FROM account a LEFT JOIN ledger_transaction t USING (guild_no, account_no)
     ORDER BY a.guild_no, a.account_no, t.seq`,
  );
  let current: { account: AccountRow; check: AccountCheck } | undefined;
  const finish = () => {
    current?.check.end();
    advance(current?.account.count ?? 0);
  };
  for await (const row of rows) {
    if (current?.account.guildNo !== row.guildNo || current.account.accountNo !== row.accountNo) {
      finish();
      current = { account: row, check: createAccountCheck(row, add) };
    }
    const { rowSeq, rowTotalUnits, rowBalanceUnits, rowCreatedAtMs } = row;
    if (rowSeq !== null && rowTotalUnits !== null && rowBalanceUnits !== null && rowCreatedAtMs !== null) {
      current.check.take({
        seq: rowSeq,
        totalUnits: rowTotalUnits,
        balanceUnits: rowBalanceUnits,
        createdAtMs: rowCreatedAtMs,
      });
    }
  }
  finish();
}

const COUNTED = `count(*) FILTER (WHERE total > 0) AS deposit_count,
  coalesce(sum(total) FILTER (WHERE total > 0), 0) AS deposit_units,
  count(*) FILTER (WHERE total < 0) AS withdrawal_count,
  coalesce(-sum(total) FILTER (WHERE total < 0), 0) AS withdrawal_units`;
const DAY = '(created_at - ((created_at % 86400000) + 86400000) % 86400000) / 86400000';
const differing = (columns: string[]) =>
  columns.map((column) => `kept.${column} IS DISTINCT FROM counted.${column}`).join(' OR ');
// The opposite of IS_ARCHIVED_DAY for a join with the archive, because Citus refuses a correlated subquery beside a subquery in FROM.
const isWholeDay = (table: string) => `coalesce(${table}.day * 86400000 >= r.before_at, true)`;
const MONEY = ['deposit_count', 'deposit_units', 'withdrawal_count', 'withdrawal_units'];

/** The server recomputes the days. FACTS finds days with sums but without transactions. */
const WRONG_DAYS = `SELECT coalesce(g.guild_id, 'number ' || counted.guild_no) AS guild, counted.day
  FROM (SELECT guild_no, ${DAY} AS day, count(*) FILTER (WHERE seq = 1) AS accounts_opened, ${COUNTED}
    FROM ledger_transaction GROUP BY 1, 2) AS counted
  LEFT JOIN guild_day kept USING (guild_no, day) LEFT JOIN guild g ON g.guild_no = counted.guild_no
  LEFT JOIN archive r ON r.guild_no = counted.guild_no
  WHERE (${differing(['accounts_opened', ...MONEY])}) AND ${isWholeDay('counted')}
  ORDER BY counted.guild_no, counted.day`;

/**
 * A source without a row of its own is counted in the row of the empty name. FACTS finds days without transactions.
 */
const WRONG_SOURCES = `SELECT coalesce(g.guild_id, 'number ' || guild_no) AS guild, day, source
  FROM (SELECT t.guild_no, t.day, coalesce(s.source, '') AS source, ${COUNTED}
    FROM (SELECT guild_no, ${DAY} AS day, source, total FROM ledger_transaction) AS t
    LEFT JOIN guild_day_source s USING (guild_no, day, source) GROUP BY 1, 2, 3) AS counted
  FULL JOIN guild_day_source kept USING (guild_no, day, source)
  JOIN (SELECT guild_no, ${DAY} AS day FROM ledger_transaction GROUP BY 1, 2) AS used USING (guild_no, day)
  LEFT JOIN guild g USING (guild_no) LEFT JOIN archive r USING (guild_no)
  WHERE (${differing(MONEY)}) AND ${isWholeDay('used')}
  ORDER BY guild_no, day, source`;

const CROWDED_DAYS = `SELECT coalesce(g.guild_id, 'number ' || guild_no) AS guild, day
  FROM guild_day_source LEFT JOIN guild g USING (guild_no) WHERE source <> ''
  GROUP BY guild_no, g.guild_id, day HAVING count(*) > ${SOURCES_PER_DAY_MAX} ORDER BY guild_no, day`;

async function checkDailySums(client: pg.Client, add: (finding: string) => void): Promise<void> {
  type Place = { guild: string; day: number };
  const at = ({ guild, day }: Place) => `guild ${guild} on ${dayText(day)}`;
  for await (const row of fetchRows<Place>(client, WRONG_DAYS)) {
    add(`${at(row)}: its sums are not those of its transactions`);
  }
  for await (const row of fetchRows<Place & { source: string }>(client, WRONG_SOURCES)) {
    const name = row.source === '' ? 'the other sources' : `source ${row.source}`;
    add(`${at(row)}: the sums of ${name} are not those of its transactions`);
  }
  for await (const row of fetchRows<Place>(client, CROWDED_DAYS)) {
    add(`${at(row)}: more than ${SOURCES_PER_DAY_MAX} sources have sums`);
  }
}
