import { expect, it } from 'vitest';
import { loadSchema } from '../../src/store/postgres/schema.ts';
import { splitStatements } from '../../src/store/postgres/split-statements.ts';

it('a text is split at the ends of its statements, and not within a body', () => {
  const body =
    'CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$\nBEGIN\n  -- Why;\n  PERFORM 1;\nEND $$;';
  const sql = `-- What it is;\nSELECT 1;\n\nSELECT\n  2; \n${body}\nDO $$ BEGIN PERFORM 3; END $$;\nSELECT 4`;
  expect(splitStatements(sql)).toEqual([
    'SELECT 1;',
    'SELECT\n  2; ',
    body,
    'DO $$ BEGIN PERFORM 3; END $$;',
    'SELECT 4',
  ]);
});

it('each function is one statement', () => {
  const statements = splitStatements(loadSchema().functions.sql);
  const [made, others] = [true, false].map((isMade) =>
    statements.filter((statement) => statement.startsWith('CREATE OR REPLACE FUNCTION') === isMade),
  );
  expect(made).toHaveLength(18);
  expect(others).toHaveLength(2);
});
