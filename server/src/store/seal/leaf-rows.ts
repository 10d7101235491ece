import { leafText, type SealedTransaction, toLeaf } from '../../domain/seal/leaf.ts';
import { hashLeaf } from '../../domain/seal/tree.ts';
import { join } from '../ledger/entry-sql.ts';
import { type Sql, statement } from '../sql.ts';

/** Reads transactions with the facts that their leaves have. */

type Text = string | null;

/** A transaction, at first without what other tables have. */
interface LeafRow extends SealedTransaction {
  accountNo: number;
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
  ...[
    name: string,
    source: string,
    createdAt: number,
    postedBy: Text,
    accountNo: number,
    keyNo: number | null,
  ],
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
  account_no: 'bigint',
  key_no: 'bigint',
} as const;
const EXTRA_COLUMNS = {
  number: 'bigint',
  reference: 'text',
  metadata: 'text',
  payment_id: 'text',
  reverses: 'text',
} as const;
const ROW_NAMES = Object.keys(ROW_COLUMNS);

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
    accountNo: row[10],
    keyNo: row[11],
    playerId: '',
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

const selectRows = ROW_NAMES.map((column) => `t.${column}`).join(', ');
const READ = statement<LeafRow>(
  ({ indexedBy }) =>
    `SELECT ${selectRows} FROM ledger_transaction AS t ${indexedBy('ledger_by_number')}
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
const READ_PLAYERS = statement<{ accountNo: number; playerId: string }>(
  ({ isOneOf }) =>
    `SELECT account_no AS "accountNo", player_id AS "playerId" FROM account
     WHERE guild_no = $1 AND ${isOneOf('account_no', { value: '$2', type: 'bigint' })}`,
);
const READ_KEYS = statement<{ keyNo: number; keyId: string }>(
  ({ isOneOf }) =>
    `SELECT key_no AS "keyNo", key_id AS "keyId" FROM api_key WHERE ${isOneOf('key_no', { value: '$1', type: 'bigint' })}`,
);

/** One transaction with everything. */
const FIND = statement<SealedTransaction>(
  (dialect) => {
    const ofGuild = 'one.guild_no = $1';
    const extra =
      'x.reference, x.metadata, x.payment_id, coalesce(o.transaction_id, x.reverses_id) AS reverses';
    return [
      `SELECT ${selectRows}, a.player_id, k.key_id, ${extra} FROM (SELECT * FROM ledger_transaction AS t`,
      dialect.indexedBy('ledger_by_id'),
      `WHERE t.guild_no = $1 AND ${dialect.isId('t.transaction_id', '$2')} ORDER BY t.number LIMIT 1) AS t`,
      join(dialect, 'CROSS', 'account', 'a', `${ofGuild} AND one.account_no = t.account_no`),
      join(dialect, 'LEFT', 'api_key', 'k', 'one.key_no = t.key_no'),
      join(dialect, 'LEFT', 'ledger_extra', 'x', `${ofGuild} AND one.number = t.number`),
      join(dialect, 'LEFT', 'ledger_transaction', 'o', `${ofGuild} AND one.number = x.reverses`),
    ].join(' ');
  },
  (values) => {
    const { accountNo: _account, keyNo: _key, ...row } = toRow(values);
    const [playerId, keyId, ...extra] = values.slice(ROW_NAMES.length) as [string, Text, ...Text[]];
    return { ...row, playerId, keyId, ...toExtra([row.number, ...extra]) };
  },
);

/** The transactions after a number, up to another one, in order. */
export interface NumberRange {
  guildNo: number;
  after: number;
  through: number;
}

/**
 * Adds to the rows what other tables have, with a read of each instead of four joins for each row. Ends before a row without its
 * account. The rows are changed, because copies take as long as their text.
 */
async function complete(
  sql: Sql,
  guildNo: number,
  rows: readonly LeafRow[],
): Promise<readonly SealedTransaction[]> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) {
    return [];
  }
  const extras = new Map<number, Extra>();
  for (const { number, ...extra } of await sql.all(READ_EXTRAS, [guildNo, first.number - 1, last.number])) {
    extras.set(number, extra);
  }
  const players = new Map<number, string>();
  const accountNos = [...new Set(rows.map(({ accountNo }) => accountNo))];
  for (const { accountNo, playerId } of await sql.all(READ_PLAYERS, [guildNo, accountNos])) {
    players.set(accountNo, playerId);
  }
  const keys = new Map<number | null, string>();
  const keyNos = [...new Set(rows.map(({ keyNo }) => keyNo))].filter((keyNo) => keyNo !== null);
  for (const { keyNo, keyId } of keyNos.length === 0 ? [] : await sql.all(READ_KEYS, [keyNos])) {
    keys.set(keyNo, keyId);
  }
  for (const [index, row] of rows.entries()) {
    const playerId = players.get(row.accountNo);
    if (playerId === undefined) {
      return rows.slice(0, index);
    }
    row.playerId = playerId;
    row.keyId = keys.get(row.keyNo) ?? null;
    const extra = extras.get(row.number);
    if (extra !== undefined) {
      Object.assign(row, extra);
    }
  }
  return rows;
}

/** The hashes of the leaves up to the first number that has no row. */
export async function readLeafHashes(
  sql: Sql,
  { guildNo, after, through }: NumberRange,
): Promise<Uint8Array[]> {
  const rows = await sql.all(READ, [guildNo, after, through]);
  const hashes: Uint8Array[] = [];
  for (const row of await complete(sql, guildNo, rows)) {
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
