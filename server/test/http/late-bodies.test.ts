import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TESTER } from '../support/change.ts';
import { listenOnFreePort } from '../support/raw-http.ts';
import { transactionBody } from '../support/service.ts';
import { GUILD, keyOrder, keysPath, startDashboardService } from './dashboard-service.ts';
import { errorText, type FilledService, GUILD_ID, startFilledService } from './filled-service.ts';

// A request is admitted when it is complete, not when its head arrives. Every test sends heads first, waits until the
// service has read them, and sends the bodies later.

/** A request whose head the service has read, and whose body it waits for. */
interface OpenRequest {
  /** Sends the body and returns the whole answer. */
  complete(): Promise<string>;
  /** The answer that the service sent without waiting for the body. */
  answer(): Promise<string>;
}

/** Sends a head. The service says that it has read it, because the head asks for that: `100 Continue`. */
async function openRequest(port: number, head: readonly string[], body: unknown): Promise<OpenRequest> {
  const content = JSON.stringify(body);
  const lines = [...head, 'host: x', 'connection: close', 'content-type: application/json'];
  const socket = connect(port, '127.0.0.1');
  const closed = readAll(socket);
  socket.write(
    `${[...lines, `content-length: ${Buffer.byteLength(content)}`, 'expect: 100-continue'].join('\r\n')}\r\n\r\n`,
  );
  await closed.started;
  return {
    complete() {
      socket.write(content);
      return closed.all;
    },
    answer: () => closed.all,
  };
}

function readAll(socket: Socket): { started: Promise<void>; all: Promise<string> } {
  let answer = '';
  const started = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('data', (part) => {
      answer += part.toString();
      resolve();
    });
  });
  const all = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(answer.replace('HTTP/1.1 100 Continue\r\n\r\n', '')));
  });
  return { started, all };
}

const statusOf = (answer: string) => Number(answer.split(' ')[1]);

let service: FilledService;
let port: number;

beforeAll(async () => {
  service = await startFilledService();
  port = await listenOnFreePort(service.app);
});
afterAll(() => service.stop());

const openPost = (key: string, name = 'Iron Ingot') =>
  openRequest(port, ['POST /guild/ledger HTTP/1.1', `x-api-key: ${key}`], transactionBody({ name }));

/** Uses a key once, so that the service knows it. */
async function knownKey(): Promise<{ keyId: string; value: string }> {
  const key = await service.addKey(GUILD_ID);
  expect((await service.send({ url: '/guild/discharges/dis_1', key: key.value })).status).toBe(200);
  return key;
}

test('a key that is deleted while the body is on its way is refused, and nothing is posted', async () => {
  const { keyId, value } = await knownKey();
  const before = service.countStored();
  const post = await openPost(value);
  await service.keys.delete(keyId, TESTER);
  const answer = await post.complete();
  expect(statusOf(answer)).toBe(401);
  expect(answer.endsWith(errorText('Unauthorized - invalid API key'))).toBe(true);
  expect(service.countStored()).toBe(before);
});

test('a key that expires while the body is on its way is refused', async () => {
  const hourMs = 3_600_000;
  const { value } = await service.addKey(GUILD_ID, undefined, hourMs);
  const post = await openPost(value);
  service.clock.advance(hourMs);
  expect(statusOf(await post.complete())).toBe(401);
});

test('posts count when they are complete: heads sent over time do not add up', async () => {
  const { value } = await knownKey();
  const posts = [];
  for (let index = 0; index < 30; index += 1) {
    posts.push(await openPost(value));
    service.clock.advance(200);
  }
  service.clock.advance(2_000);
  const answers = await Promise.all(posts.map((post) => post.complete()));
  expect(answers.map(statusOf).sort()).toEqual([
    ...Array.from({ length: 10 }, () => 200),
    ...Array.from({ length: 20 }, () => 429),
  ]);
});

test('a body that is too large or of another type uses quota, as any faulty request does', async () => {
  const { value } = await knownKey();
  service.clock.advance(2_000);
  const send = (headers: Record<string, string>, payload: string) =>
    service.send({ method: 'POST', url: '/guild/ledger', key: value, headers, payload });
  for (let index = 0; index < 5; index += 1) {
    expect((await send({ 'content-type': 'text/plain' }, 'x')).status).toBe(415);
    expect((await send({ 'content-type': 'application/json' }, 'x'.repeat(20_000))).status).toBe(413);
  }
  expect((await send({ 'content-type': 'text/plain' }, 'x')).status).toBe(429);
});

test('a key may have 64 bodies on their way; one more is refused at once, and other keys are not', async () => {
  const { value } = await knownKey();
  const posts = [];
  for (let index = 0; index < 64; index += 1) {
    posts.push(await openPost(value));
  }
  const answer = await (await openPost(value)).answer();
  expect(statusOf(answer)).toBe(429);
  expect(answer.endsWith(errorText('Too many requests - limit is 64 unfinished requests'))).toBe(true);
  expect(statusOf(await (await openPost((await knownKey()).value)).complete())).toBe(200);
  await Promise.all(posts.map((post) => post.complete()));
  service.clock.advance(2_000);
  expect(statusOf(await (await openPost(value)).complete())).toBe(200);
});

test('a session that is signed out while the body is on its way cannot create a key', async () => {
  const dashboard = await startDashboardService();
  try {
    const browser = await dashboard.signIn('olga');
    const cookies = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const head = [
      `POST ${keysPath(GUILD)} HTTP/1.1`,
      `cookie: ${cookies}`,
      `origin: ${dashboard.address}`,
      `x-csrf-token: ${browser.csrfToken}`,
    ];
    const before = dashboard.count('api_key');
    const create = await openRequest(Number(new URL(dashboard.address).port), head, keyOrder(dashboard));
    expect((await browser.change('POST', '/dashboard/api/sign-out')).status).toBe(200);
    const answer = await create.complete();
    expect(statusOf(answer)).toBe(401);
    expect(dashboard.count('api_key')).toBe(before);
  } finally {
    await dashboard.stop();
  }
});
