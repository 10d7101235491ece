import { leafText, type SealedTransaction, toLeaf } from '../../domain/seal/leaf.ts';
import { hashLeaf } from '../../domain/seal/tree.ts';
import { join } from '../ledger/entry-sql.ts';
import { type Sql, statement } from '../sql.ts';

/** Reads transactions with the facts that their leaves have. */

type Text = string | null;

/** Rows that are read together: few, so that the garbage collector finds most of them dead and copies little. */
const ROWS_AT_ONCE = 256;

/** A transaction, at first without the key and the facts that other tables have. */
interface LeafRow extends Omit<SealedTransaction, 'playerId'> {
  playerId: Text;
  keyNo: number | null;
}

/** The fields that only some transactions have. */
type Extra = Pick<SealedTransaction, 'reference' | 'metadata' | 'paymentId' | 'reverses'>;

type RowValues = [
  ...[
    number: number,
    transactionId: string,
    amount: number,
    quantity: number,
    total: number,
    balance: number,
  ],
  ...[name: string, source: string, createdAt: number, postedBy: Text, keyNo: number | null, playerId: Text],
];
type ExtraValues = [number: number, reference: Text, metadata: Text, paymentId: Text, reverses: Text];

const ROW_COLUMNS = {
  number: 'bigint',
  transaction_id: 'text',
  amount: 'bigint',
  quantity: 'bigint',
  total: 'bigint',
  balance_after: 'bigint',
  name: 'text',
  source: 'text',
  created_at: 'bigint',
  posted_by: 'text',
  key_no: 'bigint',
  player_id: 'text',
} as const;
const EXTRA_COLUMNS = {
  number: 'bigint',
  reference: 'text',
  metadata: 'text',
  payment_id: 'text',
  reverses: 'text',
} as const;
const ROW_NAMES = Object.keys(ROW_COLUMNS);
const OF_GUILD = 'one.guild_no = $1';

// The types of values are those of the columns; the contract suite runs all statements.
function toRow(values: readonly unknown[]): LeafRow {
  const row = values as RowValues;
  return {
    number: row[0],
    transactionId: row[1],
    amountUnits: row[2],
    quantity: row[3],
    totalUnits: row[4],
    balanceUnits: row[5],
    name: row[6],
    source: row[7],
    createdAtMs: row[8],
    postedBy: row[9],
    keyNo: row[10],
    playerId: row[11],
    keyId: null,
    reference: null,
    metadata: null,
    paymentId: null,
    reverses: null,
  };
}

function toExtra(values: readonly unknown[]): Extra & { number: number } {
  const [number, reference, metadata, paymentId, reverses] = values as ExtraValues;
  return {
    number,
    reference,
    metadata: metadata === null ? null : JSON.parse(metadata),
    paymentId,
    reverses,
  };
}

/**
 * A transaction `t` with its player, who is null without an account. The player is no join: SQLite would read all accounts for a Bloom
 * filter whenever it expects many rows.
 */
const SELECT_ROWS = ROW_NAMES.map((column) =>
  column === 'player_id'
    ? '(SELECT a.player_id FROM account AS a WHERE a.guild_no = $1 AND a.account_no = t.account_no) AS player_id'
    : `t.${column}`,
).join(', ');

const READ = statement<LeafRow>(
  ({ indexedBy }) =>
    `SELECT ${SELECT_ROWS} FROM ledger_transaction AS t ${indexedBy('ledger_by_number')}
     WHERE t.guild_no = $1 AND t.number > $2 AND t.number <= $3 ORDER BY t.number`,
  toRow,
  ROW_COLUMNS,
);
const READ_EXTRAS = statement<Extra & { number: number }>(
  (dialect) =>
    `SELECT x.number, x.reference, x.metadata, x.payment_id, coalesce(o.transaction_id, x.reverses_id) AS reverses
     FROM (SELECT * FROM ledger_extra WHERE guild_no = $1 AND number > $2 AND number <= $3) AS x
     ${join(dialect, 'LEFT', 'ledger_transaction', 'o', 'one.guild_no = $1 AND one.number = x.reverses')}`,
  toExtra,
  EXTRA_COLUMNS,
);
const READ_KEYS = statement<{ keyNo: number; keyId: string }>(
  ({ isOneOf }) =>
    `SELECT key_no AS "keyNo", key_id AS "keyId" FROM api_key WHERE ${isOneOf('key_no', { value: '$1', type: 'bigint' })}`,
);

