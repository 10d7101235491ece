import {
  type AccountSummary,
  type BalancePage,
  type EntryStore,
  HISTORY_LOOKED_AT_MAX,
  type HistoryPage,
  type HistoryQuery,
} from '../../domain/ledger/entries.ts';
import { type EntryRow, toEntry } from '../entry-row.ts';
import {
  accountHistorySql,
  accountSummarySql,
  balancesSql,
  type EntryDialect,
  entriesSql,
  entryRangeSql,
  entrySql,
  feedSql,
  hasRowFilters,
  idRange,
  numberHistorySql,
  paymentSql,
  referenceHistorySql,
  referenceStopSql,
  rowFilterShape,
  rowFilterValues,
  type SummaryRow,
  toBalancePage,
  toSummary,
} from '../entry-sql.ts';
import { BEHIND_ALL, lookedAt, toHistoryPage } from '../history-page.ts';
import type { Reads } from './read.ts';
import { NO_HINTS, prepare, prepareOnDemand, type Runner } from './statement.ts';

const DIALECT: EntryDialect = {
  ...NO_HINTS,
  hint: () => '',
  // The guild is the first value of each.
  guildOf: () => '$1',
  idBytes: idOf,
  join: (kind, table, name, condition) =>
    `${kind} JOIN LATERAL (SELECT * FROM ${table} AS one WHERE ${condition} OFFSET 0) AS ${name}${kind === 'LEFT' ? ' ON true' : ''}`,
};

/** As the indexes have it. */
export function idOf(column: string): string {
  return `CASE WHEN length(${column}) = 36 THEN ${column}::uuid END`;
}

const FIND = prepare<EntryRow>(entrySql(DIALECT));
const FIND_RANGE = prepare<EntryRow>(entryRangeSql(DIALECT));
const FIND_MANY = prepare<EntryRow>(
  entriesSql(
    DIALECT,
    `SELECT found.* FROM unnest($2::uuid[]) AS wanted (id)
     CROSS JOIN LATERAL (SELECT * FROM ledger_transaction AS f
       WHERE f.guild_no = $1 AND ${idOf('f.transaction_id')} = wanted.id ORDER BY f.number LIMIT 1) AS found`,
    'ASC',
  ),
);
const FIND_PAYMENT = prepare<EntryRow>(paymentSql(DIALECT));
const FEED = prepare<EntryRow>(feedSql(DIALECT));
const REFERENCE_STOP = prepare<{ number: number }>(referenceStopSql(DIALECT));
const LAST_NUMBER = prepare<{ last: number }>(
  'SELECT last_number AS last FROM guild_ledger WHERE guild_no = $1',
);
const ACCOUNT = prepare<SummaryRow>(accountSummarySql(DIALECT));
const ACCOUNTS = prepare<SummaryRow>(
  `SELECT a.player_id AS "playerId", a.account_no AS "accountNo", a.balance AS "balanceUnits",
     a.transaction_count AS count, a.last_created_at AS "lastAtMs"
   FROM account AS a WHERE a.guild_no = $1 AND a.player_id = ANY ($2::text[])`,
);
/**
 * The first seq of the account `a`, of the guild $1, that is not before a time. Creation times never decrease along seq, so
 * that a binary search finds it; beyond the last one when all are before it.
 */
function firstNotBefore(time: string): string {
  return `(WITH RECURSIVE search (low, high) AS (
     SELECT 1::bigint, a.transaction_count + 1
     UNION ALL
     SELECT CASE WHEN middle.created_at < ${time} THEN middle.seq + 1 ELSE search.low END,
       CASE WHEN middle.created_at < ${time} THEN search.high ELSE middle.seq END
     FROM search CROSS JOIN LATERAL (SELECT m.seq, m.created_at FROM ledger_transaction AS m
       WHERE m.guild_no = $1 AND m.account_no = a.account_no AND m.seq >= (search.low + search.high) / 2
       ORDER BY m.seq LIMIT 1) AS middle
     WHERE search.low < search.high
   ) SELECT search.low FROM search WHERE search.low >= search.high)`;
}

