import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../src/domain/errors.ts';
import { parseSteps } from '../../src/store/operations/migration-steps.ts';
import { toOperations } from '../../src/store/postgres/ddl-operations.ts';
import { loadSchema as loadPostgresSchema } from '../../src/store/postgres/schema.ts';
import { loadSchema as loadSqliteSchema } from '../../src/store/sqlite/schema.ts';

const THREE_STEPS = `-- A class of the balance.
-- step: expand
ALTER TABLE account ADD COLUMN class bigint;
-- step: backfill account by guild_no, account_no
-- Rows that are written meanwhile have it.
UPDATE account SET class = 1
WHERE class IS NULL AND $batch;
-- step: index
CREATE INDEX account_by_class ON account (guild_no, class);
`;

describe('the steps of a migration', () => {
  it('are declared by headings', () => {
    expect(parseSteps('0030-class.sql', THREE_STEPS)).toEqual([
      { kind: 'expand', sql: 'ALTER TABLE account ADD COLUMN class bigint;' },
      {
        kind: 'backfill',
        table: 'account',
        key: ['guild_no', 'account_no'],
        sql: 'UPDATE account SET class = 1\nWHERE class IS NULL AND $batch',
      },
      { kind: 'index', sql: 'CREATE INDEX account_by_class ON account (guild_no, class);\n' },
    ]);
  });

  it('are one expand step in a file without headings', () => {
    expect(parseSteps('0030-x.sql', 'SELECT 1;\n')).toEqual([{ kind: 'expand', sql: 'SELECT 1;\n' }]);
  });

  it.each([
    ['an unknown kind', '-- step: rewrite\nSELECT 1;', 'has an unknown step: rewrite'],
    [
      'a backfill without its key',
      '-- step: backfill account\nSELECT 1;',
      'has an unknown step: backfill account',
    ],
    [
      'a backfill of all rows at once',
      '-- step: backfill account by guild_no\nUPDATE account SET class = 1;',
      'has a backfill without $batch',
    ],
    ['SQL before the first step', 'SELECT 1;\n-- step: index\nSELECT 2;', 'has SQL before its first step'],
    ['an empty step', '-- step: expand\n-- Nothing.\n', 'has an empty step: expand'],
    [
      'an expand step after others',
      '-- step: index\nSELECT 1;\n-- step: expand\nSELECT 2;',
      'has an expand step after a step that runs in the background',
    ],
  ])('are refused with %s', (_, sql, reason) => {
    expect(() => parseSteps('0030-x.sql', sql)).toThrow(
      new OperatorError(`the migration 0030-x.sql ${reason}`),
    );
  });
});

describe('the operations of a step on PostgreSQL', () => {
  it('build, drop and replace indexes outside of transactions, and run the rest as it is', () => {
    const sql = `ALTER TABLE account ADD COLUMN class bigint;
CREATE INDEX one ON account (class);
DROP INDEX two;
DROP INDEX three;
CREATE UNIQUE INDEX three ON account (guild_no, class)
WHERE class > 3;
ALTER TABLE account VALIDATE CONSTRAINT positive;
CREATE TABLE later (id bigint);
CREATE INDEX four ON later (id);
`;
    expect(toOperations(sql)).toEqual([
      { kind: 'statement', sql: 'ALTER TABLE account ADD COLUMN class bigint;', table: 'account' },
      { kind: 'build index', sql: 'CREATE INDEX one ON account (class);', table: 'account', index: 'one' },
      { kind: 'drop index', index: 'two' },
      {
        kind: 'replace index',
        sql: 'CREATE UNIQUE INDEX three ON account (guild_no, class)\nWHERE class > 3;',
        table: 'account',
        index: 'three',
      },
      { kind: 'validate', sql: 'ALTER TABLE account VALIDATE CONSTRAINT positive;', table: 'account' },
      { kind: 'statement', sql: 'CREATE TABLE later (id bigint);', table: 'later' },
      { kind: 'statement', sql: 'CREATE INDEX four ON later (id);', table: undefined },
    ]);
  });
});

/** Statements that rewrite or read a whole table under a lock that stops others, with the form that does not. */
const LONG_LOCKS: readonly [RegExp, string][] = [
  [
    /ADD COLUMN .*\b(?:GENERATED|PRIMARY KEY|UNIQUE|REFERENCES|CHECK)\b/,
    'add a plain column, and a constraint NOT VALID',
  ],
  [/ADD COLUMN .*\bNOT NULL\b(?!.*\bDEFAULT\b)/, 'add a column that may be NULL, or with a constant DEFAULT'],
  [/ALTER COLUMN \w+ (?:SET DATA )?TYPE/, 'add a new column and backfill it'],
  [/ALTER COLUMN \w+ SET NOT NULL/, 'validate a CHECK constraint first'],
  [
    /ADD (?:CONSTRAINT|CHECK|FOREIGN KEY|UNIQUE|PRIMARY KEY)(?!.*\bNOT VALID\b)/,
    'add it NOT VALID and validate it',
  ],
  [/^(?:UPDATE|DELETE|INSERT INTO \w+ SELECT)/, 'use a backfill step'],
  [/CREATE INDEX CONCURRENTLY/, 'write CREATE INDEX: it is built concurrently'],
];

it.each(loadPostgresSchema().steps.map((migration) => [`${migration.version} ${migration.name}`, migration]))(
  'PostgreSQL migration %s has no statement that holds a lock for long',
  (_, { steps }) => {
    const found = steps
      .flatMap((step) => (step.kind === 'backfill' ? [] : toOperations(step.sql)))
      .flatMap((operation) => ('sql' in operation ? [operation.sql] : []))
      .flatMap((sql) =>
        LONG_LOCKS.filter(([form]) => form.test(sql)).map(([, instead]) => `${sql}: ${instead}`),
      );
    expect(found).toEqual([]);
  },
);

it('both engines have the same background steps, except for indexes', () => {
  const backfills = (steps: ReturnType<typeof loadSqliteSchema>['steps']) =>
    steps.flatMap(({ name, steps: own }) =>
      own.flatMap((step) => (step.kind === 'backfill' ? [`${name}: ${step.table}`] : [])),
    );
  expect(backfills(loadSqliteSchema().steps)).toEqual(backfills(loadPostgresSchema().steps));
});
