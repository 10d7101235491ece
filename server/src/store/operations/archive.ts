import { commandLine } from '../../command-name.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { MoneySums } from '../../domain/ledger/ledger-views.ts';
import type { GuildRef, PastTransaction } from '../../domain/model.ts';
import { LOCK_LEDGER } from '../ledger/ledger-lock.ts';
import { exportSql, type PastRow, toPast } from '../ledger/past-rows.ts';
import { keepSealedHashes } from '../seal/kept-hashes.ts';
import { manyRows, type Sql, statement } from '../sql.ts';

/** A transaction with everything that its archive file has of it. */
export interface ArchivedTransaction extends PastTransaction {
  number: number;
  seq: number;
  balanceUnits: number;
  keyId: string | undefined;
  /** The chat account of the person who posted it by hand. */
  postedBy: string | undefined;
}

/** How far a guild's ledger is archived. */
export interface ArchiveState {
  lastNumber: number;
  /** Transactions up to this one are in files. */
  throughNumber: number;
  /** Transactions up to this one have no rows any more. */
  removedNumber: number;
}

/** A stretch of a ledger that was written into files: the transactions after one number up to another. */
export interface ArchivedStretch {
  guildNo: number;
  afterNumber: number;
  throughNumber: number;
  beforeMs: number;
  sums: MoneySums;
}

