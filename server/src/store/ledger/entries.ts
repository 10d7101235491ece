import { DomainError } from '../../domain/errors.ts';
import {
  type EntryStore,
  HISTORY_LOOKED_AT_MAX,
  type HistoryPage,
  type HistoryQuery,
} from '../../domain/ledger/entries.ts';
import { continueWith } from '../../domain/maybe-promise.ts';
import type { GuildRef } from '../../domain/model.ts';
import type { Engine } from '../jobs.ts';
import { type Sql, statement, statementsByShape } from '../sql.ts';
import { type EntryRow, toEntry, toEntryRow } from './entry-row.ts';
import {
  ACCOUNT_SUMMARY,
  accountHistorySql,
  balancesSql,
  entriesSql,
  entryRangeSql,
  entrySql,
  feedSql,
  firstNotBeforeSql,
  hasRowFilters,
  idRange,
  numberHistorySql,
  paymentSql,
  referenceHistorySql,
  referenceStopSql,
  rowFilterShape,
  rowFilterValues,
  SUMMARY,
  type SummaryRow,
  toBalancePage,
  toSummary,
} from './entry-sql.ts';
import { BEHIND_ALL, lookedAt, toHistoryPage } from './history-page.ts';

const FIND = statement<EntryRow>(entrySql, toEntryRow);
const FIND_RANGE = statement<EntryRow>(entryRangeSql, toEntryRow);
// When an id was imported twice, the transaction with the lowest number counts.
const FIND_MANY = statement<EntryRow>(
  (dialect) =>
    entriesSql(
      dialect,
      `SELECT f.* FROM ${dialect.rowsOf('$2', 'wanted', { id: 'text' })}
       CROSS JOIN ledger_transaction AS f WHERE f.guild_no = $1
         AND f.number = (SELECT s.number FROM ledger_transaction AS s ${dialect.indexedBy('ledger_by_id')}
           WHERE s.guild_no = $1 AND ${dialect.isId('s.transaction_id', 'wanted.id')} ORDER BY s.number LIMIT 1)`,
      'ASC',
    ),
  toEntryRow,
);
const FIND_PAYMENT = statement<EntryRow>(paymentSql, toEntryRow);
const FEED = statement<EntryRow>(feedSql, toEntryRow);
const REFERENCE_STOP = statement<{ number: number }>(referenceStopSql);
const LAST_NUMBER = statement<{ last: number; archived: number }>(
  'SELECT last_number AS last, archived_number AS archived FROM guild_ledger WHERE guild_no = $1',
);
const IS_ARCHIVED = statement<{ found: number }>(
  'SELECT 1 AS found FROM archived_transaction WHERE guild_no = $1 AND id = $2',
);
const IS_KEY_USED = statement<{ found: number }>(
  'SELECT 1 AS found FROM idempotency WHERE guild_no = $1 AND idempotency_key = $2',
);
const ACCOUNT = statement<SummaryRow>(ACCOUNT_SUMMARY);
const ACCOUNTS = statement<SummaryRow>(
  ({ isOneOf }) =>
    `${SUMMARY} WHERE a.guild_no = $1 AND ${isOneOf('a.player_id', { value: '$2', type: 'text' })}`,
);
/** The account as of its last transaction up to a time, and whether that one or a later one is archived. */
const ACCOUNT_AT = statement<SummaryRow & { archivedAtMs: number | null }>(
  (dialect) =>
    `SELECT t.player_id AS "playerId", t.account_no AS "accountNo",
       coalesce(o.balance_after, n.balance_after - n.total, t.balance) AS "balanceUnits", t.last_seq AS count,
       coalesce(o.created_at, t.archived_at) AS "lastAtMs", t.archived_at AS "archivedAtMs"
     FROM (SELECT a.player_id, a.account_no, a.balance, a.archived_at,
         ${firstNotBeforeSql(dialect, 'CAST($3 AS bigint) + 1')} - 1 AS last_seq
       FROM account AS a WHERE a.guild_no = $1 AND a.player_id = $2) AS t
     LEFT JOIN ledger_transaction AS o ON o.guild_no = $1 AND o.account_no = t.account_no AND o.seq = t.last_seq
     LEFT JOIN ledger_transaction AS n ON n.guild_no = $1 AND n.account_no = t.account_no AND n.seq = t.last_seq + 1
     WHERE t.last_seq > 0`,
);
/**
 * The first seq of a player's page and the seq after its last. $5 is the number before which the page ends; it has no
 * seq when it is archived.
 */
