import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { checkArchiveFile, createArchiveFile } from '../../src/import-export/archive-file.ts';
import { createFolder } from '../support/folder.ts';

const AN_ITEM = {
  guildId: '100200300',
  playerId: 'p\u2028"1"',
  transactionId: '0197a1b2-0000-7000-8000-000000000001',
  name: 'Iron\nIngot',
  source: 'shop',
  amountUnits: 9_007_199_254_740_991,
  quantity: 1,
  totalUnits: 9_007_199_254_740_991,
  createdAtMs: Date.parse('2026-06-15T12:00:00Z'),
  number: 1,
  seq: 1,
  balanceUnits: 12_345,
  keyId: undefined,
  postedBy: undefined,
};

async function writeFile(count = 3): Promise<string> {
  const file = path.join(createFolder(), 'archive.jsonl.gz');
  const archive = createArchiveFile(file, { guildId: '100200300', year: 2026 });
  for (let number = 1; number <= count; number += 1) {
    await archive.add({ ...AN_ITEM, number, totalUnits: number === 2 ? -7 : AN_ITEM.totalUnits });
  }
  await archive.finish();
  return file;
}

const change = (file: string, by: (text: string) => string) =>
  writeFileSync(file, gzipSync(by(gunzipSync(readFileSync(file)).toString())));

it('a complete archive file has the count and the sums of its transactions', async () => {
  expect(await checkArchiveFile(await writeFile())).toEqual({
    guildId: '100200300',
    year: 2026,
    sums: { depositCount: 2, depositUnits: 18_014_398_509_481_982n, withdrawalCount: 1, withdrawalUnits: 7n },
  });
  expect((await checkArchiveFile(await writeFile(0))).sums.depositCount).toBe(0);
});

it.each([
  ['a changed letter', (text: string) => text.replace('shop', 'shoe')],
  ['a changed amount', (text: string) => text.replace('900719925474.0991', '900719925474.099')],
  ['a missing line', (text: string) => text.split('\n').toSpliced(2, 1).join('\n')],
  [
    'a repeated line',
    (text: string) =>
      text
        .split('\n')
        .toSpliced(2, 0, text.split('\n')[1] ?? '')
        .join('\n'),
  ],
  ['a missing end', (text: string) => text.trimEnd().split('\n').slice(0, -1).join('\n')],
  ['something behind its end', (text: string) => `${text}{}\n`],
  ['nothing in it', () => ''],
  ['another text', () => 'not an archive\n'],
])('an archive file with %s is refused', async (_, by) => {
  const file = await writeFile();
  change(file, by);
  await expect(checkArchiveFile(file)).rejects.toThrow(file);
});

it('a file that is cut off is refused', async () => {
  const file = await writeFile();
  const bytes = readFileSync(file);
  for (const length of [0, 1, bytes.length - 9, bytes.length - 1]) {
    writeFileSync(file, bytes.subarray(0, length));
    await expect(checkArchiveFile(file)).rejects.toThrow(file);
  }
});
