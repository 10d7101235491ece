import { decimalText } from '../domain/ledger/amount.ts';
import type { StatementExport } from '../domain/ledger/player-statement.ts';
import { type CsvStyle, csvRow, csvStart, csvTextCell } from './csv.ts';

const COLUMNS = ['when', 'what', 'source', 'quantity', 'amount', 'total', 'balance', 'transactionId'];

/** A statement as CSV: the opening balance, each transaction with the balance after it, the closing balance. */
export async function* statementCsv(
  { openingUnits, archivedUntilMs, transactions }: StatementExport,
  style: CsvStyle,
  writeTime: (atMs: number) => string,
): AsyncGenerator<string> {
  const balanceRow = (when: string, what: string, units: number) =>
    csvRow([when, what, '', '', '', '', decimalText(units), '']);
  yield csvStart(style) + csvRow(COLUMNS);
  const opening = archivedUntilMs === undefined ? '' : writeTime(archivedUntilMs);
  yield balanceRow(
    opening,
    archivedUntilMs === undefined ? 'Opening balance' : 'Opening balance, after the archived transactions',
    openingUnits,
  );
  const text = (value: string) => csvTextCell(value, style);
  let closingUnits = openingUnits;
  for await (const one of transactions) {
    closingUnits = one.balanceUnits;
    yield csvRow([
      writeTime(one.createdAtMs),
      text(one.name),
      text(one.source),
      String(one.quantity),
      decimalText(one.amountUnits),
      decimalText(one.totalUnits),
      decimalText(one.balanceUnits),
      one.transactionId,
    ]);
  }
  yield balanceRow('', 'Closing balance', closingUnits);
}
