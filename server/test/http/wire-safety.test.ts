import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untilTrue } from '../support/patience.ts';
import { listenOnFreePort, requestText, sendRaw } from '../support/raw-http.ts';
import { transactionBody } from '../support/service.ts';
import {
  errorText,
  expectRefusal,
  type FilledService,
  makeFaultyKey,
  startFilledService,
} from './filled-service.ts';

let service: FilledService;
let port: number;

beforeAll(async () => {
  service = await startFilledService({}, { stalledMs: 200 });
  port = await listenOnFreePort(service.app);
});
afterAll(() => service.stop());

/** Sends bytes and returns all that comes back until the connection ends. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (part) => {
      answer += part.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

test('what follows a valid post and cannot be read never gets an answer of its own before it', async () => {
  const body = JSON.stringify(transactionBody());
  const post = [
    'POST /guild/ledger HTTP/1.1',
    'host: x',
    `x-api-key: ${service.key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ].join('\r\n');
  expect(await exchange(`${post}\r\n\r\n${body}GARBAGE\r\n\r\n`)).not.toContain('HTTP/1.1 400');
  expect(await exchange('GARBAGE\r\n\r\n')).toContain('HTTP/1.1 400');
});

test.each([
  ['an empty key before a valid one', (key: string) => ['x-api-key:', `x-api-key: ${key}`]],
  ['a valid key before an empty one', (key: string) => [`x-api-key: ${key}`, 'X-Api-Key:']],
  ['the same key twice', (key: string) => [`x-api-key: ${key}`, `x-api-key: ${key}`]],
])('%s is no valid key', async (_name, lines) => {
  const reply = await sendRaw(port, requestText('GET /guild/discharges/dis_1 HTTP/1.1', lines(service.key)));
  expectRefusal(reply, 401, errorText('Unauthorized - invalid API key'));
});

test('an unknown key costs one look-up, and a throttled address at most five a second', async () => {
  const countMisses = async () => {
    const text = await service.metrics.text();
    return Number(/^guildbook_key_lookups_total\{result="miss"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  const tryUnknown = async () => {
    const key = (await makeFaultyKey(service, 'unknown')) ?? '';
    return (await service.send({ url: '/guild/discharges/dis_1', key })).status;
  };
  const known = await service.send({ url: '/guild/discharges/dis_1', key: service.key });
  expect(known.status).toBe(200);
  const before = await countMisses();
  expect(await tryUnknown()).toBe(401);
  expect(await countMisses()).toBe(before + 1);

  let status = 401;
  while (status === 401) {
    status = await tryUnknown();
  }
  expect(status).toBe(429);
  const throttled = await countMisses();
  for (let index = 0; index < 30; index += 1) {
    expect(await tryUnknown()).toBe(429);
  }
  expect(await countMisses()).toBe(throttled + 5);
  expect((await service.send({ url: '/guild/discharges/dis_1', key: service.key })).status).toBe(200);
  service.clock.advance(60_001);
  expect(await tryUnknown()).toBe(401);
});

test('answers that needed a key are not to be stored, refusals included', async () => {
  const urls = [
    '/guild/discharges/dis_1',
    '/guild/transfers/trf_1',
    '/users/nobody',
    '/guild/ledger/1/transactions',
  ];
  for (const url of urls) {
    expect((await service.ask({ method: 'GET', url })).headers['cache-control'], url).toBe('no-store');
    expect((await service.ask({ method: 'GET', url, key: undefined })).headers['cache-control']).toBe(
      'no-store',
    );
  }
});

test('the dashboard answers with its headers however its address is written', async () => {
  for (const url of ['/dashboard/api/session', '/dashboard/ap%69/session', '/dashboard/api/nothing']) {
    const { headers } = await service.send({ url });
    expect(headers['cache-control'], url).toBe('no-store');
    expect(headers['x-content-type-options'], url).toBe('nosniff');
  }
});

test.each(['limit=1e1', 'limit=10.0', 'limit=+5', 'limit=05', 'page=1e0', 'page=1.0'])(
  '%s is refused',
  async (query) => {
    const url = `/guild/ledger/48213977/transactions?${query}`;
    expect((await service.ask({ method: 'GET', url })).status).toBe(400);
  },
);

test('a connection whose answers nobody reads is closed', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  const request = 'GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n';
  const write = () => {
    // Until neither side's buffers take any more.
    while (!socket.destroyed && socket.write(request.repeat(100)));
  };
  socket.on('drain', write);
  write();
  const count = () =>
    new Promise<number>((resolve) => service.app.server.getConnections((_error, open) => resolve(open)));
  // Without this the count would be 0 before the connection is accepted.
  await untilTrue(async () => (await count()) > 0);
  await untilTrue(async () => (await count()) === 0);
  socket.destroy();
});
