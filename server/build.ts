import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compile, startPackage } from '../scripts/package-folder.ts';

// Makes the package that others install, in dist/ or in the folder that is given: compiled JavaScript, because Node.js
// does not read TypeScript below node_modules, with the SQL files, the page of the try-out's channel and the built web pages.

const root = import.meta.dirname;
const folder = path.resolve(process.argv[2] ?? path.join(root, 'dist'));
const pages = path.join(root, 'pages');

if (!existsSync(path.join(pages, 'index.html'))) {
  throw new Error('The web pages are not built. Run "npm run build" first.');
}
startPackage({ source: root, folder }, { exports: { './package.json': './package.json' } });
compile(path.join(root, 'tsconfig.build.json'), path.join(folder, 'src'));
for (const file of globSync('**/*.js', { cwd: path.join(folder, 'src') })) {
  rewriteModuleAddresses(path.join(folder, 'src', file));
}
for (const file of globSync('src/**/*.{sql,css,js}', { cwd: root })) {
  cpSync(path.join(root, file), path.join(folder, file));
}
cpSync(path.join(root, 'bin'), path.join(folder, 'bin'), { recursive: true });
cpSync(path.join(root, '..', 'deploy'), path.join(folder, 'deploy'), {
  recursive: true,
  filter: (file) => !file.includes('.test.'),
});
cpSync(path.join(root, '..', 'CHANGELOG.md'), path.join(folder, 'CHANGELOG.md'));
cpSync(pages, path.join(folder, 'pages'), {
  recursive: true,
  filter: (file) => path.basename(file) !== '.build-stamp',
});

/** The compiler renames what is imported, but not the modules that threads are started from. */
function rewriteModuleAddresses(file: string): void {
  const text = readFileSync(file, 'utf8');
  const renamed = text.replaceAll(/(?<=new URL\(')(\.[^']*)\.ts(?=', import\.meta\.url\))/g, '$1.js');
  if (/['"`]\.{1,2}\/[^'"`\s]*\.ts['"`]/.test(renamed)) {
    throw new Error(`${file} still names a TypeScript module`);
  }
  if (renamed !== text) {
    writeFileSync(file, renamed);
  }
}
