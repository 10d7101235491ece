import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checksumOf, type Schema, type UpgradeEvent } from '../../src/store/operations/migrate.ts';
import { parseSteps } from '../../src/store/operations/migration-steps.ts';
import { backgroundSteps, runBackfillBatch } from '../../src/store/operations/schema-steps.ts';
import { OF_A_COMMAND } from '../../src/store/operations/step-runner.ts';
import { finishSqliteSteps } from '../../src/store/sqlite/background-steps.ts';
import { openConnection } from '../../src/store/sqlite/connection.ts';
import { migrateSqliteFile, upgradeSqliteFile } from '../../src/store/sqlite/migrate.ts';
import { loadSchema } from '../../src/store/sqlite/schema.ts';
import { createSql } from '../../src/store/sqlite/sql.ts';
import { createFolder } from '../support/folder.ts';
import { countRows, readStore } from '../support/read-store.ts';
import { withRaw } from './full-store.ts';

const ROWS = 3_000;
const BACKFILL = `-- step: expand
ALTER TABLE verification ADD COLUMN fills INTEGER;
-- step: backfill verification by chat_id
UPDATE verification SET fills = coalesce(fills, 0) + 1 WHERE $batch;
`;
const CONTRACT = `-- step: contract
DROP INDEX verification_by_name;
`;

/** A store of this program's version with many people. */
function createStore(): string {
  const file = path.join(createFolder(), 'guildbook.db');
  migrateSqliteFile(file);
  withRaw(file, (db) =>
    db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
      INSERT INTO verification SELECT 'c' || i, 'p' || i, 'u', 'u', i FROM n`),
  );
  return file;
}

/** The schema of this program with more migrations. */
function newerSchema(...texts: string[]): Schema {
  const schema = loadSchema();
  const last = schema.oldest.steps.length + schema.steps.length;
  const more = texts.map((sql, index) => {
    const steps = parseSteps('later', sql);
    return { version: last + index + 1, name: 'later', sql, checksum: checksumOf(sql), steps };
  });
  return { ...schema, steps: [...schema.steps, ...more] };
}

function finish(
  file: string,
  { steps }: Schema,
  onEvent: (event: UpgradeEvent) => void = () => {},
  stop = new AbortController(),
) {
  return finishSqliteSteps(file, steps, { pace: OF_A_COMMAND, onEvent, stop: stop.signal });
}

const fillsOf = (file: string) =>
  readStore(file, (db) => db.prepare('SELECT fills, count(*) AS count FROM verification GROUP BY 1').all());
const hasNames = (file: string) =>
  readStore(file, (db) => db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'verification_by_name'").all())
    .length === 1;

describe('a migration with a backfill', () => {
  it('is applied before its backfill, which goes on where it was interrupted and fills each row once', async () => {
    const file = createStore();
    const schema = newerSchema(BACKFILL);
    expect(await upgradeSqliteFile(file, {}, schema)).toEqual({ hasUnfinished: true });
    expect(fillsOf(file)).toEqual([{ fills: null, count: ROWS }]);
    const stop = new AbortController();
    const stopped = finish(file, schema, ({ kind }) => kind === 'backfilling' && stop.abort(), stop);
    await expect(stopped).rejects.toThrow('aborted');
    expect(fillsOf(file)).toHaveLength(2);
    await finish(file, schema);
    expect(fillsOf(file)).toEqual([{ fills: 1, count: ROWS }]);
    expect(countRows(file, 'schema_step')).toBe(0);
    expect(await upgradeSqliteFile(file, {}, schema)).toEqual({ hasUnfinished: false });
  });

  it('is filled once by two processes: each takes the batch after the other’s', async () => {
    const file = createStore();
    const schema = newerSchema(BACKFILL);
    await upgradeSqliteFile(file, {}, schema);
    const [declared] = backgroundSteps(schema.steps);
    if (declared?.step.kind !== 'backfill') throw new Error('the migration has a backfill');
    const { version, stepNo, step } = declared;
    const processes = [openConnection(file), openConnection(file)].map(createSql);
    let isFinished = false;
    for (let turn = 0; !isFinished; turn += 1) {
      const sql = processes[turn % 2];
      if (sql === undefined) throw new Error('there are two');
      ({ isFinished } = await runBackfillBatch(sql, { ...step, version, stepNo, size: 400 }));
    }
    expect(fillsOf(file)).toEqual([{ fills: 1, count: ROWS }]);
  });
});

describe('a contract step', () => {
  it('waits for the backfill before it, and is run by the next start', async () => {
    const file = createStore();
    const schema = newerSchema(BACKFILL, CONTRACT);
    expect(await upgradeSqliteFile(file, {}, schema)).toEqual({ hasUnfinished: true });
    expect(hasNames(file)).toBe(true);
    await finish(file, { ...schema, steps: schema.steps.slice(0, -1) });
    expect(hasNames(file)).toBe(true);
    expect(await upgradeSqliteFile(file, {}, schema)).toEqual({ hasUnfinished: false });
    expect(hasNames(file)).toBe(false);
  });

  it('is run at once when nothing is before it', async () => {
    const file = createStore();
    expect(await upgradeSqliteFile(file, {}, newerSchema(CONTRACT))).toEqual({ hasUnfinished: false });
    expect(hasNames(file)).toBe(false);
  });
});
