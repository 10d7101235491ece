import { channel } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PLAIN_IDEMPOTENCY_KEY, PLAIN_TEXT } from '../../src/http/direct/plain.ts';
import { ListingParams, PostHeaders } from '../../src/wire/ledger.ts';
import { DischargeParams, TransferParams } from '../../src/wire/records.ts';
import { UserParams } from '../../src/wire/users.ts';
import { createSchemaCompiler } from '../../src/wire/validation.ts';
import { CHANGE } from '../contract/specimens.ts';
import { TESTER } from '../support/change.ts';
import { depth } from '../support/depth.ts';
import { reportBytes } from '../support/exchange-report.ts';
import { listenOnFreePort, requestText } from '../support/raw-http.ts';
import { transactionBody } from '../support/service.ts';
import {
  DISCHARGE,
  type FilledService,
  GUILD_ID,
  startFilledService,
  TRANSFER,
  VERIFICATION,
} from './filled-service.ts';
import { expectSameAnswers, startSide } from './same-requests.ts';

const REQUESTS = depth({ normal: 300, deep: 3_000 });
const KEEP_ALIVE_MS = 65_000;
const HOUR_MS = 3_600_000;

let service: FilledService;

beforeAll(async () => {
  service = await startFilledService();
});
afterAll(() => service.stop());

/** Listens with the framework alone, as if there were no direct lane. */
async function listenTheLongWay(app: FastifyInstance): Promise<string> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, app.routing);
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Counts the requests that reach a handler of the framework. */
function countLongWay(): { readonly count: number } {
  const seen = { count: 0 };
  const handled = channel('tracing:fastify.request.handler:start');
  const listener = () => {
    seen.count += 1;
  };
  handled.subscribe(listener);
  onTestFinished(() => {
    handled.unsubscribe(listener);
  });
  return seen;
}

/** Sends each piece once the one before is gone, then waits for the answer or goes away. */
function sendPieces(port: number, pieces: string[], then: 'wait' | 'leave'): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    reportBytes(port, pieces.join(''), () => answer);
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    const sendNext = () => {
      const piece = pieces.shift();
      if (piece !== undefined) socket.write(piece, () => setImmediate(sendNext));
      else if (then === 'leave') socket.end();
    };
    socket.on('connect', sendNext);
    socket.on('data', (part: Buffer) => {
      answer += part.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

describe('the direct lane', () => {
  it('answers like the framework, byte for byte', { timeout: 600_000 }, async () => {
    const direct = await startSide();
    const long = await startSide();
    await expectSameAnswers(direct, { ...long, address: await listenTheLongWay(long.service.app) }, REQUESTS);
  });

  it('takes the plain form of each of the six endpoints', async () => {
    const seen = countLongWay();
    const plain = [
      `/guild/discharges/${DISCHARGE.id}`,
      `/guild/transfers/${TRANSFER.id}`,
      `/users/${VERIFICATION.username}`,
      `/users/chat:${VERIFICATION.chatId}`,
      '/commands',
      '/guild/ledger/48213977/transactions',
      '/guild/ledger/48213977/transactions?page=2&limit=5&sortBy=amount&sortOrder=asc&from=shop&minAmount=1.5',
    ];
    for (const url of plain) {
      expect((await service.send({ url, key: service.key })).status, url).toBe(200);
    }
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'once' };
    const post = { method: 'POST', url: '/guild/ledger', key: service.key, headers } as const;
    expect((await service.send({ ...post, payload: transactionBody() })).status).toBe(200);
    expect((await service.send({ ...post, payload: '{' })).status).toBe(400);
    expect(seen.count).toBe(0);
    expect((await service.send({ url: '/commands?category=x' })).status).toBe(200);
    expect(seen.count).toBe(1);
  });

  it('keeps answers until the record changes, and never for another guild', async () => {
    const discharge = { ...DISCHARGE, id: 'changing' };
    const url = `/guild/discharges/${discharge.id}`;
    const read = async (key: string) => {
      const { status, body } = await service.send({ url, key });
      return [status, body.data?.name];
    };
    const guild = await service.guilds.find(GUILD_ID);
    for (const name of ['First', 'Second', 'Third']) {
      await service.store.records.putDischarges(guild, [{ ...discharge, name }], CHANGE);
      expect(await read(service.key)).toEqual([200, name]);
      expect(await read(service.key)).toEqual([200, name]);
      expect(await read(service.otherKey)).toEqual([404, undefined]);
    }
    await service.store.records.deleteDischarge(guild, discharge.id, CHANGE);
    expect(await read(service.key)).toEqual([404, undefined]);
  });

  it('gives kept answers to nobody whose key lacks the scope, has expired or was deleted', async () => {
    const urls = [`/guild/discharges/${DISCHARGE.id}`, `/users/${VERIFICATION.username}`];
    const wrong = [
      await service.addKey(GUILD_ID, ['guild:write', 'users:read']),
      await service.addKey(GUILD_ID, ['guild:write', 'guild:read']),
    ];
    const shortLived = await service.addKey(GUILD_ID, undefined, HOUR_MS);
    const deleted = await service.addKey(GUILD_ID);
    for (const [index, url] of urls.entries()) {
      const statusOf = async (key: string) => (await service.send({ url, key })).status;
      for (const { value } of [deleted, shortLived, deleted, shortLived]) {
        expect(await statusOf(value)).toBe(200);
      }
      expect(await statusOf(wrong[index]?.value ?? '')).toBe(403);
      expect(await statusOf(wrong[1 - index]?.value ?? '')).toBe(200);
    }
    await service.keys.delete(deleted.keyId, TESTER);
    service.clock.advance(HOUR_MS);
    for (const url of urls) {
      expect((await service.send({ url, key: service.key })).status).toBe(200);
      expect((await service.send({ url, key: deleted.value })).status).toBe(401);
      expect((await service.send({ url, key: shortLived.value })).status).toBe(401);
    }
  });

  it('takes a body that comes in pieces, and nothing of one that never ends', async () => {
    const seen = countLongWay();
    const port = await listenOnFreePort(service.app);
    const body = JSON.stringify(transactionBody());
    const head = requestText('POST /guild/ledger HTTP/1.1', [
      `x-api-key: ${service.key}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
    ]);
    const before = service.countStored();
    await sendPieces(port, [head, body.slice(0, 20)], 'leave');
    expect(service.countStored()).toBe(before);
    expect(await sendPieces(port, [head, body.slice(0, 20), body.slice(20)], 'wait')).toContain('200 OK');
    expect(service.countStored()).toBeGreaterThan(before);
    expect(seen.count).toBe(0);
  });

  it('takes only ids, names and keys that every schema takes', () => {
    const compile = createSchemaCompiler();
    const schemas = {
      dischargeId: DischargeParams,
      transferId: TransferParams,
      query: UserParams,
      playerId: ListingParams,
    };
    const faults = Object.entries(schemas).map(([name, schema]) => {
      const validate = compile(schema);
      return (text: string) => validate({ [name]: text });
    });
    fc.assert(
      fc.property(fc.stringMatching(PLAIN_TEXT), (text) =>
        faults.every((faultOf) => faultOf(text) === undefined),
      ),
    );
    const faultOfHeaders = compile(PostHeaders);
    fc.assert(
      fc.property(
        fc.stringMatching(PLAIN_IDEMPOTENCY_KEY),
        (text) => faultOfHeaders({ 'idempotency-key': text }) === undefined,
      ),
    );
  });
});
