import { decimalText } from '../domain/ledger/amount.ts';
import type { ListedMember } from '../domain/people/guild-members.ts';
import { type CsvStyle, csvRow, csvStart, csvTextCell } from './csv.ts';

const COLUMNS = [
  'playerId',
  'name',
  'chatId',
  'formerNames',
  'balance',
  'transactions',
  'discharges',
  'transfers',
];

/** Members as CSV with header, row by row. Former names are separated by semicolons. */
export async function* memberCsv(
  members: AsyncIterable<ListedMember>,
  style: CsvStyle,
): AsyncGenerator<string> {
  yield csvStart(style) + csvRow(COLUMNS);
  for await (const one of members) {
    const text = (value: string) => csvTextCell(value, style);
    yield csvRow([
      text(one.playerId),
      text(one.name ?? ''),
      text(one.chatId ?? ''),
      text(one.pastUsers.map(({ username }) => username).join('; ')),
      decimalText(one.balanceUnits),
      String(one.transactions),
      String(one.discharges),
      String(one.transfers),
    ]);
  }
}