/** The account as its transactions up to a time left it: the last of them tells. */
const ACCOUNT_AT = prepare<SummaryRow>(
  `SELECT a.player_id AS "playerId", a.account_no AS "accountNo", t.balance_after AS "balanceUnits", t.seq AS count,
     t.created_at AS "lastAtMs"
   FROM account AS a CROSS JOIN LATERAL (SELECT ${firstNotBefore('$3::bigint + 1')} - 1 AS seq OFFSET 0) AS moment
   JOIN ledger_transaction AS t ON t.guild_no = $1 AND t.account_no = a.account_no AND t.seq = moment.seq
   WHERE a.guild_no = $1 AND a.player_id = $2`,
);
/** Where a player's page begins and ends, in seqs, and where a number stands in the account. */
const ACCOUNT_WINDOW = prepare<{ accountNo: number; first: number; end: number }>(
  `SELECT a.account_no AS "accountNo",
     CASE WHEN $3::bigint IS NULL THEN 1
       ELSE ${firstNotBefore('$3::bigint')} END AS first,
     least(
       CASE WHEN $4::bigint IS NULL THEN a.transaction_count + 1
         ELSE ${firstNotBefore('$4::bigint')} END,
       (SELECT t.seq FROM ledger_transaction AS t WHERE t.guild_no = $1 AND t.number = $5
         AND t.account_no = a.account_no)
     ) AS end
   FROM account AS a WHERE a.guild_no = $1 AND a.player_id = $2`,
);
const NUMBER_OF = prepare<{ number: number }>(
  'SELECT number FROM ledger_transaction WHERE guild_no = $1 AND account_no = $2 AND seq = $3',
);

export function createEntryStore({ read, inSnapshot }: Pick<Reads, 'read' | 'inSnapshot'>): EntryStore {
  const history = createHistory();
  const pages = prepareOnDemand<SummaryRow>();

  async function account(guildNo: number, playerId: string, atMs?: number): Promise<AccountSummary> {
    const row =
      atMs === undefined
        ? await read.first(ACCOUNT, [guildNo, playerId])
        : await read.first(ACCOUNT_AT, [guildNo, playerId, atMs]);
    return toSummary(playerId, row);
  }

  async function balances(
    guildNo: number,
    { sortOrder, limit, after }: Parameters<EntryStore['balances']>[1],
  ): Promise<BalancePage> {
    const hasPlace = after !== undefined;
    const page = pages(`${sortOrder} ${hasPlace}`, () => balancesSql(DIALECT, sortOrder, hasPlace));
    const place = after === undefined ? [] : [after.balanceUnits, after.accountNo];
    return toBalancePage(await read.all(page, [guildNo, ...place, limit + 1]), limit);
  }

  return {
    revision: () => undefined,
    async find({ guildNo }, transactionId) {
      const row = await read.first(FIND, [guildNo, transactionId]);
      return row && toEntry(row);
    },
    async findByPrefix({ guildNo }, digits, limit) {
      return (await read.all(FIND_RANGE, [guildNo, ...idRange(digits), limit])).map(toEntry);
    },
    findMany: async ({ guildNo }, transactionIds) =>
      (await read.all(FIND_MANY, [guildNo, transactionIds])).map(toEntry),
    findPayments: async ({ guildNo }, paymentIds) =>
      (await Promise.all(paymentIds.map((id) => read.all(FIND_PAYMENT, [guildNo, id])))).flat().map(toEntry),
    // Without filters a page is one statement, and needs no more than that to be of one moment.
    history: ({ guildNo }, query) =>
      query.reference === undefined && query.playerId === undefined && !hasRowFilters(query)
        ? history(read, guildNo, query)
        : inSnapshot((moment) => history(moment, guildNo, query)),
    lastNumber: async ({ guildNo }) => (await read.first(LAST_NUMBER, [guildNo]))?.last ?? 0,
    feed: async ({ guildNo }, { after, limit }) =>
      (await read.all(FEED, [guildNo, after, limit])).map(toEntry),
    account: ({ guildNo }, playerId, atMs) => account(guildNo, playerId, atMs),
    async accounts({ guildNo }, playerIds) {
      const found = await read.all(ACCOUNTS, [guildNo, playerIds]);
      const known = new Map(found.map((row) => [row.playerId, row]));
      return playerIds.map((playerId) => toSummary(playerId, known.get(playerId)));
    },
    balances: ({ guildNo }, page) => balances(guildNo, page),
  };
}

