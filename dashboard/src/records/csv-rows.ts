import type { RecordBody } from '../api/records.ts';
import { textFault } from './record-form.ts';
import { idField, type RecordKind } from './record-kinds.ts';

export const importRowsMax = 200;

/** One line of a file: the record to be added, and its errors. */
export interface ImportRow {
  /** The line number in the file, from 1, including the heading. */
  line: number;
  body: RecordBody;
  fault: string | undefined;
}

export interface ImportFile {
  rows: ImportRow[];
  /** The error that makes the whole file unusable; undefined when it is usable. */
  fault: string | undefined;
}

/** Parses a file in the format of the exports: a heading with the names of the fields, then one record per line. */
export function readImport(kind: RecordKind, text: string): ImportFile {
  const [heading, ...lines] = parseCsv(text.replace(/^\uFEFF/, ''));
  if (heading === undefined) return { rows: [], fault: 'The file is empty.' };
  const names = heading.cells.map((cell) => cell.trim());
  const known = ['id', 'date', ...kind.fields.map(({ name }) => name)];
  const needed = kind.fields.filter(({ kind: form }) => form === 'id' || form === 'line');
  const missing = [...needed.map(({ name }) => name), 'date'].filter((name) => !names.includes(name));
  if (missing.length > 0) return { rows: [], fault: `The heading lacks: ${missing.join(', ')}.` };
  if (lines.length > importRowsMax) {
    return { rows: [], fault: `At most ${importRowsMax} records at a time; the file has ${lines.length}.` };
  }
  const rows = lines.map(({ line, cells }) => {
    const given = names.flatMap((name, index) =>
      known.includes(name) ? [[name, (cells[index] ?? '').trim()] as const] : [],
    );
    const body: RecordBody = Object.fromEntries(
      given.filter(([name, value]) => name !== 'id' || value !== ''),
    );
    for (const { name } of kind.fields) body[name] ??= '';
    const isTorn = cells.length !== names.length;
    return {
      line,
      body,
      fault: isTorn ? `Has ${cells.length} cells, not ${names.length}` : faultOf(kind, body),
    };
  });
  return { rows: withoutRepeats(rows), fault: rows.length === 0 ? 'The file has no records.' : undefined };
}

function faultOf(kind: RecordKind, body: RecordBody): string | undefined {
  for (const { name, label, kind: form } of kind.fields) {
    const fault = textFault(body[name] ?? '', form);
    if (fault !== null) return `${label}: ${fault}`;
  }
  const idFault = body.id === undefined ? null : textFault(body.id, 'id');
  if (idFault !== null) return `${idField.label}: ${idFault}`;
  const date = body.date ?? '';
  const isPlain = /^\d{4}-\d{2}-\d{2}$/.test(date);
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(date);
  if (Number.isNaN(Date.parse(date)) || !(isMoment || (isPlain && kind.allowsPlainDate))) {
    return kind.allowsPlainDate
      ? 'Date: write it as 2026-03-01 or 2026-03-01T08:30:00Z'
      : 'Date: write it as 2026-03-01T08:30:00Z';
  }
  return undefined;
}

/** An id may be used only once in the file. */
function withoutRepeats(rows: ImportRow[]): ImportRow[] {
  const seen = new Set<string>();
  return rows.map((row) => {
    const { id } = row.body;
    const isRepeat = id !== undefined && seen.has(id);
    if (id !== undefined) seen.add(id);
    return isRepeat && row.fault === undefined ? { ...row, fault: 'Id: stands twice in the file' } : row;
  });
}

interface CsvLine {
  line: number;
  cells: string[];
}

/** Quoted cells may contain commas, quotes and line breaks. Empty lines are skipped. */
export function parseCsv(text: string): CsvLine[] {
  const lines: CsvLine[] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let line = 1;
  let startLine = 1;
  const endLine = () => {
    cells.push(cell);
    if (cells.length > 1 || cells[0] !== '') lines.push({ line: startLine, cells });
    cells = [];
    cell = '';
    startLine = line;
  };
  for (let index = 0; index < text.length; index += 1) {
    const sign = text.charAt(index);
    if (sign === '\n') line += 1;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text.charAt(index + 1) === '"') {
        cell += '"';
        index += 1;
      } else isQuoted = false;
    } else if (sign === '"' && cell === '') isQuoted = true;
    else if (sign === ',') {
      cells.push(cell);
      cell = '';
    } else if (sign === '\n') endLine();
    else if (sign !== '\r') cell += sign;
  }
  endLine();
  return lines;
}
