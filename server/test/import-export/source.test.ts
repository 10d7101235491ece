import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatOfFile, readSource, sniffFormat } from '../../src/import-export/source.ts';
import { brief, bytesOf, CUTS, cutAt, gather, gatherGroups } from './byte-source.ts';

it.each([
  ['a.json', 'json'],
  ['A.JSON', 'json'],
  ['dir.csv/a.ndjson', 'ndjson'],
  ['a.jsonl', 'ndjson'],
  ['a.b.csv', 'csv'],
  ['a.txt', undefined],
  ['json', undefined],
  ['-', undefined],
])('the name %s tells the format %s', (name, format) => {
  expect(formatOfFile(name)).toBe(format);
});

it.each([
  ['[{"a":1}]', 'json'],
  ['\uFEFF \r\n [', 'json'],
  ['{"a":1}\n{}', 'ndjson'],
  ['\uFEFF{"a":1}', 'ndjson'],
  ['', 'ndjson'],
  ['\n \n', 'ndjson'],
  ['id,guildId\r\n', 'csv'],
  ['"id","guildId"\r\n', 'csv'],
  ['\uFEFFid', 'csv'],
])('%j begins like %s, however its bytes are cut, and is given back whole', async (text, format) => {
  await fc.assert(
    fc.asyncProperty(CUTS, async (places) => {
      const sniffed = await sniffFormat(bytesOf(...cutAt(Buffer.from(text), places)));
      expect(sniffed.format).toBe(format);
      expect(Buffer.concat(await gather(sniffed.bytes)).toString()).toBe(text);
    }),
    { numRuns: 30 },
  );
});

it('each format is read by its own rules', async () => {
  const read = async (text: string, format: 'json' | 'ndjson' | 'csv') =>
    brief(await gatherGroups(readSource(bytesOf(text), format, 'transfers')));
  expect(await read('[1]', 'json')).toEqual([[1, 1]]);
  expect(await read('[1]', 'ndjson')).toEqual([[1, [1]]]);
  const [[, fault] = []] = await read('[1]', 'csv');
  expect(fault).toMatch(/^the header lacks: id, guildId/);
});
