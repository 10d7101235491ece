import { t } from '@lingui/core/macro';
import type { MemberLink } from '../api/members.ts';
import { lazily } from '../components/lazily.ts';
import { textFault } from '../components/text-fault.ts';
import {
  type CsvFile,
  type CsvRow,
  cellsByName,
  importRowsMax,
  labelledFault,
  lackFault,
  readHeading,
  tooManyFault,
  tornFault,
} from '../imports/csv-file.ts';

const columns = ['chatId', 'playerId', 'username'] as const;
const labels = lazily(() => ({ chatId: t`Chat id`, playerId: t`Player id`, username: t`User name` }));

/** Parses a file of verifications: chatId, playerId and username. Other columns are ignored. */
export function readVerifications(text: string): CsvFile<MemberLink> {
  const { names, lines } = readHeading(text);
  if (names === undefined) return { rows: [], fault: t`The file is empty.` };
  const missing = columns.filter((name) => !names.includes(name));
  if (missing.length > 0) return { rows: [], fault: lackFault(missing) };
  if (lines.length === 0) return { rows: [], fault: t`The file has no verifications.` };
  if (lines.length > importRowsMax) return { rows: [], fault: tooManyFault('verifications', lines.length) };
  const rows = lines.map(({ line, cells }): CsvRow<MemberLink> => {
    const given = cellsByName(names, cells);
    const [chatId = '', playerId = '', username = ''] = columns.map((name) => given.get(name) ?? '');
    const item = { chatId, playerId, username };
    return {
      line,
      cells: [chatId, playerId, username],
      item,
      fault: tornFault(names, cells) ?? linkFault(item),
    };
  });
  return { rows: withoutRepeats(withoutRepeats(rows, 'chatId'), 'playerId'), fault: undefined };
}

function linkFault(link: MemberLink): string | undefined {
  for (const name of columns) {
    const fault = textFault(link[name], name === 'username' ? 'line' : 'id');
    if (fault !== null) return labelledFault(labels()[name], fault);
  }
  return undefined;
}

/** A person and an account may be in the file only once. */
function withoutRepeats(rows: CsvRow<MemberLink>[], name: 'chatId' | 'playerId'): CsvRow<MemberLink>[] {
  const seen = new Set<string>();
  return rows.map((row) => {
    const isRepeat = row.fault === undefined && seen.has(row.item[name]);
    seen.add(row.item[name]);
    return isRepeat ? { ...row, fault: t`${labels()[name]}: stands twice in the file` } : row;
  });
}
