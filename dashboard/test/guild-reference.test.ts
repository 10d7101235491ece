import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../client/src/index.ts';
import { referenceForGuild } from '../src/docs/reference/for-guild.ts';
import { readDocument } from '../src/docs/reference/read-document.ts';
import { clientSnippet } from '../src/docs/request/client-snippet.ts';
import { initialValues } from '../src/docs/request/form-values.ts';

const document = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));
const whole = readDocument(document);
const ids = { guildId: 'g-1', playerId: "p'1", dischargeId: 'd-1', transferId: 't-1', username: 'Osric' };

const operationsOf = (reference: typeof whole) => reference.groups.flatMap(({ operations }) => operations);
const filled = operationsOf(referenceForGuild(whole, ids));

function operation(id: string) {
  const found = filled.find((candidate) => candidate.id === id);
  if (!found) throw new Error(`No operation ${id}`);
  return found;
}

describe('the reference of one guild', () => {
  test('holds what a guild’s key opens, and nothing of the operator’s bot', () => {
    expect(filled.map(({ id }) => id).sort()).toEqual([
      'createWebhook',
      'deleteDischargeRecord',
      'deleteKey',
      'deleteTransferRecord',
      'deleteWebhook',
      'getAccount',
      'getConsistency',
      'getDischarge',
      'getDischargeRecord',
      'getKey',
      'getKeyUsage',
      'getReceipt',
      'getSeal',
      'getTransaction',
      'getTransfer',
      'getTransferRecord',
      'getVerification',
      'getWebhook',
      'listAccounts',
      'listCommands',
      'listDischargeRecords',
      'listHistory',
      'listKeyRequests',
      'listTransactions',
      'listTransferRecords',
      'listWebhooks',
      'postBatch',
      'postDischargeRecord',
      'postPayment',
      'postReversal',
      'postReversals',
      'postTransaction',
      'postTransferRecord',
      'putDischargeRecord',
      'putTransferRecord',
      'putWebhook',
      'readFeed',
      'replayWebhook',
      'rotateWebhook',
      'testWebhook',
    ]);
    expect(referenceForGuild(whole, ids).credentials.map(({ kind }) => kind)).toEqual(['api-key']);
  });

  test.each([
    ['getDischarge', 'dischargeId', 'd-1'],
    ['getTransfer', 'transferId', 't-1'],
    ['getVerification', 'query', 'Osric'],
    ['listTransactions', 'playerId', "p'1"],
  ])('%s begins with the guild’s own %s', (id, name, value) => {
    expect(initialValues(operation(id)).parameters[`path:${name}`]).toBe(value);
  });

  test('a post begins with the guild’s own player, an answer shows the guild', () => {
    expect(JSON.parse(initialValues(operation('postTransaction')).body)).toMatchObject({ playerId: "p'1" });
    const [success] = operation('getDischarge').responses;
    expect(JSON.parse(success?.examples[0]?.text ?? '')).toMatchObject({ data: { guildId: 'g-1' } });
  });

  test('where the guild has no example, the document’s own stays', () => {
    const none = { ...ids, dischargeId: null, playerId: null, username: null };
    const bare = operationsOf(referenceForGuild(whole, none)).find(({ id }) => id === 'getDischarge');
    expect(bare?.parameters[0]?.example).toBe(operationsOf(whole)[0]?.parameters[0]?.example);
  });
});

describe('snippets of the client library', () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1', apiKey: 'x' });

  /** Runs a snippet with a client that only notes what it was asked for. */
  async function callOf(code: string): Promise<{ method: string; given: unknown[] }> {
    const calls: { method: string; given: unknown[] }[] = [];
    const createNoting = () =>
      Object.fromEntries(
        Object.keys(client).map((method) => [
          method,
          (...given: unknown[]) => {
            calls.push({ method, given: JSON.parse(JSON.stringify(given)) });
            return {};
          },
        ]),
      );
    const script = code.replace(/^import .*$/m, '').replaceAll('await ', '');
    runInNewContext(`{${script}}`, { createClient: createNoting, process: { env: {} } });
    const [call] = calls;
    if (!call) throw new Error('The snippet calls nothing');
    return call;
  }

  test.each([
    ['getDischarge', 'getDischarge', ['d-1']],
    ['getTransfer', 'getTransfer', ['t-1']],
    ['getVerification', 'getUser', ['Osric']],
    ['listTransactions', 'listTransactions', ["p'1", { from: 'shop' }]],
    ['getConsistency', 'getConsistency', [1]],
  ])('%s calls %s as the library offers it', async (id, method, given) => {
    const values = initialValues(operation(id));
    expect(await callOf(clientSnippet('http://a', operation(id), values) ?? '')).toEqual({ method, given });
  });

  test('a post carries the body and the idempotency key, numbers of a query are numbers', async () => {
    const post = operation('postTransaction');
    const values = initialValues(post);
    values.parameters['header:Idempotency-Key'] = 'order 1';
    const call = await callOf(clientSnippet('http://a', post, values) ?? '');
    expect(call).toEqual({
      method: 'postTransaction',
      given: [JSON.parse(values.body), { idempotencyKey: 'order 1' }],
    });
    const list = operation('listTransactions');
    const listed = initialValues(list);
    listed.parameters['query:limit'] = '5';
    const { given } = await callOf(clientSnippet('http://a', list, listed) ?? '');
    expect(given[1]).toMatchObject({ limit: 5 });
  });

  test('every operation of a key has one, which calls what the library offers', async () => {
    for (const one of operationsOf(referenceForGuild(whole, ids))) {
      const { method } = await callOf(clientSnippet('http://a', one, initialValues(one)) ?? '');
      expect(Object.keys(client), one.id).toContain(method);
    }
  });

  test('a batch is its transactions and options, a replaced record its id, fields and tag', async () => {
    const batch = operation('postBatch');
    const values = initialValues(batch);
    values.body = '{"transactions":[{"playerId":"1"}],"atomic":false}';
    values.parameters['header:Idempotency-Key'] = 'b';
    const options = { atomic: false, idempotencyKey: 'b' };
    expect((await callOf(clientSnippet('http://a', batch, values) ?? '')).given).toEqual([
      [{ playerId: '1' }],
      options,
    ]);
    const put = operation('putDischargeRecord');
    const filled = initialValues(put);
    filled.parameters['header:If-Match'] = '"1"';
    const { given } = await callOf(clientSnippet('http://a', put, filled) ?? '');
    expect(given).toEqual([expect.any(String), JSON.parse(filled.body), { ifMatch: '"1"' }]);
  });

  test('what the library does not offer has no snippet', () => {
    const bot = operationsOf(whole).find(({ id }) => id === 'putGuild');
    expect(bot && clientSnippet('http://a', bot, initialValues(bot))).toBeUndefined();
  });
});
