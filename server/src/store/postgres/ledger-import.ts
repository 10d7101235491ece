import { decideImport, type ReversedTransaction, refuseReversal } from '../../domain/ledger/importing.ts';
import { type AccountState, NEW_ACCOUNT } from '../../domain/ledger/posting.ts';
import type { ImportOutcome, PastTransaction, TransactionExtra } from '../../domain/model.ts';
import { LOCK_LEDGER } from '../ledger/ledger-lock.ts';
import { extraOf } from '../ledger/past-rows.ts';
import { Conflict } from '../sql.ts';
import type { AccountNumbers } from './account-numbers.ts';
import { type NewRow, OWN_LEDGER, writeRows } from './ledger-import-rows.ts';
import { prepare, type Runner } from './statement.ts';

/** An account during one batch: locked and read once, updated once, for any number of its transactions. */
interface OpenAccount extends AccountState {
  playerId: string;
  accountNo: number;
  isNew: boolean;
  isMoved: boolean;
  /**
   * Time and id (`markOf`) of the wanted transactions that are stored already, and of those that the batch added.
   * Undefined until a transaction needs it that is not newer than the account's last one.
   */
  present: Set<string> | undefined;
}

type AccountRow = Pick<OpenAccount, 'playerId' | 'accountNo' | 'balanceUnits' | 'count' | 'lastCreatedAtMs'>;

// The ledger is locked already. Imports of the previous version lock only these rows, in this order, so they are
// locked too.
const LOCK = prepare<AccountRow>(
  `SELECT player_id AS "playerId", account_no AS "accountNo", balance AS "balanceUnits", transaction_count AS count,
     last_created_at AS "lastCreatedAtMs"
   FROM account WHERE guild_no = $1 AND player_id = ANY ($2::text[]) ORDER BY player_id FOR NO KEY UPDATE`,
);
// Uses the index on times, which ends in the account. No other index finds a row of an account by its time. The ids are a
// condition and no join, so that they are hashed once whatever their number.
const FIND_PRESENT = prepare<{ accountNo: number; transactionId: string; createdAtMs: number }>(
  `SELECT t.account_no AS "accountNo", t.transaction_id AS "transactionId", t.created_at AS "createdAtMs"
   FROM (SELECT DISTINCT account_no, at FROM unnest($2::bigint[], $3::bigint[]) AS w (account_no, at)) AS wanted
   CROSS JOIN LATERAL (SELECT * FROM ledger_transaction AS o WHERE o.guild_no = $1 AND o.created_at = wanted.at
     AND o.account_no = wanted.account_no ORDER BY o.created_at, o.account_no, o.seq) AS t
   WHERE (t.transaction_id IN (SELECT unnest($4::text[]))) IS TRUE`,
);
const FIND_ARCHIVED = prepare<{ id: string }>(
  'SELECT id FROM archived_transaction WHERE guild_no = $1 AND id = ANY ($2::text[])',
);
const OPEN = prepare(
  `INSERT INTO account (guild_no, account_no, player_id, balance, transaction_count, last_created_at)
   SELECT own.guild_no, n.* FROM ${OWN_LEDGER} CROSS JOIN unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[])
     AS n (account_no, player_id, balance, count, last_at)
   WHERE own.guild_no = $1 ORDER BY n.player_id COLLATE "C" ON CONFLICT (guild_no, player_id) DO NOTHING`,
);
const MOVE = prepare(
  `UPDATE account SET balance = m.balance, transaction_count = m.count, last_created_at = m.last_at
   FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[])
     AS m (account_no, player_id, balance, count, last_at)
   WHERE account.guild_no = $1 AND account.account_no = m.account_no`,
);
const FIND_REVERSED = prepare<ReversedTransaction & { transactionId: string }>(
  `SELECT t.transaction_id AS "transactionId", t.number, a.player_id AS "playerId", t.total AS "totalUnits",
     EXISTS (SELECT 1 FROM ledger_extra AS x WHERE x.guild_no = t.guild_no AND x.reverses = t.number) AS "isReversed"
   FROM ledger_transaction AS t JOIN account AS a ON a.guild_no = t.guild_no AND a.account_no = t.account_no
   WHERE t.guild_no = $1 AND CASE WHEN length(t.transaction_id) = 36 THEN t.transaction_id::uuid END = ANY ($2::uuid[])
   ORDER BY t.number DESC`,
);

