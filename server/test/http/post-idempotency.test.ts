import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenOnFreePort, requestText, sendRaw } from '../support/raw-http.ts';
import { transactionBody } from '../support/service.ts';
import {
  errorText,
  expectRefusal,
  type FilledService,
  GUILD_ID,
  MARK,
  startFilledService,
} from './filled-service.ts';

const KEY_RULE = errorText(
  'Bad request - idempotency-key must be printable ASCII text of 1 to 255 characters',
);
const MISMATCH = errorText('Unprocessable - this idempotency key was used with another request');

let service: FilledService;

beforeAll(async () => {
  service = await startFilledService();
});
afterAll(() => service.stop());

interface Post {
  idempotencyKey: string;
  changes?: Record<string, unknown>;
  key?: string;
}

const post = ({ idempotencyKey, changes = {}, key = service.key }: Post) =>
  service.ask({
    method: 'POST',
    url: '/guild/ledger',
    key,
    headers: { 'idempotency-key': idempotencyKey },
    payload: transactionBody(changes),
  });

const countOf = async (playerId: string, key = service.key) => {
  const url = `/guild/ledger/${playerId}/transactions`;
  return (await service.ask({ method: 'GET', url, key })).body.pagination.total;
};

test('a first post is no replay', async () => {
  const reply = await post({ idempotencyKey: 'first' });
  expect(reply.status).toBe(200);
  expect(reply.headers).not.toHaveProperty('idempotency-replayed');
});

test('a repeat gets the first answer again, even after later posts, and posts nothing', async () => {
  const changes = { playerId: 'repeated', amount: -2, quantity: 1 };
  const first = await post({ idempotencyKey: 'repeat', changes });
  await post({ idempotencyKey: 'another', changes });
  const again = await post({ idempotencyKey: 'repeat', changes });

  expect(again.status).toBe(200);
  expect(again.text).toBe(first.text);
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect(again.headers['transaction-id']).toBe(first.headers['transaction-id']);
  expect(first.headers['account-balance']).toBe('-2');
  expect(again.headers['account-balance']).toBe('-2');
  expect(await countOf('repeated')).toBe(2);
});

test('repeats that arrive together post once', async () => {
  service.clock.advance(1_001);
  const payload = transactionBody({ playerId: 'together' });
  const headers = { 'idempotency-key': 'together' };
  const send = () =>
    service.send({ method: 'POST', url: '/guild/ledger', key: service.key, headers, payload });
  const replies = await Promise.all(Array.from({ length: 8 }, send));
  expect(new Set(replies.map((reply) => reply.headers['transaction-id'])).size).toBe(1);
  expect(replies.filter((reply) => reply.headers['idempotency-replayed'] === 'true')).toHaveLength(7);
  expect(await countOf('together')).toBe(1);
});

test('the order of the fields, unknown fields and flags that are false do not make another request', async () => {
  const body = transactionBody({ playerId: 'same' });
  const variants = [
    body,
    Object.fromEntries(Object.entries(body).reverse()),
    { ...body, comment: 'ignored' },
    { ...body, deposit: false, withdrawal: false },
  ];
  for (const payload of variants) {
    const headers = { 'idempotency-key': 'same' };
    expect((await service.ask({ method: 'POST', url: '/guild/ledger', headers, payload })).status).toBe(200);
  }
  expect(await countOf('same')).toBe(1);
});

test.each([
  { playerId: 'someone else' },
  { name: 'Gold Ingot' },
  { quantity: 4 },
  { amount: 12.5001 },
  { amount: -12.5 },
  { source: 'market' },
  { deposit: true },
])('the same key with another body is refused: %j', async (changes) => {
  const idempotencyKey = `differs ${JSON.stringify(changes)}`;
  await post({ idempotencyKey });
  const before = service.countStored();
  expectRefusal(await post({ idempotencyKey, changes }), 422, MISMATCH);
  expect(service.countStored()).toBe(before);
  expect((await post({ idempotencyKey })).headers['idempotency-replayed']).toBe('true');
});

