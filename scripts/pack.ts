import { chmodSync, globSync, statSync } from 'node:fs';
import path from 'node:path';
import { ROOT, run } from './run.ts';

/** Builds the web pages and both npm packages, and packs the packages into a folder. */
export function packPackages(destination: string): void {
  run('npm', ['run', '--silent', 'build']);
  for (const workspace of ['server', 'client']) {
    const folder = path.join(ROOT, workspace, 'dist');
    run('npm', ['run', '--silent', 'build', '--workspace', workspace]);
    setModes(folder);
    run('npm', ['pack', '--silent', '--pack-destination', destination], { cwd: folder });
  }
}

/** npm packs files with their modes, which depend on the umask of the checkout. */
function setModes(folder: string): void {
  for (const entry of globSync('**/*', { cwd: folder, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const isExecutable = entry.isDirectory() || (statSync(file).mode & 0o100) !== 0;
    chmodSync(file, isExecutable ? 0o755 : 0o644);
  }
}
