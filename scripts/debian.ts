import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ROOT, run } from './run.ts';

const CACHE = path.join(ROOT, 'node_modules/.cache/guildbook-debian');
const ARCHIVE = path.join(CACHE, 'bookworm.tar');

/** A bare Debian as a tar archive. It is made once and kept, because debootstrap takes a minute or more. */
export function debianArchive(): string {
  if (existsSync(ARCHIVE)) {
    return ARCHIVE;
  }
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(path.join(CACHE, 'root-'));
  try {
    run('debootstrap', ['--variant=minbase', '--include=ca-certificates,libatomic1', 'bookworm', folder]);
    const unneeded = ['--exclude=./var/cache/apt/archives/*.deb', '--exclude=./proc/*', '--exclude=./sys/*'];
    run('tar', ['-C', folder, ...unneeded, '-cf', `${ARCHIVE}.part`, '.']);
    renameSync(`${ARCHIVE}.part`, ARCHIVE);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return ARCHIVE;
}
