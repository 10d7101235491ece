import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Columns, csvRow, readCsv } from '../../src/import-export/csv.ts';
import { RECORD_BYTES_MAX } from '../../src/import-export/lines.ts';
import { brief, bytesOf, CUTS, cutAt, gatherGroups, TRICKY_TEXT } from './byte-source.ts';

const COLUMNS: Columns = { id: 'text', amount: 'number', tags: 'json' };
const TEXTS: Columns = { a: 'text', b: 'text' };

const read = async (columns: Columns, ...pieces: (string | Uint8Array)[]) =>
  brief(await gatherGroups(readCsv(bytesOf(...pieces), columns)));

describe('CSV', () => {
  it('gives a value for each row, by the names of the header, with the line it begins on', async () => {
    expect(await read(TEXTS, 'a,b\r\n1,2\r\nx,y\r\n')).toEqual([
      [2, { a: '1', b: '2' }],
      [3, { a: 'x', b: 'y' }],
    ]);
  });

  it.each(['\n', '\r\n'])('takes %j as line break, also missing at the end', async (lineBreak) => {
    const expected = [[2, { a: '1', b: '2' }]];
    expect(await read(TEXTS, ['a,b', '1,2'].join(lineBreak))).toEqual(expected);
    expect(await read(TEXTS, ['a,b', '1,2', ''].join(lineBreak))).toEqual(expected);
  });

  it('takes quotes as RFC 4180 does: commas, quotes and line breaks inside, and quotes without need', async () => {
    expect(await read(TEXTS, 'a,b\r\n"1,2","say ""hi"""\r\n"two\r\nlines","x\ny"\r\n"q",""\r\n')).toEqual([
      [2, { a: '1,2', b: 'say "hi"' }],
      [3, { a: 'two\r\nlines', b: 'x\ny' }],
      [6, { a: 'q', b: '' }],
    ]);
  });

  it('keeps blanks, leading and trailing, and empty cells', async () => {
    expect(await read(TEXTS, 'a,b\n  x , \n,\n')).toEqual([
      [2, { a: '  x ', b: ' ' }],
      [3, { a: '', b: '' }],
    ]);
  });

  it('passes a byte order mark over, also before a quoted header', async () => {
    expect(await read(TEXTS, '\uFEFFa,b\n1,2\n')).toEqual([[2, { a: '1', b: '2' }]]);
    expect(await read(TEXTS, '\uFEFF"a","b"\n1,2\n')).toEqual([[2, { a: '1', b: '2' }]]);
  });

  it('takes columns in any order', async () => {
    expect(await read(COLUMNS, 'tags,id,amount\n[],x,5\n')).toEqual([[2, { id: 'x', amount: 5, tags: [] }]]);
  });

  it.each([
    ['a missing column', 'a\n1\n', 'the header lacks: b; it must have: a, b'],
    ['all columns missing', 'x;y\n1;2\n', 'the header lacks: a, b; it must have: a, b'],
    ['an unknown column', 'a,b,c\n1,2,3\n', 'the header must have each of these once: a, b'],
    ['a column twice', 'a,b,a\n1,2,3\n', 'the header must have each of these once: a, b'],
    ['another case', 'A,b\n1,2\n', 'the header lacks: a; it must have: a, b'],
  ])('%s is one fault of the whole file', async (_, text, fault) => {
    expect(await read(TEXTS, text)).toEqual([[1, fault]]);
  });

  it('without a single byte holds nothing, and with a header alone holds nothing', async () => {
    expect(await read(TEXTS, '')).toEqual([]);
    expect(await read(TEXTS, 'a,b\r\n')).toEqual([]);
  });

  it('a row with too few or too many cells is a fault of its own, and the rest is read', async () => {
    expect(await read(TEXTS, 'a,b\n1\n1,2\n1,2,3\n3,4\n')).toEqual([
      [2, 'the row has 1 cells, the header has 2'],
      [3, { a: '1', b: '2' }],
      [4, 'the row has 3 cells, the header has 2'],
      [5, { a: '3', b: '4' }],
    ]);
  });

  it('a quote that never closes is a fault behind the good rows', async () => {
    expect(await read(TEXTS, 'a,b\n1,2\n"3,4\n5,6\n')).toEqual([
      [2, { a: '1', b: '2' }],
      [3, 'a quote is opened and never closed'],
    ]);
  });

  it('a quote where none may be is a fault', async () => {
    const items = await read(TEXTS, 'a,b\n1,2\n"3"x,4\n');
    expect(items[0]).toEqual([2, { a: '1', b: '2' }]);
    expect(items[1]?.[1]).toBe('the rest of the file is not CSV: a quote stands where none may be');
  });

  it('a row that is too long is a fault', async () => {
    const items = await read(TEXTS, 'a,b\n1,2\n', 'x'.repeat(RECORD_BYTES_MAX + 10), ',y\n');
    expect(items[1]).toEqual([3, `the row is longer than ${RECORD_BYTES_MAX} bytes`]);
  });

  it('numbers are numbers as JSON writes them; anything else stays text for the record’s own rule', async () => {
    const cells = [
      '0',
      '-1.5',
      '1e3',
      '12345678901.2345',
      '',
      '1,5',
      '01',
      '+1',
      '1.',
      '0x10',
      ' 1',
      'Infinity',
    ];
    const rows = cells.map((cell) => csvRow(['x', cell, '[]'])).join('');
    const items = await read(COLUMNS, `id,amount,tags\r\n${rows}`);
    expect(items.map(([, value]) => (value as { amount: unknown }).amount)).toEqual([
      0,
      -1.5,
      1000,
      12345678901.2345,
      ...cells.slice(4),
    ]);
  });

  it('a cell of JSON is read as such, and one that does not hold any is a fault that names the column', async () => {
    const rows = ['[{"a":"b,c"}]', '[', '', '"x"'].map((cell) => csvRow(['x', '1', cell])).join('');
    expect((await read(COLUMNS, `id,amount,tags\r\n${rows}`)).map(([, value]) => value)).toEqual([
      { id: 'x', amount: 1, tags: [{ a: 'b,c' }] },
      'tags does not hold JSON',
      'tags does not hold JSON',
      { id: 'x', amount: 1, tags: 'x' },
    ]);
  });

  it('an optional column may be absent, and its cells may be empty', async () => {
    const columns: Columns = { id: 'text', tags: 'json?' };
    expect(await read(columns, 'id\n1\n')).toEqual([[2, { id: '1' }]]);
    const rows = await read(columns, 'id,tags\n1,\n2,[7]\n3,[\n');
    expect(rows.map(([, value]) => value)).toEqual([
      { id: '1' },
      { id: '2', tags: [7] },
      'tags does not hold JSON',
    ]);
  });

  it('bytes that are not UTF-8 are a fault, never a replaced character', async () => {
    const bad = Buffer.concat([Buffer.from('a,b\n1,2\nx'), Buffer.from([0xff]), Buffer.from(',y\n3,4\n')]);
    expect(await read(TEXTS, bad)).toEqual([
      [2, { a: '1', b: '2' }],
      [3, 'the text is not UTF-8'],
      [4, { a: '3', b: '4' }],
    ]);
  });

  it('keeps the text of each row, blanks included, for reports', async () => {
    const items = await gatherGroups(readCsv(bytesOf('a,b\r\n1\r\n"x,y", z \r\n'), TEXTS));
    expect(items.map((item) => item.text)).toEqual(['1', '"x,y", z ']);
  });

  it('rows that were written are read again, whatever is in the cells and however the bytes are cut', async () => {
    const row = fc.tuple(TRICKY_TEXT, TRICKY_TEXT);
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 8 }), CUTS, async (rows, places) => {
        const bytes = Buffer.from([['a', 'b'], ...rows].map(csvRow).join(''));
        const items = await read(TEXTS, ...cutAt(bytes, places));
        expect(items.map(([, value]) => value)).toEqual(rows.map(([a, b]) => ({ a, b })));
      }),
      { numRuns: 150 },
    );
  });
});
