import type { LedgerEntry } from '../../domain/ledger/entries.ts';
import type { ListedTransaction, TransactionNotes } from '../../domain/model.ts';
import { posterOf } from './detailed-row.ts';
import { notesFrom } from './extra-columns.ts';

/** A transaction as `entriesSql` selects it. */
export interface EntryRow extends ListedTransaction {
  number: number;
  balanceUnits: number;
  playerId: string;
  keyId: string | null;
  keyName: string | null;
  postedByChatId: string | null;
  postedByName: string | null;
  paymentId: string | null;
  reverses: string | null;
  reversedBy: string | null;
  notes: TransactionNotes | undefined;
}

/** A row from its values in the order in which `entriesSql` selects them. */
export function toEntryRow(values: readonly unknown[]): EntryRow {
  // The types are those of the columns; the contract suite runs every statement.
  const row = values as EntryValues;
  return {
    transactionId: row[0],
    amountUnits: row[1],
    quantity: row[2],
    name: row[3],
    source: row[4],
    totalUnits: row[5],
    createdAtMs: row[6],
    number: row[7],
    balanceUnits: row[8],
    playerId: row[9],
    keyId: row[10],
    keyName: row[11],
    postedByChatId: row[12],
    postedByName: row[13],
    paymentId: row[14],
    reverses: row[15],
    reversedBy: row[16],
    notes: notesFrom(row, FIRST_NOTE),
  };
}

/** The notes are selected last. */
const FIRST_NOTE = 17;

type EntryValues = [
  ...[transactionId: string, amount: number, quantity: number, name: string, source: string, total: number],
  ...[createdAt: number, number: number, balance: number, playerId: string],
  ...[keyId: Text, keyName: Text, chatId: Text, chatName: Text],
  ...[paymentId: Text, reverses: Text, reversedBy: Text],
  ...Text[],
];
type Text = string | null;

export function toEntry(row: EntryRow): LedgerEntry {
  const { kind, id, name } = posterOf(row);
  const made: LedgerEntry = {
    transactionId: row.transactionId,
    amountUnits: row.amountUnits,
    quantity: row.quantity,
    name: row.name,
    source: row.source,
    totalUnits: row.totalUnits,
    createdAtMs: row.createdAtMs,
    playerId: row.playerId,
    number: row.number,
    balanceUnits: row.balanceUnits,
    postedBy: { kind, id, name },
    paymentId: row.paymentId ?? undefined,
    reverses: row.reverses ?? undefined,
    reversedBy: row.reversedBy ?? undefined,
  };
  return row.notes === undefined ? made : Object.assign(made, row.notes);
}
