import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync(new URL('../../../docs/interface-decisions.md', import.meta.url), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| point |'))
  .map((line) => line.slice(2, -2).split(' | '));
const references = rows.flatMap(([point = '', , , heldBy = '']) =>
  heldBy.split('; ').map((reference) => {
    const [, file = '', name = ''] = /^`([\w/.-]+)` → (.+)$/.exec(reference) ?? [];
    return { point, file, name };
  }),
);

test('every decision has a choice, a reason and a test', () => {
  expect(rows.length).toBeGreaterThan(60);
  for (const row of rows) {
    expect(row).toHaveLength(4);
    expect(row.every((cell) => cell.trim() !== '')).toBe(true);
  }
});

test.each(references)('$point: $file has the test that is named', ({ file, name }) => {
  expect(name).not.toBe('');
  const source = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  expect([`'${name}'`, `"${name}"`].some((quoted) => source.includes(quoted))).toBe(true);
});
