import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { LONG_TEST, untilTrue } from '../support/patience.ts';
import { listenOnFreePort } from '../support/raw-http.ts';
import { transactionBody } from '../support/service.ts';
import { type FilledService, startFilledService } from './filled-service.ts';

// Clients that never close their own side. The service must give their connections up after its answer.

let service: FilledService;
let port: number;
beforeAll(async () => {
  service = await startFilledService();
  port = await listenOnFreePort(service.app);
});
afterAll(() => service.stop());

interface HalfOpenClient {
  socket: Socket;
  /** Everything that the service sent until it ended its side. */
  answer: Promise<string>;
}

/** A client that stays connected when the service has ended its side. */
async function openHalf(bytes: string): Promise<HalfOpenClient> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => {
    socket.destroy();
  });
  // Writing to a connection that the service has closed fails.
  socket.on('error', () => {});
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const answer = new Promise<string>((resolve) => socket.once('end', () => resolve(text)));
  await once(socket, 'connect');
  socket.write(bytes);
  return { socket, answer };
}

function countConnections(): Promise<number> {
  return new Promise((resolve) => service.app.server.getConnections((_error, count) => resolve(count)));
}

test('a client that stays half open after a refusal keeps no connection', LONG_TEST, async () => {
  const clients = await Promise.all([
    openHalf('GET /livez HTTP/1.1\r\nhost: x'),
    openHalf(''),
    openHalf('GET /livez HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n\r\n'),
    openHalf(`GET /livez HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`),
  ]);
  const answers = await Promise.all(clients.map(({ answer }) => answer));
  expect(answers.map((text) => text.split(' ')[1])).toEqual(['408', '408', '400', '431']);
  await untilTrue(async () => (await countConnections()) === 0);
});

test('a request that is completed after its 408 is not carried out', LONG_TEST, async () => {
  const body = JSON.stringify(transactionBody());
  const head = [
    'POST /guild/ledger HTTP/1.1',
    'host: x',
    `x-api-key: ${service.key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'connection: close',
  ].join('\r\n');
  const before = service.countStored();
  const [lateHead, lateBody] = await Promise.all([openHalf(head), openHalf(`${head}\r\n\r\n{`)]);
  expect((await lateHead.answer).split(' ')[1]).toBe('408');
  lateHead.socket.write(`\r\n\r\n${body}`);
  expect((await lateBody.answer).split(' ')[1]).toBe('408');
  lateBody.socket.write(body.slice(1));
  await untilTrue(async () => (await countConnections()) === 0);
  // A post that waited in the queue would be stored before this one.
  const reply = await service.ask({ method: 'POST', url: '/guild/ledger', payload: transactionBody() });
  expect(reply.status).toBe(200);
  expect(service.countStored()).toBe(before + 2);
});