const ACCOUNT_WINDOW = statement<{
  accountNo: number;
  first: number;
  end: number;
  seq: number | null;
  archivedNumber: number | null;
}>(
  (dialect) =>
    `SELECT a.account_no AS "accountNo",
       CASE WHEN CAST($3 AS bigint) IS NULL THEN a.archived_count + 1
         ELSE ${firstNotBeforeSql(dialect, 'CAST($3 AS bigint)')} END AS first,
       CASE WHEN CAST($4 AS bigint) IS NULL THEN a.transaction_count + 1
         ELSE ${firstNotBeforeSql(dialect, 'CAST($4 AS bigint)')} END AS "end",
       (SELECT t.seq FROM ledger_transaction AS t ${dialect.indexedBy('ledger_by_number')}
         WHERE t.guild_no = $1 AND t.number = CAST($5 AS bigint) AND t.account_no = a.account_no) AS seq,
       (SELECT l.archived_number FROM guild_ledger AS l WHERE l.guild_no = $1) AS "archivedNumber"
     FROM account AS a WHERE a.guild_no = $1 AND a.player_id = $2`,
);
const NUMBER_OF = statement<{ number: number }>(
  'SELECT number FROM ledger_transaction WHERE guild_no = $1 AND account_no = $2 AND seq = $3',
);
/**
 * A day that may have transactions of a source: one that has sums of it, or too many sources for sums of each. The LIMIT makes
 * PostgreSQL look up each day.
 */
const DAY_OF_SOURCE = statement<{ day: number }>(
  `SELECT d.day FROM guild_day AS d WHERE d.guild_no = $1 AND (SELECT true FROM guild_day_source AS s
     WHERE s.guild_no = $1 AND s.day = d.day AND s.source IN ($2, '') LIMIT 1)
   ORDER BY d.day DESC LIMIT 1`,
);
const balancePages = statementsByShape<SummaryRow>();

export const ENTRY_READS = { history: readHistory };

/** A ledger with at most this many transactions is searched on the calling thread. */
const SHORT_LEDGER = 2_000;

export interface EntryStoreParts {
  engine: Engine<Record<never, never>, typeof ENTRY_READS>;
  revision: EntryStore['revision'];
  accountRevision: EntryStore['accountRevision'];
}

export function createEntryStore({ engine, revision, accountRevision }: EntryStoreParts): EntryStore {
  const { read, readNow, readAside, readLong, inSnapshot } = engine;

  async function lastNumber({ guildNo }: GuildRef): Promise<number> {
    return (await read.first(LAST_NUMBER, [guildNo]))?.last ?? 0;
  }

  return {
    revision,
    accountRevision,
    async find({ guildNo }, transactionId) {
      const row = await read.first(FIND, [guildNo, transactionId]);
      return row && toEntry(row);
    },
    async findByPrefix({ guildNo }, digits, limit) {
      return (await read.all(FIND_RANGE, [guildNo, ...idRange(digits), limit])).map(toEntry);
    },
    async findMany({ guildNo }, transactionIds) {
      const wanted = JSON.stringify(transactionIds.map((id) => ({ id })));
      return (await read.all(FIND_MANY, [guildNo, wanted])).map(toEntry);
    },
    findPayments: ({ guildNo }, paymentIds) =>
      inSnapshot(async (sql) => {
        const sides: EntryRow[] = [];
        for (const id of paymentIds) {
          sides.push(...(await sql.all(FIND_PAYMENT, [guildNo, id])));
        }
        return sides.map(toEntry);
      }),
    async history(guild, query) {
      const { guildNo } = guild;
      if (query.reference === undefined && query.playerId === undefined && !hasRowFilters(query)) {
        // Without filters a page is one statement, and needs no snapshot.
        return ofGuild(read, guildNo, query);
      }
      const isLong = query.reference !== undefined || hasRowFilters(query);
      return readLong('history', { guildNo, query }, async () =>
        isLong && (await lastNumber(guild)) > SHORT_LEDGER ? HISTORY_LOOKED_AT_MAX : 0,
      );
    },
    lastNumber,
    archivedNumber: async ({ guildNo }) => (await read.first(LAST_NUMBER, [guildNo]))?.archived ?? 0,
    isArchived: async ({ guildNo }, transactionId) =>
      (await read.first(IS_ARCHIVED, [guildNo, transactionId.replaceAll('-', '')])) !== undefined,
    isKeyUsed: async ({ guildNo }, idempotencyKey) =>
      (await read.first(IS_KEY_USED, [guildNo, idempotencyKey])) !== undefined,
    feed: async ({ guildNo }, { after, limit }) =>
      (await readAside.all(FEED, [guildNo, after, limit])).map(toEntry),
    account: ({ guildNo }, playerId, atMs) =>
      atMs === undefined
        ? continueWith(readNow.first(ACCOUNT, [guildNo, playerId]), (row) => toSummary(playerId, row))
        : continueWith(readNow.first(ACCOUNT_AT, [guildNo, playerId, atMs]), (row) => {
            if (atMs < (row?.archivedAtMs ?? atMs)) {
              throw new DomainError('archived', { detail: 'the account at that time is archived' });
            }
            return toSummary(playerId, row);
          }),
    async accounts({ guildNo }, playerIds) {
      const found = await read.all(ACCOUNTS, [guildNo, playerIds]);
      const known = new Map(found.map((row) => [row.playerId, row]));
      return playerIds.map((playerId) => toSummary(playerId, known.get(playerId)));
    },
    async balances({ guildNo }, { sortOrder, limit, after }) {
      const hasPlace = after !== undefined;
      const page = balancePages(`${sortOrder} ${hasPlace}`, (dialect) =>
        balancesSql(dialect, sortOrder, hasPlace),
      );
      const place = after === undefined ? [] : [after.balanceUnits, after.accountNo];
      return toBalancePage(await read.all(page, [guildNo, ...place, limit + 1]), limit);
    },
  };
}

