import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { seriesOf } from '../support/metrics.ts';
import { untilTrue } from '../support/patience.ts';
import { listenOnFreePort, requestText, sendRaw } from '../support/raw-http.ts';
import { transactionBody } from '../support/service.ts';
import { BEARER, BOT_TOKEN } from './bot-service.ts';
import { GUILD, startDashboardService } from './dashboard-service.ts';
import {
  errorText,
  expectRefusal,
  type FilledService,
  makeFaultyKey,
  startFilledService,
} from './filled-service.ts';

const FILE = 'abcdefghij';
const BODY = JSON.stringify(transactionBody());
const JSON_TYPE = 'content-type: application/json';

let service: FilledService;
let port: number;

beforeAll(async () => {
  const pagesRoot = createFolder();
  mkdirSync(path.join(pagesRoot, 'assets'));
  writeFileSync(path.join(pagesRoot, 'assets', 'letters.js'), FILE);
  service = await startFilledService({ BOT_TOKEN }, { pagesRoot });
  port = await listenOnFreePort(service.app);
});
afterAll(() => service.stop());

const send = (firstLine: string, headers: string[] = [], body?: string) => {
  service.clock.advance(1_001);
  return sendRaw(port, requestText(firstLine, headers, body));
};
const keyLine = () => `x-api-key: ${service.key}`;

describe('HEAD', () => {
  test('of a stream answers its head, holds nothing, and can be repeated', async () => {
    const dashboard = await startDashboardService();
    try {
      const { cookies } = await dashboard.signIn('olga');
      const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
      const at = Number(new URL(dashboard.address).port);
      const types = { events: 'text/event-stream', 'transactions.csv': 'text/csv' };
      for (const [name, type] of Object.entries(types)) {
        // More than one person may have at once.
        for (let count = 0; count < 10; count += 1) {
          const firstLine = `HEAD /dashboard/api/guilds/${GUILD}/${name} HTTP/1.1`;
          const reply = await sendRaw(at, requestText(firstLine, [`cookie: ${cookie}`]));
          expect([reply.status, reply.text]).toEqual([200, '']);
          expect(reply.headers['content-type']).toContain(type);
          await untilTrue(async () => {
            const text = await dashboard.metrics.text();
            const resources = ['live_stream', 'export', 'streamed_answer'];
            return resources.every(
              (resource) => seriesOf(text, `guildbook_http_held_resources{resource="${resource}"}`) === 0,
            );
          });
        }
      }
    } finally {
      await dashboard.stop();
    }
  });

  test('of a file has its length and no content', async () => {
    const reply = await send('HEAD /dashboard/assets/letters.js HTTP/1.1');
    expect([reply.status, reply.headers['content-length'], reply.text]).toEqual([200, '10', '']);
  });
});

describe('a head that can be read in two ways is refused', () => {
  test.each(['GET /commands', 'GET /livez', 'GET /nowhere', 'PUT /commands'])(
    '%s: two hosts',
    async (start) => {
      const reply = await send(`${start} HTTP/1.1`, ['host: other.example']);
      expectRefusal(reply, 400, errorText('Bad request - there is more than one host'));
      expect(reply.headers.connection).toBe('close');
    },
  );

  test.each([
    ['gzip, chunked', 'the only transfer encoding is chunked'],
    ['identity, chunked', 'the only transfer encoding is chunked'],
    [' x , chunked', 'the only transfer encoding is chunked'],
    ['gzip', 'the only transfer encoding is chunked'],
    ['chunked, chunked', 'the request could not be read'],
  ])('transfer-encoding: %s', async (encoding, detail) => {
    const before = service.countStored();
    const chunks = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
    const headers = [keyLine(), JSON_TYPE, `transfer-encoding: ${encoding}`];
    const reply = await sendRaw(port, requestText('POST /guild/ledger HTTP/1.1', headers) + chunks);
    expectRefusal(reply, 400, errorText(`Bad request - ${detail}`));
    expect(reply.headers.connection).toBe('close');
    expect(service.countStored()).toBe(before);
  });

  test('two content types', async () => {
    const headers = [keyLine(), JSON_TYPE, JSON_TYPE];
    const reply = await send('POST /guild/ledger HTTP/1.1', headers, BODY);
    expectRefusal(reply, 415, errorText('Unsupported media type - send application/json'));
  });
});

