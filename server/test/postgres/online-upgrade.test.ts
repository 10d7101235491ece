import pg from 'pg';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { OperatorError } from '../../src/domain/errors.ts';
import type { UpgradeEvent } from '../../src/store/operations/migrate.ts';
import { OF_A_COMMAND } from '../../src/store/operations/step-runner.ts';
import { finishPostgresSteps } from '../../src/store/postgres/background-steps.ts';
import { parseDatabaseUrl } from '../../src/store/postgres/connection.ts';
import { upgradePostgres } from '../../src/store/postgres/migrate.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { newerSchema } from './newer-schema.ts';

const ROWS = 3_000;
const BACKFILL = `-- step: expand
ALTER TABLE verification ADD COLUMN fills bigint;
-- step: backfill verification by chat_id
UPDATE verification SET fills = coalesce(fills, 0) + 1 WHERE $batch;
-- step: index
DROP INDEX verification_by_name;
CREATE INDEX verification_by_name ON verification (name_key, fills);
CREATE INDEX verification_by_fills ON verification (fills);
`;
const FILLED = 'SELECT fills::int AS fills, count(*)::int AS count FROM verification GROUP BY 1';
const INDEXES = `SELECT indexrelid::regclass::text AS name, indisvalid AS "isValid" FROM pg_index
  WHERE indrelid = 'verification'::regclass AND indexrelid::regclass::text LIKE 'verification_by%' ORDER BY 1`;
const PHASES = 'SELECT phase FROM pg_stat_progress_create_index WHERE datname = current_database()';
const STEPS = 'SELECT version FROM schema_step';

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
  onTestFinished(database.remove);
  await database.query(
    `INSERT INTO verification SELECT 'c' || n, 'p' || n, 'u', 'u', n FROM generate_series(1, ${ROWS}) AS n`,
  );
});

function upgrade(sql: string, onEvent?: (event: UpgradeEvent) => void) {
  return upgradePostgres(parseDatabaseUrl(database.url), { schema: newerSchema(sql), onEvent });
}

function finish(
  sql: string,
  onEvent: (event: UpgradeEvent) => void = () => {},
  stop = new AbortController(),
) {
  return finishPostgresSteps(parseDatabaseUrl(database.url), newerSchema(sql).steps, {
    pace: OF_A_COMMAND,
    onEvent,
    stop: stop.signal,
  });
}

