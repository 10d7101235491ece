import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenOnFreePort, requestText, sendRaw } from '../support/raw-http.ts';
import { transactionBody } from '../support/service.ts';
import {
  ENDPOINT_CASES,
  errorText,
  expectRefusal,
  type FilledService,
  MARK,
  startFilledService,
} from './filled-service.ts';

const UNREADABLE = errorText('Bad request - the request could not be read');
const HEADERS_TOO_LARGE = errorText('Request header fields too large');
const BODY = JSON.stringify(transactionBody({ name: MARK }));

let service: FilledService;
let port: number;

beforeAll(async () => {
  service = await startFilledService();
  port = await listenOnFreePort(service.app);
});
afterAll(() => service.stop());

const send = (firstLine: string, headers: string[] = [], body?: string) => {
  service.clock.advance(1_001);
  return sendRaw(port, requestText(firstLine, headers, body));
};
const keyLine = () => `x-api-key: ${service.key}`;

/** A post written out by hand, as far as the given lines go. */
const postText = (lines: string[], rest = '') =>
  ['POST /guild/ledger HTTP/1.1', 'host: x', 'connection: close', keyLine()]
    .concat('content-type: application/json', lines)
    .join('\r\n')
    .concat('\r\n\r\n', rest);

test.each(ENDPOINT_CASES.filter(({ scope }) => scope !== undefined))(
  'two keys are no key: $name',
  async ({ method, url, payload, isBare }) => {
    const body = payload && JSON.stringify(payload);
    const unauthorized = errorText('Unauthorized - invalid API key', { isBare });
    const before = service.countStored();
    for (const keys of [
      [keyLine(), keyLine()],
      [keyLine(), `x-api-key: ${service.otherKey}`],
      [keyLine(), 'x-api-key:'],
      ['x-api-key: wrong', keyLine()],
      [`X-API-KEY: ${service.otherKey}`, keyLine()],
    ]) {
      const reply = await send(
        `${method} ${url} HTTP/1.1`,
        ['content-type: application/json', ...keys],
        body,
      );
      expectRefusal(reply, 401, unauthorized);
    }
    expect(service.countStored()).toBe(before);
  },
);

test('the name of the key header is matched without regard to case, and blanks around the key are no part of it', async () => {
  const reply = await send('GET /guild/transfers/trf_1 HTTP/1.1', [`X-Api-KEY: \t ${service.key}  `]);
  expect(reply.status).toBe(200);
  expect(reply.text).toBe(ENDPOINT_CASES[1]?.successText);
});

test.each([
  ['no HTTP at all', `${MARK}\r\n\r\n`],
  ['an unknown method', `${MARK.toUpperCase()} /commands HTTP/1.1\r\nhost: x\r\n\r\n`],
  ['a method in lower case', 'get /commands HTTP/1.1\r\nhost: x\r\n\r\n'],
  ['an unknown version', 'GET /commands HTTP/9.9\r\nhost: x\r\n\r\n'],
  ['another protocol', 'GET /commands SPDY/1\r\nhost: x\r\n\r\n'],
  ['a path without its slash', `GET ${MARK} HTTP/1.1\r\nhost: x\r\n\r\n`],
  ['a blank in the path', `GET /users/${MARK} b HTTP/1.1\r\nhost: x\r\n\r\n`],
  ['a NUL in the path', `GET /users/${MARK}\0 HTTP/1.1\r\nhost: x\r\n\r\n`],
  ['bytes above ASCII in the path', `GET /users/${MARK}é HTTP/1.1\r\nhost: x\r\n\r\n`],
  ['a header without a colon', `GET /commands HTTP/1.1\r\nhost: x\r\n${MARK}\r\n\r\n`],
  ['a header name with a blank', `GET /commands HTTP/1.1\r\nhost: x\r\n${MARK} : 1\r\n\r\n`],
  ['a NUL in a header', `GET /commands HTTP/1.1\r\nhost: x\r\nx-a: ${MARK}\0\r\n\r\n`],
  ['a header over two lines', `GET /commands HTTP/1.1\r\nhost: x\r\nx-a: 1\r\n ${MARK}\r\n\r\n`],
  ['a TLS greeting', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])],
])('what is no request is refused as unreadable: %s', async (_what, bytes) => {
  expectRefusal(await sendRaw(port, bytes), 400, UNREADABLE);
});

