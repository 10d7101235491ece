import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '..');

export interface PackageFolder {
  /** The workspace the package is made of. */
  source: string;
  /** The folder that is packed and published. */
  folder: string;
}

/** Makes an empty folder with what every published package has: licence, README and a manifest without our tools. */
export function startPackage({ source, folder }: PackageFolder, additions: object): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const manifest = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8'));
  const { private: _private, scripts: _scripts, devDependencies: _tools, ...facts } = manifest;
  writeFileSync(
    path.join(folder, 'package.json'),
    `${JSON.stringify({ ...facts, ...additions }, null, 2)}\n`,
  );
  copyFileSync(path.join(source, 'README.md'), path.join(folder, 'README.md'));
  copyFileSync(path.join(ROOT, 'LICENSE'), path.join(folder, 'LICENSE'));
}

/**
 * Compiles TypeScript to plain JavaScript, as a configuration file says. Types are not checked, which would take six times
 * as long: `npm run check` does that.
 */
export function compile(config: string, outDir: string): void {
  const tsc = path.join(ROOT, 'node_modules', '.bin', 'tsc');
  execFileSync(tsc, ['-p', config, '--outDir', outDir, '--noCheck'], { stdio: 'inherit' });
}