async function connect() {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describe('a migration with a backfill', () => {
  it('is applied before its backfill, which is then run to its end', async () => {
    expect(await upgrade(BACKFILL)).toMatchObject({ applied: [{ name: 'later' }], hasUnfinished: true });
    expect(await database.query(FILLED)).toEqual([{ fills: null, count: ROWS }]);
    const events: UpgradeEvent[] = [];
    await finish(BACKFILL, (event) => events.push(event));
    expect(await database.query(FILLED)).toEqual([{ fills: 1, count: ROWS }]);
    expect(await database.query(INDEXES)).toEqual([
      { name: 'verification_by_fills', isValid: true },
      { name: 'verification_by_name', isValid: true },
      { name: 'verification_by_player', isValid: true },
    ]);
    const [index] = await database.query(
      `SELECT pg_get_indexdef('verification_by_name'::regclass) AS definition`,
    );
    expect(index?.definition).toMatch(/\(name_key, fills\)$/);
    expect(await database.query(STEPS)).toEqual([]);
    const completed = events.filter(({ kind }) => kind === 'completed');
    expect(completed).toEqual([
      {
        kind: 'completed',
        step: expect.stringMatching(/ later, backfill of verification$/),
        durationMs: expect.any(Number),
      },
      { kind: 'completed', step: expect.stringMatching(/ later, index$/), durationMs: expect.any(Number) },
    ]);
  });

  it('goes on where it was interrupted, and fills each row once', async () => {
    await upgrade(BACKFILL);
    const stop = new AbortController();
    const stopped = finish(BACKFILL, ({ kind }) => kind === 'backfilling' && stop.abort(), stop);
    await expect(stopped).rejects.toThrow('aborted');
    const [left] = await database.query('SELECT rows_done::int AS done FROM schema_step WHERE rows_done > 0');
    expect(left?.done).toBeGreaterThan(0);
    expect(left?.done).toBeLessThan(ROWS);
    await finish(BACKFILL);
    expect(await database.query(FILLED)).toEqual([{ fills: 1, count: ROWS }]);
  });

  it('reads the rows of a batch by their key, also when another index has its columns', async () => {
    await database.query(
      'CREATE TABLE entry (guild_no bigint, entry_no bigint, at bigint, PRIMARY KEY (guild_no, entry_no))',
    );
    await database.query('CREATE INDEX entry_by_time ON entry (guild_no, at, entry_no)');
    await database.query(`INSERT INTO entry SELECT 1, n, n FROM generate_series(1, ${ROWS}) AS n`);
    await database.query('VACUUM ANALYZE entry');
    const sql = `-- step: expand
ALTER TABLE entry ADD COLUMN filled bigint;
-- step: backfill entry by guild_no, entry_no
UPDATE entry SET filled = at WHERE $batch;
`;
    await upgrade(sql);
    await finish(sql);
    expect(await database.query('SELECT count(filled)::int AS count FROM entry')).toEqual([{ count: ROWS }]);
    expect(
      await database.query(
        `SELECT idx_scan::int AS scans FROM pg_stat_user_indexes WHERE indexrelname = 'entry_by_time'`,
      ),
    ).toEqual([{ scans: 0 }]);
  });

  it('is run by one of several instances, and each row is filled once', async () => {
    await upgrade(BACKFILL);
    await Promise.all([finish(BACKFILL), finish(BACKFILL), finish(BACKFILL)]);
    expect(await database.query(FILLED)).toEqual([{ fills: 1, count: ROWS }]);
    expect(await database.query(STEPS)).toEqual([]);
  });

  it('is applied once by instances that start at the same moment', async () => {
    const upgraded = await Promise.all(Array.from({ length: 5 }, () => upgrade(BACKFILL)));
    expect(upgraded.flatMap(({ applied }) => applied)).toHaveLength(1);
    expect(upgraded.map(({ hasUnfinished }) => hasUnfinished)).toEqual([true, true, true, true, true]);
  });
});

describe('a statement that does not get its lock', () => {
  it('gives up, so that others do not wait behind it, and is repeated', async () => {
    const reader = await connect();
    await reader.query('BEGIN; SELECT FROM verification LIMIT 1');
    const events: UpgradeEvent[] = [];
    const repeated = Promise.withResolvers<void>();
    const upgrading = upgrade('ALTER TABLE verification ADD COLUMN later bigint;', (event) => {
      events.push(event);
      if (event.kind === 'repeating') {
        repeated.resolve();
      }
    });
    await repeated.promise;
    // Its lock request is withdrawn: another statement on the table is answered while the reader still has its lock.
    expect(await database.query('SELECT count(*)::int AS count FROM verification')).toEqual([
      { count: ROWS },
    ]);
    await reader.query('COMMIT');
    await upgrading;
    expect(events.filter(({ kind }) => kind === 'repeating').length).toBeGreaterThan(0);
    expect(events).toContainEqual(
      expect.objectContaining({ reason: 'canceling statement due to lock timeout' }),
    );
  });
});

describe('an index', () => {
  const UNIQUE = 'CREATE UNIQUE INDEX verification_by_username ON verification (username);';

  it('that an interrupted build left invalid is dropped and built again', async () => {
    await expect(
      database.query('CREATE UNIQUE INDEX CONCURRENTLY verification_by_username ON verification (username)'),
    ).rejects.toThrow('could not create unique index');
    expect(await database.query(INDEXES)).toContainEqual({
      name: 'verification_by_username',
      isValid: false,
    });
    await database.query('UPDATE verification SET username = chat_id');
    await upgrade(UNIQUE);
    expect(await database.query(INDEXES)).toContainEqual({ name: 'verification_by_username', isValid: true });
  });

  it('is built while a transaction that has written the table is open', async () => {
    const writer = await connect();
    await writer.query(`BEGIN; UPDATE verification SET username = 'x' WHERE chat_id = 'c1'`);
    const upgrading = upgrade('CREATE INDEX verification_by_time ON verification (verified_at);');
    // The build waits for that transaction. Others read and write the table meanwhile.
    const other = await connect();
    await expect
      .poll(async () => (await other.query(PHASES)).rows)
      .toEqual([{ phase: 'waiting for writers before build' }]);
    await other.query(`UPDATE verification SET username = 'y' WHERE chat_id = 'c2'`);
    await writer.query('COMMIT');
    await upgrading;
    expect(await database.query(INDEXES)).toContainEqual({ name: 'verification_by_time', isValid: true });
  });

  it('is replaced without a moment in which there is none', async () => {
    const reader = await connect();
    // The old index cannot be dropped while a transaction uses it: by then the new one is there.
    await reader.query(`BEGIN; SELECT FROM verification WHERE name_key = 'u'`);
    const sql =
      'DROP INDEX verification_by_name;\nCREATE INDEX verification_by_name ON verification (name_key, chat_id);';
    const upgrading = upgrade(sql);
    await expect
      .poll(() => database.query(INDEXES))
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: 'verification_by_name_next', isValid: true }),
        ]),
      );
    expect(await database.query(INDEXES)).toContainEqual(
      expect.objectContaining({ name: 'verification_by_name' }),
    );
    await reader.query('COMMIT');
    await upgrading;
    expect((await database.query(INDEXES)).map(({ name }) => name)).toEqual([
      'verification_by_name',
      'verification_by_player',
    ]);
  });
});

describe('a migration that fails', () => {
  const FAILING =
    'ALTER TABLE verification ADD COLUMN first bigint;\nALTER TABLE verification ADD COLUMN username text;';

  it('names the statement, and goes on there when it is run again', async () => {
    await expect(upgrade(FAILING)).rejects.toThrow(
      new OperatorError(
        `migration ${newerSchema(FAILING).steps.at(-1)?.version} (later) failed at "ALTER TABLE verification ADD COLUMN username text;", ` +
          'what came before it is kept: column "username" of relation "verification" already exists',
      ),
    );
    await database.query('ALTER TABLE verification RENAME COLUMN username TO user_name');
    await upgrade(FAILING);
    expect(await database.query(STEPS)).toEqual([]);
  });
});
