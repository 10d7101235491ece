import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { readSources, withoutComments } from './import-graph.ts';

const NAMES = createProgram().commands.map((command) => command.name());
/** A command line that somebody could paste, as in "npx guildbook serve". */
const WRITTEN_OUT = new RegExp(`\\bguildbook (?:${NAMES.join('|')})\\b`);

function filesWithCommands(folder: string): string[] {
  const sources = readSources(fileURLToPath(new URL(folder, import.meta.url)));
  return Object.entries(sources)
    .filter(([file, source]) => /\.tsx?$/.test(file) && WRITTEN_OUT.test(withoutComments(source)))
    .map(([file]) => file);
}

describe('command lines in messages and pages', () => {
  it('are made by one helper, because their beginning depends on the installation', () => {
    expect(filesWithCommands('../../src/')).toEqual([]);
    expect(filesWithCommands('../../../dashboard/src/')).toEqual([]);
  });

  it.each([
    ['throw new OperatorError(\'run "guildbook migrate" first\');', true],
    ['<code>npx guildbook import commands</code>', true],
    ['// "guildbook verify" looks for them', false],
    ["commandLine('migrate')", false],
    ["'guildbook sealed at rest'", false],
  ])('the check sees %j: %s', (source, expected) => {
    expect(WRITTEN_OUT.test(withoutComments(source))).toBe(expected);
  });
});
