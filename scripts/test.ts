import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { importsOf } from '../server/test/architecture/import-graph.ts';
import { PROGRAMS, type Requirement, requirePrograms } from './requirements.ts';

// Runs the tests and, before them, the set-up that they need and no more:
//
//   npm test                 checks, build of the pages, all tests
//   npm test -- <path> ...   the tests of these files or folders, without the checks
//   npm test -- <path> ... -t <name>   with options of vitest, which come after the paths
//   npm run test:fast        checks, then the tests that need only Node
//   npm run test:deep        all tests, with the full counts of random and stress tests

const ROOT = path.join(import.meta.dirname, '..');
const TEST_FILES = ['{server,client,dashboard}/test/**/*.test.ts', 'e2e/**/*.test.ts'];
/** The daily loop: rules, wire formats and the interface on SQLite. Tests that need another program are left out. */
const FAST_FOLDERS = [
  'dashboard/test/',
  'server/test/architecture/',
  'server/test/domain/',
  'server/test/import-export/',
  'server/test/http/',
];

interface Needs {
  programs: readonly Requirement[];
  /** True when the web pages have to be built. */
  pages?: boolean;
}

/** The needs of each file. A test has those of every file that it imports, directly or through others. */
const NEEDS_OF: Readonly<Record<string, Needs>> = {
  'e2e/support/browser.ts': { programs: [PROGRAMS.chromium], pages: true },
  'e2e/support/chromium.ts': { programs: [PROGRAMS.chromium], pages: true },
  'server/test/http/dashboard-https.test.ts': { programs: [], pages: true },
  'server/test/process/package.test.ts': { programs: [], pages: true },
  'server/test/postgres/server.ts': { programs: [PROGRAMS.postgres] },
  'server/test/postgres/database.ts': { programs: [PROGRAMS.postgres] },
  'server/test/support/redis.ts': { programs: [PROGRAMS.redis, PROGRAMS.openssl] },
  'server/test/support/haproxy.ts': { programs: [PROGRAMS.haproxy] },
};

const OWN_OPTIONS = ['--fast', '--deep'];
const given = process.argv.slice(2);
const vitestFrom = given.findIndex((text) => text.startsWith('-') && !OWN_OPTIONS.includes(text));
/** The first option that is not ours, and all that follows: only vitest knows which of its options have a value. */
const vitestOptions = vitestFrom < 0 ? [] : given.slice(vitestFrom);
const { values, positionals } = parseArgs({
  args: given.slice(0, given.length - vitestOptions.length),
  options: { fast: { type: 'boolean' }, deep: { type: 'boolean' } },
  allowPositionals: true,
});
process.exitCode = runTests();

function runTests(): number {
  const isWhole = positionals.length === 0;
  const files = chooseFiles();
  if (files.length === 0) {
    console.error(`There is no test file at ${positionals.join(', ')}.`);
    return 1;
  }
  const needs = files.flatMap(needsOf);
  try {
    requirePrograms('The tests', Array.from(new Set(needs.flatMap(({ programs }) => programs))));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
  const needsPages = needs.some(({ pages }) => pages === true);
  const steps = [
    ...(isWhole ? [[process.execPath, 'scripts/check.ts']] : []),
    ...(needsPages ? [[process.execPath, 'dashboard/build.ts']] : []),
    ['vitest', 'run', ...(isWhole && values.fast !== true ? [] : files), ...vitestOptions],
  ];
  const env = { ...process.env, ...(values.deep === true && { GUILDBOOK_TEST_DEPTH: 'deep' }) };
  for (const [program = '', ...args] of steps) {
    const { status } = spawnSync(program, args, { cwd: ROOT, env, stdio: 'inherit' });
    if (status !== 0) {
      return status ?? 1;
    }
  }
  return 0;
}

function chooseFiles(): string[] {
  const all = globSync(TEST_FILES, { cwd: ROOT }).map((file) => file.split(path.sep).join('/'));
  if (positionals.length > 0) {
    const wanted = positionals.map((one) => path.relative(ROOT, path.resolve(one)).split(path.sep).join('/'));
    return all.filter((file) => wanted.some((one) => file === one || file.startsWith(`${one}/`)));
  }
  return values.fast === true ? all.filter(isFast) : all;
}

function isFast(file: string): boolean {
  return FAST_FOLDERS.some((folder) => file.startsWith(folder)) && needsOf(file).length === 0;
}

function needsOf(file: string): Needs[] {
  return Array.from(withImports(file, new Set())).flatMap((one) => NEEDS_OF[one] ?? []);
}

/** The file and all that it imports of the tests and the client, without the product's own modules. */
function withImports(file: string, seen: Set<string>): Set<string> {
  if (seen.has(file) || file.includes('/src/') || !existsSync(path.join(ROOT, file))) {
    return seen;
  }
  seen.add(file);
  for (const name of importsOf(readFileSync(path.join(ROOT, file), 'utf8'))) {
    if (name.startsWith('.')) {
      withImports(path.posix.join(path.posix.dirname(file), name), seen);
    }
  }
  return seen;
}