test.each([
  ['a length and chunks at once', ['content-length: 5', 'transfer-encoding: chunked'], '0\r\n\r\n'],
  ['two lengths', ['content-length: 5', 'content-length: 6'], 'xxxxx'],
  ['a length that is no number', ['content-length: 5x'], 'xxxxx'],
  ['a negative length', ['content-length: -5'], 'xxxxx'],
  ['a chunk size that is no number', ['transfer-encoding: chunked'], `${MARK}\r\n`],
])('a body of doubtful length is refused: %s', async (_what, lines, rest) => {
  const before = service.countStored();
  expectRefusal(await sendRaw(port, postText(lines, rest)), 400, UNREADABLE);
  expect(service.countStored()).toBe(before);
});

test('a body in chunks is read, and refused once it is too large', async () => {
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const chunked = (...texts: string[]) =>
    sendRaw(port, postText(['transfer-encoding: chunked'], `${texts.map(chunk).join('')}0\r\n\r\n`));

  expect((await chunked(BODY.slice(0, 20), BODY.slice(20))).status).toBe(200);
  const before = service.countStored();
  expectRefusal(
    await chunked(BODY, ' '.repeat(8_000), ' '.repeat(9_000)),
    413,
    errorText('Payload too large'),
  );
  expect(service.countStored()).toBe(before);
});

test.each([
  ['one long header', [`x-long: ${MARK.repeat(4_000)}`]],
  ['many headers', Array.from({ length: 1_000 }, (_, index) => `x-${index}: ${MARK.repeat(4)}`)],
  ['a long key', [`x-api-key: ${MARK.repeat(4_000)}`]],
])('headers beyond 16 KiB are refused: %s', async (_what, headers) => {
  expectRefusal(await send('GET /commands HTTP/1.1', headers), 431, HEADERS_TOO_LARGE);
});

test('an address beyond 16 KiB is refused', async () => {
  expectRefusal(await send(`GET /commands?category=${MARK.repeat(4_000)} HTTP/1.1`), 431, HEADERS_TOO_LARGE);
});

test('a request without a host is refused in the same form', async () => {
  const reply = await sendRaw(port, 'GET /commands HTTP/1.1\r\nconnection: close\r\n\r\n');
  expectRefusal(reply, 400, /^\{"success":false,"message":"Bad request - [^"]+"\}$/);
});

test('an expectation that cannot be met is refused in the same form', async () => {
  const reply = await send('GET /commands HTTP/1.1', [`expect: ${MARK}`]);
  expectRefusal(reply, 417, /^\{"success":false,"message":"[^"]+"\}$/);
});

test('an offer to switch the protocol is passed over', async () => {
  const reply = await send('GET /commands HTTP/1.1', ['connection: upgrade', 'upgrade: websocket']);
  expect(reply.status).toBe(200);
  expect(reply.text).toBe(ENDPOINT_CASES[3]?.successText);
});

test('the service does not act as a proxy', async () => {
  const reply = await send(`GET http://${MARK}.example/nowhere HTTP/1.1`);
  expectRefusal(reply, 404, errorText('Not found'));
  expectRefusal(await send('OPTIONS * HTTP/1.1'), 404, errorText('Not found'));
  const tunnel = await send(`CONNECT ${MARK}.example:443 HTTP/1.1`);
  expect(tunnel.status).not.toBe(200);
});

test('two requests of which the first is refused are each answered in their own right', async () => {
  service.clock.advance(1_001);
  const first = ['GET /users/%zz HTTP/1.1', 'host: x', keyLine(), '', ''].join('\r\n');
  const reply = await sendRaw(port, first + requestText('GET /users/nobody HTTP/1.1', [keyLine()]));
  expect(reply.status).toBe(400);
  expect(reply.text).toContain('the address is not properly percent-encoded');
  expect(reply.text).toContain('HTTP/1.1 404');
  expect(reply.text.endsWith(errorText('User not found'))).toBe(true);
});
