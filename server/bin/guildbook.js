#!/usr/bin/env node
// Plain JavaScript on purpose: a runtime that is too old cannot read TypeScript, but it can read this.
import module from 'node:module';

// Node's own choice of 32 MB lets rubbish pile up, and so does a heap for each thread in the C library: this takes half the
// memory under load, and is no slower.
const NURSERY = '--max-semi-space-size=4';
const FEW_HEAPS = { MALLOC_ARENA_MAX: '2' };
const SERVING = ['serve', 'demo'];

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(
    `guildbook needs Node.js 24 or newer and this is ${process.version}: run it as "npx guildbook", which brings its own`,
  );
  process.exitCode = 1;
} else {
  restartWithLessMemory();
  await start();
}

/** Such settings can only be given from outside, so the process takes its own place once; it stays the same one. */
function restartWithLessMemory() {
  const { execve, execPath, execArgv, argv } = process;
  const isChosen = `${execArgv.join(' ')} ${process.env.NODE_OPTIONS ?? ''}`.includes('semi-space-size');
  // Not on Windows, and not in a worker process, whose channel to its parent would be lost.
  if (execve && process.platform !== 'win32' && !process.channel && SERVING.includes(argv[2]) && !isChosen) {
    execve(execPath, [execPath, NURSERY, ...execArgv, ...argv.slice(1)], { ...FEW_HEAPS, ...process.env });
  }
}

async function start() {
  // Keeps what was compiled from TypeScript for the next start, which then takes half the time and less memory. Where
  // the folder cannot be written, Node goes on without.
  const { directory } = module.enableCompileCache(
    new URL('../../node_modules/.cache/guildbook', import.meta.url).pathname,
  );
  if (directory !== undefined) {
    // Threads and worker processes begin without it and would compile everything anew; they look here.
    process.env.NODE_COMPILE_CACHE ??= directory;
  }
  await import('../src/main.ts');
}
