import { decimalText } from '../domain/amount.ts';
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
  return (
    `{"success":true,"data":{"playerId":${JSON.stringify(playerId)},` +
    `"transactions":[${transactions.map(transactionText).join(',')}]},` +
    `"pagination":{"page":${query.page},"limit":${query.limit},"total":${total},"totalPages":${totalPages}}}`
  );
}

function transactionText(row: ListedTransaction): string {
  return (
    `{"transactionId":"${row.transactionId}","amount":${decimalText(row.amountUnits)},` +
    `"quantity":${row.quantity},"name":${JSON.stringify(row.name)},"source":${JSON.stringify(row.source)},` +
    `"total":${decimalText(row.totalUnits)},"createdAt":"${new Date(row.createdAtMs).toISOString()}"}`
  );
}
