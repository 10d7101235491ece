import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenOnFreePort } from '../support/raw-http.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let address: string;
beforeAll(async () => {
  service = await startTestService();
  address = `http://127.0.0.1:${await listenOnFreePort(service.app)}/openapi.json`;
});
afterAll(() => service.stop());

/** The document as a browser reads it, and the number of bytes that were sent. */
async function read(encoding: string): Promise<{ document: string; bytes: number; encoding: string | null }> {
  const response = await fetch(address, { headers: { 'accept-encoding': encoding } });
  return {
    document: await response.text(),
    bytes: Number(response.headers.get('content-length')),
    encoding: response.headers.get('content-encoding'),
  };
}

test('the document is sent compressed to those who accept it, and is the same for all', async () => {
  const plain = await read('identity');
  expect([plain.encoding, plain.bytes]).toEqual([null, Buffer.byteLength(plain.document)]);
  for (const encoding of ['gzip', 'br']) {
    const sent = await read(encoding);
    expect([sent.encoding, sent.document === plain.document]).toEqual([encoding, true]);
    expect(sent.bytes).toBeLessThan(plain.bytes / 5);
  }
});

test('a client that has the document already gets nothing again', async () => {
  const tag = (await fetch(address)).headers.get('etag') ?? '';
  const again = (known: string) =>
    new Promise<[number | undefined, string]>((resolve, reject) => {
      get(address, { headers: { 'if-none-match': known } }, async (response) =>
        resolve([response.statusCode, await text(response)]),
      ).on('error', reject);
    });
  expect(await again(`"other", ${tag}`)).toEqual([304, '']);
  expect((await again('"other"'))[0]).toBe(200);
});