/** One transaction with everything. */
const FIND = statement<Omit<LeafRow, 'keyNo'>>(
  (dialect) => {
    const extra =
      'x.reference, x.metadata, x.payment_id, coalesce(o.transaction_id, x.reverses_id) AS reverses';
    return [
      `SELECT ${SELECT_ROWS}, k.key_id, ${extra} FROM (SELECT * FROM ledger_transaction AS t`,
      dialect.indexedBy('ledger_by_id'),
      `WHERE t.guild_no = $1 AND ${dialect.isId('t.transaction_id', '$2')} ORDER BY t.number LIMIT 1) AS t`,
      join(dialect, 'LEFT', 'api_key', 'k', 'one.key_no = t.key_no'),
      join(dialect, 'LEFT', 'ledger_extra', 'x', `${OF_GUILD} AND one.number = t.number`),
      join(dialect, 'LEFT', 'ledger_transaction', 'o', `${OF_GUILD} AND one.number = x.reverses`),
    ].join(' ');
  },
  (values) => {
    const { keyNo: _key, ...row } = toRow(values);
    const [keyId, ...extra] = values.slice(ROW_NAMES.length) as Text[];
    return { ...row, keyId: keyId ?? null, ...toExtra([row.number, ...extra]) };
  },
);

/** The transactions after a number, up to another one, in order. */
export interface NumberRange {
  guildNo: number;
  after: number;
  through: number;
}

function hasPlayer<Row extends { playerId: Text }>(row: Row): row is Row & { playerId: string } {
  return row.playerId !== null;
}

/** By number of the key. Transactions without a key have none. */
type KeyIds = Map<number | null, Text>;

interface ReadRows {
  guildNo: number;
  rows: readonly LeafRow[];
  /** Those that earlier rows had. */
  keys: KeyIds;
}

/** Adds to the rows what other tables have, with a read of each instead of three joins for each row. The rows are changed. */
async function complete(sql: Sql, { guildNo, rows, keys }: ReadRows): Promise<void> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) {
    return;
  }
  const extras = new Map<number, Extra>();
  for (const { number, ...extra } of await sql.all(READ_EXTRAS, [guildNo, first.number - 1, last.number])) {
    extras.set(number, extra);
  }
  const keyNos = [...new Set(rows.map(({ keyNo }) => keyNo))].filter((keyNo) => !keys.has(keyNo));
  for (const { keyNo, keyId } of keyNos.length === 0 ? [] : await sql.all(READ_KEYS, [keyNos])) {
    keys.set(keyNo, keyId);
  }
  for (const row of rows) {
    row.keyId = keys.get(row.keyNo) ?? null;
    const extra = extras.get(row.number);
    if (extra !== undefined) {
      Object.assign(row, extra);
    }
  }
}

/**
 * The hashes of the leaves up to the first number that has no row, or whose account has none. Call it in a snapshot: with old statistics
 * PostgreSQL would search all accounts for each row.
 */
export async function readLeafHashes(
  sql: Sql,
  { guildNo, after, through }: NumberRange,
): Promise<Uint8Array[]> {
  await sql.preferIndexes();
  const hashes: Uint8Array[] = [];
  const keys: KeyIds = new Map([[null, null]]);
  for (let last = after; last < through; last += ROWS_AT_ONCE) {
    const rows = await sql.all(READ, [guildNo, last, Math.min(through, last + ROWS_AT_ONCE)]);
    await complete(sql, { guildNo, rows, keys });
    for (const row of rows) {
      if (row.number !== after + hashes.length + 1 || !hasPlayer(row)) {
        return hashes;
      }
      hashes.push(hashLeaf(leafText(toLeaf(row))));
    }
  }
  return hashes;
}

/** Call it in a transaction, too: `preferIndexes` lasts until its end. */
export async function findSealed(
  sql: Sql,
  guildNo: number,
  transactionId: string,
): Promise<SealedTransaction | undefined> {
  await sql.preferIndexes();
  const row = await sql.first(FIND, [guildNo, transactionId]);
  return row !== undefined && hasPlayer(row) ? row : undefined;
}
