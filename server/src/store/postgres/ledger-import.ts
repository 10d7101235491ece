import { decideImport, type ReversedTransaction, refuseReversal } from '../../domain/ledger/importing.ts';
import { type AccountState, NEW_ACCOUNT } from '../../domain/ledger/posting.ts';
import type { ImportOutcome, PastTransaction, TransactionExtra } from '../../domain/model.ts';
import { EXTRA_COLUMNS, extraValues } from '../ledger/extra-columns.ts';
import { LOCK_LEDGER } from '../ledger/ledger-lock.ts';
import { extraOf } from '../ledger/past-rows.ts';
import { Conflict } from '../sql.ts';
import type { AccountNumbers } from './account-numbers.ts';
import { prepare, type Runner } from './statement.ts';

/** An account during one batch: locked and read once, updated once, for any number of its transactions. */
interface OpenAccount extends AccountState {
  playerId: string;
  accountNo: number;
  isNew: boolean;
  isMoved: boolean;
  /** Time and id (`markOf`) of the wanted transactions that are stored already, and of those that the batch added. */
  present: Set<string>;
}

interface NewRow extends Omit<PastTransaction, 'reverses'> {
  accountNo: number;
  seq: number;
  number: number;
  balanceUnits: number;
  extra: TransactionExtra | undefined;
}

type AccountRow = Pick<OpenAccount, 'playerId' | 'accountNo' | 'balanceUnits' | 'count' | 'lastCreatedAtMs'>;

