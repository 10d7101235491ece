import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { listenOnFreePort } from '../support/raw-http.ts';
import { reportBytes } from '../support/request-report.ts';
import { BEARER, type BotService, startBotService } from './bot-service.ts';
import { DISCHARGE, GUILD_ID } from './filled-service.ts';

const BODY_TIMEOUT_MS = 15_000;
const BODY = JSON.stringify(DISCHARGE);

let service: BotService;
let port: number;

beforeAll(async () => {
  service = await startBotService();
  port = await listenOnFreePort(service.app);
});
afterAll(() => service.stop());
// Only the deadline's own clock is held; sockets and the store go on for real.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

interface OpenRequest {
  socket: Socket;
  /** Everything the server sent until it closed the connection. */
  answer: Promise<string>;
}

/** Sends a head that promises the whole body, and one byte of it. */
async function beginRequest(head: string, headers: Record<string, string>): Promise<OpenRequest> {
  const taken = once(service.app.server, 'request');
  const lines = Object.entries({ host: 'localhost', 'content-length': String(BODY.length), ...headers });
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => {});
  const received = () => Buffer.concat(chunks).toString();
  const answer = once(socket, 'close').then(received);
  const text = `${head} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n{`;
  reportBytes(port, text, received);
  socket.write(text);
  await taken;
  return { socket, answer };
}

const PUT = `PUT /bot/guilds/${GUILD_ID}/discharges/${DISCHARGE.id}`;
const JSON_BODY = { ...BEARER, 'content-type': 'application/json' };

test('a body that drips in is cut off after fifteen seconds, however steadily it drips', async () => {
  const { socket, answer } = await beginRequest(PUT, JSON_BODY);
  for (let second = 1; second < BODY_TIMEOUT_MS / 1_000; second += 1) {
    socket.write(BODY.slice(second, second + 1));
    vi.advanceTimersByTime(1_000);
  }
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(1_000);
  const text = await answer;
  expect(text).toMatch(/^HTTP\/1\.1 408 /);
  expect(text).toContain('{"success":false,"message":"Request timeout"}');
});

test('a body that came in time leaves its connection alone afterwards', async () => {
  const { socket } = await beginRequest(PUT, JSON_BODY);
  socket.write(BODY.slice(1));
  const [first] = await once(socket, 'data');
  expect(String(first)).toMatch(/^HTTP\/1\.1 200 /);
  vi.advanceTimersByTime(BODY_TIMEOUT_MS + 1_000);
  socket.write('GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n');
  const [second] = await once(socket, 'data');
  expect(String(second)).toMatch(/^HTTP\/1\.1 200 /);
  socket.destroy();
});

test.each([
  ['of a wrong content type', PUT, { ...BEARER, 'content-type': 'text/plain' }, 415],
  ['without a token', PUT, { 'content-type': 'application/json' }, 401],
  ['of an unknown path', 'POST /nowhere', { 'content-type': 'application/json' }, 404],
])(
  'a refused request %s leaves its connection alone once its body is there',
  async (_name, head, headers, status) => {
    const { socket } = await beginRequest(head, headers);
    socket.write(BODY.slice(1));
    const [first] = await once(socket, 'data');
    expect(String(first)).toContain(`HTTP/1.1 ${status} `);
    vi.advanceTimersByTime(BODY_TIMEOUT_MS + 1_000);
    socket.write('GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n');
    const [second] = await once(socket, 'data');
    expect(String(second)).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  },
);

describe('a body that never comes', () => {
  test.each([
    ['of the bot', PUT, JSON_BODY],
    ['of the bot with a wrong content type', PUT, { ...BEARER, 'content-type': 'text/plain' }],
    ['of the bot with a wrong token', PUT, { 'content-type': 'application/json' }],
    ['of a post without a key', 'POST /guild/ledger', { 'content-type': 'application/json' }],
    [
      'of an import with a wrong token',
      'POST /bot/import/discharges',
      { 'content-type': 'application/x-ndjson' },
    ],
    ['of an unknown path', 'POST /nowhere', { 'content-type': 'application/json' }],
    ['of a request that needs none', 'GET /commands', {}],
  ])('%s holds its connection no longer than fifteen seconds', async (_name, head, headers) => {
    const { socket, answer } = await beginRequest(head, headers);
    vi.advanceTimersByTime(BODY_TIMEOUT_MS);
    expect(await answer).toMatch(/^HTTP\/1\.1 4|^HTTP\/1\.1 200/);
    socket.destroy();
  });
});

test('an import may take longer than fifteen seconds', async () => {
  const headers = { ...BEARER, 'content-type': 'application/x-ndjson', connection: 'close' };
  const { socket, answer } = await beginRequest('POST /bot/import/discharges', headers);
  vi.advanceTimersByTime(10 * BODY_TIMEOUT_MS);
  socket.write(BODY.slice(1));
  expect(await answer).toContain('{"line":1,"outcome":"unchanged"}');
});
