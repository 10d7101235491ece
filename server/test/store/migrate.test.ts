import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../src/domain/errors.ts';
import {
  type AppliedMigration,
  knownSteps,
  loadMigrations,
  pendingSteps,
  releaseOf,
  type Schema,
} from '../../src/store/operations/migrate.ts';
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

  it('are numbered on after the steps of a release', () => {
    const steps = loadMigrations(folderWith({ '0007-seven.sql': '', '0008-eight.sql': '' }), 6);
    expect(steps.map(({ version }) => version)).toEqual([7, 8]);
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
  const OLDEST = releaseOf('0.9.0', [
    ['first', 'a'],
    ['second', 'b'],
  ]);
  const schema = (): Schema => ({
    sql: 'SELECT everything;',
    oldest: OLDEST,
    steps: loadMigrations(
      folderWith({ '0003-three.sql': 'SELECT 3;', '0004-four.sql': 'SELECT 4;' }),
      OLDEST.steps.length,
    ),
  });
  const known = () => knownSteps(schema());

  it('are the whole schema for a new store, which then has all of them', () => {
    const [step, ...more] = pendingSteps(schema(), []);
    expect(step).toMatchObject({ sql: 'SELECT everything;', records: known() });
    expect(known().map(({ version, name }) => `${version} ${name}`)).toEqual([
      '1 first',
      '2 second',
      '3 three',
      '4 four',
    ]);
    expect(more).toEqual([]);
  });

  it.each([2, 3, 4])('are those after the %d already taken', (count) => {
    const pending = pendingSteps(schema(), known().slice(0, count));
    expect(pending.map(({ name, sql }) => [name, sql])).toEqual(
      [
        ['3 three', 'SELECT 3;'],
        ['4 four', 'SELECT 4;'],
      ].slice(count - 2),
    );
  });

  it('are refused for a store from before the oldest release, naming that release', () => {
    expect(() => pendingSteps(schema(), known().slice(0, 1))).toThrow(
      new OperatorError(
        'the store has schema version 1, which is older than that of Guildbook 0.9.0\n' +
          '  Upgrade it with Guildbook 0.9.0 first, then with this version. docs/upgrading.md has the commands.',
      ),
    );
  });

  it.each([2, 3])('are refused when step %d differs from ours, naming it', (version) => {
    const changed = known().map((step) => (step.version === version ? { ...step, checksum: 'other' } : step));
    expect(() => pendingSteps(schema(), changed)).toThrow(
      new OperatorError(
        `migration ${version} (${known()[version - 1]?.name}) differs from the one the store was made with: ` +
          'restore the published file',
      ),
    );
  });

  it('are refused when the store is newer than the program', () => {
    const applied: AppliedMigration[] = [
      ...known(),
      { version: 5, name: 'five', checksum: 'c' },
      { version: 6, name: 'six', checksum: 'c' },
    ];
    expect(() => pendingSteps(schema(), applied)).toThrow(
      new OperatorError('the store has schema version 6, this program knows 4: use a newer Guildbook'),
    );
  });

  it('are refused when the steps taken have a gap, so that none is taken twice or left out', () => {
    const [, second, third] = known();
    if (!second || !third) throw new Error('four steps are known');
    expect(() => pendingSteps(schema(), [second])).toThrow(OperatorError);
    expect(() => pendingSteps(schema(), [second, third])).toThrow(OperatorError);
  });
});