/**
 * The guild's ledger is locked while the rows are inserted, for a fraction of a second with this number. An account is updated once
 * in a commit, so that large ones write less. A distributed store adds the sums of days and sources one by one, which takes longer.
 */
export function importMaxOf({ isDistributed }: { isDistributed: boolean }): number {
  return isDistributed ? 1_000 : 10_000;
}

/** Imports the whole batch in one transaction, with one statement for up to a thousand rows or more. */
export async function importTransactions(
  transaction: Runner,
  { numbers, isDistributed }: { numbers: AccountNumbers; isDistributed: boolean },
  guildNo: number,
  transactions: readonly PastTransaction[],
): Promise<ImportOutcome[]> {
  const last = (await transaction.first(LOCK_LEDGER, [guildNo]))?.last ?? 0;
  const accounts = await lockAccounts(transaction, guildNo, transactions);
  await findPresent(transaction, guildNo, transactions, accounts);
  const reversed = await findReversed(transaction, guildNo, transactions);
  const rows: NewRow[] = [];
  const outcomes = transactions.map((one) => {
    const account = accountOf(accounts, one.playerId);
    const outcome = add({ account, rows, reversed }, one);
    if (outcome === 'added') {
      const number = last + rows.length + 1;
      const { count: seq, balanceUnits } = account;
      rows.push({ one, account, seq, number, balanceUnits, extra: noteExtra(one, number, reversed) });
    }
    return outcome;
  });
  if (rows.length > 0) {
    // Gives new accounts their numbers, which the rows need.
    await writeAccounts(transaction, numbers, guildNo, [...accounts.values()]);
    await writeRows(transaction, { guildNo, isDistributed }, rows);
  }
  return outcomes;
}

/**
 * By id, the transactions that others reverse: stored ones first, later also those that the batch adds. Undefined when
 * the batch reverses nothing.
 */
type Reversed = Map<string, ReversedTransaction> | undefined;

async function findReversed(
  transaction: Runner,
  guildNo: number,
  transactions: readonly PastTransaction[],
): Promise<Reversed> {
  const ids = transactions.flatMap(({ reverses }) => reverses ?? []);
  if (ids.length === 0) {
    return undefined;
  }
  const found = await transaction.all(FIND_REVERSED, [guildNo, ids]);
  return new Map(found.map(({ transactionId, ...one }) => [transactionId, one]));
}

/**
 * The extra fields of an added transaction. Remembers the transaction, because a later one of the batch may reverse
 * it.
 */
function noteExtra(one: PastTransaction, number: number, reversed: Reversed): TransactionExtra | undefined {
  const { transactionId, playerId, totalUnits, reverses } = one;
  const original = reverses === undefined ? undefined : reversed?.get(reverses);
  if (original !== undefined) {
    original.isReversed = true;
  }
  if (reversed?.has(transactionId) === false) {
    reversed.set(transactionId, { number, playerId, totalUnits, isReversed: false });
  }
  return extraOf(one, original?.number);
}

interface Batch {
  account: OpenAccount;
  /** Those added so far. */
  rows: readonly NewRow[];
  reversed: Reversed;
}

/** Applies the transaction to the account, unless it is stored already or refused. */
function add({ account, rows, reversed }: Batch, one: PastTransaction): ImportOutcome {
  const decision = decideImport(account, one, () => {
    account.present ??= new Set(rows.filter((row) => row.account === account).map((row) => markOf(row.one)));
    return account.present.has(markOf(one));
  });
  if ('outcome' in decision) {
    return decision.outcome;
  }
  const refused = one.reverses === undefined ? undefined : refuseReversal(one, reversed?.get(one.reverses));
  if (refused !== undefined) {
    return { refused };
  }
  const { balanceUnits, count, lastCreatedAtMs } = decision.account;
  account.balanceUnits = balanceUnits;
  account.count = count;
  account.lastCreatedAtMs = lastCreatedAtMs;
  account.isMoved = true;
  account.present?.add(markOf(one));
  return 'added';
}

