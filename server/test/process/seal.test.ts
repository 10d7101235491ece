import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { verifyReceipt } from '../../../client/src/index.ts';
import { runInShared } from '../support/command-runner.ts';
import { createFolder } from '../support/folder.ts';
import { createPoster } from '../support/load.ts';
import { untilTrue } from '../support/patience.ts';
import { startServer } from '../support/process.ts';
import { openStoreFile } from '../support/read-store.ts';

test('a served ledger is sealed, verified, and found altered with a checkpoint that was kept', async () => {
  const cwd = createFolder();
  const file = path.join(cwd, 'guildbook.db');
  const poster = await createPoster(file, 1);
  const env = { DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: 'info' };
  const run = (...args: string[]) => runInShared(args, { cwd, env });
  const server = await startServer({ cwd, env });
  const headers = { 'x-api-key': poster.keys[0] ?? '' };
  const get = async (url: string) => (await fetch(`${server.address}${url}`, { headers })).text();
  for (const amount of [1, 2, 3]) {
    await untilTrue(() =>
      poster.post(server.address, { playerId: 'p', name: `post ${amount}`, amount, quantity: 1 }),
    );
  }
  await untilTrue(async () => JSON.parse(await get('/guild/seal')).data?.size === 3);
  const { transactionId } = JSON.parse(await get('/guild/feed')).data.transactions[1];
  const receipt = await get(`/guild/transactions/${transactionId}/receipt`);
  server.child.kill('SIGTERM');
  await server.ended;

  const shown = await run('seal', 'show', '--json');
  const [{ verifierKeys, size }] = JSON.parse(shown.stdout);
  expect(size).toBe(3);
  await verifyReceipt(receipt, verifierKeys);
  writeFileSync(path.join(cwd, 'receipt.json'), receipt);
  const whole = await run('verify', '--checkpoint', 'receipt.json');
  expect([whole.status, whole.stdout]).toEqual([0, '1 checkpoint still holds.\nEverything is in order.\n']);
  expect((await run('seal', 'rotate')).status).toBe(0);
  expect(JSON.parse((await run('seal', 'show', '--json')).stdout)[0].verifierKeys).toHaveLength(2);

  const db = openStoreFile(file);
  db.exec(`UPDATE ledger_transaction SET name = 'altered' WHERE number = 2`);
  db.close();
  const altered = await run('verify', '--checkpoint', 'receipt.json');
  expect(altered.status).toBe(1);
  expect(altered.stderr).toContain(
    'guild load: one of the transactions 1 to 2 is not the one that was sealed',
  );
  expect(altered.stderr).toContain(
    'receipt.json no longer holds: transaction 2 is the first that is not as it was',
  );
});

test('a service says at its start that an older backup was restored', async () => {
  const cwd = createFolder();
  const file = path.join(cwd, 'guildbook.db');
  const poster = await createPoster(file, 1);
  const env = { DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: 'info' };
  const run = (...args: string[]) => runInShared(args, { cwd, env });
  const serveUntilSealed = async (count: number) => {
    const server = await startServer({ cwd, env });
    const headers = { 'x-api-key': poster.keys[0] ?? '' };
    const post = { playerId: 'p', name: `post ${count}`, amount: 1, quantity: 1 };
    await untilTrue(() => poster.post(server.address, post));
    await untilTrue(async () => {
      const reply = await fetch(`${server.address}/guild/seal`, { headers });
      return JSON.parse(await reply.text()).data?.size === count;
    });
    server.child.kill('SIGTERM');
    await server.ended;
  };
  await serveUntilSealed(1);
  expect((await run('backup', 'backup.db')).status).toBe(0);
  await serveUntilSealed(2);
  expect((await run('restore', '--force', 'backup.db')).status).toBe(0);
  const server = await startServer({ cwd, env });
  await untilTrue(() => server.output.some((line) => line.includes('shorter than it was')));
  server.child.kill('SIGTERM');
  await server.ended;
});
