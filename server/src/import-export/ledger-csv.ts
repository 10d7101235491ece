import { decimalText } from '../domain/ledger/amount.ts';
import type { Poster, ShownTransaction } from '../domain/ledger/ledger-views.ts';
import { type CsvStyle, csvRow, csvStart, csvTextCell } from './csv.ts';

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
/** Columns with names, for people. */
const NAME_COLUMNS = ['username', 'postedByName'];

/** Transactions as CSV with header, row by row. For spreadsheets each row ends with names. */
export async function* ledgerCsv(
  transactions: AsyncIterable<ShownTransaction>,
  style: CsvStyle,
  writeTime: (atMs: number) => string = (atMs) => new Date(atMs).toISOString(),
): AsyncGenerator<string> {
  const isExact = style === 'exact';
  yield csvStart(style) + csvRow(isExact ? COLUMNS : [...COLUMNS, ...NAME_COLUMNS]);
  for await (const one of transactions) {
    const names = isExact ? [] : [one.username ?? '', one.postedBy.name ?? ''];
    const text = (value: string) => csvTextCell(value, style);
    yield csvRow([
      one.transactionId,
      text(one.playerId),
      text(one.name),
      String(one.quantity),
      decimalText(one.amountUnits),
      decimalText(one.totalUnits),
      text(one.source),
      decimalText(one.balanceUnits),
      writeTime(one.createdAtMs),
      posterText(one.postedBy),
      ...names.map(text),
    ]);
  }
}

/** `key:` or `user:` with the id, or `import`. */
function posterText({ kind, id }: Poster): string {
  return id === undefined ? kind : `${kind}:${id}`;
}
