import { copyFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../postgres/database.ts';
import { createOlderDatabase } from '../postgres/older-database.ts';
import { runInShared } from '../support/command-runner.ts';
import { createFolder } from '../support/folder.ts';
import { createPosterOn, storeSettings } from '../support/load.ts';
import { createNewerProgram } from '../support/newer-program.ts';
import { OLDER_VERSION, writeOlderStore } from '../support/older-store.ts';
import { untilTrue } from '../support/patience.ts';
import { runCommand, startServer } from '../support/process.ts';
import { openStoreFile, readStore } from '../support/read-store.ts';

const ROWS = 20_000;
const MIGRATION = `-- step: expand
ALTER TABLE command ADD COLUMN later bigint;
-- step: backfill verification by chat_id
UPDATE verification SET verified_at = verified_at + 1 WHERE $batch;
`;
const FILLED = 'SELECT verified_at AS fills, count(*) AS count FROM verification GROUP BY 1';
const COMPLETE = 'a step of the upgrade in the background is complete';
const aPost = (name: string) => ({ playerId: 'p1', name, amount: 1, quantity: 1 });

describe('a backfill on PostgreSQL', () => {
  test('runs while the new version serves, beside the older one, with its progress in the metrics', async () => {
    const database = await createDatabase();
    onTestFinished(database.remove);
    await database.query(
      `INSERT INTO verification SELECT 'c' || n, 'p' || n, 'u', 'u', 0 FROM generate_series(1, ${ROWS}) AS n`,
    );
    await database.query('ANALYZE verification');
    const poster = await createPosterOn(database.url, 2);
    const options = { cwd: createFolder(), env: storeSettings(database.url) };
    const older = await startServer(options);
    // Keeps the backfill from its end: its last batch waits for this row.
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query(`BEGIN; SELECT FROM verification ORDER BY chat_id DESC LIMIT 1 FOR UPDATE`);
    const newer = await startServer({
      ...options,
      program: createNewerProgram({ engine: 'postgres', sql: MIGRATION }),
    });
    expect(await poster.refusalOf(newer.address, aPost('first'))).toBeUndefined();
    expect(await poster.refusalOf(older.address, aPost('second'))).toBeUndefined();
    const metrics = await newer.readMetrics();
    expect(metrics).toMatch(/^guildbook_upgrade_steps 1$/m);
    expect(metrics).toMatch(
      new RegExp(
        `^guildbook_upgrade_rows\\{step="\\d+ later, backfill of verification",rows="all"\\} ${ROWS}$`,
        'm',
      ),
    );
    expect(newer.output.some((line) => line.includes(COMPLETE))).toBe(false);
    await holder.query('COMMIT');
    await holder.end();
    await untilTrue(() => newer.output.some((line) => line.includes(COMPLETE)));
    expect(await database.query(FILLED)).toEqual([{ fills: '1', count: String(ROWS) }]);
  });

  test('is run to its end by migrate, which shows each step', async () => {
    const database = await createDatabase();
    onTestFinished(database.remove);
    await database.query(
      `INSERT INTO verification SELECT 'c' || n, 'p' || n, 'u', 'u', 0 FROM generate_series(1, ${ROWS}) AS n`,
    );
    const program = createNewerProgram({ engine: 'postgres', sql: MIGRATION });
    const migrated = await runCommand(['migrate'], {
      cwd: createFolder(),
      env: storeSettings(database.url),
      program,
    });
    expect(migrated.status).toBe(0);
    expect(migrated.stdout).toMatch(
      / 1 of 1: \d+ later \(.* s\)\n(?:.*\n)+ {2}\d+ later, backfill of verification \(.* s\)\n$/,
    );
    expect(await database.query(FILLED)).toEqual([{ fills: '1', count: String(ROWS) }]);
  });
});

describe('a backfill on SQLite', () => {
  test('runs in the commits of posts while the new version serves', async () => {
    const cwd = createFolder();
    const file = path.join(cwd, 'store.db');
    const poster = await createPosterOn(`sqlite:${file}`, 20);
    const db = openStoreFile(file);
    db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
      INSERT INTO verification SELECT 'c' || i, 'p' || i, 'u', 'u', 0 FROM n`);
    db.close();
    const program = createNewerProgram({ engine: 'sqlite', sql: MIGRATION.replace('bigint', 'INTEGER') });
    const server = await startServer({ cwd, env: storeSettings(`sqlite:${file}`), program });
    let posts = 0;
    while (!server.output.some((line) => line.includes(COMPLETE))) {
      posts += 1;
      await untilTrue(() => poster.post(server.address, aPost(`post-${posts}`)));
    }
    expect(readStore(file, (store) => store.prepare(FILLED).all())).toEqual([{ fills: 1, count: ROWS }]);
    expect(posts).toBeGreaterThan(0);
    expect(await server.readMetrics()).toMatch(/^guildbook_upgrade_steps 0$/m);
  });
});

describe('migrate --plan', () => {
  test('prints the steps of a PostgreSQL store with their locks, and changes nothing', async () => {
    const database = await createOlderDatabase();
    const place = { cwd: createFolder(), env: storeSettings(database.url) };
    const { status, stdout } = await runInShared(['migrate', '--plan'], place);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Schema version 18, and \d+ after the upgrade\. Nothing was changed\.\n/);
    const line = (work: string) => stdout.split('\n').find((one) => one.endsWith(work)) ?? '';
    expect(line('ALTER TABLE webhook ADD COLUMN due_at bigint')).toMatch(
      /^27 due-webhooks +expand +before serving +- +0\.0 s +ACCESS EXCLUSIVE on webhook, under 1 s +/,
    );
    expect(line('replace index verification_by_player')).toMatch(
      /^24 holder-order +expand +before serving +\S+ +0\.0 s +SHARE UPDATE EXCLUSIVE: others read and write +/,
    );
    const [present] =
      await database.query(`SELECT count(*)::int AS migrations, to_regclass('schema_step') AS steps
      FROM schema_migration`);
    expect(present).toEqual({ migrations: OLDER_VERSION.postgres, steps: null });
  });

  test('prints the steps of an embedded store, and changes nothing', async () => {
    const cwd = createFolder();
    const file = path.join(cwd, 'data', 'guildbook.db');
    writeOlderStore(file);
    copyFileSync(file, path.join(cwd, 'before.db'));
    const { status, stdout } = await runInShared(['migrate', '--plan'], { cwd });
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^Schema version 15, and \d+ after the upgrade\. Nothing was changed\.\nFirst the store is copied/,
    );
    expect(stdout).toMatch(
      /^16 webhook-event-times +expand +before serving .* write lock: nobody posts +ALTER TABLE /m,
    );
    const before = readStore(path.join(cwd, 'before.db'), schemaOf);
    expect(readStore(file, schemaOf)).toEqual(before);
  });

  test('says that a store is up to date, and that there is none yet', async () => {
    const cwd = createFolder();
    expect((await runInShared(['migrate', '--plan'], { cwd })).stdout).toMatch(
      /^Schema version 0, and \d+ after the upgrade\. Nothing was changed\.\nThere is no store yet: a new one is made\.\n$/,
    );
    await runInShared(['migrate'], { cwd });
    expect((await runInShared(['migrate', '--plan'], { cwd })).stdout).toMatch(
      /^The store is up to date: it has schema version \d+\.\n$/,
    );
  });
});

const schemaOf = (db: Parameters<Parameters<typeof readStore>[1]>[0]) =>
  db.prepare('SELECT type, name, sql FROM sqlite_schema').all();
