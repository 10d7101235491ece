import type { TestDatabase } from '../postgres/database.ts';
import { readStore } from '../support/read-store.ts';

const SQLITE_OBJECTS = `SELECT tbl_name AS "table", type, name, sql FROM sqlite_schema ORDER BY tbl_name, type, rowid`;

/** The schema of an embedded store. The indexes of a table are in the order in which they were made, which decides between equal plans. */
export function sqliteSchemaOf(file: string): string[] {
  const rows = readStore(file, (db) => db.prepare(SQLITE_OBJECTS).all());
  return rows.map(
    ({ table, type, name, sql }) => `${table} ${type} ${name}: ${normalize(String(sql ?? ''))}`,
  );
}

/** The rows that a new embedded store has. */
export function sqliteCountersOf(file: string): unknown[] {
  return readStore(file, (db) => db.prepare('SELECT part FROM revision ORDER BY part').all());
}

/** Without what a statement's author chooses: comments, white space, and the quotes that renaming a table leaves. */
function normalize(sql: string): string {
  return sql
    .replaceAll(/--.*$/gm, '')
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),]) ?/g, '$1')
    .trim();
}

const POSTGRES_PARTS = {
  relations: `SELECT c.relname AS name, c.relkind AS kind, c.reloptions AS options FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace`,
  columns: `SELECT c.relname AS "table", a.attnum AS place, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
      l.collname AS collation, a.attnotnull AS "isNotNull", a.attidentity AS identity,
      pg_get_expr(d.adbin, d.adrelid) AS "default"
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    LEFT JOIN pg_collation l ON l.oid = a.attcollation
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`,
  constraints: `SELECT conrelid::regclass::text AS "table", conname AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace`,
  indexes: `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE schemaname = 'public'`,
  triggers: `SELECT tgrelid::regclass::text AS "table", tgname AS name, pg_get_triggerdef(oid) AS definition
    FROM pg_trigger WHERE NOT tgisinternal`,
  functions: `SELECT oid::regprocedure::text AS name, pg_get_functiondef(oid) AS definition
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
  sequences: `SELECT sequencename AS name, data_type::text AS type, increment_by AS step FROM pg_sequences
    WHERE schemaname = 'public'`,
  rows: `SELECT part FROM revision UNION ALL SELECT 'log of no guild' FROM audit_counter WHERE guild_no = 0`,
};

/** The schema of a PostgreSQL store, as its catalogue has it. */
export async function postgresSchemaOf(database: TestDatabase): Promise<Record<string, string[]>> {
  const parts = Object.entries(POSTGRES_PARTS).map(async ([part, sql]) => {
    const rows = await database.query(sql);
    return [part, rows.map((row) => JSON.stringify(row)).sort()] as const;
  });
  return Object.fromEntries(await Promise.all(parts));
}
