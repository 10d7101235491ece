import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { ROOT, run } from './run.ts';
import { makeSbom } from './sbom.ts';
import { makeStandalone } from './standalone.ts';

// Makes the files of a release in release/: the two npm packages, archives for Linux that
// bring Node.js along, the build context of the image, an SBOM, the notes and
// checksums of all of them.
//
//   npm run release                    of the commit that is checked out
//   npm run release -- --tag v0.2.0    and checks that this is its version

const FOLDER = path.join(ROOT, 'release');
const MANIFESTS = ['package.json', 'server/package.json', 'client/package.json', 'dashboard/package.json'];
/** Where the version stands in texts, which nothing derives. */
const TEXTS = ['compose.yaml', 'docs/operations.md'];

const { values } = parseArgs({ options: { tag: { type: 'string' } } });
const version: string = JSON.parse(readText('server/package.json')).version;
const notes = readNotes();
checkVersions();
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
run('npm', ['run', '--silent', 'build']);
for (const workspace of ['server', 'client']) {
  run('npm', ['run', '--silent', 'build', '--workspace', workspace]);
  run('npm', ['pack', '--silent', '--pack-destination', FOLDER], {
    cwd: path.join(ROOT, workspace, 'dist'),
  });
}
for (const cpu of ['x64', 'arm64'] as const) {
  makeStandalone({ cpu, file: path.join(FOLDER, `guildbook-${version}-linux-${cpu}.tar.gz`) });
}
run('git', [
  'archive',
  '--prefix',
  `guildbook-${version}/`,
  '--output',
  path.join(FOLDER, `guildbook-${version}-image-context.tar.gz`),
  'HEAD',
]);
writeFileSync(path.join(FOLDER, `guildbook-${version}-sbom.cdx.json`), makeSbom(version));
writeFileSync(path.join(FOLDER, 'NOTES.md'), notes);
await writeChecksums();

function readText(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** The part of the changelog that speaks of this version. */
function readNotes(): string {
  const parts = readText('CHANGELOG.md').split(/^## /m);
  if (parts.some((one) => one.startsWith('Unreleased'))) {
    throw new Error(
      'CHANGELOG.md has changes under "Unreleased", which are in these files: put them under the version',
    );
  }
  const part = parts.find((one) => one.startsWith(`${version}\n`) || one.startsWith(`${version} `));
  if (part === undefined) {
    throw new Error(`CHANGELOG.md has no part about ${version}`);
  }
  return `${part.slice(part.indexOf('\n')).trim()}\n`;
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
