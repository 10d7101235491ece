import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { packPackages } from './pack.ts';
import { ROOT, run } from './run.ts';
import { makeSbom } from './sbom.ts';
import { sourceDateSeconds } from './source-date.ts';
import { makeStandalone } from './standalone.ts';

// Makes the files of a release in release/: the two npm packages, archives for Linux that include Node.js, the build context
// of the image, an SBOM, the notes and checksums of all of them.
//
//   npm run release                    from the commit that is checked out
//   npm run release -- --tag v0.2.0    for publishing: also checks the version, that no change is "Unreleased", and that the
//                                      registry's signatures are valid
//
// The lock file is checked first, see check-lockfile.ts. The same commit gives the same bytes. "npm run check:release" checks that.

const FOLDER = path.join(ROOT, 'release');
const MANIFESTS = ['package.json', 'server/package.json', 'client/package.json', 'dashboard/package.json'];
/** Texts that name the version by hand. */
const TEXTS = ['compose.yaml', 'docs/operations.md'];

const { values } = parseArgs({ options: { tag: { type: 'string' } } });
const version: string = JSON.parse(readText('server/package.json')).version;
const dateSeconds = sourceDateSeconds();
const notes = readNotes();
checkVersions();
run(process.execPath, [
  path.join(ROOT, 'scripts/check-lockfile.ts'),
  ...(values.tag === undefined ? [] : ['--need-signatures']),
]);
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
packPackages(FOLDER);
for (const cpu of ['x64', 'arm64'] as const) {
  const file = path.join(FOLDER, `guildbook-${version}-linux-${cpu}.tar.gz`);
  makeStandalone({ cpu, file, dateSeconds });
}
archiveCheckout(path.join(FOLDER, `guildbook-${version}-image-context.tar.gz`));
writeFileSync(path.join(FOLDER, `guildbook-${version}-sbom.cdx.json`), makeSbom(version, dateSeconds));
writeFileSync(path.join(FOLDER, 'NOTES.md'), notes);
await writeChecksums();

function readText(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** The changelog's section about this version, after the one about unreleased changes when it is not published yet. */
function readNotes(): string {
  const sections = readText('CHANGELOG.md').split(/^## /m);
  const unreleased = sections.filter((one) => one.startsWith('Unreleased\n'));
  if (unreleased.length > 0 && values.tag !== undefined) {
    throw new Error(
      'CHANGELOG.md has changes under "Unreleased", which are in these files: put them under the version',
    );
  }
  const section = sections.find((one) => one.startsWith(`${version}\n`) || one.startsWith(`${version} `));
  if (section === undefined) {
    throw new Error(`CHANGELOG.md has no section about ${version}`);
  }
  return [...unreleased, section].map((one) => `${one.slice(one.indexOf('\n')).trim()}\n`).join('\n');
}

/** Archives the commit, with the commit's time. gzip runs by itself, because git may be configured to use another program. */
function archiveCheckout(file: string): void {
  const tar = file.replace(/\.gz$/, '');
  const format = ['-c', 'tar.umask=0022', 'archive', '--format', 'tar'];
  run('git', [...format, '--prefix', `guildbook-${version}/`, '--output', tar, 'HEAD']);
  run('gzip', ['--no-name', '--best', tar]);
}

function checkVersions(): void {
  const wrong = [
    ...MANIFESTS.filter((file) => JSON.parse(readText(file)).version !== version),
    ...TEXTS.filter((file) => !readText(file).includes(version)),
    ...(values.tag === undefined || values.tag === `v${version}` ? [] : [`the tag ${values.tag}`]),
  ];
  if (wrong.length > 0) {
    throw new Error(`These are not about version ${version}: ${wrong.join(', ')}`);
  }
}

async function writeChecksums(): Promise<void> {
  const lines: string[] = [];
  for (const file of readdirSync(FOLDER).sort()) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path.join(FOLDER, file)), hash);
    lines.push(`${hash.digest('hex')}  ${file}\n`);
  }
  writeFileSync(path.join(FOLDER, 'SHA256SUMS'), lines.join(''));
  console.log(lines.join('').trimEnd());
}
