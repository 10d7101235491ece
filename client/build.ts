import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compile, startPackage } from '../scripts/package-folder.ts';

// Makes the package that others install, in dist/ or in the folder that is given: plain JavaScript with declarations, as
// ES modules and as CommonJS. Within this repository the source is used as it is, so the package has a manifest of its own.

const root = import.meta.dirname;
const folder = path.resolve(process.argv[2] ?? path.join(root, 'dist'));
const FORMATS = { esm: 'module', cjs: 'commonjs' } as const;

startPackage(
  { source: root, folder },
  {
    main: './cjs/index.js',
    types: './cjs/index.d.ts',
    exports: {
      '.': {
        import: { types: './esm/index.d.ts', default: './esm/index.js' },
        require: { types: './cjs/index.d.ts', default: './cjs/index.js' },
      },
      './package.json': './package.json',
    },
  },
);
for (const [format, type] of Object.entries(FORMATS)) {
  const outDir = path.join(folder, format);
  compile(path.join(root, `tsconfig.${format}.json`), outDir);
  writeFileSync(
    path.join(outDir, 'package.json'),
    `${JSON.stringify({ type, sideEffects: false }, null, 2)}\n`,
  );
  for (const file of globSync('**/*.d.ts', { cwd: outDir })) {
    rewriteImports(path.join(outDir, file));
  }
}

/** The compiler renames imports in scripts, but not in declarations. */
function rewriteImports(file: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll(/(?<=from ')(\.[^']*)\.ts(?=')/g, '$1.js'));
}
