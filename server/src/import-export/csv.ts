import { isUtf8 } from 'node:buffer';
import { CsvError, type Parser, parse } from 'csv-parse';
import { isJsonNumber } from '../wire/text.ts';
import { type ByteSource, RECORD_BYTES_MAX, type SourceItem } from './lines.ts';

/**
 * How a column's text becomes a value: unchanged, as a number, or as JSON inside the cell. With a question mark the
 * column may be missing, and an empty cell is no value.
 */
export type ColumnType = 'text' | 'number' | 'json' | 'text?' | 'number?' | 'json?';
export type Columns = Readonly<Record<string, ColumnType>>;

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/**
 * Reads CSV according to RFC 4180 with a header row, in UTF-8 with or without a byte order mark. Columns may be in
 * any order; an unknown column, or a missing one that is not optional, fails the whole file. Rows with too few or too
 * many cells are rejected individually.
 */
export async function* readCsv(source: ByteSource, columns: Columns): AsyncGenerator<SourceItem[]> {
  let header: string[] | undefined;
  let line = 1;
  try {
    for await (const rows of parseRows(withoutByteOrderMark(source))) {
      const items: SourceItem[] = [];
      for (const cells of rows) {
        const record = cells.map(decodeCell);
        if (header === undefined) {
          header = record.map((cell) => cell ?? '');
          const fault = headerFault(header, columns);
          if (fault !== undefined) {
            yield [{ line, text: rowText(header), fault }];
            return;
          }
        } else {
          items.push(toItem({ line, cells, record, header, columns }));
        }
        line += 1 + countLineBreaks(cells);
      }
      yield items;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) {
      throw error;
    }
    yield [{ line, text: '', fault: describe(error) }];
  }
}

/**
 * Cells are Latin-1 text, one character per byte, so that invalid UTF-8 can still be detected. The rows are taken
 * from the parser as it finds them: read as a stream, it would drop the rows before an error.
 */
async function* parseRows(source: ByteSource): AsyncGenerator<string[][]> {
  let rows: string[][] = [];
  const parser = parse({
    encoding: 'latin1',
    relax_column_count: true,
    max_record_size: RECORD_BYTES_MAX,
    on_record(row: string[]) {
      rows.push(row);
      return null;
    },
  });
  // Ignored here: each failure is handled at its write.
  parser.on('error', () => {});
  for await (const chunk of source) {
    const error = await feed(parser, chunk);
    yield rows;
    rows = [];
    if (error) {
      throw error;
    }
  }
  const error = await feed(parser, undefined);
  yield rows;
  if (error) {
    throw error;
  }
}

/** Writes a chunk to the parser, or ends it. */
function feed(parser: Parser, chunk: Uint8Array | undefined): Promise<Error | null | undefined> {
  return new Promise((resolve) => {
    if (chunk === undefined) {
      parser.end(resolve);
    } else {
      parser.write(chunk, resolve);
    }
  });
}

async function* withoutByteOrderMark(source: ByteSource): AsyncGenerator<Uint8Array> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of source) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length >= BYTE_ORDER_MARK.length) {
      yield head.indexOf(BYTE_ORDER_MARK) === 0 ? head.subarray(BYTE_ORDER_MARK.length) : head;
      head = undefined;
    }
  }
  if (head !== undefined) {
    yield head;
  }
}

/** The text of a cell; undefined when it is not UTF-8. */
function decodeCell(cell: string): string | undefined {
  if (!/[\u0080-\u00ff]/.test(cell)) {
    return cell;
  }
  const bytes = Buffer.from(cell, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

/** A row with line breaks in its cells covers several lines. */
function countLineBreaks(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
}

/** `exact` files are the same for every reader. Files for spreadsheets escape texts that look like formulas. */
export type CsvStyle = 'exact' | 'spreadsheet';

/** Spreadsheets read a file as UTF-8 only when it begins with a byte order mark. */
export function csvStart(style: CsvStyle): string {
  return style === 'exact' ? '' : '\uFEFF';
}

/** The first characters of formulas. Some spreadsheets treat full-width signs (＝ ＋ － ＠) like those of ASCII. */
const FORMULA_START = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** The text of a cell. An apostrophe keeps a spreadsheet from executing a text that looks like a formula. */
export function csvTextCell(text: string, style: CsvStyle): string {
  return style === 'spreadsheet' && FORMULA_START.test(text) ? `'${text}` : text;
}

/** One row of cells, quoted where needed, with the line break of RFC 4180. */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}

function headerFault(header: readonly string[], columns: Columns): string | undefined {
  const expected = Object.keys(columns);
  const missing = expected.filter((name) => columns[name]?.endsWith('?') === false && !header.includes(name));
  const unknown = header.filter((name) => !expected.includes(name));
  if (missing.length > 0) {
    return `the header lacks: ${missing.join(', ')}; it must have: ${expected.join(', ')}`;
  }
  if (unknown.length > 0 || new Set(header).size < header.length) {
    return `the header must have each of these once: ${expected.join(', ')}`;
  }
  return undefined;
}

/** A row for a report, without its line break. */
function rowText(cells: readonly string[]): string {
  return csvRow(cells).slice(0, -2);
}

interface Row {
  line: number;
  /** As read, one character per byte. */
  cells: readonly string[];
  /** As text; undefined for a cell that is not UTF-8. */
  record: readonly (string | undefined)[];
  header: readonly string[];
  columns: Columns;
}

function toItem({ line, cells, record, header, columns }: Row): SourceItem {
  if (!isText(record)) {
    return { line, text: rowText(cells), fault: 'the text is not UTF-8' };
  }
  const text = rowText(record);
  if (record.length !== header.length) {
    return { line, text, fault: `the row has ${record.length} cells, the header has ${header.length}` };
  }
  const value: Record<string, unknown> = {};
  for (const [index, name] of header.entries()) {
    const cell = record[index] ?? '';
    const type = columns[name] ?? 'text';
    if (cell === '' && type.endsWith('?')) {
      continue;
    }
    try {
      value[name] = toValue(cell, type);
    } catch {
      return { line, text, fault: `${name} does not hold JSON` };
    }
  }
  return { line, text, value };
}

function isText(record: readonly (string | undefined)[]): record is readonly string[] {
  return !record.includes(undefined);
}

/** An invalid number stays text, so that the validation of the record reports the error. */
function toValue(cell: string, type: ColumnType): unknown {
  switch (type) {
    case 'text':
    case 'text?':
      return cell;
    case 'number':
    case 'number?':
      return isJsonNumber(cell) ? Number(cell) : cell;
    case 'json':
    case 'json?':
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
