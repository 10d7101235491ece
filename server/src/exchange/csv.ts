import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { type ByteSource, RECORD_BYTES_MAX, type SourceItem } from './lines.ts';

/** How a column's text becomes a value: as it is, as a number, or as JSON inside the cell. */
export type ColumnType = 'text' | 'number' | 'json';
export type Columns = Readonly<Record<string, ColumnType>>;

/** What csv-parse gives with `info`: the cells, and where it stands. */
interface ParsedRow {
  record: string[];
  info: { lines: number };
}

/**
 * Reads CSV by RFC 4180 with a header row, in UTF-8 with or without a byte order mark. Columns may come in any order;
 * a missing or unknown one is a fault of the whole file. Rows with too few or too many cells are faults of their own.
 */
export async function* readCsv(source: ByteSource, columns: Columns): AsyncGenerator<SourceItem> {
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    max_record_size: RECORD_BYTES_MAX,
  });
  const rows: AsyncIterable<ParsedRow> = Readable.from(source).pipe(parser);
  let header: string[] | undefined;
  let lastLine = 1;
  try {
    for await (const { record, info } of rows) {
      const line = header === undefined ? 1 : lastLine + 1;
      lastLine = info.lines;
      if (header === undefined) {
        header = record;
        const fault = headerFault(header, columns);
        if (fault !== undefined) {
          yield { line, text: csvRow(record), fault };
          return;
        }
      } else {
        yield toItem({ line, record, header, columns });
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) {
      throw error;
    }
    yield { line: lastLine + 1, text: '', fault: describe(error) };
  }
}

/** One row of cells, quoted where needed, with the line break that RFC 4180 asks for. */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}

function headerFault(header: readonly string[], columns: Columns): string | undefined {
  const expected = Object.keys(columns);
  const missing = expected.filter((name) => !header.includes(name));
  const unknown = header.filter((name) => !expected.includes(name));
  if (missing.length > 0) {
    return `the header lacks: ${missing.join(', ')}; it must have: ${expected.join(', ')}`;
  }
  if (unknown.length > 0 || new Set(header).size < header.length) {
    return `the header must have each of these once: ${expected.join(', ')}`;
  }
  return undefined;
}

interface Row {
  line: number;
  record: readonly string[];
  header: readonly string[];
  columns: Columns;
}

function toItem({ line, record, header, columns }: Row): SourceItem {
  const text = csvRow(record).trimEnd();
  if (record.length !== header.length) {
    return { line, text, fault: `the row has ${record.length} cells, the header has ${header.length}` };
  }
  const value: Record<string, unknown> = {};
  for (const [index, name] of header.entries()) {
    const cell = record[index] ?? '';
    try {
      value[name] = toValue(cell, columns[name] ?? 'text');
    } catch {
      return { line, text, fault: `${name} does not hold JSON` };
    }
  }
  return { line, text, value };
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A number that is none stays text, so that the record's own rule can name the fault. */
function toValue(cell: string, type: ColumnType): unknown {
  switch (type) {
    case 'text':
      return cell;
    case 'number':
      return JSON_NUMBER.test(cell) ? Number(cell) : cell;
    case 'json':
      return JSON.parse(cell);
  }
}

function describe(error: CsvError): string {
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quote is opened and never closed';
    case 'CSV_MAX_RECORD_SIZE':
      return `the row is longer than ${RECORD_BYTES_MAX} bytes`;
    default:
      return 'the rest of the file is not CSV: a quote stands where none may be';
  }
}
