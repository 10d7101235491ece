import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installedFaults, type Lockfile, readLockfile } from './lockfile.ts';
import { checkWithRegistry } from './registry-check.ts';
import { ROOT, read } from './run.ts';

// npm run check:lockfile
// npm run check:lockfile -- --need-signatures    fails when the registry offers no signatures; for publishing
//
// Checks that every package of package-lock.json is one package of the registry with an exact version and a SHA-512, that the
// registry has the same SHA-512, that what is installed here came from those packages, and that the registry's signatures are
// valid. It fetches the tarballs of everything that is installed. "npm run release" runs it first. The last lines say so when
// the registry has no signatures.

const { values } = parseArgs({
  options: {
    lockfile: { type: 'string', default: path.join(ROOT, 'package-lock.json') },
    registry: { type: 'string' },
    'need-signatures': { type: 'boolean', default: false },
  },
});

// Both files are written by npm.
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const { workspaces } = readJson(path.join(ROOT, 'package.json'));
const { packages, faults } = readLockfile(readJson(values.lockfile) as Lockfile, workspaces);
const installed: Lockfile = readJson(path.join(ROOT, 'node_modules/.package-lock.json'));
faults.push(...installedFaults(packages, installed));
refuse(faults);
const registry = values.registry ?? read('npm', ['config', 'get', 'registry']).trim();
const isFetched = ({ place }: { place: string }) => installed.packages[place] !== undefined;
const result = await checkWithRegistry(packages, { registry, isFetched });
refuse(result.faults);
const fetchedCount = packages.filter(isFetched).length;
console.log(
  `${packages.length} packages of the lock file are as in ${registry}, ${fetchedCount} of them with their content.`,
);
if (result.unsignedReason === undefined) {
  console.log(`${result.signedCount} signatures of the registry are valid.`);
} else {
  console.log(`SIGNATURES WERE NOT CHECKED: ${result.unsignedReason}.`);
  process.exitCode = values['need-signatures'] ? 1 : 0;
}

function refuse(lines: readonly string[]): void {
  if (lines.length > 0) {
    console.error(`THE LOCK FILE IS REFUSED:\n${lines.map((line) => `  ${line}`).join('\n')}`);
    process.exit(1);
  }
}