test.each([
  ['POST /nowhere', 404],
  ['GET /livez', 200],
  ['POST /guild/ledger', 401],
])(
  'a body that cannot be read gets no answer of its own when %s was answered before',
  async (start, status) => {
    const head = `${start} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
    const reply = await sendRaw(port, `${head}no chunk\r\n`);
    expect(reply.status).toBe(status);
    expect(reply.text).not.toContain('HTTP/1.1');
  },
);

describe('100 Continue', () => {
  const EXPECT = 'expect: 100-continue';

  test.each([
    ['no key', () => [], 401],
    ['an unknown key', async () => [`x-api-key: ${await makeFaultyKey(service, 'unknown')}`], 401],
    ['a key without the scope', async () => [`x-api-key: ${await readingKey()}`], 403],
    ['another content type', () => [keyLine(), 'content-type: text/plain'], 415],
    ['a body that is too large', () => [keyLine(), JSON_TYPE, 'content-length: 20000'], 413],
  ])('is not sent to a post with %s', async (_what, headers, status) => {
    const given = await headers();
    const hasLength = given.some((line) => line.startsWith('content-length'));
    const lines = [EXPECT, ...given, ...(hasLength ? [] : [`content-length: ${BODY.length}`])];
    const reply = await send('POST /guild/ledger HTTP/1.1', lines);
    expect(reply.status).toBe(status);
    expect(reply.text).not.toContain('HTTP/1.1');
  });

  test.each([
    ['/bot/import/discharges', 401],
    [`/dashboard/api/guilds/${GUILD}/keys`, 401],
    ['/nowhere', 404],
  ])('is not sent to a stranger who posts to %s', async (url, status) => {
    const reply = await send(`POST ${url} HTTP/1.1`, [EXPECT, JSON_TYPE, 'content-length: 5']);
    expect(reply.status).toBe(status);
    expect(reply.text).not.toContain('HTTP/1.1');
  });

  test('is sent once the key was accepted, also when the body did not wait for it', async () => {
    const reply = await send('POST /guild/ledger HTTP/1.1', [EXPECT, keyLine(), JSON_TYPE], BODY);
    expect(reply.status).toBe(100);
    expect(reply.text).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('is sent to an import with the right token', async () => {
    const headers = [EXPECT, `authorization: ${BEARER.authorization}`, 'content-type: application/x-ndjson'];
    const reply = await send('POST /bot/import/discharges HTTP/1.1', headers, '{}\n');
    expect(reply.status).toBe(100);
    expect(reply.text).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('is not sent to a client of HTTP/1.0, which does not know it', async () => {
    const reply = await send('POST /guild/ledger HTTP/1.0', [EXPECT, keyLine(), JSON_TYPE], BODY);
    expect(reply.status).toBe(200);
  });

  async function readingKey(): Promise<string> {
    return (await service.addKey('814203957731622912', ['guild:read'])).value;
  }
});

describe('a page that has to be unchanged', () => {
  const get = (header: string) => send('GET /dashboard/assets/letters.js HTTP/1.1', [header]);

  test('is sent when it is, and refused when it is not', async () => {
    const { headers } = await get('accept: */*');
    expect((await get(`if-match: ${headers.etag}`)).status).toBe(200);
    expect((await get('if-match: *')).status).toBe(200);
    for (const header of ['if-match: "other"', 'if-unmodified-since: Thu, 01 Jan 1970 00:00:00 GMT']) {
      expectRefusal(await get(header), 412, errorText('Precondition failed'));
    }
  });

  test('is not found when it does not exist', async () => {
    const reply = await send('GET /dashboard/assets/none.js HTTP/1.1', ['if-match: "other"']);
    expectRefusal(reply, 404, errorText('Not found'));
  });
});

describe('a range of a file', () => {
  const get = (range: string) => send('GET /dashboard/assets/letters.js HTTP/1.1', [`range: ${range}`]);

  test.each([
    ['bytes=2-4', 'cde', 'bytes 2-4/10'],
    ['bytes=7-', 'hij', 'bytes 7-9/10'],
    ['bytes=8-99', 'ij', 'bytes 8-9/10'],
    ['bytes=-3', 'hij', 'bytes 7-9/10'],
  ])('%s is sent alone', async (range, text, contentRange) => {
    const reply = await get(range);
    expect([reply.status, reply.text, reply.headers['content-range']]).toEqual([206, text, contentRange]);
  });

  test.each([
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes=4-2',
    'bytes=1-2x',
    'bytes=0x1-2',
    'bytes=--3',
    'lines=1-2',
    'bytes=0-1,8-9',
    'bytes=-99',
  ])('%s is ignored', async (range) => {
    const reply = await get(range);
    expect([reply.status, reply.text, reply.headers['content-range']]).toEqual([200, FILE, undefined]);
  });

  test.each(['bytes=10-', 'bytes=99-100', `bytes=${'9'.repeat(30)}-`, 'bytes=-0'])(
    '%s cannot be satisfied',
    async (range) => {
      const reply = await get(range);
      expectRefusal(reply, 416, errorText('Range not satisfiable'));
      expect(reply.headers['content-range']).toBe('bytes */10');
    },
  );
});
