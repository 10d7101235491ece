import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RECORD_BYTES_MAX, readNdjson } from '../../src/import-export/lines.ts';
import { brief, bytesOf, CUTS, cutAt, gatherGroups, TRICKY_TEXT } from './byte-source.ts';

const read = async (...pieces: (string | Uint8Array)[]) =>
  brief(await gatherGroups(readNdjson(bytesOf(...pieces))));

describe('NDJSON', () => {
  it('gives each line’s document with the number of the line', async () => {
    expect(await read('{"a":1}\n[2]\n"three"\n4\nnull\n')).toEqual([
      [1, { a: 1 }],
      [2, [2]],
      [3, 'three'],
      [4, 4],
      [5, null],
    ]);
  });

  it('keeps the text of each line, for reports', async () => {
    const items = await gatherGroups(readNdjson(bytesOf(' {"a": 1} \r\nnot json\n')));
    expect(items.map((item) => item.text)).toEqual(['{"a": 1}', 'not json']);
  });

  it.each([
    ['an empty source', ''],
    ['nothing but blank lines', '\n \r\n\t\n'],
    ['nothing but a byte order mark', '\uFEFF'],
  ])('%s holds nothing', async (_, text) => {
    expect(await read(text)).toEqual([]);
  });

  it('passes a byte order mark over, at the very beginning', async () => {
    expect(await read('\uFEFF{"a":1}\n2')).toEqual([
      [1, { a: 1 }],
      [2, 2],
    ]);
  });

  it('takes line breaks of both kinds, and passes blank lines over while counting them', async () => {
    expect(await read('1\r\n\r\n2\n\n   \n3\r\n')).toEqual([
      [1, 1],
      [3, 2],
      [6, 3],
    ]);
  });

  it('needs no line break at the end', async () => {
    expect(await read('1\n{"a":"b"}')).toEqual([
      [1, 1],
      [2, { a: 'b' }],
    ]);
  });

  it('cut off in the middle of a line ends with a fault in that line', async () => {
    expect(await read('{"a":1}\n{"a":"b')).toEqual([
      [1, { a: 1 }],
      [2, 'the text is not JSON'],
    ]);
  });

  it('a bad line does not stop the lines behind it', async () => {
    expect(await read('nonsense\n1\n{"a":}\n2\n{} {}\n3')).toEqual([
      [1, 'the text is not JSON'],
      [2, 1],
      [3, 'the text is not JSON'],
      [4, 2],
      [5, 'the text is not JSON'],
      [6, 3],
    ]);
  });

  it('bytes that are not UTF-8 are a fault of their line, never a replaced character', async () => {
    expect(
      await read('"good"\n"', Buffer.from([0xc3, 0x28]), '"\n"', Buffer.from([0xe2, 0x82]), '"\n"end"'),
    ).toEqual([
      [1, 'good'],
      [2, 'the text is not UTF-8'],
      [3, 'the text is not UTF-8'],
      [4, 'end'],
    ]);
  });

  it('a line of exactly the most bytes is read, one byte more is a fault, and the next line is read again', async () => {
    const longest = `"${'x'.repeat(RECORD_BYTES_MAX - 2)}"`;
    const items = await read(longest, '\n', longest, ' ', '\n', '1\n', `${longest}x`);
    expect(items.map(([line, value]) => [line, typeof value === 'string' ? value.length : value])).toEqual([
      [1, RECORD_BYTES_MAX - 2],
      [2, `the line is longer than ${RECORD_BYTES_MAX} bytes`.length],
      [3, 1],
      [4, `the line is longer than ${RECORD_BYTES_MAX} bytes`.length],
    ]);
  });

  it('an over-long line without end is not held in memory: its bytes are dropped as they come', async () => {
    const piece = Buffer.alloc(256 * 1024, 0x78);
    let given = 0;
    async function* endless() {
      for (; given < 400; given += 1) {
        yield piece;
      }
      yield Buffer.from('\n7');
    }
    global.gc?.();
    const before = process.memoryUsage();
    expect(brief(await gatherGroups(readNdjson(endless())))).toEqual([
      [1, `the line is longer than ${RECORD_BYTES_MAX} bytes`],
      [2, 7],
    ]);
    const after = process.memoryUsage();
    // A hundred megabytes went through.
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(20_000_000);
  });

  it('is read the same however the bytes are cut, inside of characters too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(TRICKY_TEXT), fc.boolean(), CUTS, async (texts, endsWithBreak, places) => {
        const bytes = Buffer.from(
          texts.map((text) => JSON.stringify(text)).join('\n') + (endsWithBreak ? '\n' : ''),
        );
        const items = await read(...cutAt(bytes, places));
        expect(items).toEqual(texts.map((text, index) => [index + 1, text]));
      }),
      { numRuns: 200 },
    );
  });
});