const pages = statementsByShape<EntryRow>(toEntryRow);

async function readHistory(
  sql: Sql,
  { guildNo, query }: { guildNo: number; query: HistoryQuery },
): Promise<HistoryPage> {
  if (query.reference !== undefined) {
    return ofReference(sql, guildNo, query.reference, query);
  }
  // Without any such day the page is empty and no transaction has to be visited.
  const mayMatch =
    query.source === undefined || (await sql.first(DAY_OF_SOURCE, [guildNo, query.source])) !== undefined;
  return query.playerId === undefined
    ? ofGuild(sql, guildNo, query, mayMatch)
    : ofAccount(sql, guildNo, { ...query, playerId: query.playerId }, mayMatch);
}

async function ofGuild(
  sql: Sql,
  guildNo: number,
  query: HistoryQuery,
  mayMatch = true,
): Promise<HistoryPage> {
  const isFiltered = hasRowFilters(query);
  const { last = 0, archived = 0 } = (isFiltered && (await sql.first(LAST_NUMBER, [guildNo]))) || {};
  const end = query.before ?? (isFiltered ? last + 1 : BEHIND_ALL);
  const whole = { first: archived + 1, end };
  const { first } = lookedAt(whole, isFiltered);
  const page = pages(`number ${rowFilterShape(query)}`, (dialect) => numberHistorySql(dialect, query));
  const values = [guildNo, first, end, ...rowFilterValues(query), query.limit + 1];
  const rows = mayMatch ? await sql.all(page, values) : [];
  return toHistoryPage(rows, query, first > whole.first ? first : undefined);
}

async function ofAccount(
  sql: Sql,
  guildNo: number,
  query: HistoryQuery & { playerId: string },
  mayMatch: boolean,
): Promise<HistoryPage> {
  const { playerId, sinceMs = null, untilMs = null, before = null } = query;
  const found = await sql.first(ACCOUNT_WINDOW, [guildNo, playerId, sinceMs, untilMs, before]);
  // A page that ends before an archived transaction is archived as a whole.
  if (found === undefined || (before ?? BEHIND_ALL) <= (found.archivedNumber ?? 0)) {
    return { entries: [], next: undefined };
  }
  const { accountNo } = found;
  const whole = { first: found.first, end: Math.min(found.end, found.seq ?? found.end) };
  const filter = { ...query, sinceMs: undefined, untilMs: undefined };
  const { first, end } = lookedAt(whole, hasRowFilters(filter));
  const page = pages(`account ${rowFilterShape(filter)}`, (dialect) => accountHistorySql(dialect, filter));
  const values = [guildNo, accountNo, first, end, ...rowFilterValues(filter), query.limit + 1];
  const rows = mayMatch ? await sql.all(page, values) : [];
  const stop =
    first > whole.first ? (await sql.first(NUMBER_OF, [guildNo, accountNo, first]))?.number : undefined;
  return toHistoryPage(rows, query, stop);
}

async function ofReference(
  sql: Sql,
  guildNo: number,
  reference: string,
  query: HistoryQuery,
): Promise<HistoryPage> {
  const account =
    query.playerId === undefined ? undefined : await sql.first(ACCOUNT, [guildNo, query.playerId]);
  if (query.playerId !== undefined && account === undefined) {
    return { entries: [], next: undefined };
  }
  const filter = { ...query, accountNo: account?.accountNo };
  const values = [guildNo, reference, query.before ?? BEHIND_ALL];
  const page = pages(`reference ${rowFilterShape(filter)}`, (dialect) =>
    referenceHistorySql(dialect, filter),
  );
  const rows = await sql.all(page, [
    ...values,
    HISTORY_LOOKED_AT_MAX,
    ...rowFilterValues(filter),
    query.limit + 1,
  ]);
  const stop = await sql.first(REFERENCE_STOP, [...values, HISTORY_LOOKED_AT_MAX - 1]);
  return toHistoryPage(rows, query, stop?.number);
}
