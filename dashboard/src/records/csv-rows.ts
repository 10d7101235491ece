import { t } from '@lingui/core/macro';
import type { RecordBody } from '../api/records.ts';
import { textFault } from '../components/text-fault.ts';
import {
  type CsvFile,
  type CsvRow,
  importRowsMax,
  labelledFault,
  lackFault,
  readHeading,
  tooManyFault,
  tornFault,
} from '../imports/csv-file.ts';
import { idField, type RecordKind } from './record-kinds.ts';

/** Parses a file in the format of the exports: a heading with the names of the fields, then one record per line. */
export function readImport(kind: RecordKind, text: string, makeId: () => string): CsvFile<RecordBody> {
  const { names, lines } = readHeading(text);
  if (names === undefined) return { rows: [], fault: t`The file is empty.` };
  const known = ['id', 'date', ...kind.fields.map(({ name }) => name)];
  const needed = kind.fields.filter(({ kind: form }) => form === 'id' || form === 'line');
  const missing = [...needed.map(({ name }) => name), 'date'].filter((name) => !names.includes(name));
  if (missing.length > 0) return { rows: [], fault: lackFault(missing) };
  if (lines.length > importRowsMax) return { rows: [], fault: tooManyFault('records', lines.length) };
  const rows = lines.map(({ line, cells }): CsvRow<RecordBody> => {
    const given = names.flatMap((name, index) =>
      known.includes(name) ? [[name, (cells[index] ?? '').trim()] as const] : [],
    );
    const body: RecordBody = Object.fromEntries(
      given.filter(([name, value]) => name !== 'id' || value !== ''),
    );
    for (const { name } of kind.fields) body[name] ??= '';
    const fault = tornFault(names, cells) ?? faultOf(kind, body);
    // Made here and not by the service, so that an import that is sent again adds nothing twice.
    body.id ??= makeId();
    return { line, cells: [body.name ?? '', body.playerId ?? '', body.date ?? ''], item: body, fault };
  });
  return { rows: withoutRepeats(rows), fault: rows.length === 0 ? t`The file has no records.` : undefined };
}

function faultOf(kind: RecordKind, body: RecordBody): string | undefined {
  for (const { name, label, kind: form } of kind.fields) {
    const fault = textFault(body[name] ?? '', form);
    if (fault !== null) return labelledFault(label, fault);
  }
  const idFault = body.id === undefined ? null : textFault(body.id, 'id');
  if (idFault !== null) return labelledFault(idField().label, idFault);
  const date = body.date ?? '';
  const isPlain = /^\d{4}-\d{2}-\d{2}$/.test(date);
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(date);
  if (Number.isNaN(Date.parse(date)) || !(isMoment || (isPlain && kind.allowsPlainDate))) {
    return kind.allowsPlainDate
      ? t`Date: write it as 2026-03-01 or 2026-03-01T08:30:00Z`
      : t`Date: write it as 2026-03-01T08:30:00Z`;
  }
  return undefined;
}

/** An id may be used only once in the file. */
function withoutRepeats(rows: CsvRow<RecordBody>[]): CsvRow<RecordBody>[] {
  const seen = new Set<string>();
  return rows.map((row) => {
    const { id } = row.item;
    const isRepeat = id !== undefined && seen.has(id);
    if (id !== undefined) seen.add(id);
    return isRepeat && row.fault === undefined ? { ...row, fault: t`Id: stands twice in the file` } : row;
  });
}
