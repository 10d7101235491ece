import { t } from '@lingui/core/macro';
import { listText } from '../components/language-formats.ts';
import { groupCount } from '../components/money.ts';
import { type CsvLine, parseCsv } from './parse-csv.ts';

export const importRowsMax = 1_000;

/** One line of a file: what it stands for, and what the checks have found. */
export interface CsvRow<Item> {
  /** The line number in the file, from 1, including the heading. */
  line: number;
  /** The texts that the preview shows. */
  cells: readonly string[];
  item: Item;
  /** The error that keeps the line out; undefined when it is valid. */
  fault: string | undefined;
  /** A further text about a valid line; without one it is fine. */
  note?: string | undefined;
  /** The question that a person has to answer before the line is written. */
  question?: string | undefined;
}

export interface CsvFile<Item> {
  rows: CsvRow<Item>[];
  /** The error that makes the whole file unusable; undefined when it is usable. */
  fault: string | undefined;
}

/** The names of the columns, and the other lines of the file. Names are undefined for an empty file. */
export function readHeading(text: string): { names: string[] | undefined; lines: CsvLine[] } {
  const [heading, ...lines] = parseCsv(text.replace(/^\uFEFF/, ''));
  return { names: heading?.cells.map((cell) => cell.trim()), lines };
}

export function tooManyFault(lines: 'records' | 'transactions' | 'verifications', count: number): string {
  const max = groupCount(importRowsMax);
  const found = groupCount(count);
  switch (lines) {
    case 'records':
      return t`At most ${max} records at a time; the file has ${found}.`;
    case 'transactions':
      return t`At most ${max} transactions at a time; the file has ${found}.`;
    case 'verifications':
      return t`At most ${max} verifications at a time; the file has ${found}.`;
  }
}

/** The error of a heading without these columns. */
export function lackFault(missing: readonly string[]): string {
  const names = listText(missing);
  return t`The heading lacks: ${names}.`;
}

/** An error with the label of its field: "Quantity: at least 1". */
export function labelledFault(label: string, fault: string): string {
  return t`${label}: ${fault}`;
}

/** The cells of a line by the names of their columns, trimmed. */
export function cellsByName(names: readonly string[], cells: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name, index) => [name, (cells[index] ?? '').trim()]));
}

/** The error of a line with another number of cells than the heading. */
export function tornFault(names: readonly string[], cells: readonly string[]): string | undefined {
  return cells.length === names.length ? undefined : t`Has ${cells.length} cells, not ${names.length}`;
}
