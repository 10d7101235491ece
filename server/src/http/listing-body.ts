import { decimalText } from '../domain/amount.ts';
import { isoText } from '../domain/iso-text.ts';
import type { ListedTransaction, Listing } from '../domain/model.ts';

/**
 * Writes the listing's body by hand, for one reason: amounts are exact decimals, and the largest of them have
 * more digits than a JavaScript number prints. A test compares it with the wire schema.
 */
export function listingBody(
  playerId: string,
  query: { page: number; limit: number },
  { transactions, total }: Listing,
): string {
  const totalPages = Math.ceil(total / query.limit);
  let rows = '';
  for (const transaction of transactions) {
    rows += rows === '' ? transactionText(transaction) : `,${transactionText(transaction)}`;
  }
  return (
    `{"success":true,"data":{"playerId":${quoted(playerId)},"transactions":[${rows}]},` +
    `"pagination":{"page":${query.page},"limit":${query.limit},"total":${total},"totalPages":${totalPages}}}`
  );
}

function transactionText(row: ListedTransaction): string {
  return (
    `{"transactionId":"${row.transactionId}","amount":${decimalText(row.amountUnits)},` +
    `"quantity":${row.quantity},"name":${quoted(row.name)},"source":${quoted(row.source)},` +
    `"total":${decimalText(row.totalUnits)},"createdAt":"${isoText(row.createdAtMs)}"}`
  );
}

/** Printable ASCII without quotes and backslashes: in JSON it stands for itself. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