/** On a distributed store, joining the guild's own row makes Citus write the rows on the node of that guild. */
const OWN_LEDGER = 'guild_ledger AS own';
// The ledger is locked already. Imports of the previous version lock only these rows, in this order, so they are
// locked too.
const LOCK = prepare<AccountRow>(
  `SELECT player_id AS "playerId", account_no AS "accountNo", balance AS "balanceUnits", transaction_count AS count,
     last_created_at AS "lastCreatedAtMs"
   FROM account WHERE guild_no = $1 AND player_id = ANY ($2::text[]) ORDER BY player_id FOR NO KEY UPDATE`,
);
// Uses the index on times, which ends in the account. No other index finds a row of an account by its time.
const FIND_PRESENT = prepare<{ accountNo: number; transactionId: string; createdAtMs: number }>(
  `SELECT t.account_no AS "accountNo", t.transaction_id AS "transactionId", t.created_at AS "createdAtMs"
   FROM (SELECT DISTINCT account_no, at FROM unnest($2::bigint[], $3::bigint[]) AS w (account_no, at)) AS wanted
   CROSS JOIN LATERAL (SELECT * FROM ledger_transaction AS o WHERE o.guild_no = $1 AND o.created_at = wanted.at
     AND o.account_no = wanted.account_no ORDER BY o.created_at, o.account_no, o.seq) AS t
   WHERE t.transaction_id = ANY ($4::text[])`,
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
const INSERT = prepare(
  `INSERT INTO ledger_transaction (guild_no, account_no, seq, transaction_id, amount, quantity, total, name, source,
     balance_after, created_at, number)
   SELECT own.guild_no, rows.* FROM ${OWN_LEDGER} CROSS JOIN unnest($2::bigint[], $3::bigint[], $4::text[],
     $5::bigint[], $6::bigint[], $7::bigint[], $8::text[], $9::text[], $10::bigint[], $11::bigint[], $12::bigint[]) AS rows
   WHERE own.guild_no = $1`,
);
const LAST_NUMBER = prepare<{ last: number }>(
  'SELECT last_number AS last FROM guild_ledger WHERE guild_no = $1',
);
const MOVE_NUMBER = prepare('UPDATE guild_ledger SET last_number = $2 WHERE guild_no = $1');
const INSERT_EXTRA = prepare(
  `INSERT INTO ledger_extra (guild_no, number, ${EXTRA_COLUMNS.map(({ name }) => name).join(', ')})
   SELECT own.guild_no, rows.* FROM ${OWN_LEDGER} CROSS JOIN unnest($2::bigint[],
     ${EXTRA_COLUMNS.map(({ type }, index) => `$${index + 3}::${type}[]`).join(', ')}) AS rows
   WHERE own.guild_no = $1`,
);
const FIND_REVERSED = prepare<ReversedTransaction & { transactionId: string }>(
  `SELECT t.transaction_id AS "transactionId", t.number, a.player_id AS "playerId", t.total AS "totalUnits",
     EXISTS (SELECT 1 FROM ledger_extra AS x WHERE x.guild_no = t.guild_no AND x.reverses = t.number) AS "isReversed"
   FROM ledger_transaction AS t JOIN account AS a ON a.guild_no = t.guild_no AND a.account_no = t.account_no
   WHERE t.guild_no = $1 AND CASE WHEN length(t.transaction_id) = 36 THEN t.transaction_id::uuid END = ANY ($2::uuid[])
   ORDER BY t.number DESC`,
);

const ADD_SUMS = prepare('SELECT add_daily_sums($1, $2, $3, $4, $5)');

/** Imports the whole batch in one transaction. The number of statements does not depend on its size. */
export async function importTransactions(
  transaction: Runner,
  numbers: AccountNumbers,
  guildNo: number,
  transactions: readonly PastTransaction[],
): Promise<ImportOutcome[]> {
  await transaction.first(LOCK_LEDGER, [guildNo]);
  const accounts = await lockAccounts(transaction, guildNo, transactions);
  await findPresent(transaction, guildNo, transactions, accounts);
  const reversed = await findReversed(transaction, guildNo, transactions);
  const last = (await transaction.first(LAST_NUMBER, [guildNo]))?.last ?? 0;
  const rows: (Omit<NewRow, 'accountNo'> & { account: OpenAccount })[] = [];
  const outcomes = transactions.map((one) => {
    const account = accountOf(accounts, one.playerId);
    const outcome = add(account, one, reversed);
    if (outcome === 'added') {
      const number = last + rows.length + 1;
      const { count: seq, balanceUnits } = account;
      rows.push({ ...one, account, seq, number, balanceUnits, extra: noteExtra(one, number, reversed) });
    }
    return outcome;
  });
  await writeAccounts(transaction, numbers, guildNo, [...accounts.values()]);
  // `writeAccounts` has given the new accounts their numbers.
  const numbered = rows.map(({ account, ...row }): NewRow => ({ ...row, accountNo: account.accountNo }));
  await writeRows(transaction, guildNo, numbered);
  return outcomes;
}

/** By id, the transactions that others reverse: stored ones first, later also those that the batch adds. */
type Reversed = Map<string, ReversedTransaction>;

async function findReversed(
  transaction: Runner,
  guildNo: number,
  transactions: readonly PastTransaction[],
): Promise<Reversed> {
  const ids = transactions.flatMap(({ reverses }) => reverses ?? []);
  const found = ids.length === 0 ? [] : await transaction.all(FIND_REVERSED, [guildNo, ids]);
  return new Map(found.map(({ transactionId, ...one }) => [transactionId, one]));
}

/**
 * The extra fields of an added transaction. Remembers the transaction, because a later one of the batch may reverse
 * it.
 */
function noteExtra(one: PastTransaction, number: number, reversed: Reversed): TransactionExtra | undefined {
  const { transactionId, playerId, totalUnits, reverses } = one;
  const original = reverses === undefined ? undefined : reversed.get(reverses);
  if (original !== undefined) {
    original.isReversed = true;
  }
  if (!reversed.has(transactionId)) {
    reversed.set(transactionId, { number, playerId, totalUnits, isReversed: false });
  }
  return extraOf(one, original?.number);
}

/** Applies the transaction to the account, unless it is stored already or refused. */
function add(account: OpenAccount, one: PastTransaction, reversed: Reversed): ImportOutcome {
  const mark = markOf(one);
  const decision = decideImport(account, one, () => account.present.has(mark));
  if ('outcome' in decision) {
    return decision.outcome;
  }
  const refused = one.reverses === undefined ? undefined : refuseReversal(one, reversed.get(one.reverses));
  if (refused !== undefined) {
    return { refused };
  }
  Object.assign(account, decision.account);
  account.isMoved = true;
  account.present.add(mark);
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
    return [playerId, { ...row, isNew: row.accountNo === 0, isMoved: false, present: new Set() }];
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
    .filter(({ one, account }) => one.createdAtMs <= account.lastCreatedAtMs);
  if (wanted.length === 0) {
    return;
  }
  const found = await transaction.all(FIND_PRESENT, [
    guildNo,
    wanted.map(({ account }) => account.accountNo),
    wanted.map(({ one }) => one.createdAtMs),
    wanted.map(({ one }) => one.transactionId),
  ]);
  const byNumber = new Map(Array.from(accounts.values(), (account) => [account.accountNo, account]));
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

async function writeRows(transaction: Runner, guildNo: number, rows: readonly NewRow[]): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  await transaction.run(INSERT, [
    guildNo,
    rows.map(({ accountNo }) => accountNo),
    rows.map(({ seq }) => seq),
    rows.map(({ transactionId }) => transactionId),
    rows.map(({ amountUnits }) => amountUnits),
    rows.map(({ quantity }) => quantity),
    rows.map(({ totalUnits }) => totalUnits),
    rows.map(({ name }) => name),
    rows.map(({ source }) => source),
    rows.map(({ balanceUnits }) => balanceUnits),
    rows.map(({ createdAtMs }) => createdAtMs),
    rows.map(({ number }) => number),
  ]);
  await transaction.run(MOVE_NUMBER, [guildNo, rows.at(-1)?.number ?? 0]);
  const extras = rows.flatMap(({ number, extra }) =>
    extra === undefined ? [] : [{ values: extraValues(extra), number }],
  );
  if (extras.length > 0) {
    await transaction.run(INSERT_EXTRA, [
      guildNo,
      extras.map(({ number }) => number),
      ...EXTRA_COLUMNS.map((_column, index) => extras.map(({ values }) => values[index])),
    ]);
  }
  await transaction.run(ADD_SUMS, [
    guildNo,
    rows.map(({ seq }) => seq),
    rows.map(({ totalUnits }) => totalUnits),
    rows.map(({ source }) => source),
    rows.map(({ createdAtMs }) => createdAtMs),
  ]);
}
