import path from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { createPoster } from '../support/load.ts';
import { untilTrue } from '../support/patience.ts';
import { startServer } from '../support/process.ts';
import { transactionNames } from '../support/read-store.ts';

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s lets posts under way finish, then ends with status 0',
  async (signal) => {
    const folder = createFolder();
    const file = path.join(folder, 'guildbook.db');
    const poster = await createPoster(file, 20);
    const server = await startServer({ cwd: folder, env: { DATABASE_URL: `sqlite:${file}` } });
    const answered: string[] = [];
    const posts = Array.from({ length: 40 }, async (_, index) => {
      const name = `post-${index}`;
      if (await poster.post(server.address, { playerId: 'p', name, amount: 1, quantity: 1 })) {
        answered.push(name);
      }
    });
    await untilTrue(() => answered.length > 0);
    server.child.kill(signal);
    await Promise.all(posts);
    expect(await server.ended).toEqual({ status: 0, signal: null });

    expect(answered.length).toBeGreaterThan(0);
    expect(transactionNames(file)).toEqual(expect.arrayContaining(answered));
  },
);
