import { useState } from 'react';
import type { Transaction } from '../api/transactions.ts';
import { formatSigned } from '../components/money.ts';
import type { Selection } from '../components/record-list.ts';

/** The selected transactions of a page. Transactions that leave the page leave the selection, too: nobody sees them. */
export function useSelectedTransactions(rows: readonly Transaction[]): Selection<Transaction> {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const ids = new Set(rows.map(({ transactionId }) => transactionId).filter((id) => chosen.has(id)));
  if (ids.size !== chosen.size) setChosen(ids);
  return {
    ids,
    onChange: setChosen,
    nameOf: ({ name, username, playerId, total }) =>
      `${name}, ${username ?? playerId}, ${formatSigned(total)}`,
  };
}
