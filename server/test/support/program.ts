import path from 'node:path';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('../..', import.meta.url));

/** The folder that server/bin/guildbook.js uses: what is compiled once is compiled for all. */
export const COMPILE_CACHE = path.join(SERVER, '..', 'node_modules/.cache/guildbook');

/** In the processes of a run that bundled the program (`scripts/test-program.ts`) this variable names its folder. */
export const BUNDLE_VARIABLE = 'GUILDBOOK_TEST_PROGRAM';

export interface Program {
  /** The script of the command. */
  entry: string;
  /** The module that exports `run`. */
  runModule: string;
  /** Environment variables that each process of the program needs. */
  env: Record<string, string>;
}

/** The program that tests start: the bundle of this run, or the modules of the checkout where none was made. */
export function findProgram(): Program {
  const bundle = process.env[BUNDLE_VARIABLE];
  return bundle === undefined
    ? {
        entry: path.join(SERVER, 'bin/guildbook.js'),
        runModule: path.join(SERVER, 'src/cli/run.ts'),
        env: {},
      }
    : {
        entry: path.join(bundle, 'bin/guildbook.js'),
        runModule: path.join(bundle, 'src/run.js'),
        // A checkout sets it by itself.
        env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
      };
}