function createHistory() {
  const pages = prepareOnDemand<EntryRow>();

  async function ofGuild(moment: Runner, guildNo: number, query: HistoryQuery): Promise<HistoryPage> {
    const isFiltered = hasRowFilters(query);
    const end =
      query.before ??
      (isFiltered ? ((await moment.first(LAST_NUMBER, [guildNo]))?.last ?? 0) + 1 : BEHIND_ALL);
    const { first } = lookedAt({ first: 1, end }, isFiltered);
    const page = pages(`number ${rowFilterShape(query)}`, () => numberHistorySql(DIALECT, query));
    const rows = await moment.all(page, [guildNo, first, end, ...rowFilterValues(query), query.limit + 1]);
    return toHistoryPage(rows, query, first > 1 ? first : undefined);
  }

  async function ofAccount(
    moment: Runner,
    guildNo: number,
    playerId: string,
    query: HistoryQuery,
  ): Promise<HistoryPage> {
    const { sinceMs = null, untilMs = null, before = null } = query;
    const whole = await moment.first(ACCOUNT_WINDOW, [guildNo, playerId, sinceMs, untilMs, before]);
    if (whole === undefined) {
      return { entries: [], next: undefined };
    }
    const { accountNo } = whole;
    const filter = { ...query, sinceMs: undefined, untilMs: undefined };
    const { first, end } = lookedAt(whole, hasRowFilters(filter));
    const page = pages(`account ${rowFilterShape(filter)}`, () => accountHistorySql(DIALECT, filter));
    const values = [guildNo, accountNo, first, end, ...rowFilterValues(filter), query.limit + 1];
    const rows = await moment.all(page, values);
    const stop =
      first > whole.first ? (await moment.first(NUMBER_OF, [guildNo, accountNo, first]))?.number : undefined;
    return toHistoryPage(rows, query, stop);
  }

  async function ofReference(
    moment: Runner,
    guildNo: number,
    reference: string,
    query: HistoryQuery,
  ): Promise<HistoryPage> {
    const account =
      query.playerId === undefined ? undefined : await moment.first(ACCOUNT, [guildNo, query.playerId]);
    if (query.playerId !== undefined && account === undefined) {
      return { entries: [], next: undefined };
    }
    const filter = { ...query, accountNo: account?.accountNo };
    const values = [guildNo, reference, query.before ?? BEHIND_ALL];
    const page = pages(`reference ${rowFilterShape(filter)}`, () => referenceHistorySql(DIALECT, filter));
    const rows = await moment.all(page, [
      ...values,
      HISTORY_LOOKED_AT_MAX,
      ...rowFilterValues(filter),
      query.limit + 1,
    ]);
    const stop = await moment.first(REFERENCE_STOP, [...values, HISTORY_LOOKED_AT_MAX - 1]);
    return toHistoryPage(rows, query, stop?.number);
  }

  return (moment: Runner, guildNo: number, query: HistoryQuery): Promise<HistoryPage> => {
    if (query.reference !== undefined) {
      return ofReference(moment, guildNo, query.reference, query);
    }
    return query.playerId === undefined
      ? ofGuild(moment, guildNo, query)
      : ofAccount(moment, guildNo, query.playerId, query);
  };
}
