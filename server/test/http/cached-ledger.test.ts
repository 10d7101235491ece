import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import { aTransaction } from '../contract/specimens.ts';
import { openStoreOn } from '../store/full-store.ts';
import { listenOnFreePort } from '../support/raw-http.ts';
import { openStoreFile } from '../support/read-store.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let guild: Guild;
let key: string;
let port: number;
beforeAll(async () => {
  service = await startTestService();
  guild = await service.addGuild('g');
  key = (await service.addKey('g')).value;
  port = await listenOnFreePort(service.app);
});
afterAll(() => service.stop());

/** Over a connection, as requests of other programs arrive: only then does a request follow the turn in which another process committed. */
async function read(url: string) {
  service.clock.advance(1_000);
  const { text } = await service.fetch(new URL(url, `http://127.0.0.1:${port}`), {
    headers: { 'x-api-key': key },
  });
  return JSON.parse(text).data;
}

const URLS = ['/guild/accounts/p', '/guild/accounts', '/guild/transactions', '/guild/feed'];

test('answers from memory are never older than a post, through this process or another', async () => {
  const other = await openStoreOn(service.file);
  for (const store of [service.store, other, service.store]) {
    const before = await Promise.all(URLS.map(read));
    expect(await Promise.all(URLS.map(read))).toEqual(before);
    await store.ledger.append(aTransaction(guild, { playerId: 'p', amountUnits: 10_000 }));
    const after = await Promise.all(URLS.map(read));
    expect(after[0].transactionCount).toBe(before[0].transactionCount + 1);
    expect(after[1].accounts[0].balance).toBe(after[0].balance);
    expect(after[2].transactions).toHaveLength(before[2].transactions.length + 1);
    expect(after[3].transactions).toHaveLength(before[3].transactions.length + 1);
  }
  await other.close();
});

test('a transaction in memory tells of its reversal', async () => {
  const posted = await service.send({
    method: 'POST',
    url: '/guild/ledger',
    key,
    payload: { playerId: 'q', name: 'n', quantity: 1, amount: 1, source: 's' },
  });
  const url = `/guild/transactions/${posted.headers['transaction-id']}`;
  const seen = async () => (await read(url)).transaction;
  expect((await seen()).reversedBy).toBeNull();
  const reversed = await service.send({ method: 'POST', url: `${url}/reversal`, key, payload: {} });
  expect((await seen()).reversedBy).toBe(reversed.body.data.transaction.transactionId);
});

test('a person who posted shows under a new name at once', async () => {
  const transaction = aTransaction(guild, { playerId: 'r', keyNo: undefined, postedBy: '101' });
  const rename = (name: string) => {
    const db = openStoreFile(service.file);
    db.prepare('INSERT OR REPLACE INTO chat_user (chat_id, name) VALUES (?, ?)').run('101', name);
    db.close();
  };
  rename('Olga');
  await service.store.ledger.append(transaction);
  const url = `/guild/transactions/${transaction.transactionId}`;
  expect((await read(url)).transaction.postedBy.name).toBe('Olga');
  rename('Helga');
  expect((await read(url)).transaction.postedBy.name).toBe('Helga');
});

test('a player whose id contains a time is not mistaken for another player at that time', async () => {
  const at = '2020-01-01T00:00:00Z';
  await service.store.ledger.append(aTransaction(guild, { playerId: `s ${at}` }));
  expect((await read(`/guild/accounts/s?at=${at}`)).playerId).toBe('s');
  expect((await read(`/guild/accounts/${encodeURIComponent(`s ${at}`)}`)).playerId).toBe(`s ${at}`);
});
