import path from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { createPoster } from '../support/load.ts';
import { LONG_TEST, untilTrue } from '../support/patience.ts';
import { runCommand, type ServerProcess, startServer } from '../support/process.ts';
import { transactionNames } from '../support/read-store.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

// Tests the statements of docs/operations.md about two services on one SQLite file.

const POSTS = 400;
const WORKERS = 8;
const WARNING = 'another process has this store open';

/** Two services on one file, started one after the other. */
async function startTwo(keyCount: number) {
  const cwd = createFolder();
  const file = path.join(cwd, 'guildbook.db');
  const poster = await createPoster(file, keyCount);
  const env = { DATABASE_URL: `sqlite:${file}`, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' };
  const start = () => startServer({ cwd, env });
  const first = await start();
  const second = await start();
  return { file, poster, first, second, run: (...args: string[]) => runCommand(args, { cwd, env }) };
}

const warns = ({ output }: ServerProcess) => output.some((line) => line.includes(WARNING));

test(
  'posts through both are all there once, each event is delivered once, and the second service warns',
  LONG_TEST,
  async () => {
    const { file, poster, first, second, run } = await startTwo(200);
    const receiver = await startReceiver();
    const [key = ''] = poster.keys;
    const webhook = await first.ask('/guild/webhooks', {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ url: receiver.url, kind: 'standard', events: ['transaction.posted'] }),
    });
    expect(webhook.status).toBe(200);

    const names: string[] = [];
    const work = async (worker: number) => {
      for (let number = worker; number < POSTS; number += WORKERS) {
        const name = `post-${number}`;
        const planned = { playerId: `p${number % 7}`, name, amount: 1, quantity: 1 };
        const { address } = number % 2 === 0 ? first : second;
        // A lock that the other service holds for long is answered with 503: the post is sent again.
        await untilTrue(() => poster.post(address, planned));
        names.push(name);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));

    await receiver.until(POSTS);
    expect(transactionNames(file)).toEqual(names.toSorted());
    expect(await run('verify')).toMatchObject({ status: 0, stdout: 'Everything is in order.\n' });
    expect(await run('backup', 'backup.db')).toMatchObject({ status: 0 });
    const ids = receiver.deliveries.map(({ id }) => id);
    expect(new Set(ids).size).toBe(POSTS);
    expect(ids).toHaveLength(POSTS);
    expect(warns(first)).toBe(false);
    expect(warns(second)).toBe(true);
  },
);

test(
  'a change through one shows in the next answer of the other, and each has a limit of its own',
  LONG_TEST,
  async () => {
    const { poster, first, second, run } = await startTwo(2);
    const [limited = '', deleted = ''] = poster.keys;
    const list = (server: ServerProcess, key: string) =>
      server.ask('/guild/ledger/p1/transactions', { headers: { 'x-api-key': key } });

    const post = { playerId: 'p1', name: 'Iron Ingot', amount: 1, quantity: 1 };
    await untilTrue(() => poster.post(first.address, post));
    const listed = JSON.parse(await (await list(second, limited)).text());
    expect(listed.data.transactions).toHaveLength(1);

    // Both have the key in memory.
    for (const server of [first, second]) {
      expect((await list(server, deleted)).status).toBe(200);
    }
    const keys = JSON.parse((await run('key', 'list', '--guild', 'load', '--json')).stdout);
    const { id } = keys.find(({ name }: { name: string }) => name === 'load 1');
    expect(await run('key', 'delete', id)).toMatchObject({ status: 0 });
    for (const server of [first, second]) {
      expect((await list(server, deleted)).status).toBe(401);
    }

    // Until the first refuses; the second has hardly counted anything by then.
    await untilTrue(async () => {
      const statuses = await Promise.all(
        Array.from({ length: 20 }, async () => (await list(first, limited)).status),
      );
      return statuses.includes(429);
    });
    expect((await list(second, limited)).status).toBe(200);
  },
);
