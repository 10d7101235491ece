import { pickNotes } from '../../domain/ledger/notes.ts';
import type { GuildRef, PastTransaction, TransactionExtra, TransactionNotes } from '../../domain/model.ts';
import type { Dialect } from '../dialect.ts';
import type { RowsToStream } from '../jobs.ts';
import { statement } from '../sql.ts';
import { type NoteRow, selectNotes, setNotes } from './extra-columns.ts';

/** A transaction as an export selects it. */
export interface PastRow
  extends Omit<PastTransaction, 'number' | 'paymentId' | 'reverses' | keyof TransactionNotes>,
    NoteRow {
  number: number;
  paymentId: string | null;
  reverses: string | null;
}

/**
 * Transactions `t` by guild and number, with `more` columns and joins. They can be imported again in this order.
 */
export function exportSql(
  { indexedBy }: Dialect,
  condition: string,
  more = { columns: '', joins: '' },
): string {
  return (
    'SELECT g.guild_id AS "guildId", a.player_id AS "playerId", t.transaction_id AS "transactionId", ' +
    't.amount AS "amountUnits", t.quantity, t.name, t.source, t.total AS "totalUnits", t.created_at AS "createdAtMs", ' +
    `t.number, ${selectNotes((column) => `x.${column}`)}, ` +
    'x.payment_id AS "paymentId", coalesce(o.transaction_id, x.reverses_id) AS reverses' +
    `${more.columns} ` +
    `FROM ledger_transaction AS t ${indexedBy('ledger_by_number')} ` +
    'CROSS JOIN account AS a CROSS JOIN guild AS g ' +
    'LEFT JOIN ledger_extra AS x ON x.guild_no = t.guild_no AND x.number = t.number ' +
    'LEFT JOIN ledger_transaction AS o ON o.guild_no = x.guild_no AND o.number = x.reverses ' +
    `${more.joins} ` +
    'WHERE a.guild_no = t.guild_no AND a.account_no = t.account_no AND g.guild_no = t.guild_no ' +
    `${condition} ORDER BY t.guild_no, t.number`
  );
}

const EXPORT_ALL = statement<PastRow>((dialect) => exportSql(dialect, ''));
const EXPORT_GUILD = statement<PastRow>((dialect) => exportSql(dialect, 'AND t.guild_no = $1'));

/** All transactions, or those of one guild. */
export function pastRows(guild: GuildRef | undefined): RowsToStream<PastRow, PastTransaction> {
  return guild === undefined
    ? { statement: EXPORT_ALL, values: [], convert: toPast }
    : { statement: EXPORT_GUILD, values: [guild.guildNo], convert: toPast };
}

export function toPast({ paymentId, reverses, ...row }: PastRow): PastTransaction {
  const links = { paymentId: paymentId ?? undefined, reverses: reverses ?? undefined };
  // The notes are still those of the row: the next line replaces them.
  const past: PastTransaction = { ...(row as Omit<typeof row, keyof NoteRow>), ...links };
  return setNotes(past, row);
}

/** The extra fields of an imported transaction; undefined when it has none. */
export function extraOf(
  past: PastTransaction,
  reversedNumber: number | undefined,
): TransactionExtra | undefined {
  const { paymentId, reverses } = past;
  const notes = pickNotes(past);
  if (notes === undefined && paymentId === undefined && reverses === undefined) {
    return undefined;
  }
  const link =
    reverses === undefined || reversedNumber === undefined
      ? undefined
      : { number: reversedNumber, transactionId: reverses };
  return { ...notes, paymentId, reverses: link };
}
