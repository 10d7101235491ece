import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT, read, run } from './run.ts';

// npm run check:release
//
// Makes the files of a release twice, here and in a fresh clone of the same commit, and compares their SHA-256: anybody
// who builds a published commit can compare the result with the published files. The clone has another path, another umask,
// another time zone and another time of day. The files of the first build stay in release/. It takes a few minutes, needs
// Linux, and fetches the packages of the lock file from the registry.

const OTHER_MACHINE = { TZ: 'Pacific/Auckland', LC_ALL: 'C' };

if (read('git', ['status', '--porcelain']).trim() !== '') {
  throw new Error('Commit or stash your changes first: a clone has only what is committed.');
}
run('npm', ['run', '--silent', 'release']);
const clone = mkdtempSync(path.join(tmpdir(), 'guildbook-second-build-'));
run(
  'sh',
  [
    '-c',
    'umask 077 && git clone --quiet "$0" "$1" && cd "$1" && npm ci && npm run --silent release',
    ROOT,
    clone,
  ],
  {
    env: OTHER_MACHINE,
  },
);
const [first, second] = [readSums(ROOT), readSums(clone)];
const names = [...new Set([...first.keys(), ...second.keys()])];
const different = names.filter((name) => first.get(name) !== second.get(name));
if (different.length > 0) {
  throw new Error(
    `These files differ between two builds of the same commit: ${different.join(', ')}.\n` +
      `The second build is in ${path.join(clone, 'release')}; diffoscope shows where they differ.`,
  );
}
rmSync(clone, { recursive: true });
console.log(`Both builds gave the same ${names.length} files.`);

/** The checksums of a build, by the names of the files. */
function readSums(root: string): Map<string, string> {
  const lines = readFileSync(path.join(root, 'release/SHA256SUMS'), 'utf8').trim().split('\n');
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}
