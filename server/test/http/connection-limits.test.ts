import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { untilTrue } from '../support/patience.ts';
import { listenOnFreePort } from '../support/raw-http.ts';
import { openStoreFile } from '../support/read-store.ts';
import { startTestService, type TestService, transactionBody } from '../support/service.ts';

const GUILD_ID = '1491363316481801678';
const CONNECTIONS_MAX = 512;
const PENDING_MAX = 64;
/** Of one key, in a second. */
const POSTS_PER_KEY = 10;
const PROXY = '127.0.0.9';

let service: TestService;
let port: number;
beforeAll(async () => {
  service = await startTestService({ TRUST_PROXY: PROXY });
  await service.addGuild(GUILD_ID);
  port = await listenOnFreePort(service.app);
});
afterAll(() => service.stop());

interface Connection {
  socket: Socket;
  text: () => string;
  isClosed: () => boolean;
}

/** A connection from an address of this machine, closed when the test is over. */
async function open(localAddress: string): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  // The service may reset it.
  socket.on('error', () => {});
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, 'connect');
  return { socket, text: () => text, isClosed: () => socket.closed };
}

/** True when the service answers on the connection; it closes one that it refuses. */
async function isServed(connection: Connection): Promise<boolean> {
  connection.socket.write('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n');
  await untilTrue(() => connection.text() !== '' || connection.isClosed());
  return connection.text().startsWith('HTTP/1.1 200');
}

test('an address may have 512 connections, others are not affected, and a proxy may have more', async () => {
  const openMany = (address: string) =>
    Promise.all(
      Array.from({ length: CONNECTIONS_MAX }, async () => {
        const connection = await open(address);
        expect(await isServed(connection)).toBe(true);
        return connection;
      }),
    );
  const connections = await openMany('127.0.0.1');
  expect(await isServed(await open('127.0.0.1'))).toBe(false);
  expect(await isServed(await open('127.0.0.2'))).toBe(true);

  connections[0]?.socket.destroy();
  // The service learns of it a moment later.
  await untilTrue(async () => isServed(await open('127.0.0.1')));

  await openMany(PROXY);
  expect(await isServed(await open(PROXY))).toBe(true);
});

/** Sends posts on one connection without waiting for answers. */
async function pipeline(count: number): Promise<string> {
  const keys = await Promise.all(
    Array.from({ length: Math.ceil(count / POSTS_PER_KEY) }, () => service.addKey(GUILD_ID)),
  );
  const posts = Array.from({ length: count }, (_, index) => {
    const body = JSON.stringify(transactionBody({ name: `post ${index}` }));
    const key = keys[Math.floor(index / POSTS_PER_KEY)]?.value;
    const head = `POST /guild/ledger HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n`;
    return `${head}content-length: ${body.length}\r\n\r\n${body}`;
  });
  return posts.join('');
}

test('a connection may have 64 requests without an answer; one more ends it', async () => {
  const enough = await pipeline(PENDING_MAX);
  const tooMany = await pipeline(PENDING_MAX + 1);
  // While another process writes, no post is answered.
  const lock = openStoreFile(service.file);
  lock.exec('BEGIN IMMEDIATE');
  onTestFinished(() => {
    if (lock.isOpen) {
      lock.close();
    }
  });
  const [patient, greedy] = [await open('127.0.0.3'), await open('127.0.0.3')];
  patient.socket.write(enough);
  greedy.socket.write(tooMany);
  await untilTrue(greedy.isClosed);
  expect(greedy.text()).toBe('');
  lock.close();
  // All are answered; with 503 where the machine took so long that the store gave up waiting for the lock.
  await untilTrue(() => patient.text().match(/HTTP\/1\.1 (?:200|503) /g)?.length === PENDING_MAX);
  expect(patient.isClosed()).toBe(false);
});
