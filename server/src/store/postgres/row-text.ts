import type { ColumnType } from '../sql.ts';

/** Rows of many columns as one text, which costs the server and the driver less than values or JSON. */

/** Control characters that almost no text has. A text that has one is noticed, see `readRowText`. */
const [BETWEEN_VALUES, BETWEEN_ROWS] = ['\u001f', '\u001e'];
/** Before each text, so that an empty one is not read as null. */
const TEXT_MARK = '+';

type Columns = Readonly<Record<string, ColumnType>>;

/** A statement that returns the rows of another one: their number as `count`, and all values as `text`. */
export function inRowText(text: string, columns: Columns): string {
  const values = Object.entries(columns).map(([name, type]) =>
    type === 'bigint' ? `coalesce(found.${name}::text, '')` : `coalesce('${TEXT_MARK}' || found.${name}, '')`,
  );
  return `SELECT count(*) AS count, string_agg(concat_ws(chr(31), ${values.join(', ')}), chr(30)) AS text
    FROM (${text}) AS found`;
}

/**
 * The values of each row. Undefined when a text has one of the separators: then there are more rows than were counted, or a row has
 * more values than columns, whatever else the text contains.
 */
export function readRowText(
  { count, text }: { count: number; text: string | null },
  columns: Columns,
): unknown[][] | undefined {
  const rows = text === null ? [] : text.split(BETWEEN_ROWS);
  if (rows.length !== count) {
    return undefined;
  }
  const types = Object.values(columns);
  const found: unknown[][] = [];
  for (const row of rows) {
    const values: unknown[] = row.split(BETWEEN_VALUES);
    if (values.length !== types.length) {
      return undefined;
    }
    for (const [index, type] of types.entries()) {
      // Parts of a text that was split are texts.
      values[index] = toValue(values[index] as string, type);
    }
    found.push(values);
  }
  return found;
}

function toValue(text: string, type: ColumnType): string | number | null {
  if (text === '') {
    return null;
  }
  return type === 'bigint' ? Number(text) : text.slice(TEXT_MARK.length);
}
