import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { ROOT } from './run.ts';

/**
 * The folders whose files take longest, the longest first, after files that mostly wait, for an installation or a time limit. All
 * others take a second or less.
 */
const LONGEST = [
  'server/test/process/oldest-npm.test.ts',
  'server/test/http/half-open-connections.test.ts',
  'e2e/',
  'server/test/contract/',
  'server/test/process/',
  'server/test/webhooks/',
  'server/test/postgres/',
  'client/test/',
  'server/test/store/',
  'server/test/seal/',
  'server/test/chat/',
  'server/test/http/',
];

/**
 * Files that take long start first, so that no worker is left with one at the end of a run. The size of a file says little
 * about that: those of the contract are a few lines that run every suite.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const file = path.relative(ROOT, moduleId).split(path.sep).join('/');
  const place = LONGEST.findIndex((folder) => file.startsWith(folder));
  return place === -1 ? LONGEST.length : place;
}