function markOf({ transactionId, createdAtMs }: { transactionId: string; createdAtMs: number }): string {
  return `${createdAtMs} ${transactionId}`;
}

function accountOf(accounts: ReadonlyMap<string, OpenAccount>, playerId: string): OpenAccount {
  const account = accounts.get(playerId);
  if (account === undefined) {
    throw new Error('every account of a batch is opened before it is used');
  }
  return account;
}

async function lockAccounts(
  transaction: Runner,
  guildNo: number,
  transactions: readonly PastTransaction[],
): Promise<Map<string, OpenAccount>> {
  const playerIds = new Set(transactions.map(({ playerId }) => playerId));
  const found = await transaction.all(LOCK, [guildNo, [...playerIds]]);
  const known = new Map(found.map((row) => [row.playerId, row]));
  const opened = Array.from(playerIds, (playerId): [string, OpenAccount] => {
    const row = known.get(playerId) ?? { ...NEW_ACCOUNT, playerId, accountNo: 0 };
    return [playerId, { ...row, isNew: row.accountNo === 0, isMoved: false, present: undefined }];
  });
  return new Map(opened);
}

/** Finds the transactions that are stored already. One that is newer than the last of its account cannot be. */
async function findPresent(
  transaction: Runner,
  guildNo: number,
  transactions: readonly PastTransaction[],
  accounts: ReadonlyMap<string, OpenAccount>,
): Promise<void> {
  const wanted = transactions
    .map((one) => ({ one, account: accountOf(accounts, one.playerId) }))
    .filter(({ one, account }) => one.createdAtMs <= account.lastCreatedAtMs)
    .map(({ one, account }) => ({ one, account: withMarks(account) }));
  if (wanted.length === 0) {
    return;
  }
  const found = await transaction.all(FIND_PRESENT, [
    guildNo,
    wanted.map(({ account }) => account.accountNo),
    wanted.map(({ one }) => one.createdAtMs),
    wanted.map(({ one }) => one.transactionId),
  ]);
  const byNumber = new Map(wanted.map(({ account }) => [account.accountNo, account]));
  for (const row of found) {
    byNumber.get(row.accountNo)?.present.add(markOf(row));
  }
  const idOf = ({ transactionId }: PastTransaction) => transactionId.toLowerCase().replaceAll('-', '');
  const archived = new Set(
    (await transaction.all(FIND_ARCHIVED, [guildNo, wanted.map(({ one }) => idOf(one))])).map(({ id }) => id),
  );
  for (const { one, account } of wanted) {
    if (archived.has(idOf(one))) {
      account.present.add(markOf(one));
    }
  }
}

function withMarks(account: OpenAccount): OpenAccount & { present: Set<string> } {
  return Object.assign(account, { present: account.present ?? new Set<string>() });
}

async function writeAccounts(
  transaction: Runner,
  numbers: AccountNumbers,
  guildNo: number,
  accounts: readonly OpenAccount[],
): Promise<void> {
  const moved = accounts.filter(({ isMoved }) => isMoved);
  const fresh = moved.filter(({ isNew }) => isNew);
  const known = moved.filter(({ isNew }) => !isNew);
  if (fresh.length > 0) {
    const drawn = await numbers.take(fresh.length);
    for (const [index, account] of fresh.entries()) {
      account.accountNo = drawn[index] ?? 0;
    }
    if ((await transaction.run(OPEN, [guildNo, ...columnsOf(fresh)])) < fresh.length) {
      throw new Conflict('an account was opened elsewhere meanwhile');
    }
  }
  if (known.length > 0) {
    await transaction.run(MOVE, [guildNo, ...columnsOf(known)]);
  }
}

function columnsOf(accounts: readonly OpenAccount[]) {
  return [
    accounts.map(({ accountNo }) => accountNo),
    accounts.map(({ playerId }) => playerId),
    accounts.map(({ balanceUnits }) => balanceUnits),
    accounts.map(({ count }) => count),
    accounts.map(({ lastCreatedAtMs }) => lastCreatedAtMs),
  ];
}
