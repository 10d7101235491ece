import type { DetailedTransaction, Poster } from '../../domain/ledger/ledger-views.ts';
import type { ListedTransaction } from '../../domain/model.ts';
import { type NoteRow, setNotes } from './extra-columns.ts';
import type { SearchedFilter } from './searched.ts';
import { matchesFilters } from './transaction-filters.ts';

/** A transaction as the `DETAILED` form selects it. */
export interface DetailedRow extends ListedTransaction, NoteRow {
  accountNo: number;
  seq: number;
  balanceUnits: number;
  playerId: string;
  username: string | null;
  keyId: string | null;
  keyName: string | null;
  keyPrefix: string | null;
  postedByChatId: string | null;
  postedByName: string | null;
  number: number;
  paymentId: string | null;
  reverses: string | null;
  reversedBy: string | null;
}

export function toDetailed(row: DetailedRow): DetailedTransaction {
  const { transactionId, amountUnits, quantity, name, source, totalUnits, createdAtMs } = row;
  const { playerId, seq, balanceUnits } = row;
  const made: DetailedTransaction = {
    transactionId,
    playerId,
    username: row.username ?? undefined,
    seq,
    amountUnits,
    quantity,
    name,
    source,
    totalUnits,
    balanceUnits,
    createdAtMs,
    postedBy: posterOf(row),
    number: row.number,
    paymentId: row.paymentId ?? undefined,
    reverses: row.reverses ?? undefined,
    reversedBy: row.reversedBy ?? undefined,
  };
  return setNotes(made, row);
}

export function posterOf(
  row: Pick<DetailedRow, 'keyId' | 'keyName' | 'postedByChatId' | 'postedByName'> & {
    keyPrefix?: string | null;
  },
): Poster {
  const { keyId, keyName, keyPrefix, postedByChatId, postedByName } = row;
  if (keyId !== null) {
    return { kind: 'key', id: keyId, name: keyName ?? undefined, prefix: keyPrefix ?? undefined };
  }
  if (postedByChatId !== null) {
    return { kind: 'user', id: postedByChatId, name: postedByName ?? undefined, prefix: undefined };
  }
  return { kind: 'import', id: undefined, name: undefined, prefix: undefined };
}

/** Makes a function that applies the filters of a listing to a row, for reads that filter in the process. */
export function createPick(
  filter: SearchedFilter,
): (row: Pick<DetailedRow, 'amountUnits' | 'source' | 'name' | 'playerId'>) => boolean {
  const { search, players = [] } = filter;
  const text = search === undefined ? '' : asciiLower(search);
  const playerIds = new Set(players.map(({ playerId }) => playerId));
  return (row) =>
    matchesFilters(filter, row) &&
    (search === undefined ||
      asciiLower(row.name).includes(text) ||
      asciiLower(row.source).includes(text) ||
      playerIds.has(row.playerId));
}

/** Changes the letters A to Z and no others, as both databases do. */
export function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
