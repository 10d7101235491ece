import { leafText, type SealedTransaction, toLeaf } from '../../domain/seal/leaf.ts';
import { hashLeaf } from '../../domain/seal/tree.ts';
import type { Dialect } from '../dialect.ts';
import { join } from '../ledger/entry-sql.ts';
import { type Sql, statement } from '../sql.ts';

/** Reads transactions with the facts that their leaves have. */

type Text = string | null;
type LeafValues = [
  ...[number: number, transactionId: string, playerId: string, amount: number, quantity: number],
  ...[total: number, balance: number, name: string, source: string, createdAt: number],
  ...[reference: Text, metadata: Text, paymentId: Text, reverses: Text, keyId: Text, postedBy: Text],
];

const COLUMNS =
  't.number, t.transaction_id, a.player_id, t.amount, t.quantity, t.total, t.balance_after, t.name, t.source, t.created_at, ' +
  'x.reference, x.metadata, x.payment_id, coalesce(o.transaction_id, x.reverses_id) AS reverses, k.key_id, t.posted_by';

function toSealed(values: readonly unknown[]): SealedTransaction {
  // The types are those of the columns; the contract suite runs both statements.
  const row = values as LeafValues;
  return {
    number: row[0],
    transactionId: row[1],
    playerId: row[2],
    amountUnits: row[3],
    quantity: row[4],
    totalUnits: row[5],
    balanceUnits: row[6],
    name: row[7],
    source: row[8],
    createdAtMs: row[9],
    reference: row[10],
    metadata: row[11] === null ? null : JSON.parse(row[11]),
    paymentId: row[12],
    reverses: row[13],
    keyId: row[14],
    postedBy: row[15],
  };
}

/** Transactions `t` of the guild `$1`, joined row by row. */
function leavesSql(dialect: Dialect, rows: string): string {
  const ofGuild = 'one.guild_no = $1';
  return [
    `SELECT ${COLUMNS} FROM (${rows}) AS t`,
    join(dialect, 'CROSS', 'account', 'a', `${ofGuild} AND one.account_no = t.account_no`),
    join(dialect, 'LEFT', 'api_key', 'k', 'one.key_no = t.key_no'),
    join(dialect, 'LEFT', 'ledger_extra', 'x', `${ofGuild} AND one.number = t.number`),
    join(dialect, 'LEFT', 'ledger_transaction', 'o', `${ofGuild} AND one.number = x.reverses`),
    'ORDER BY t.number',
  ].join(' ');
}

const READ = statement<SealedTransaction>(
  (dialect) =>
    leavesSql(
      dialect,
      `SELECT * FROM ledger_transaction AS t ${dialect.indexedBy('ledger_by_number')}
       WHERE t.guild_no = $1 AND t.number > $2 AND t.number <= $3 ORDER BY t.number`,
    ),
  toSealed,
);
const FIND = statement<SealedTransaction>(
  (dialect) =>
    leavesSql(
      dialect,
      `SELECT * FROM ledger_transaction AS t ${dialect.indexedBy('ledger_by_id')}
       WHERE t.guild_no = $1 AND ${dialect.isId('t.transaction_id', '$2')} ORDER BY t.number LIMIT 1`,
    ),
  toSealed,
);

/** The transactions after a number, up to another one, in order. */
export interface NumberRange {
  guildNo: number;
  after: number;
  through: number;
}

/** The hashes of the leaves up to the first number that has no row. */
export async function readLeafHashes(
  sql: Sql,
  { guildNo, after, through }: NumberRange,
): Promise<Uint8Array[]> {
  const rows = await sql.all(READ, [guildNo, after, through]);
  const hashes: Uint8Array[] = [];
  for (const row of rows) {
    if (row.number !== after + hashes.length + 1) {
      break;
    }
    hashes.push(hashLeaf(leafText(toLeaf(row))));
  }
  return hashes;
}

export async function findSealed(
  sql: Sql,
  guildNo: number,
  transactionId: string,
): Promise<SealedTransaction | undefined> {
  return sql.first(FIND, [guildNo, transactionId]);
}
