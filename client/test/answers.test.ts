import { inspect } from 'node:util';
import { type ClientOptions, createClient, type GuildbookError } from '@guildbook/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Conduct, findDeadAddress, startGateway } from './support/gateway.ts';
import { type Place, startPlace } from './support/place.ts';
import { refusalOf } from './support/refusal.ts';
import { transaction } from './support/specimens.ts';

let place: Place;
beforeAll(async () => {
  place = await startPlace();
});
afterAll(() => place.stop());

/** Asks another path of the real service, as a proxy with a wrong rule would. The metrics have an address of their own. */
function misdirectTo(path: string): Partial<ClientOptions> {
  const urlOf = () => (path === '/metrics' ? place.server.metricsUrl() : place.address + path);
  return { fetch: (_url, init) => fetch(urlOf(), { ...init, method: 'GET', body: null }) };
}

describe('an answer that is not of this interface', () => {
  test.each([
    ['/metrics', 200, 'Answered with status 200 and no JSON of this interface'],
    ['/openapi.json', 200, 'Answered with JSON that is not of this interface'],
    ['/', 302, 'Answered with a redirect and no JSON of this interface'],
  ])('%s is unexpected to every method', async (path, status, message) => {
    const client = place.connect({ ...misdirectTo(path), retries: 0 });
    const errors = await Promise.all([
      refusalOf(client.getDischarge('x')),
      refusalOf(client.getTransfer('x')),
      refusalOf(client.getUser('x')),
      refusalOf(client.listCommands()),
      refusalOf(client.listTransactions('x')),
      refusalOf(Array.fromAsync(client.transactions('x'))),
      refusalOf(client.postTransaction(transaction(), { idempotencyKey: 'k' })),
    ]);
    for (const error of errors) {
      expect(error).toMatchObject({ kind: 'unexpected-answer', status, message });
    }
    expect(errors.at(-1)).toMatchObject({ idempotencyKey: 'k' });
  });

  test('a record is not taken for another, nor a list for a record', async () => {
    const asTransfer = place.connect(misdirectTo('/guild/discharges/dis_1'));
    expect(await refusalOf(asTransfer.getTransfer('x'))).toMatchObject({ kind: 'unexpected-answer' });
    const asUser = place.connect(misdirectTo('/commands'));
    expect(await refusalOf(asUser.getUser('x'))).toMatchObject({ kind: 'unexpected-answer' });
    const asList = place.connect(misdirectTo('/users/48213977'));
    expect(await refusalOf(asList.listCommands())).toMatchObject({ kind: 'unexpected-answer' });
  });

  test.each([
    [{ lastTransactionAt: 5 }, 'unexpected-answer'],
    [{ balance: null }, 'unexpected-answer'],
    [{ lastTransactionAt: null }, undefined],
    [{ lastTransactionAt: undefined }, undefined],
    [{ added: 'later' }, undefined],
  ])('an account with %j is checked by the kinds of its fields', async (changed, kind) => {
    const account = {
      playerId: 'p',
      balance: 1,
      transactionCount: 1,
      lastTransactionAt: '2026-01-05T09:30:00.000Z',
    };
    const answer: Conduct = (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ success: true, data: { ...account, ...changed } }));
    };
    const client = place.connect({ baseUrl: await startGateway(place.address, [answer]), retries: 0 });
    const outcome = await client.getAccount('p').then(
      () => undefined,
      (error: GuildbookError) => error.kind,
    );
    expect(outcome).toBe(kind);
  });

  test('a page of a proxy is not taken for a missing record', async () => {
    const getLost: Conduct = (_request, response) => {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>404</h1>');
    };
    const baseUrl = await startGateway(place.address, [getLost]);
    expect(await refusalOf(place.connect({ baseUrl }).getDischarge('dis_1'))).toMatchObject({
      kind: 'unexpected-answer',
      status: 404,
    });
  });

  test('a proxy that drops the headers of a post is noticed', async () => {
    const strip: Conduct = async (_request, response, passOn) => {
      response.writeHead(200).end(await (await passOn()).text());
    };
    const baseUrl = await startGateway(place.address, [strip]);
    const error = await refusalOf(place.connect({ baseUrl }).postTransaction(transaction()));
    expect(error).toMatchObject({ kind: 'unexpected-answer', status: 200 });
    expect(error.idempotencyKey).toBeTypeOf('string');
  });

  test('a redirect is not followed, so the key stays with the service', async () => {
    const asked: unknown[] = [];
    const elsewhere = await startGateway(place.address, [
      (request, response) => {
        asked.push(request.headers);
        response.end('{}');
      },
    ]);
    const baseUrl = await startGateway(place.address, [
      (_request, response) => response.writeHead(307, { location: `${elsewhere}/` }).end(),
    ]);
    expect(await refusalOf(place.connect({ baseUrl }).postTransaction(transaction()))).toMatchObject({
      kind: 'unexpected-answer',
      status: 307,
    });
    expect(asked).toEqual([]);
  });
});

