import type { GuildRef } from '../domain/model.ts';
import type { Store } from '../domain/ports.ts';
import { type CsvStyle, csvRow, csvStart, csvTextCell } from './csv.ts';
import { type ExportedKind, KIND_NAMES, type KindName, kindOf } from './kinds.ts';
import { REQUESTS } from './request-log.ts';

/** The kinds that can be written out: those of imports, and the log of requests. */
export const EXPORT_NAMES = [...KIND_NAMES, 'requests'] as const;
export type ExportName = KindName | 'requests';

export const FORMATS = ['json', 'ndjson', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** Text is passed on in pieces of about this size: smaller ones would cost a system call per record. */
const PIECE_LENGTH = 64 * 1024;

export interface ExportOptions {
  store: Store;
  kind: ExportName;
  format: Format;
  guild: GuildRef | undefined;
  onRecord?: () => void;
}

/** The records of a kind as text, piece by piece. The same store always gives the same bytes. */
export async function* exportRecords(options: ExportOptions): AsyncGenerator<string> {
  const { store, format, guild, onRecord = () => {} } = options;
  const kind = exportedKind(options.kind);
  const names = Object.keys(kind.columns);
  yield { json: '[', ndjson: '', csv: csvRow(names) }[format];
  let isFirst = true;
  for await (const item of kind.read(store, guild)) {
    const text =
      format === 'csv'
        ? csvText(kind, names, item, 'exact')
        : JSON.stringify(orderedFields(kind, names, item));
    yield { json: `${isFirst ? '\n' : ',\n'}${text}`, ndjson: `${text}\n`, csv: text }[format];
    isFirst = false;
    onRecord();
  }
  yield { json: '\n]\n', ndjson: '', csv: '' }[format];
}

/** Records of a kind as a CSV file with header, piece by piece. The exact style equals the export of the whole kind. */
export async function* csvOf(
  name: ExportName,
  items: AsyncIterable<unknown>,
  style: CsvStyle,
): AsyncGenerator<string> {
  const kind = exportedKind(name);
  const names = Object.keys(kind.columns);
  yield csvStart(style) + csvRow(names);
  for await (const item of items) {
    yield csvText(kind, names, item, style);
  }
}

function exportedKind(name: ExportName): ExportedKind {
  // A kind only gets items of its own `read`, or of the rules with the same name.
  return name === 'requests' ? (REQUESTS as ExportedKind) : kindOf(name);
}

export async function* inPieces(text: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const part of text) {
    piece += part;
    if (piece.length >= PIECE_LENGTH) {
      yield piece;
      piece = '';
    }
  }
  if (piece !== '') {
    yield piece;
  }
}

export function orderedFields(kind: ExportedKind, names: readonly string[], item: unknown): object {
  const fields = kind.toFields(item);
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

function csvText(kind: ExportedKind, names: readonly string[], item: unknown, style: CsvStyle): string {
  const fields = kind.toFields(item);
  return csvRow(
    names.map((name) => {
      const value = fields[name];
      if (value === undefined) {
        return '';
      }
      return kind.columns[name]?.startsWith('text')
        ? csvTextCell(String(value), style)
        : JSON.stringify(value);
    }),
  );
}
