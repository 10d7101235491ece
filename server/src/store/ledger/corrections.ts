import type { DetailedTransaction, TransactionCorrection } from '../../domain/ledger/ledger-views.ts';
import { type Sql, statement } from '../sql.ts';

interface CorrectionRow {
  metadata: string;
  transactionId: string;
  playerId: string;
  totalUnits: number;
  number: number;
}

/** The number of corrections that are read for one page of transactions. */
const CORRECTIONS_READ_MAX = 1_000;

// The condition on the beginning of the metadata is that of the index. A correction that was reversed no longer counts.
const FIND_CORRECTIONS = statement<CorrectionRow>(
  ({ indexedBy, isOneOf }) =>
    `SELECT x.metadata, c.transaction_id AS "transactionId", a.player_id AS "playerId", c.total AS "totalUnits", c.number
     FROM ledger_extra AS x ${indexedBy('extra_by_corrected')}
     CROSS JOIN ledger_transaction AS c CROSS JOIN account AS a
     WHERE x.guild_no = $1 AND substr(x.metadata, 1, 13) = '{"corrects":"'
       AND ${isOneOf('x.metadata', { value: '$2', type: 'text' })}
       AND c.guild_no = $1 AND c.number = x.number AND a.guild_no = $1 AND a.account_no = c.account_no
       AND NOT EXISTS (SELECT 1 FROM ledger_extra AS y WHERE y.guild_no = $1 AND y.reverses = x.number)
     LIMIT ${CORRECTIONS_READ_MAX}`,
);

/**
 * Adds the corrections of each transaction, newest first. A correction is a transaction of the same account whose metadata has
 * only the id of the corrected one, as the dashboard writes it.
 */
export async function addCorrections(
  read: Sql,
  guildNo: number,
  transactions: DetailedTransaction[],
): Promise<DetailedTransaction[]> {
  if (transactions.length === 0) {
    return transactions;
  }
  const metadata = transactions.map(({ transactionId }) => metadataOf(transactionId));
  const found = new Map<string, TransactionCorrection[]>();
  const rows = await read.all(FIND_CORRECTIONS, [guildNo, metadata]);
  for (const row of rows.sort((one, other) => other.number - one.number)) {
    const key = `${row.metadata} ${row.playerId}`;
    const { transactionId, totalUnits } = row;
    found.set(key, [...(found.get(key) ?? []), { transactionId, totalUnits }]);
  }
  for (const transaction of transactions) {
    const corrections = found.get(`${metadataOf(transaction.transactionId)} ${transaction.playerId}`);
    if (corrections !== undefined) {
      transaction.corrections = corrections;
    }
  }
  return transactions;
}

/** The metadata of a correction, as it is stored. */
function metadataOf(corrects: string): string {
  return JSON.stringify({ corrects });
}
