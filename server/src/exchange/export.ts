import type { GuildRef } from '../domain/model.ts';
import type { Store } from '../domain/ports.ts';
import { csvRow } from './csv.ts';
import { type Kind, type KindName, kindOf } from './kinds.ts';

export const FORMATS = ['json', 'ndjson', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

export interface ExportOptions {
  store: Store;
  kind: KindName;
  format: Format;
  guild: GuildRef | undefined;
  onRecord?: () => void;
}

/** The records of a kind as text, piece by piece. The same store always gives the same bytes. */
export async function* exportRecords(options: ExportOptions): AsyncGenerator<string> {
  const { store, format, guild, onRecord = () => {} } = options;
  const kind = kindOf(options.kind);
  const names = Object.keys(kind.columns);
  yield { json: '[', ndjson: '', csv: csvRow(names) }[format];
  let isFirst = true;
  for await (const item of kind.read(store, guild)) {
    const text =
      format === 'csv' ? csvText(kind, names, item) : JSON.stringify(orderedFields(kind, names, item));
    yield { json: `${isFirst ? '\n' : ',\n'}${text}`, ndjson: `${text}\n`, csv: text }[format];
    isFirst = false;
    onRecord();
  }
  yield { json: '\n]\n', ndjson: '', csv: '' }[format];
}

function orderedFields(kind: Kind, names: readonly string[], item: unknown): object {
  const fields = kind.toFields(item);
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

function csvText(kind: Kind, names: readonly string[], item: unknown): string {
  const fields = kind.toFields(item);
  return csvRow(
    names.map((name) => {
      const value = fields[name];
      return kind.columns[name] === 'text' ? String(value) : JSON.stringify(value);
    }),
  );
}
