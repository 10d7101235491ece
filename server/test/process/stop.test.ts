import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { createPoster } from '../support/load.ts';
import { startServer } from '../support/process.ts';

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s lets posts under way finish, then ends with status 0',
  async (signal) => {
    const folder = createFolder();
    const file = path.join(folder, 'guildbook.db');
    const poster = await createPoster(file, 20);
    const server = await startServer({ cwd: folder, env: { DATABASE_URL: `sqlite:${file}` } });
    const posts = Array.from({ length: 40 }, async (_, index) => {
      const name = `post-${index}`;
      const isAnswered = await poster.post(server.address, { playerId: 'p', name, amount: 1, quantity: 1 });
      return isAnswered ? name : undefined;
    });
    await Promise.race(posts);
    server.child.kill(signal);
    const answered = (await Promise.all(posts)).filter((name) => name !== undefined);
    expect(await server.ended).toEqual({ status: 0, signal: null });

    expect(answered.length).toBeGreaterThan(0);
    const db = new DatabaseSync(file, { readOnly: true });
    const stored = db.prepare('SELECT name FROM ledger_transaction').all();
    db.close();
    expect(stored.map((row) => row.name)).toEqual(expect.arrayContaining(answered));
  },
);