test('each guild has its own idempotency keys', async () => {
  const changes = { playerId: 'apart' };
  const ours = await post({ idempotencyKey: 'apart', changes });
  const theirs = await post({
    idempotencyKey: 'apart',
    changes: { ...changes, amount: 1 },
    key: service.otherKey,
  });
  expect(theirs.status).toBe(200);
  expect(theirs.headers).not.toHaveProperty('idempotency-replayed');
  expect(theirs.headers['transaction-id']).not.toBe(ours.headers['transaction-id']);
});

test('keys of one guild share its idempotency keys', async () => {
  const { value } = await service.addKey(GUILD_ID, ['guild:write']);
  const first = await post({ idempotencyKey: 'shared' });
  const again = await post({ idempotencyKey: 'shared', key: value });
  expect(again.headers['transaction-id']).toBe(first.headers['transaction-id']);
});

test('a refused post leaves its key free', async () => {
  const changes = { playerId: 'retried' };
  for (const fault of [{ amount: 0 }, { quantity: 0 }, { name: '' }, { amount: -1, deposit: true }]) {
    const reply = await post({ idempotencyKey: 'retried', changes: { ...changes, ...fault } });
    expect(reply.status).toBe(400);
  }
  const reply = await post({ idempotencyKey: 'retried', changes });
  expect(reply.status).toBe(200);
  expect(reply.headers).not.toHaveProperty('idempotency-replayed');
});

test('a post refused for its balance leaves its key free', async () => {
  await service.addGuild('strict', { overdraftAllowed: false });
  const { value: key } = await service.addKey('strict');
  const changes = { playerId: 'saver', amount: -5, quantity: 1 };
  expect((await post({ idempotencyKey: 'draw', changes, key })).status).toBe(400);
  await post({ idempotencyKey: 'pay', changes: { ...changes, amount: 5 }, key });
  const reply = await post({ idempotencyKey: 'draw', changes, key });
  expect(reply.status).toBe(200);
  expect(reply.headers['account-balance']).toBe('0');
});

test('a repeat is answered for as long as the service lives', async () => {
  const first = await post({ idempotencyKey: 'old' });
  service.clock.advance(20 * 86_400_000);
  const again = await post({ idempotencyKey: 'old' });
  expect(again.headers['transaction-id']).toBe(first.headers['transaction-id']);
});

test.each(['x', 'k'.repeat(255), 'spaces and ~signs!, "quoted"', '__proto__', 'constructor', 'toString'])(
  'the key %s is taken',
  async (idempotencyKey) => {
    const first = await post({ idempotencyKey: idempotencyKey.replace(',', ';') });
    expect(first.status).toBe(200);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    const again = await post({ idempotencyKey: idempotencyKey.replace(',', ';') });
    expect(again.headers['idempotency-replayed']).toBe('true');
  },
);

test.each([
  ['empty', ''],
  ['256 characters long', 'k'.repeat(256)],
  ['not ASCII', `${MARK}é`],
  ['holding a control character', `${MARK}\u0001`],
  ['holding a tab', `${MARK}\tx`],
])('a key that is %s is refused', async (_what, idempotencyKey) => {
  const before = service.countStored();
  expectRefusal(await post({ idempotencyKey }), 400, KEY_RULE);
  expect(service.countStored()).toBe(before);
});

test('missing fields are named before a wrong idempotency key', async () => {
  const reply = await post({ idempotencyKey: '', changes: { name: null } });
  expectRefusal(reply, 400, errorText('Bad request - missing required fields'));
});

test('two idempotency keys are refused, and a comma within one is not', async () => {
  const port = await listenOnFreePort(service.app);
  const send = (...keys: string[]) => {
    service.clock.advance(1_001);
    const lines = keys.map((key) => `idempotency-key: ${key}`);
    const headers = [`x-api-key: ${service.key}`, 'content-type: application/json', ...lines];
    const body = JSON.stringify(transactionBody());
    return sendRaw(port, requestText('POST /guild/ledger HTTP/1.1', headers, body));
  };
  const before = service.countStored();
  const refusal = errorText('Bad request - idempotency-key must be given once');
  expectRefusal(await send(MARK, 'other'), 400, refusal);
  expectRefusal(await send(MARK, MARK), 400, refusal);
  expectRefusal(await send('', MARK), 400, refusal);
  expect(service.countStored()).toBe(before);
  expect((await send('one, with a comma')).status).toBe(200);
  expect((await send('one, with a comma')).headers['idempotency-replayed']).toBe('true');
});
