import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../src/domain/errors.ts';
import { type AppliedMigration, loadMigrations, pendingMigrations } from '../../src/store/migrate.ts';
import { createFolder } from '../support/folder.ts';

function folderWith(files: Record<string, string>): URL {
  const folder = createFolder();
  for (const [name, sql] of Object.entries(files)) {
    writeFileSync(path.join(folder, name), sql);
  }
  return pathToFileURL(`${folder}/`);
}

const THREE = {
  '0001-one.sql': 'SELECT 1;',
  '0002-two-more.sql': 'SELECT 2;',
  '0003-three.sql': 'SELECT 3;',
};

describe('migration files', () => {
  it('are read in order with number, name, text and checksum', () => {
    const steps = loadMigrations(folderWith({ 'README.md': 'not a step', ...THREE }));
    expect(steps.map(({ version, name, sql }) => [version, name, sql])).toEqual([
      [1, 'one', 'SELECT 1;'],
      [2, 'two-more', 'SELECT 2;'],
      [3, 'three', 'SELECT 3;'],
    ]);
    expect(new Set(steps.map((step) => step.checksum)).size).toBe(3);
  });

  it.each([
    ['a gap', { '0001-one.sql': '', '0003-three.sql': '' }, '0003-three.sql'],
    ['a number twice', { '0001-one.sql': '', '0001-uno.sql': '' }, '0001-uno.sql'],
    ['a start other than one', { '0002-two.sql': '' }, '0002-two.sql'],
    ['a name without a number', { 'one.sql': '' }, 'one.sql'],
  ])('with %s are refused by name', (_, files, culprit) => {
    const message = `migration files must be numbered without gaps: ${culprit}`;
    expect(() => loadMigrations(folderWith(files))).toThrow(new OperatorError(message));
  });
});

describe('the steps to be taken', () => {
  const known = () => loadMigrations(folderWith(THREE));

  it.each([0, 1, 2, 3])('are those after the %d already taken', (count) => {
    const steps = known();
    expect(pendingMigrations(steps, steps.slice(0, count))).toEqual(steps.slice(count));
  });

  it('are refused when a step taken differs from ours, naming it', () => {
    const applied = known().slice(0, 2);
    const changed = applied.map((step) => (step.version === 2 ? { ...step, checksum: 'other' } : step));
    expect(() => pendingMigrations(known(), changed)).toThrow(
      new OperatorError(
        'migration 2 (two-more) differs from the one the store was made with: restore the published file',
      ),
    );
  });

  it('are refused when the store is newer than the program', () => {
    const applied: AppliedMigration[] = [
      ...known(),
      { version: 4, name: 'four', checksum: 'c' },
      { version: 5, name: 'five', checksum: 'c' },
    ];
    expect(() => pendingMigrations(known(), applied)).toThrow(
      new OperatorError('the store has schema version 5, this program knows 3: use a newer Guildbook'),
    );
  });

  it('are refused when the steps taken have a gap, so that none is taken twice or left out', () => {
    const [, second, third] = known();
    if (!second || !third) throw new Error('three steps are known');
    expect(() => pendingMigrations(known(), [second])).toThrow(OperatorError);
    expect(() => pendingMigrations(known(), [second, third])).toThrow(OperatorError);
  });
});
