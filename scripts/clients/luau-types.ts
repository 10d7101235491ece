import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isInstalled, ROOT } from '../run.ts';
import { runProgram, type Step } from './steps.ts';

const CLIENT = path.join(ROOT, 'clients/luau');
const CHECKER = path.join(CLIENT, 'types');
/** Compiling takes a minute or more, so the result is kept. */
const CACHE = path.join(ROOT, 'node_modules/.cache/guildbook-luau-types');

const NEEDED = 'cargo and a C++ compiler (https://rustup.rs)';

/** Left out where there is no cargo, unless it is required. */
export function checkLuauTypes(folder: string, { isRequired }: { isRequired: boolean }): Step {
  const lacks = isRequired || isInstalled('cargo') ? undefined : NEEDED;
  return { name: 'Luau: types', lacks, run: () => runChecker(folder) };
}

async function runChecker(folder: string): Promise<void> {
  if (!isInstalled('cargo')) {
    throw new Error(`The types of clients/luau need ${NEEDED}`);
  }
  const cargo = ['run', '--quiet', '--locked', '--manifest-path', path.join(CHECKER, 'Cargo.toml'), '--'];
  const files = ['Guildbook.luau', ...globSync('test/*.luau', { cwd: CLIENT })];
  const paths = [...files.map((file) => path.join(CLIENT, file)), writeExample(folder)];
  await runProgram('cargo', [...cargo, path.join(CHECKER, 'roblox.d.luau'), ...paths], {
    env: { CARGO_TARGET_DIR: CACHE },
  });
}

/** The checker reads single files, so the example is appended to the client, in the place of its "require". */
function writeExample(folder: string): string {
  const client = readFileSync(path.join(CLIENT, 'Guildbook.luau'), 'utf8').replace(
    /\nreturn Guildbook\n$/,
    '\n',
  );
  const example = readFileSync(path.join(CLIENT, 'example/Shop.server.luau'), 'utf8')
    .replace('--!strict\n', '')
    .replace(/^local Guildbook = require\((.*)\)$/m, 'local _ = $1');
  const file = path.join(folder, 'Shop.luau');
  writeFileSync(file, client + example);
  return file;
}
