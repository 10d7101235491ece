import { randomUUIDv7 } from 'node:crypto';
import { archiveStore } from '../../src/compose/archive.ts';
import { SCOPES } from '../../src/domain/model.ts';
import { aPastTransaction } from '../contract/specimens.ts';
import { createFolder } from '../support/folder.ts';
import { sendRaw } from '../support/raw-http.ts';
import { withFullStore, withoutTransfers } from './broken-store.ts';
import { type DashboardService, GUILD, keysPath, type SignedInBrowser } from './dashboard-service.ts';

/** Settings of a service in which every refusal can be caused. */
export const REFUSING_SETTINGS = { COMMANDS_REQUIRE_KEY: 'true', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' };

export interface Refusal {
  code: string;
  status: number;
  requestId: string;
  message: string;
  keyName: string;
}

interface Ask {
  method?: string;
  url: string;
  json?: unknown;
  text?: string;
  headers?: Record<string, string>;
}

const PLAYER = 'refused player';
const POST = { playerId: PLAYER, name: 'Iron', quantity: 1, amount: 5, source: 'shop' };
const post = (changes: object, headers: Record<string, string> = {}): Ask => ({
  method: 'POST',
  url: '/guild/ledger',
  json: { ...POST, ...changes },
  headers,
});
const get = (url: string): Ask => ({ url });

/** Sends real requests of several keys of `GUILD` that are refused, one for each code. */
export async function sendRefusedRequests(
  service: DashboardService,
  olga: SignedInBrowser,
): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  const archivedId = await archiveOne(service);
  await service.addGuild(GUILD, { overdraftAllowed: false });

  async function createKey(name: string, settings: object = {}, scopes: readonly string[] = SCOPES) {
    const expiresAt = new Date(service.clock.nowMs() + 86_400_000).toISOString();
    const { body } = await olga.change('POST', keysPath(GUILD), { name, scopes, expiresAt, ...settings });
    const send = ({ method = 'GET', url, json, text, headers = {} }: Ask) => {
      // Requests at different times have an order, and do not reach a rate limit.
      service.clock.advance(150);
      const content = text ?? (json === undefined ? undefined : JSON.stringify(json));
      return service.fetch(`${service.address}${url}`, {
        method,
        headers: {
          'x-api-key': body.data.key,
          ...(content !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(content !== undefined && { body: content }),
      });
    };
    return {
      send,
      ask: async (ask: Ask) => JSON.parse((await send(ask)).text).data,
      /** The answer has to be a refusal; its code is that of the log. */
      async refuse(code: string, ask: Ask) {
        const reply = await send(ask);
        const { message } = JSON.parse(reply.text);
        if (reply.status < 400) {
          throw new Error(`not refused with ${code}: ${reply.text}`);
        }
        const { status } = reply;
        const requestId = reply.headers.get('x-request-id') ?? '';
        refusals.push({ code, status, message, requestId, keyName: name });
      },
      /** Sends a part of a body, and waits for the answer. */
      async refuseLate(code: string, { method, url }: Ask) {
        const { status, headers, text } = await sendUnfinished(service, `${method} ${url}`, body.data.key);
        const { message } = JSON.parse(text);
        const requestId = headers['x-request-id'] ?? '';
        refusals.push({ code, status, message, requestId, keyName: name });
      },
    };
  }

  const bot = await createKey('Every refusal');
  await bot.refuse('missing_parameters', get('/guild/discharges/'));
  await bot.refuse('discharge_not_found', get('/guild/discharges/none'));
  await bot.refuse('transfer_not_found', get('/guild/transfers/none'));
  await bot.refuse('user_not_found', get('/users/nobody'));
  await bot.refuse('invalid_category', get('/commands?category=a&category=b'));
  await bot.refuse('unknown_parameter', get('/guild/accounts?colour=red'));
  await bot.refuse('missing_fields', { method: 'POST', url: '/guild/ledger', json: {} });
  await bot.refuse('invalid_input', post({ quantity: 0 }));
  await bot.refuse('deposit_conflict', post({ amount: -5, deposit: true }));
  await bot.refuse('withdrawal_conflict', post({ withdrawal: true }));
  await bot.refuse('malformed_json', { method: 'POST', url: '/guild/ledger', text: '{"playerId":' });
  await bot.refuse('body_too_large', post({ name: 'x'.repeat(20_000) }));
  await bot.refuse('unsupported_media_type', post({}, { 'content-type': 'text/plain' }));

  await bot.send(post({}, { 'idempotency-key': 'twice' }));
  await bot.refuse('idempotency_mismatch', post({ amount: 6 }, { 'idempotency-key': 'twice' }));
  await bot.refuse('overdraft', post({ amount: -500 }));
  await bot.send(post({ playerId: 'rich', amount: 900_000_000_000 }));
  await bot.refuse('balance_out_of_range', post({ playerId: 'rich', amount: 900_000_000_000 }));
  const payment = { fromPlayerId: 'rich', toPlayerId: PLAYER, amount: 5, name: 'Loan', source: 'bank' };
  const pay = (changes: object): Ask => ({
    method: 'POST',
    url: '/guild/payments',
    json: { ...payment, ...changes },
  });
  await bot.refuse('insufficient_funds', pay({ fromPlayerId: PLAYER, toPlayerId: 'rich', amount: 500 }));
  const batch: Ask = {
    method: 'POST',
    url: '/guild/transactions',
    json: { transactions: [POST, { ...POST, amount: -5_000 }] },
  };
  await bot.refuse('batch_refused', batch);
  await bot.refuse('transaction_not_found', get('/guild/transactions/none'));
  await bot.refuse('not_sealed_yet', get('/guild/seal/consistency?from=1'));
  await bot.refuse('archived', get(`/guild/transactions/${archivedId}`));

  const reverse = (id: string): Ask => ({
    method: 'POST',
    url: `/guild/transactions/${id}/reversal`,
    json: {},
  });
  const { results } = await bot.ask({ ...batch, json: { transactions: [POST] } });
  const { transaction } = await bot.ask(reverse(results[0].transactionId));
  await bot.refuse('already_reversed', reverse(results[0].transactionId));
  await bot.refuse('is_reversal', reverse(transaction.transactionId));
  const paid = await bot.ask(pay({}));
  const oneSide = {
    method: 'POST',
    url: '/guild/reversals',
    json: { transactionIds: [paid.to.transactionId] },
  };
  await bot.refuse('is_payment', oneSide);
  const { nextCursor } = await bot.ask(get('/guild/accounts?limit=1'));
  await bot.refuse('cursor_mismatch', get(`/guild/accounts?limit=1&sortOrder=asc&cursor=${nextCursor}`));

  const transfer = {
    ...{ playerId: PLAYER, name: 'Rowan', date: '2026-05-02T18:22:05Z', from: 'First', to: 'Second' },
    signed: 'Ash',
  };
  const write = { method: 'PUT', url: '/guild/records/transfers/mine', json: transfer };
  await bot.send(write);
  await bot.refuse('record_changed', { ...write, headers: { 'if-match': '"another"' } });

  const hook = { url: 'http://127.0.0.1:9/hook', kind: 'standard', events: ['discharge.created'] };
  const addHook = { method: 'POST', url: '/guild/webhooks', json: hook };
  const { webhook } = await bot.ask(addHook);
  const hookUrl = `/guild/webhooks/${webhook.id}`;
  await bot.refuse('webhook_not_found', get('/guild/webhooks/none'));
  const replay = (json: object): Ask => ({ method: 'POST', url: `${hookUrl}/replay`, json });
  await bot.refuse('event_not_found', replay({ eventId: 'evt_none' }));
  await bot.send({ method: 'PUT', url: hookUrl, json: { ...hook, status: 'disabled' } });
  await bot.refuse('webhook_disabled', replay({ since: webhook.createdAt }));
  for (let count = 1; count < 10; count += 1) {
    await bot.send(addHook);
  }
  await bot.refuse('webhook_limit', addHook);

  const limited = await createKey('Small posts', { limits: { amountMax: 1, withdrawnPerDayMax: null } });
  await limited.refuse('key_limit_exceeded', post({}));
  const slow = await createKey('Slow', { routeLimits: [{ route: 'getKey', limit: 1, per: 'minute' }] });
  await slow.send(get('/guild/key'));
  await slow.refuse('rate_limited', get('/guild/key'));
  const reader = await createKey('Users only', {}, ['users:read']);
  await reader.refuse('missing_scope', get('/guild/accounts/p'));
  const elsewhere = await createKey('Elsewhere', { networks: ['203.0.113.7'] });
  await elsewhere.refuse('unauthorized', get('/guild/key'));
  await elsewhere.refuse('authentication_required', get('/commands'));

  await bot.refuseLate('request_timeout', post({}));
  await withoutTransfers(service, () => bot.refuse('internal', get('/guild/transfers/none')));
  await withFullStore(service, () =>
    bot.refuse('store_unavailable', { ...write, url: '/guild/records/transfers/another' }),
  );
  for (let count = 0; count < FAILURES_MAX; count += 1) {
    await service.fetch(`${service.address}/guild/key`);
  }
  await elsewhere.refuse('authentication_throttled', get('/guild/key'));
  return refusals;
}

/** Failed authentications of an address, after which further ones are refused. */
const FAILURES_MAX = 100;

/** Sends the head of a request and one byte of its body, and waits for the answer. */
async function sendUnfinished({ app, address }: DashboardService, line: string, key: string) {
  const { server } = app;
  const { requestTimeout, headersTimeout } = server;
  // Node looks once a second for requests that have taken longer than the longer of these two.
  Object.assign(server, { requestTimeout: 500, headersTimeout: 500 });
  const headers = ['host: x', `x-api-key: ${key}`, 'content-type: application/json', 'content-length: 100'];
  const bytes = `${line} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n{`;
  const reply = await sendRaw(Number(new URL(address).port), bytes);
  Object.assign(server, { requestTimeout, headersTimeout });
  return reply;
}

/** Returns the id of a transaction that was archived. */
async function archiveOne({ store, guilds, databaseUrl }: DashboardService): Promise<string> {
  const guild = await guilds.find(GUILD);
  const transactionId = randomUUIDv7();
  const createdAtMs = Date.parse('2021-03-01T00:00:00Z');
  await store.ledger.import(guild, [
    aPastTransaction(guild, { playerId: PLAYER, transactionId, createdAtMs }),
  ]);
  await archiveStore(
    { databaseUrl, idempotencyDays: 30 },
    {
      before: '2021-03-11',
      folder: createFolder(),
      guildId: GUILD,
      isDryRun: false,
      nowMs: Date.now(),
      stop: new AbortController().signal,
      onProgress: () => {},
    },
  );
  return transactionId;
}
