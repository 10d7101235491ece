import type { LedgerEntry } from '../domain/ledger/entries.ts';
import type { ListedTransaction } from '../domain/model.ts';
import { posterOf } from './detailed-row.ts';
import { readMetadata } from './metadata-text.ts';

/** A transaction as `entriesSql` selects it. */
export interface EntryRow extends ListedTransaction {
  number: number;
  balanceUnits: number;
  playerId: string;
  keyId: string | null;
  keyName: string | null;
  postedByChatId: string | null;
  postedByName: string | null;
  reference: string | null;
  metadata: string | null;
  paymentId: string | null;
  reverses: string | null;
  reversedBy: string | null;
}

/** A row from its values in the order in which `entriesSql` selects them. */
export function toEntryRow(values: readonly unknown[]): EntryRow {
  // The types are those of the columns; the contract suite runs every statement.
  const [
    transactionId,
    amountUnits,
    quantity,
    name,
    source,
    totalUnits,
    createdAtMs,
    number,
    balanceUnits,
    playerId,
    keyId,
    keyName,
    postedByChatId,
    postedByName,
    reference,
    metadata,
    paymentId,
    reverses,
    reversedBy,
  ] = values as EntryValues;
  return {
    transactionId,
    amountUnits,
    quantity,
    name,
    source,
    totalUnits,
    createdAtMs,
    number,
    balanceUnits,
    playerId,
    keyId,
    keyName,
    postedByChatId,
    postedByName,
    reference,
    metadata,
    paymentId,
    reverses,
    reversedBy,
  };
}

type EntryValues = [
  ...[transactionId: string, amount: number, quantity: number, name: string, source: string, total: number],
  ...[createdAt: number, number: number, balance: number, playerId: string],
  ...[keyId: Text, keyName: Text, chatId: Text, chatName: Text],
  ...[reference: Text, metadata: Text, paymentId: Text, reverses: Text, reversedBy: Text],
];
type Text = string | null;

export function toEntry(row: EntryRow): LedgerEntry {
  const { kind, id, name } = posterOf(row);
  return {
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
    reference: row.reference ?? undefined,
    metadata: readMetadata(row.metadata),
    paymentId: row.paymentId ?? undefined,
    reverses: row.reverses ?? undefined,
    reversedBy: row.reversedBy ?? undefined,
  };
}
