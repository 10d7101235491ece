import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packPackages } from './pack.ts';
import { findDeadLinks } from './readme-links.ts';
import { ROOT, run } from './run.ts';

// npm run check:packages
//
// Packs both packages as a release does and lets publint and "are the types wrong" look at them. Both are fetched from the
// registry for this, in the versions below. Links of the READMEs have to lead somewhere in the package or out of it.

const PUBLINT = 'publint@0.3.25';
const TYPES = '@arethetypeswrong/cli@0.18.5';

const folder = mkdtempSync(path.join(tmpdir(), 'guildbook-packages-'));
try {
  packPackages(folder);
  for (const workspace of ['server', 'client']) {
    assertLinks(path.join(ROOT, workspace, 'dist'));
  }
  for (const tarball of globSync('*.tgz', { cwd: folder })) {
    const file = path.join(folder, tarball);
    run('npm', ['exec', '--yes', '--package', PUBLINT, '--', 'publint', 'run', file, '--strict']);
    run('npm', ['exec', '--yes', '--package', TYPES, '--', 'attw', file]);
  }
  console.log('Both packages can be published.');
} finally {
  rmSync(folder, { recursive: true });
}

function assertLinks(folder: string): void {
  const dead = findDeadLinks(folder);
  if (dead.length > 0) {
    throw new Error(`links of ${path.join(folder, 'README.md')} lead nowhere: ${dead.join(', ')}`);
  }
}