export interface ArchiveAccess {
  /** Runs reads, without holding up writers. */
  read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Runs work in one transaction. */
  run<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

interface ArchiveRow {
  throughNumber: number;
  depositCount: number;
  depositUnits: string;
  withdrawalCount: number;
  withdrawalUnits: string;
}

interface ReadRow extends PastRow {
  seq: number;
  balanceUnits: number;
  keyId: string | null;
  postedBy: string | null;
}

const GUILDS = statement<GuildRef>(
  'SELECT guild_no AS "guildNo", guild_id AS "guildId" FROM guild ORDER BY guild_id',
);
const LEDGER = statement<{ lastNumber: number; removedNumber: number }>(
  `SELECT last_number AS "lastNumber", archived_number AS "removedNumber" FROM guild_ledger WHERE guild_no = $1`,
);
const FIND = statement<ArchiveRow>(
  `SELECT through_number AS "throughNumber", deposit_count AS "depositCount", deposit_units AS "depositUnits",
     withdrawal_count AS "withdrawalCount", withdrawal_units AS "withdrawalUnits" FROM archive WHERE guild_no = $1`,
);
const READ = statement<ReadRow>(
  (dialect) =>
    `${exportSql(dialect, 'AND t.guild_no = $1 AND t.number > $2', {
      columns: ', t.seq, t.balance_after AS "balanceUnits", k.key_id AS "keyId", t.posted_by AS "postedBy"',
      joins: 'LEFT JOIN api_key AS k ON k.key_no = t.key_no',
    })} LIMIT $3`,
);
const MARK = statement(
  `INSERT INTO archive (guild_no, through_number, before_at, deposit_count, deposit_units, withdrawal_count, withdrawal_units)
   VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (guild_no) DO UPDATE SET through_number = excluded.through_number, before_at = excluded.before_at,
     deposit_count = excluded.deposit_count, deposit_units = excluded.deposit_units,
     withdrawal_count = excluded.withdrawal_count, withdrawal_units = excluded.withdrawal_units`,
);

// A key has no index by transaction, so that all keys of the guild are read once.
const FIND_KEYS = statement<{ key: string; number: number | null }>(
  `SELECT i.idempotency_key AS key, (SELECT t.number FROM ledger_transaction AS t
     WHERE t.guild_no = $1 AND t.account_no = i.account_no AND t.seq = i.seq) AS number
   FROM idempotency AS i WHERE i.guild_no = $1 AND i.idempotency_key > $2 ORDER BY i.idempotency_key LIMIT $3`,
);
const REMOVE_KEYS = statement(
  ({ isOneOf }) =>
    `DELETE FROM idempotency WHERE guild_no = $1 AND ${isOneOf('idempotency_key', { value: '$2', type: 'text' })}`,
);

// All of these take a guild and a range of numbers: after $2, up to $3.
const IN_RANGE = 'guild_no = $1 AND number > $2 AND number <= $3';
const FIND_ROWS = statement<{ accountNo: number; seq: number; transactionId: string; createdAtMs: number }>(
  ({ indexedBy }) =>
    `SELECT account_no AS "accountNo", seq, transaction_id AS "transactionId", created_at AS "createdAtMs"
     FROM ledger_transaction ${indexedBy('ledger_by_number')} WHERE ${IN_RANGE} ORDER BY number`,
);
const NAME_REVERSED = statement(
  `UPDATE ledger_extra SET reverses = NULL, reverses_id = (SELECT t.transaction_id FROM ledger_transaction AS t
     WHERE t.guild_no = $1 AND t.number = ledger_extra.reverses)
   WHERE guild_no = $1 AND reverses > $2 AND reverses <= $3`,
);
const REMOVE_EXTRAS = statement(`DELETE FROM ledger_extra WHERE ${IN_RANGE}`);
const REMOVE_ROWS = statement(`DELETE FROM ledger_transaction WHERE ${IN_RANGE}`);
const KEEP_IDS = manyRows({
  table: 'archived_transaction',
  shared: ['guild_no'],
  columns: { id: 'text' },
  ending: 'ON CONFLICT (guild_no, id) DO NOTHING',
});
const MOVE_ACCOUNTS = statement(
  ({ rowsOf }) =>
    `UPDATE account SET archived_count = moved.seq, archived_at = moved.last_at,
       opened_at = coalesce(account.opened_at, moved.first_at)
     FROM ${rowsOf('$2', 'moved', { account_no: 'bigint', seq: 'bigint', first_at: 'bigint', last_at: 'bigint' })}
     WHERE account.guild_no = $1 AND account.account_no = moved.account_no`,
);
const MOVE_LEDGER = statement('UPDATE guild_ledger SET archived_number = $2 WHERE guild_no = $1');

export async function listGuilds(sql: Sql): Promise<GuildRef[]> {
  return sql.all(GUILDS);
}

export async function readState(sql: Sql, guildNo: number): Promise<ArchiveState> {
  const { lastNumber = 0, removedNumber = 0 } = (await sql.first(LEDGER, [guildNo])) ?? {};
  const { throughNumber = 0 } = (await sql.first(FIND, [guildNo])) ?? {};
  return { lastNumber, throughNumber, removedNumber };
}

/** The transactions after a number, in order. They never change, so that each call may see another state. */
export async function readStretch(
  sql: Sql,
  { guildNo, afterNumber, limit }: { guildNo: number; afterNumber: number; limit: number },
): Promise<ArchivedTransaction[]> {
  await sql.preferIndexes();
  const rows = await sql.all(READ, [guildNo, afterNumber, limit]);
  return rows.map(({ seq, balanceUnits, keyId, postedBy, ...row }) => ({
    ...toPast(row),
    number: row.number,
    seq,
    balanceUnits,
    keyId: keyId ?? undefined,
    postedBy: postedBy ?? undefined,
  }));
}

/** Records that a stretch is in files. From now on its rows may be removed. */
export async function markArchived(sql: Sql, stretch: ArchivedStretch): Promise<void> {
  const { guildNo, afterNumber, throughNumber, beforeMs, sums } = stretch;
  await sql.first(LOCK_LEDGER, [guildNo]);
  const present = await sql.first(FIND, [guildNo]);
  if ((present?.throughNumber ?? 0) !== afterNumber) {
    throw new OperatorError('another process has archived the same transactions meanwhile');
  }
  await keepSealedHashes(sql, guildNo, throughNumber);
  await sql.run(MARK, [
    guildNo,
    throughNumber,
    beforeMs,
    (present?.depositCount ?? 0) + sums.depositCount,
    String(BigInt(present?.depositUnits ?? 0) + sums.depositUnits),
    (present?.withdrawalCount ?? 0) + sums.withdrawalCount,
    String(BigInt(present?.withdrawalUnits ?? 0) + sums.withdrawalUnits),
  ]);
}

/**
 * Removes the idempotency keys of archived transactions among the next `limit` keys. Resolves to the last key that was
 * looked at, or to undefined when the guild has no more.
 */
export async function removeArchivedKeys(
  sql: Sql,
  { guildNo, after, limit }: { guildNo: number; after: string; limit: number },
): Promise<string | undefined> {
  const { throughNumber } = await readState(sql, guildNo);
  const rows = await sql.all(FIND_KEYS, [guildNo, after, limit]);
  const keys = rows.filter(({ number }) => (number ?? 0) <= throughNumber).map(({ key }) => key);
  if (keys.length > 0) {
    await sql.run(REMOVE_KEYS, [guildNo, keys]);
  }
  return rows.length < limit ? undefined : rows.at(-1)?.key;
}

/**
 * Removes the next `limit` archived transactions, which have no keys any more. Accounts, numbers and ids of the removed
 * ones change in the same commit. Resolves to the number of removed transactions.
 */
export async function removeArchived(
  sql: Sql,
  { guildNo, limit }: { guildNo: number; limit: number },
): Promise<number> {
  await sql.first(LOCK_LEDGER, [guildNo]);
  const { throughNumber, removedNumber } = await readState(sql, guildNo);
  const last = Math.min(removedNumber + limit, throughNumber);
  const range = [guildNo, removedNumber, last];
  const rows = await sql.all(FIND_ROWS, range);
  if (rows.length !== last - removedNumber) {
    throw new OperatorError(`numbers of transactions are missing: run "${commandLine('verify')}"`);
  }
  if (rows.length === 0) {
    return 0;
  }
  await keepSealedHashes(sql, guildNo, last);
  await sql.allowRemoval();
  const ids = rows.filter(({ transactionId }) => transactionId.length === 36);
  await sql.runMany(
    KEEP_IDS,
    [guildNo],
    [...new Set(ids.map(({ transactionId }) => transactionId.toLowerCase().replaceAll('-', '')))].map(
      (id) => [id],
    ),
  );
  await sql.run(NAME_REVERSED, range);
  await sql.run(REMOVE_EXTRAS, range);
  await sql.run(REMOVE_ROWS, range);
  await sql.run(MOVE_ACCOUNTS, [guildNo, JSON.stringify(movedAccounts(rows))]);
  await sql.run(MOVE_LEDGER, [guildNo, last]);
  return rows.length;
}

interface MovedAccount {
  account_no: number;
  seq: number;
  first_at: number;
  last_at: number;
}

/** The last removed seq of each account. Numbers rise along seq, so that a stretch removes the first of an account. */
function movedAccounts(
  rows: readonly { accountNo: number; seq: number; createdAtMs: number }[],
): MovedAccount[] {
  const moved = new Map<number, MovedAccount>();
  for (const { accountNo, seq, createdAtMs } of rows) {
    const first = moved.get(accountNo)?.first_at ?? createdAtMs;
    moved.set(accountNo, { account_no: accountNo, seq, first_at: first, last_at: createdAtMs });
  }
  return [...moved.values()];
}
