import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transactionBody } from '../support/service.ts';
import { errorText, expectRefusal, type FilledService, MARK, startFilledService } from './filled-service.ts';

const GOOD = JSON.stringify(transactionBody({ name: MARK }));
const MALFORMED = errorText('Bad request - malformed JSON');
const NOT_AN_OBJECT = errorText('Bad request - the body must be a JSON object');
const MISSING = errorText('Bad request - missing required fields');
const MEDIA_TYPE = errorText('Unsupported media type - send application/json');
const BODY_BYTES_MAX = 16 * 1_024;

let service: FilledService;

beforeAll(async () => {
  service = await startFilledService();
});
afterAll(() => service.stop());

interface Sent {
  payload?: string | Buffer;
  type?: string | undefined;
  key?: string | undefined;
}

function send(sent: Sent) {
  const { payload, type, key } = { type: 'application/json', key: service.key, ...sent };
  const headers = type === undefined ? {} : { 'content-type': type };
  return service.ask({
    method: 'POST',
    url: '/guild/ledger',
    key,
    headers,
    ...(payload !== undefined && { payload }),
  });
}

async function expectNothingStored(sent: Sent, status: number, refusal: string) {
  const before = service.countStored();
  expectRefusal(await send(sent), status, refusal);
  expect(service.countStored()).toBe(before);
}

test.each([
  ['cut short', GOOD.slice(0, -1)],
  ['followed by more', `${GOOD}${GOOD}`],
  ['with a trailing comma', GOOD.replace('}', ',}')],
  ['with single quotes', GOOD.replaceAll('"', "'")],
  ['with a comment', `/* ${MARK} */${GOOD}`],
  ['with a raw control character', GOOD.replace(MARK, `${MARK}\u0001`)],
  ['with a raw line break in a text', GOOD.replace(MARK, `${MARK}\n`)],
  ['with NaN', GOOD.replace('12.5', 'NaN')],
  ['with Infinity', GOOD.replace('12.5', 'Infinity')],
  ['with a hexadecimal number', GOOD.replace('12.5', '0x10')],
  ['with a plus sign', GOOD.replace('12.5', '+12.5')],
  ['with a leading zero', GOOD.replace('12.5', '012.5')],
  ['with a bad escape', GOOD.replace(MARK, '\\x41')],
  ['with a byte order mark', `\uFEFF${GOOD}`],
  ['made of blanks', '   '],
  ['a form', 'playerId=1&name=2'],
  ['nested without end', '['.repeat(16_000)],
  ['a NUL', '\0'],
])('JSON that is malformed is refused: %s', async (_what, payload) => {
  await expectNothingStored({ payload }, 400, MALFORMED);
});

test.each([
  ['a lone continuation byte', [0x80]],
  ['an overlong NUL', [0xc0, 0x80]],
  ['an encoded surrogate', [0xed, 0xa0, 0x80]],
  ['a sequence cut short', [0xe2, 0x82]],
  ['a Latin-1 letter', [0xe9]],
  ['a code point beyond Unicode', [0xf5, 0x80, 0x80, 0x80]],
])('a body that is not UTF-8 is refused: %s', async (_what, bytes) => {
  const [head = '', tail = ''] = GOOD.split(MARK);
  const payload = Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(tail)]);
  await expectNothingStored({ payload }, 400, MALFORMED);
});

test('a body in UTF-16 is refused', async () => {
  const payload = Buffer.from(GOOD, 'utf16le');
  await expectNothingStored({ payload }, 400, MALFORMED);
  await expectNothingStored({ payload, type: 'application/json; charset=utf-16' }, 400, MALFORMED);
});

test('a compressed body is refused', async () => {
  await expectNothingStored({ payload: gzipSync(GOOD) }, 400, MALFORMED);
});

test.each(['[]', `[${GOOD}]`, `"${MARK}"`, '""', '5', '0', '-0', '1e400', 'true', 'false'])(
  'JSON of another type is refused: %s',
  async (payload) => {
    await expectNothingStored({ payload }, 400, NOT_AN_OBJECT);
  },
);

test.each([
  ['null', { payload: 'null' }],
  ['an empty body', { payload: '' }],
  ['no body', {}],
  ['no body and no content type', { type: undefined }],
])('%s lacks every field', async (_what, sent) => {
  await expectNothingStored(sent, 400, MISSING);
});

test.each([
  undefined,
  'text/plain',
  'text/json',
  'application/jsonp',
  'application/json-patch+json',
  'application/vnd.api+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'text/plain; application/json',
  `${MARK}/${MARK}`,
  'application',
  ';;;',
  'application/json, text/plain',
])('a body of the content type %s is refused', async (type) => {
  await expectNothingStored({ payload: GOOD, type }, 415, MEDIA_TYPE);
});

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/json;charset=UTF-8',
])('a body of the content type %s is read', async (type) => {
  expect((await send({ payload: GOOD, type })).status).toBe(200);
});

test('a body of 16 KiB is read, and one byte more is refused', async () => {
  const largest = GOOD.padEnd(BODY_BYTES_MAX, ' ');
  expect((await send({ payload: largest })).status).toBe(200);
  await expectNothingStored({ payload: `${largest} ` }, 413, errorText('Payload too large'));
  await expectNothingStored({ payload: MARK.repeat(100_000) }, 413, errorText('Payload too large'));
});

test('the key is checked before any of it', async () => {
  const unauthorized = errorText('Unauthorized - invalid API key');
  await expectNothingStored({ payload: '{', key: undefined }, 401, unauthorized);
  await expectNothingStored({ payload: GOOD, type: 'text/plain', key: undefined }, 401, unauthorized);
  await expectNothingStored({ payload: 'x'.repeat(20_000), key: undefined }, 401, unauthorized);
});

test('of a field given twice the last one counts', async () => {
  const twice = GOOD.replace('"quantity":3', '"quantity":3,"quantity":1').replace('48213977', 'twice');
  const reply = await send({ payload: twice });
  expect(reply.status).toBe(200);
  expect(reply.headers['account-balance']).toBe('12.5');
});

test('a body on a GET changes nothing', async () => {
  const url = '/guild/discharges/dis_1';
  for (const payload of ['{', 'x'.repeat(20_000)]) {
    const reply = await service.ask({
      method: 'GET',
      url,
      headers: { 'content-type': 'application/json' },
      payload,
    });
    expect(reply.status).toBe(200);
  }
});
