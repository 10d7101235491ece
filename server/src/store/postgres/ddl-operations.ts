import { splitStatements } from './split-statements.ts';

/**
 * A statement of a migration as it is run beside instances that serve. A file has plain statements; from these follows how each is run
 * without a lock that stops others for long.
 */
export type DdlOperation =
  /** Takes its locks for moments: it changes only the catalogue. Runs with the time limits of `online-ddl.ts`. */
  | { kind: 'statement'; sql: string; table: string | undefined }
  /** Reads the whole table, but lets others read and write it. */
  | { kind: 'validate'; sql: string; table: string }
  | { kind: 'build index'; sql: string; table: string; index: string }
  | { kind: 'drop index'; index: string }
  /** DROP INDEX and CREATE INDEX of one name: the new one is built first, so that there is an index at any time. */
  | { kind: 'replace index'; sql: string; table: string; index: string };

const CREATE_INDEX = /^CREATE (?:UNIQUE )?INDEX (\w+) ON (\w+)/;
const DROP_INDEX = /^DROP INDEX (\w+);?$/;
const CREATE_TABLE = /^CREATE TABLE (\w+)/;
const VALIDATE = /^ALTER TABLE (\w+) VALIDATE CONSTRAINT/;
const TABLE = /^(?:ALTER TABLE|CREATE TABLE|DROP TABLE|CREATE TRIGGER \w+ .* ON) (\w+)/;

/** The operations of a step's SQL, in their order. Indexes of a table that the same SQL creates are part of creating it. */
export function toOperations(sql: string): DdlOperation[] {
  const statements = splitStatements(sql).map((text) => text.trim());
  const created = new Set(statements.map((text) => CREATE_TABLE.exec(text)?.[1]));
  const builds = statements.map((text) => CREATE_INDEX.exec(text)?.[1]);
  const drops = statements.map((text) => DROP_INDEX.exec(text)?.[1]);
  return statements.flatMap((text, place): DdlOperation[] => {
    const [, index, table] = CREATE_INDEX.exec(text) ?? [];
    if (index !== undefined && table !== undefined && !created.has(table)) {
      const isReplaced = drops.slice(0, place).includes(index);
      return [{ kind: isReplaced ? 'replace index' : 'build index', sql: text, table, index }];
    }
    const dropped = drops[place];
    if (dropped !== undefined) {
      return builds.slice(place).includes(dropped) ? [] : [{ kind: 'drop index', index: dropped }];
    }
    const validated = VALIDATE.exec(text)?.[1];
    return [
      validated === undefined
        ? { kind: 'statement', sql: text, table: TABLE.exec(text)?.[1] }
        : { kind: 'validate', sql: text, table: validated },
    ];
  });
}

/** The name of an index while it is built to replace another one. */
export function nextName(index: string): string {
  return `${index}_next`;
}

/** The statement that builds the index of an operation concurrently, under a name. */
export function buildSql({ sql, index }: { sql: string; index: string }, name: string): string {
  return sql.replace(`INDEX ${index} ON`, `INDEX CONCURRENTLY ${name} ON`);
}

export function dropSql(index: string): string {
  return `DROP INDEX CONCURRENTLY IF EXISTS ${index}`;
}

export function renameSql(index: string): string {
  return `ALTER INDEX ${nextName(index)} RENAME TO ${index}`;
}

/** The statements of an operation for a script, each in a transaction of its own. */
export function scriptOf(operation: DdlOperation): string[] {
  switch (operation.kind) {
    case 'statement':
    case 'validate':
      return [operation.sql];
    case 'build index':
      return [buildSql(operation, operation.index)];
    case 'drop index':
      return [dropSql(operation.index)];
    case 'replace index':
      return [
        buildSql(operation, nextName(operation.index)),
        dropSql(operation.index),
        renameSql(operation.index),
      ];
  }
}
