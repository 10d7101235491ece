/** SQL that differs between SQLite and PostgreSQL. */
export interface Dialect {
  readonly engine: 'sqlite' | 'postgres';
  /** Ends a SELECT whose rows stay locked until the commit. SQLite has one writer at a time and needs no lock. */
  readonly forUpdate: string;
  /** Like `forUpdate`, for the rows of one of the SELECT's tables. */
  forUpdateOf(table: string): string;
  /** Like `forUpdate`, but skips rows that others have locked. */
  readonly forUpdateSkipLocked: string;
  /** The larger of two values. */
  greatest(one: string, other: string): string;
  /** The smaller of two values. */
  least(one: string, other: string): string;
  /** True when a column equals one of the values in a list, which is bound as one value. */
  isOneOf(column: string, list: { value: string; type: 'text' | 'bigint' }): string;
  /**
   * A table in a FROM clause whose rows are bound as one value: JSON text of a list of objects with these columns.
   */
  rowsOf(value: string, table: string, columns: Readonly<Record<string, 'text' | 'bigint'>>): string;
  /**
   * Collects rows into one JSON list. PostgreSQL's driver parses it; SQLite returns its text. `fields` maps names to
   * columns.
   */
  jsonList(fields: Readonly<Record<string, string>>, order: string): string;
  /** The ids of a column as bytes, as the index stores them. Null where the text is not an id. */
  idBytes(column: string): string;
  /** A bound id as bytes. */
  asIdBytes(value: string): string;
  /** True when a column has the id that is given as text. */
  isId(column: string, id: string): string;
  /** True when one text contains another, byte by byte. */
  contains(text: string, part: string): string;
  /** Follows a table's name and makes SQLite use an index. PostgreSQL chooses by statistics. */
  indexedBy(index: string): string;
  /**
   * True for the rows of a table that meet a condition on its key, in a statement that changes them. Without an order PostgreSQL may
   * choose another index that has the columns of the key, and read all of its entries.
   */
  byKey(rows: { table: string; columns: string; condition: string }): string;
}

/** PostgreSQL ignores the order of a subquery without a limit. */
const NO_LIMIT = 1_000_000_000;

export const SQLITE: Dialect = {
  engine: 'sqlite',
  forUpdate: '',
  forUpdateOf: () => '',
  forUpdateSkipLocked: '',
  greatest: (one, other) => `max(${one}, ${other})`,
  least: (one, other) => `min(${one}, ${other})`,
  isOneOf: (column, { value }) => `${column} IN (SELECT value FROM json_each(${value}))`,
  rowsOf(value, table, columns) {
    const read = Object.keys(columns).map((name) => `value ->> '${name}' AS ${name}`);
    return `(SELECT ${read.join(', ')} FROM json_each(${value})) AS ${table}`;
  },
  jsonList: (fields, order) => `json_group_array(json_object(${pairs(fields)}) ORDER BY ${order})`,
  idBytes: unhexed,
  asIdBytes: unhexed,
  isId: (column, id) => `${unhexed(column)} = ${unhexed(id)}`,
  contains: (text, part) => `instr(${text}, ${part}) > 0`,
  indexedBy: (index) => `INDEXED BY ${index}`,
  byKey: ({ condition }) => condition,
};

export const POSTGRES: Dialect = {
  engine: 'postgres',
  forUpdate: 'FOR UPDATE',
  forUpdateOf: (table) => `FOR UPDATE OF ${table}`,
  forUpdateSkipLocked: 'FOR UPDATE SKIP LOCKED',
  greatest: (one, other) => `greatest(${one}, ${other})`,
  least: (one, other) => `least(${one}, ${other})`,
  isOneOf: (column, { value, type }) => `${column} = ANY (${value}::${type}[])`,
  rowsOf(value, table, columns) {
    const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
    return `json_to_recordset(${value}::json) AS ${table} (${typed.join(', ')})`;
  },
  jsonList: (fields, order) =>
    `coalesce(json_agg(json_build_object(${pairs(fields)}) ORDER BY ${order}), '[]')`,
  idBytes: uuidOf,
  asIdBytes: (value) => `${value}::uuid`,
  isId: (column, id) => `${uuidOf(column)} = ${id}::uuid`,
  contains: (text, part) => `strpos(${text}, ${part}) > 0`,
  indexedBy: () => '',
  byKey: ({ table, columns, condition }) =>
    `(${columns}) IN (SELECT ${columns} FROM ${table} WHERE ${condition} ORDER BY ${columns} LIMIT ${NO_LIMIT})`,
};

function pairs(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, column]) => `'${name}', ${column}`)
    .join(', ');
}

function unhexed(text: string): string {
  return `unhex(replace(${text}, '-', ''))`;
}

function uuidOf(column: string): string {
  return `CASE WHEN length(${column}) = 36 THEN ${column}::uuid END`;
}
