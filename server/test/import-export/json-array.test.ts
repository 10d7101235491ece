import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonArray } from '../../src/import-export/json-array.ts';
import { RECORD_BYTES_MAX } from '../../src/import-export/lines.ts';
import { brief, bytesOf, CUTS, cutAt, gatherGroups, TRICKY_TEXT } from './byte-source.ts';

const read = async (...pieces: (string | Uint8Array)[]) =>
  brief(await gatherGroups(readJsonArray(bytesOf(...pieces))));
const valuesOf = async (text: string) => (await read(text)).map(([, value]) => value);

const NOT_AN_ARRAY = 'the file is not a JSON array';
const CUT_OFF = 'the file ends before the array does';

/**
 * The name of a property. None ends with a backslash: after V8 has parsed an object with such a name, `JSON.parse` returns that
 * name for others that begin alike and go on with an escape: `"\\"` for `"\n"` (nodejs/node#63785). Texts may end with one.
 */
const NAME = TRICKY_TEXT.filter((text) => !text.endsWith('\\'));

describe('a JSON array', () => {
  it('gives its elements with the line each begins on', async () => {
    expect(await read('[\n{"a":\n1},\n\n  2, 3\n]\n')).toEqual([
      [2, { a: 1 }],
      [5, 2],
      [5, 3],
    ]);
  });

  it.each(['[]', ' [ ] ', '\uFEFF[\r\n]\r\n'])('%j is empty', async (text) => {
    expect(await read(text)).toEqual([]);
  });

  it('may hold whatever nests: arrays, objects, and strings full of brackets, quotes, commas and escapes', async () => {
    const values = [
      { a: [1, [2, { b: ']' }], '[', '}'], c: {} },
      '",],}',
      '\\',
      '\\"],[',
      'a\nb\u0000',
      [],
      [[[]]],
      null,
      true,
      -1.5e3,
      '🪙€é',
    ];
    expect(await valuesOf(JSON.stringify(values))).toEqual(values);
    expect(await valuesOf(JSON.stringify(values, null, 2))).toEqual(values);
  });

  it('passes a byte order mark over', async () => {
    expect(await read('\uFEFF[1]')).toEqual([[1, 1]]);
  });

  it.each(['{"a":1}', '"text"', '1', 'id,name\n', '{}\n{}', 'x[1]'])('%j is not one', async (text) => {
    expect(await read(text)).toEqual([[1, NOT_AN_ARRAY]]);
  });

  it.each(['[1] 2', '[1][2]', '[1],', '[1]\n]'])('more after its end is a fault: %j', async (text) => {
    const items = await read(text);
    expect(items[0]).toEqual([1, 1]);
    expect(items.slice(1).map(([, value]) => value)).toEqual(['there is more after the end of the array']);
  });

  it.each(['', '   ', '[', '[1', '[1,', '[1,{"a":', '[1,"', '[1,"\\', '[[1]'])(
    'cut off it ends with a fault, so that nobody takes it for a whole one: %j',
    async (text) => {
      const items = await read(text);
      expect(items.at(-1)?.[1]).toBe(CUT_OFF);
    },
  );

  it.each(['[1}', '[{"a":1}}', '[1,2}\n'])('closed by the wrong bracket is a fault: %j', async (text) => {
    const items = await read(text);
    expect(items.at(-1)?.[1]).toBe(CUT_OFF);
  });

  it('an element that is not JSON does not stop those behind it', async () => {
    expect(await valuesOf('[1, nonsense, 2, {"a" 1}, 3]')).toEqual([
      1,
      'the text is not JSON',
      2,
      'the text is not JSON',
      3,
    ]);
  });

  it('an element that is not UTF-8 is a fault of its own', async () => {
    expect(await read('[1,"', Buffer.from([0xff]), '",2]')).toEqual([
      [1, 1],
      [1, 'the text is not UTF-8'],
      [1, 2],
    ]);
  });

  it('an element that is too long is a fault of its own', async () => {
    const long = `"${'x'.repeat(RECORD_BYTES_MAX)}"`;
    expect(await read(`[1,${long},2]`)).toEqual([
      [1, 1],
      [1, `the element is longer than ${RECORD_BYTES_MAX} bytes`],
      [1, 2],
    ]);
  });

  it('is read the same however the bytes are cut, inside of characters too', async () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ depthSize: 'small' }, TRICKY_TEXT, fc.integer(), tie('list'), tie('object')),
      list: fc.array(tie('any'), { maxLength: 3 }),
      object: fc.dictionary(NAME, tie('any'), { maxKeys: 3 }),
    })).any;
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { maxLength: 6 }),
        fc.constantFrom(0, 2),
        CUTS,
        async (values, indent, places) => {
          const bytes = Buffer.from(JSON.stringify(values, null, indent));
          const items = await gatherGroups(readJsonArray(bytesOf(...cutAt(bytes, places))));
          expect(items.map((item) => ('value' in item ? JSON.stringify(item.value) : item))).toEqual(
            values.map((one) => JSON.stringify(one)),
          );
        },
      ),
      { numRuns: 150 },
    );
  });
});
