import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { OLD_KEY, readOldStore } from '../../../scripts/old-store.ts';
import { createFolder } from '../support/folder.ts';
import { runCommand, startServer } from '../support/process.ts';

const HEADERS = { 'x-api-key': OLD_KEY, 'content-type': 'application/json' };
const POST = { playerId: '48213977', name: 'Iron Ingot', quantity: 3, amount: 12.5, source: 'shop' };

test('a store of version 0.2.0 is upgraded by serving it: its key works, its ledger goes on', async () => {
  const cwd = createFolder();
  mkdirSync(path.join(cwd, 'data'));
  writeFileSync(path.join(cwd, 'data', 'guildbook.db'), readOldStore());
  const server = await startServer({ cwd });
  const post = (idempotencyKey: string) =>
    server.ask('/guild/ledger', {
      method: 'POST',
      headers: { ...HEADERS, 'idempotency-key': idempotencyKey },
      body: JSON.stringify(POST),
    });
  const repeated = await post('old12.5');
  expect(repeated.status).toBe(200);
  expect(repeated.headers.get('idempotency-replayed')).toBe('true');
  const posted = await post('new');
  expect([posted.status, posted.headers.get('account-balance')]).toEqual([200, '95.9997']);
  const listed = await server.ask('/guild/ledger/48213977/transactions', { headers: HEADERS });
  const { data } = JSON.parse(await listed.text());
  const amounts = data.transactions.map(({ amount }: { amount: number }) => amount);
  expect(amounts).toEqual([12.5, 7, -0.0001, 12.5]);
  server.child.kill('SIGTERM');
  expect(await server.ended).toEqual({ status: 0, signal: null });
  expect(await runCommand(['verify'], { cwd })).toMatchObject({ status: 0 });
});
