import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type {
  AccountSummary,
  BalancePage,
  EntryStore,
  HistoryPage,
  HistoryQuery,
  LedgerEntry,
} from '../../domain/ledger/entries.ts';
import { HISTORY_LOOKED_AT_MAX } from '../../domain/ledger/entries.ts';
import { type EntryRow, toEntry, toEntryRow } from '../entry-row.ts';
import {
  accountHistorySql,
  accountSummarySql,
  balancesSql,
  type EntryDialect,
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
import { createFirstNotBefore } from './account-times.ts';
import { inSnapshot, keepPrepared, prepare, prepareLists, prepareOnDemand } from './connection.ts';
import { ROWS_HERE_MAX } from './long-read.ts';
import type { Revisions } from './revision.ts';
import type { LongReadOf, Read, StoreParts } from './write.ts';

export const ENTRY_DIALECT: EntryDialect = {
  guildOf: (row) => `${row}.guild_no`,
  placeholder: () => '?',
  hint: (index) => `INDEXED BY ${index}`,
  idBytes: (column) => `unhex(replace(${column}, '-', ''))`,
  join: (kind, table, name, condition) =>
    `${kind} JOIN ${table} AS ${name} ON ${condition.replaceAll('one.', `${name}.`)}`,
};

/** An id as its index holds it. What is no UUID is never found. */
export function idBytes(id: string): Uint8Array {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

interface EntryParts {
  db: DatabaseSync;
  read: Read;
  readNow: StoreParts<never>['readNow'];
  revisions: Revisions;
  readLong: LongReadOf<EntryReads>;
}

export type EntryReads = ReturnType<typeof createEntryReads>;

export function createEntryStore({ db, read, readNow, readLong, revisions }: EntryParts): EntryStore {
  const findEntry = prepareEntries(db, entrySql(ENTRY_DIALECT));
  const findRange = prepareEntries(db, entryRangeSql(ENTRY_DIALECT));
  const findPayment = prepareEntries(db, paymentSql(ENTRY_DIALECT));
  const findNext = prepareEntries(db, feedSql(ENTRY_DIALECT));
  const findLast = prepare<{ last: number }>(
    db,
    'SELECT last_number AS last FROM guild_ledger WHERE guild_no = ?',
  );
  const accounts = createAccountReads(db);
  const history = createHistory(db);

  function find(guildNo: number, transactionId: string): LedgerEntry | undefined {
    const [row] = findEntry(guildNo, idBytes(transactionId));
    return row && toEntry(row);
  }

  return {
    revision: ({ guildNo }) => revisions.ofLedger(guildNo),
    find: ({ guildNo }, transactionId) => read(() => find(guildNo, transactionId)),
    findByPrefix: ({ guildNo }, digits, limit) =>
      read(() => {
        const [first, last] = idRange(digits);
        return findRange(guildNo, idBytes(first), idBytes(last), limit).map(toEntry);
      }),
    findMany: ({ guildNo }, transactionIds) =>
      read(() => inSnapshot(db, () => transactionIds.flatMap((id) => find(guildNo, id) ?? []))),
    findPayments: ({ guildNo }, paymentIds) =>
      read(() =>
        inSnapshot(db, () => paymentIds.flatMap((id) => findPayment(guildNo, idBytes(id)).map(toEntry))),
      ),
    history: ({ guildNo }, query) =>
      read(() => {
        const isLong = query.reference !== undefined || hasRowFilters(query);
        return isLong && accounts.hasMany(guildNo)
          ? readLong('history', { guildNo, query }, HISTORY_LOOKED_AT_MAX)
          : history({ guildNo, query });
      }),
    lastNumber: ({ guildNo }) => read(() => findLast.get(guildNo)?.last ?? 0),
    feed: ({ guildNo }, { after, limit }) => read(() => findNext(guildNo, after, limit).map(toEntry)),
    account: ({ guildNo }, playerId, atMs) => readNow(() => accounts.find(guildNo, playerId, atMs)),
    accounts: ({ guildNo }, playerIds) =>
      read(() => inSnapshot(db, () => playerIds.map((playerId) => accounts.find(guildNo, playerId)))),
    balances: ({ guildNo }, page) => read(() => accounts.page(guildNo, page)),
  };
}

/** What the reader threads do for the entries. */
export function createEntryReads(db: DatabaseSync) {
  return { history: createHistory(db) };
}

type FindEntries = (...values: SQLInputValue[]) => EntryRow[];

/** Reads rows as lists of their values: objects with so many columns take longer to make than to find. */
function prepareEntries(db: DatabaseSync, sql: string): FindEntries {
  const statement = prepareLists(db, sql);
  return (...values) => statement.all(...values).map(toEntryRow);
}

function createHistory(db: DatabaseSync) {
  const pages = keepPrepared((sql) => prepareEntries(db, sql));
  const findStop = prepare<{ number: number }>(db, referenceStopSql(ENTRY_DIALECT));
  const findLast = prepare<{ last: number }>(
    db,
    'SELECT last_number AS last FROM guild_ledger WHERE guild_no = ?',
  );
  const findAccount = prepare<SummaryRow>(db, accountSummarySql(ENTRY_DIALECT));
  const findSeq = prepare<{ accountNo: number; seq: number }>(
    db,
    `SELECT account_no AS accountNo, seq FROM ledger_transaction INDEXED BY ledger_by_number
     WHERE guild_no = ? AND number = ?`,
  );
  const findNumber = prepare<{ number: number }>(
    db,
    'SELECT number FROM ledger_transaction WHERE guild_no = ? AND account_no = ? AND seq = ?',
  );
  const firstNotBefore = createFirstNotBefore(db);

  function ofGuild(guildNo: number, query: HistoryQuery): HistoryPage {
    const end = query.before ?? (findLast.get(guildNo)?.last ?? 0) + 1;
    const { first } = lookedAt({ first: 1, end }, hasRowFilters(query));
    const page = pages(`number ${rowFilterShape(query)}`, () => numberHistorySql(ENTRY_DIALECT, query));
    const rows = page(guildNo, first, end, ...rowFilterValues(query), query.limit + 1);
    return toHistoryPage(rows, query, first > 1 ? first : undefined);
  }

  function ofAccount(guildNo: number, playerId: string, query: HistoryQuery): HistoryPage {
    const account = findAccount.get(guildNo, playerId);
    if (account === undefined) {
      return { entries: [], next: undefined };
    }
    const { accountNo, count } = account;
    const { before, sinceMs, untilMs } = query;
    const place = before === undefined ? undefined : findSeq.get(guildNo, before);
    const seqOf = (timeMs: number) => firstNotBefore({ guildNo, accountNo, count }, timeMs);
    const whole = {
      first: sinceMs === undefined ? 1 : seqOf(sinceMs),
      end: Math.min(
        place?.accountNo === accountNo ? place.seq : count + 1,
        untilMs === undefined ? count + 1 : seqOf(untilMs),
      ),
    };
    const filter = { ...query, sinceMs: undefined, untilMs: undefined };
    const { first, end } = lookedAt(whole, hasRowFilters(filter));
    const page = pages(`account ${rowFilterShape(filter)}`, () => accountHistorySql(ENTRY_DIALECT, filter));
    const rows = page(guildNo, accountNo, first, end, ...rowFilterValues(filter), query.limit + 1);
    const stop = first > whole.first ? findNumber.get(guildNo, accountNo, first)?.number : undefined;
    return toHistoryPage(rows, query, stop);
  }

  function ofReference(guildNo: number, reference: string, query: HistoryQuery): HistoryPage {
    const account = query.playerId === undefined ? undefined : findAccount.get(guildNo, query.playerId);
    if (query.playerId !== undefined && account === undefined) {
      return { entries: [], next: undefined };
    }
    const filter = { ...query, accountNo: account?.accountNo };
    const values = [guildNo, reference, query.before ?? BEHIND_ALL];
    const page = pages(`reference ${rowFilterShape(filter)}`, () =>
      referenceHistorySql(ENTRY_DIALECT, filter),
    );
    const rows = page(...values, HISTORY_LOOKED_AT_MAX, ...rowFilterValues(filter), query.limit + 1);
    return toHistoryPage(rows, query, findStop.get(...values, HISTORY_LOOKED_AT_MAX - 1)?.number);
  }

  return ({ guildNo, query }: { guildNo: number; query: HistoryQuery }): HistoryPage =>
    inSnapshot(db, () => {
      if (query.reference !== undefined) {
        return ofReference(guildNo, query.reference, query);
      }
      return query.playerId === undefined
        ? ofGuild(guildNo, query)
        : ofAccount(guildNo, query.playerId, query);
    });
}

function createAccountReads(db: DatabaseSync) {
  const findOne = prepare<SummaryRow>(db, accountSummarySql(ENTRY_DIALECT));
  const findLast = prepare<{ balanceUnits: number; lastAtMs: number }>(
    db,
    `SELECT balance_after AS balanceUnits, created_at AS lastAtMs FROM ledger_transaction
     WHERE guild_no = ? AND account_no = ? AND seq = ?`,
  );
  const findCount = prepare<{ last: number }>(
    db,
    'SELECT last_number AS last FROM guild_ledger WHERE guild_no = ?',
  );
  const pages = prepareOnDemand<SummaryRow>(db);
  const firstNotBefore = createFirstNotBefore(db);

  /** The account as its transactions up to that time left it. */
  function asOf(guildNo: number, row: SummaryRow, atMs: number): AccountSummary {
    const { accountNo, count: whole } = row;
    const count = firstNotBefore({ guildNo, accountNo, count: whole }, atMs + 1) - 1;
    const last = count === 0 ? undefined : findLast.get(guildNo, accountNo, count);
    return toSummary(row.playerId, last && { ...row, ...last, count });
  }

  return {
    hasMany: (guildNo: number): boolean => (findCount.get(guildNo)?.last ?? 0) > ROWS_HERE_MAX,
    find(guildNo: number, playerId: string, atMs?: number): AccountSummary {
      const row = findOne.get(guildNo, playerId);
      return row === undefined || atMs === undefined ? toSummary(playerId, row) : asOf(guildNo, row, atMs);
    },
    page(guildNo: number, { sortOrder, limit, after }: Parameters<EntryStore['balances']>[1]): BalancePage {
      const hasPlace = after !== undefined;
      const page = pages(`${sortOrder} ${hasPlace}`, () => balancesSql(ENTRY_DIALECT, sortOrder, hasPlace));
      const place = after === undefined ? [] : [after.balanceUnits, after.accountNo];
      return toBalancePage(page.all(guildNo, ...place, limit + 1), limit);
    },
  };
}
