import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

// Makes the package that others install: plain JavaScript with declarations, for runtimes that do not read TypeScript.
// Within this repository the source is used as it is, so dist/ has a package.json of its own.

const root = import.meta.dirname;
const dist = path.resolve(process.argv[2] ?? path.join(root, 'dist'));

rmSync(dist, { recursive: true, force: true });
const compiler = path.join(root, '..', 'node_modules', '.bin', 'tsc');
execFileSync(compiler, ['-p', path.join(root, 'tsconfig.build.json'), '--outDir', dist], {
  stdio: 'inherit',
});

const {
  private: _,
  scripts: __,
  ...facts
} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const exports = { '.': { types: './index.d.ts', default: './index.js' } };
writeFileSync(path.join(dist, 'package.json'), `${JSON.stringify({ ...facts, exports }, null, 2)}\n`);
copyFileSync(path.join(root, 'README.md'), path.join(dist, 'README.md'));
copyFileSync(path.join(root, '..', 'LICENSE'), path.join(dist, 'LICENSE'));
