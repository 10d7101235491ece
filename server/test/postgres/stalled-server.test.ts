import { connect } from 'node:net';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { LONG_TEST, untilTrue } from '../support/patience.ts';
import { listenOnFreePort, requestText } from '../support/raw-http.ts';
import { startTestService, type TestService, transactionBody } from '../support/service.ts';
import { createPostgresServer } from './server.ts';

const GUILD_ID = '1491363316481801678';
/** More than one key may have on their way. */
const POSTS = 70;

/** A service on a server of its own, which the test can stop. */
async function startOnOwnServer() {
  const server = await createPostgresServer();
  onTestFinished(() => server.remove());
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  await client.query('CREATE DATABASE stalled');
  await client.end();
  const service = await startTestService({ DATABASE_URL: server.url('stalled'), SECRET_KEY: 'k'.repeat(32) });
  onTestFinished(() => service.stop());
  return { server, service };
}

function countConnections({ app }: TestService): Promise<number> {
  return new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)));
}

test(
  'posts that were given up while the database did not answer do not lock their key out',
  LONG_TEST,
  async () => {
    const { server, service } = await startOnOwnServer();
    await service.addGuild(GUILD_ID);
    const { value: key } = await service.addKey(GUILD_ID);
    const port = await listenOnFreePort(service.app);
    let received = 0;
    service.app.server.on('request', () => {
      received += 1;
    });
    const body = JSON.stringify(transactionBody());
    const headers = [`x-api-key: ${key}`, 'content-type: application/json'];

    server.pause();
    // The key has not been used, so that each post waits for the database to know it.
    const clients = Array.from({ length: POSTS }, () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(requestText('POST /guild/ledger HTTP/1.1', headers, body));
      return socket;
    });
    await untilTrue(() => received === POSTS);
    for (const socket of clients) {
      socket.destroy();
    }
    await untilTrue(async () => (await countConnections(service)) === 0);
    server.resume();

    const post = () =>
      service.send({ method: 'POST', url: '/guild/ledger', key, payload: transactionBody() });
    const reply = await post();
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  },
);
