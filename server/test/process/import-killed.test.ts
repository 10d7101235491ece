import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../postgres/database.ts';
import { runInShared } from '../support/command-runner.ts';
import { depth } from '../support/depth.ts';
import { createFolder } from '../support/folder.ts';
import { LONG_TEST, untilTrue } from '../support/patience.ts';
import { startCommand } from '../support/process.ts';
import { countRows } from '../support/read-store.ts';
import { GUILD_ID, history } from './command-place.ts';

const ROWS = depth({ normal: 12_000, deep: 60_000 });
/** Shares of the rows after which the import is killed, each time a little later. */
const KILLS = depth({ normal: 3, deep: 10 });

interface Place {
  databaseUrl: string;
  count(): Promise<number>;
}

const PLACES: Record<string, (folder: string) => Promise<Place>> = {
  async SQLite(folder) {
    const file = path.join(folder, 'guildbook.db');
    return { databaseUrl: `sqlite:${file}`, count: async () => countRows(file, 'ledger_transaction') };
  },
  async PostgreSQL() {
    const database = await createDatabase();
    onTestFinished(database.remove);
    const sql = 'SELECT count(*)::int AS count FROM ledger_transaction';
    const count = async () => (await database.query<{ count: number }>(sql))[0]?.count ?? 0;
    return { databaseUrl: database.url, count };
  },
};

test.each(Object.keys(PLACES))(
  `an import that is killed ${KILLS} times loses and doubles nothing, on %s`,
  LONG_TEST,
  async (name) => {
    const cwd = createFolder();
    const place = await PLACES[name]?.(cwd);
    if (place === undefined) {
      throw new Error('there is no such place');
    }
    const env = { DATABASE_URL: place.databaseUrl };
    const lines = history(ROWS);
    writeFileSync(path.join(cwd, 'h.ndjson'), lines);
    await runInShared(['guild', 'set', GUILD_ID, '--name', 'Emberhold'], { cwd, env });

    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = await place.count();
      const { child, ended } = startCommand(['import', 'transactions', 'h.ndjson'], { cwd, env });
      const least = Math.max(before + 1, Math.floor((ROWS * kill) / (2 * KILLS)));
      await untilTrue(async () => child.exitCode !== null || (await place.count()) >= least);
      child.kill('SIGKILL');
      await ended;
    }

    const stored = await place.count();
    const completed = await runInShared(['import', 'transactions', 'h.ndjson'], { cwd, env });
    const number = (value: number) => value.toLocaleString('en-US');
    expect(completed).toMatchObject({ status: 0 });
    expect(completed.stderr).toContain(
      `${number(ROWS - stored)} created, 0 updated, ${number(stored)} unchanged, 0 rejected`,
    );
    const exported = await runInShared(['export', 'transactions', '--format', 'ndjson'], { cwd, env });
    const idOf = (line: string) => JSON.parse(line).transactionId;
    expect(exported.stdout.trim().split('\n').map(idOf)).toEqual(lines.trim().split('\n').map(idOf));
    expect((await runInShared(['verify'], { cwd, env })).stdout).toContain('Everything is in order.');
  },
);