describe('the key', () => {
  const apiKey = 'gbk_VerySecretVerySecretVerySecretVerySecret123456';

  test('does not show in a client, however it is printed', () => {
    const client = createClient({ baseUrl: place.address, apiKey });
    expect(inspect(client, { depth: Number.POSITIVE_INFINITY, showHidden: true })).not.toContain(apiKey);
    expect(JSON.stringify(client)).toBe('{}');
    expect(String(Object.values(client))).not.toContain(apiKey);
  });

  test('does not show in any error', async () => {
    const echo: Conduct = (request, response) => {
      const message = `no entry for ${request.headers['x-api-key']}`;
      response.writeHead(403).end(JSON.stringify({ message }));
    };
    const silentUrl = await startGateway(place.address, [() => {}]);
    const hidden = createClient({ baseUrl: place.address, apiKey, retries: 0 });
    const errors = [
      await refusalOf(hidden.getDischarge('dis_1')),
      await refusalOf(hidden.getUser('.')),
      await refusalOf(hidden.getUser('x', { signal: AbortSignal.abort() })),
      await refusalOf(hidden.postTransaction(transaction(), { idempotencyKey: '\n' })),
      await refusalOf(createClient({ baseUrl: await findDeadAddress(), apiKey, retries: 0 }).listCommands()),
      await refusalOf(createClient({ baseUrl: silentUrl, apiKey, timeoutMs: 50 }).getUser('x')),
      await refusalOf(
        createClient({ baseUrl: place.address, apiKey, ...misdirectTo('/metrics') }).getUser('x'),
      ),
      await refusalOf(
        createClient({ baseUrl: await startGateway(place.address, [echo]), apiKey }).getTransfer('x'),
      ),
    ];
    expect(errors.map(({ kind }) => kind)).toEqual([
      'unauthorized',
      'bad-request',
      'aborted',
      'bad-request',
      'connection',
      'timeout',
      'unexpected-answer',
      'forbidden',
    ]);
    expect(errors.map(everythingOf).join('\n')).not.toContain(apiKey);
  });
});

function everythingOf(error: GuildbookError): string {
  const shown = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true });
  return [shown, JSON.stringify(error), String(error), error.stack].join('\n');
}

describe('options', () => {
  const right = { baseUrl: 'https://guildbook.example.org', apiKey: 'gbk_x' };

  test.each<[string, Partial<ClientOptions>]>([
    ['baseUrl', { baseUrl: 'guildbook' }],
    ['baseUrl', { baseUrl: 'ftp://guildbook.example.org' }],
    ['baseUrl', { baseUrl: 'https://user:secret@guildbook.example.org' }],
    ['baseUrl', { baseUrl: 'https://guildbook.example.org/?secret' }],
    ['apiKey', { apiKey: '' }],
    ['apiKey', { apiKey: 'secret\n' }],
    ['retries', { retries: -1 }],
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['timeoutMs', { timeoutMs: 2 ** 31 }],
    ['attemptTimeoutMs', { attemptTimeoutMs: 0 }],
  ])('a wrong %s is refused at once, and named without its value: %j', (name, wrong) => {
    const make = () => createClient({ ...right, ...wrong });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(new RegExp(`^${name} must`));
    expect(make).not.toThrow(/secret/);
  });

  test.each([
    ['https://guildbook.example.org', 'https://guildbook.example.org/commands'],
    ['https://guildbook.example.org/', 'https://guildbook.example.org/commands'],
    ['https://example.org:8443/guildbook//', 'https://example.org:8443/guildbook/commands'],
  ])('a baseUrl of %s asks %s', async (baseUrl, expected) => {
    const asked: string[] = [];
    const client = createClient({
      ...right,
      baseUrl,
      retries: 0,
      fetch(url) {
        asked.push(url);
        return Promise.reject(new Error('no'));
      },
    });
    await refusalOf(client.listCommands());
    expect(asked).toEqual([expected]);
  });
});
