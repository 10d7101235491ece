import type { PastTransaction, TransactionExtra } from '../../domain/model.ts';
import { EXTRA_COLUMNS, extraValues } from '../ledger/extra-columns.ts';
import { arrayText } from './array-text.ts';
import { prepare, type Runner, type Value } from './statement.ts';

/** Rows of one INSERT. While the server inserts them, the next ones are turned into text. */
const PART_ROWS = 1_000;

/** An imported transaction that is to be inserted. */
export interface NewRow {
  one: PastTransaction;
  account: { accountNo: number };
  seq: number;
  number: number;
  balanceUnits: number;
  extra: TransactionExtra | undefined;
}

/** On a distributed store, joining the guild's own row makes Citus write the rows on the node of that guild. */
export const OWN_LEDGER = 'guild_ledger AS own';

const INSERT = prepare(
  `INSERT INTO ledger_transaction (guild_no, account_no, seq, transaction_id, amount, quantity, total, name, source,
     balance_after, created_at, number)
   SELECT own.guild_no, rows.* FROM ${OWN_LEDGER} CROSS JOIN unnest($2::bigint[], $3::bigint[], $4::text[],
     $5::bigint[], $6::bigint[], $7::bigint[], $8::text[], $9::text[], $10::bigint[], $11::bigint[], $12::bigint[]) AS rows
   WHERE own.guild_no = $1`,
);
const MOVE_NUMBER = prepare('UPDATE guild_ledger SET last_number = $2 WHERE guild_no = $1');
const INSERT_EXTRA = prepare(
  `INSERT INTO ledger_extra (guild_no, number, ${EXTRA_COLUMNS.map(({ name }) => name).join(', ')})
   SELECT own.guild_no, rows.* FROM ${OWN_LEDGER} CROSS JOIN unnest($2::bigint[],
     ${EXTRA_COLUMNS.map(({ type }, index) => `$${index + 3}::${type}[]`).join(', ')}) AS rows
   WHERE own.guild_no = $1`,
);
const ADD_SUMS = prepare(
  `SELECT add_ledger_sums(array_fill($1::bigint, ARRAY[cardinality($2::bigint[])]), $2, $3, $4, $5)`,
);
const ADD_SUMS_DISTRIBUTED = prepare('SELECT add_daily_sums($1, $2, $3, $4, $5)');

/** Inserts the rows, and adds them to the guild's counter and daily sums. The guild's ledger is locked. */
export async function writeRows(
  transaction: Runner,
  { guildNo, isDistributed }: { guildNo: number; isDistributed: boolean },
  rows: readonly NewRow[],
): Promise<void> {
  let inserting: Promise<unknown> = Promise.resolve();
  for (let start = 0; start < rows.length; start += PART_ROWS) {
    const columns = columnsOf(rows.slice(start, start + PART_ROWS));
    await inserting;
    inserting = transaction.run(INSERT, [guildNo, ...columns]);
    // A failure is handled where the promise is awaited; until then it must not count as unhandled.
    inserting.catch(() => {});
  }
  const sums = sumsOf(rows);
  await inserting;
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
  await transaction.run(isDistributed ? ADD_SUMS_DISTRIBUTED : ADD_SUMS, [guildNo, ...sums]);
}

/** The values of INSERT after the guild, as text. */
function columnsOf(rows: readonly NewRow[]): Value[] {
  return [
    arrayText(rows.map(({ account }) => account.accountNo)),
    arrayText(rows.map(({ seq }) => seq)),
    arrayText(rows.map(({ one }) => one.transactionId)),
    arrayText(rows.map(({ one }) => one.amountUnits)),
    arrayText(rows.map(({ one }) => one.quantity)),
    arrayText(rows.map(({ one }) => one.totalUnits)),
    arrayText(rows.map(({ one }) => one.name)),
    arrayText(rows.map(({ one }) => one.source)),
    arrayText(rows.map(({ balanceUnits }) => balanceUnits)),
    arrayText(rows.map(({ one }) => one.createdAtMs)),
    arrayText(rows.map(({ number }) => number)),
  ];
}

/** The values of ADD_SUMS after the guild, as text. */
function sumsOf(rows: readonly NewRow[]): Value[] {
  return [
    arrayText(rows.map(({ seq }) => seq)),
    arrayText(rows.map(({ one }) => one.totalUnits)),
    arrayText(rows.map(({ one }) => one.source)),
    arrayText(rows.map(({ one }) => one.createdAtMs)),
  ];
}
