#!/usr/bin/env node
// Runs a script or a development tool of this checkout on the Node.js that the lock file names, whatever Node.js runs npm:
//   node scripts/launch.js scripts/test.ts --fast
//   node scripts/launch.js vitest run
// Programs that the script starts as "node" get the same one. Plain JavaScript for Node.js 18 and later, like
// server/bin/guildbook.js, with which it shares server/bin/runtime.js.
import { createRequire } from 'node:module';
import path from 'node:path';
import { environmentOf, fail, findOtherRuntime, replaceProcess } from '../server/bin/runtime.js';

const [name, ...args] = process.argv.slice(2);
if (name === undefined) {
  fail('Usage: node scripts/launch.js <script or tool> [arguments]');
} else {
  try {
    const runtime = findOtherRuntime() ?? process.execPath;
    replaceProcess({ runtime, args: [locate(name), ...args], env: environmentOf(runtime) });
  } catch (error) {
    fail(error instanceof Error ? error.message : error);
  }
}

/** A script is given by its path, a tool by the name of its package. */
function locate(name) {
  if (path.extname(name) !== '') {
    return name;
  }
  const require = createRequire(import.meta.url);
  const manifest = require.resolve(`${name}/package.json`);
  const { bin } = require(manifest);
  return path.join(path.dirname(manifest), typeof bin === 'string' ? bin : bin[name]);
}
