import { decimalText } from '../domain/ledger/amount.ts';
import type { DetailedTransaction, Poster } from '../domain/ledger/ledger-views.ts';
import { csvRow } from './csv.ts';

const COLUMNS = [
  'transactionId',
  'playerId',
  'name',
  'quantity',
  'amount',
  'total',
  'source',
  'balanceAfter',
  'createdAt',
  'postedBy',
];

/** Transactions as CSV, header first, row by row. */
export async function* ledgerCsv(transactions: AsyncIterable<DetailedTransaction>): AsyncGenerator<string> {
  yield csvRow(COLUMNS);
  for await (const one of transactions) {
    yield csvRow([
      one.transactionId,
      one.playerId,
      one.name,
      String(one.quantity),
      decimalText(one.amountUnits),
      decimalText(one.totalUnits),
      one.source,
      decimalText(one.balanceUnits),
      new Date(one.createdAtMs).toISOString(),
      posterText(one.postedBy),
    ]);
  }
}

/** `key:` or `user:` with the id, or `import`. */
function posterText({ kind, id }: Poster): string {
  return id === undefined ? kind : `${kind}:${id}`;
}
