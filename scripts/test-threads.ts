import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'vite';
import { ROOT } from './run.ts';

const SOURCES = path.join(ROOT, 'server/src/store');
const FOLDER = path.join(ROOT, 'node_modules/.cache/guildbook-test-threads');
/** The module of each thread, by the folder of its store. */
const THREADS: Readonly<Record<string, string>> = { writer: 'sqlite', reader: 'sqlite', sealing: 'postgres' };
const SCRIPT = /new URL\('\.\/(\w+)\.ts', import\.meta\.url\)/;

/**
 * Bundles the modules of each store thread into one file. A thread otherwise loads 150 modules, which takes more than half
 * of the time to open a store, and the tests open hundreds.
 */
export function bundledThreads(): Plugin {
  return {
    name: 'bundled-threads',
    enforce: 'pre',
    // Before anything is transformed: transformed modules are cached on disk, the bundles are made for each run.
    configResolved: ensureThreads,
    // Only in watch mode.
    hotUpdate: bundleThreads,
    transform: {
      filter: {
        id: /\/server\/src\/store\/(?:sqlite\/(?:writer-thread|reader-threads)|postgres\/sealing-thread)\.ts$/,
      },
      handler(code) {
        const bundled = useBundledThread(code);
        if (bundled === code) {
          throw new Error(`there is no bundle for the thread in:\n${code}`);
        }
        return bundled;
      },
    },
  };
}

/** Code that starts a thread of a store, changed so that it starts the bundle; other code as it is. */
export function useBundledThread(code: string): string {
  return code.replace(SCRIPT, (found, name: string) =>
    name in THREADS ? `new URL(${JSON.stringify(`file://${fileOf(name)}`)})` : found,
  );
}

function fileOf(name: string): string {
  return path.join(FOLDER, `${name}.mjs`);
}

let bundling: Promise<void> | undefined;

/** Makes the bundles, once for all projects of a run. */
export function ensureThreads(): Promise<void> {
  bundling ??= bundleThreads();
  return bundling;
}

async function bundleThreads(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  await Promise.all(Object.entries(THREADS).map(bundleThread));
}

async function bundleThread([name, folder]: [name: string, folder: string]): Promise<void> {
  const source = path.join(SOURCES, folder, `${name}.ts`);
  const built = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    // Messages name the command by the kind of file that their module is in.
    define: { 'import.meta.filename': JSON.stringify(source) },
    build: { ssr: source, write: false, minify: false, target: 'node24' },
  });
  const [chunk] = Array.isArray(built) || !('output' in built) ? [] : built.output;
  if (chunk === undefined) {
    throw new Error(`${source} was not bundled`);
  }
  // Another run of the tests may read the file at this moment.
  const unfinished = `${fileOf(name)}.${process.pid}`;
  writeFileSync(unfinished, chunk.code);
  renameSync(unfinished, fileOf(name));
}
