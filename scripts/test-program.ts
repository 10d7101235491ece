import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { isDeep } from '../server/test/support/depth.ts';
import { BUNDLE_VARIABLE } from '../server/test/support/program.ts';
import { ROOT } from './run.ts';
import { ensureThreads, useBundledThread } from './test-threads.ts';

const SERVER = path.join(ROOT, 'server');
const FOLDER = path.join(ROOT, 'node_modules/.cache/guildbook-test-program');
const ENTRIES = { main: 'src/main.ts', run: 'src/cli/run.ts' };

let bundling: Promise<void> | undefined;

/**
 * Bundles the modules of the program into a few files. A process otherwise loads 900 modules, which takes most of the time of
 * its start, and the tests start hundreds. SQL files and web pages stay where they are. `npm run test:deep` starts the
 * program as it is, and so do the tests of its installation.
 */
export function bundledProgram(): Plugin {
  return {
    name: 'bundled-program',
    configResolved: () => {
      bundling ??= isDeep ? Promise.resolve() : bundleProgram();
      return bundling;
    },
    // Only in watch mode.
    hotUpdate: () => (isDeep ? undefined : bundleProgram()),
  };
}

async function bundleProgram(): Promise<void> {
  await ensureThreads();
  const built = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    plugins: [keepAddresses()],
    build: {
      ssr: true,
      write: false,
      minify: false,
      target: 'node24',
      rolldownOptions: {
        input: Object.fromEntries(
          Object.entries(ENTRIES).map(([name, file]) => [name, path.join(SERVER, file)]),
        ),
        output: { entryFileNames: '[name].js', chunkFileNames: 'parts/[name]-[hash].js' },
      },
    },
  });
  if (Array.isArray(built) || !('output' in built)) {
    throw new Error('the program was not bundled');
  }
  mkdirSync(path.join(FOLDER, 'src/parts'), { recursive: true });
  cpSync(path.join(SERVER, 'bin'), path.join(FOLDER, 'bin'), { recursive: true });
  cpSync(path.join(SERVER, 'package.json'), path.join(FOLDER, 'package.json'));
  // Parts before the entries that name them: another run of the tests may start the program at this moment.
  for (const chunk of built.output.toReversed()) {
    if (chunk.type === 'chunk') {
      replaceFile(path.join(FOLDER, 'src', chunk.fileName), chunk.code);
    }
  }
  process.env[BUNDLE_VARIABLE] = FOLDER;
}

function replaceFile(file: string, text: string): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
}

/** Each module finds its files, and names itself, as if it were not in a bundle. */
function keepAddresses(): Plugin {
  return {
    name: 'keep-addresses',
    enforce: 'pre',
    transform: {
      filter: { id: /\/server\/src\/.*\.ts$/, code: 'import.meta.' },
      handler: (code, id) =>
        useBundledThread(code)
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
          .replaceAll('import.meta.filename', JSON.stringify(id)),
    },
  };
}
