import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { LONG_TEST, untilTrue } from '../support/patience.ts';
import { listenOnFreePort } from '../support/raw-http.ts';
import { startTestService, type TestService } from '../support/service.ts';

// Many addresses hold as many connections as they can. Honest clients must get in nevertheless.

const PROXY = '127.0.0.9';
const HALF_HEAD = 'GET /livez HTTP/1.1\r\nhost: x';
const REQUEST = `${HALF_HEAD}\r\n\r\n`;
/** In place of 10,000, which one process could not open on every machine. */
const CONNECTIONS_MAX = 400;
const WAITING_PER_ADDRESS_MAX = 64;

let service: TestService;
let port: number;
beforeEach(async () => {
  service = await startTestService({ TRUST_PROXY: PROXY });
  port = await listenOnFreePort(service.app);
});
afterEach(async () => {
  service.app.server.closeAllConnections();
  await service.stop();
});

interface Connection {
  socket: Socket;
  text: () => string;
}

async function open(localAddress: string, bytes = ''): Promise<Connection> {
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
  socket.write(bytes);
  return { socket, text: () => text };
}

const isOpen = ({ socket }: Connection) => !socket.closed;
const isAnswered = (connection: Connection) => connection.text().startsWith('HTTP/1.1 200');

/** One after the other, so that their order is known. */
async function openInTurn(count: number, options: { address: string; bytes: string }): Promise<Connection[]> {
  const connections: Connection[] = [];
  for (let index = 0; index < count; index += 1) {
    connections.push(await open(options.address, options.bytes));
  }
  return connections;
}

/** `perAddress` connections of each of `addresses`, from 127.0.1.1 on. */
async function crowd(addresses: number, perAddress: number, bytes: string): Promise<Connection[]> {
  const all: Connection[] = [];
  for (let index = 1; index <= addresses; index += 1) {
    all.push(...(await openInTurn(perAddress, { address: `127.0.1.${index}`, bytes })));
  }
  return all;
}

async function expectServed(address: string): Promise<void> {
  const connection = await open(address, REQUEST);
  await untilTrue(() => connection.text() !== '' || !isOpen(connection));
  expect(isAnswered(connection)).toBe(true);
}

test('an address keeps 64 connections without a request, the newest ones', LONG_TEST, async () => {
  const halves = await openInTurn(150, { address: '127.0.0.2', bytes: HALF_HEAD });
  const kept = halves.slice(-WAITING_PER_ADDRESS_MAX);
  await untilTrue(() => halves.filter(isOpen).length <= WAITING_PER_ADDRESS_MAX);
  expect(halves.map(isOpen)).toEqual(halves.map((one) => kept.includes(one)));
  for (const { socket } of kept) {
    socket.write('\r\n\r\n');
  }
  await untilTrue(() => kept.every(isAnswered));
});

test('many connections at once that send their requests are all served', LONG_TEST, async () => {
  const connections = await Promise.all(Array.from({ length: 300 }, () => open('127.0.0.2', REQUEST)));
  await untilTrue(() => connections.every(isAnswered));
  expect(connections.every(isOpen)).toBe(true);
});

test('half heads of many addresses lock nobody out', LONG_TEST, async () => {
  service.app.server.maxConnections = CONNECTIONS_MAX;
  await crowd(20, 40, HALF_HEAD);
  await expectServed('127.0.0.2');
  // Also at an address that others hold connections from.
  await expectServed('127.0.1.1');
});

test('idle connections of many addresses lock nobody out, and those in use stay', LONG_TEST, async () => {
  service.app.server.maxConnections = CONNECTIONS_MAX;
  // Its body never ends, so that it waits for an answer.
  const { value } = await service.addGuild('1').then(() => service.addKey('1'));
  const head = `POST /guild/ledger HTTP/1.1\r\nhost: x\r\nx-api-key: ${value}\r\ncontent-type: application/json\r\n`;
  const busy = await open('127.0.0.3', `${head}content-length: 2\r\nexpect: 100-continue\r\n\r\n`);
  await untilTrue(() => busy.text().includes('100 Continue'));
  const ofProxy = await open(PROXY, REQUEST);
  await untilTrue(() => isAnswered(ofProxy));
  const idle = await crowd(10, 50, REQUEST);
  await expectServed('127.0.0.2');
  // Idle connections are closed in the order of their age.
  expect(idle.filter(isOpen).length).toBeLessThan(CONNECTIONS_MAX);
  await untilTrue(() => idle.slice(-100).every(isAnswered));
  expect(idle.slice(-100).every(isOpen)).toBe(true);
  expect([busy, ofProxy].every(isOpen)).toBe(true);
  busy.socket.write('{}');
  await untilTrue(() => busy.text().includes('HTTP/1.1 400'));
});

test('connections of a trusted proxy are not closed while they wait', LONG_TEST, async () => {
  const waiting = await openInTurn(100, { address: PROXY, bytes: HALF_HEAD });
  const others = await openInTurn(100, { address: '127.0.0.2', bytes: HALF_HEAD });
  await untilTrue(() => others.filter(isOpen).length <= WAITING_PER_ADDRESS_MAX);
  expect(waiting.every(isOpen)).toBe(true);
});
