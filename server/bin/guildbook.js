#!/usr/bin/env node
// The command. Plain JavaScript, because the Node.js that starts it may be too old to read TypeScript (decision 5).
import { existsSync } from 'node:fs';
import module from 'node:module';
import { canReplaceProcess, fail, findOtherRuntime, isNewEnough, replaceProcess } from './runtime.js';

// Settings that halve the memory under load at the same speed. By default Node.js lets 32 MB of new objects and as much old
// garbage as live data accumulate, and the C library keeps a heap for each thread. With a young generation this small, one
// thread collects it faster than several that wait for each other. Pretenuring is off: after a moment of slow requests, V8
// would allocate parts of later requests in the old space, where they keep whole requests alive until a full collection.
const LESS_GARBAGE = [
  '--max-semi-space-size=4',
  '--heap-growing-percent=30',
  '--no-parallel-scavenge',
  '--no-allocation-site-pretenuring',
];
const FEW_HEAPS = { MALLOC_ARENA_MAX: '2' };
const SERVING = ['serve', 'demo'];

try {
  const runtime = findOtherRuntime();
  const hasToSave = needsMemorySettings();
  // A worker process keeps its place where it can, because the channel to its parent would be lost.
  const isWorker = process.channel !== undefined && isNewEnough();
  if (!isWorker && (runtime !== undefined || (hasToSave && canReplaceProcess()))) {
    replaceProcess({
      runtime: runtime ?? process.execPath,
      args: [...(hasToSave ? LESS_GARBAGE : []), ...process.execArgv, ...process.argv.slice(1)],
      env: hasToSave ? { ...FEW_HEAPS, ...process.env } : {},
    });
  } else {
    await start();
  }
} catch (error) {
  fail(error instanceof Error ? error.message : error);
}

/** Whether this command serves without the settings above. An operator who gives the first one has chosen differently. */
function needsMemorySettings() {
  const given = `${process.execArgv.join(' ')} ${process.env.NODE_OPTIONS ?? ''}`;
  return process.argv.slice(2).some((word) => SERVING.includes(word)) && !given.includes('semi-space-size');
}

async function start() {
  // A checkout contains TypeScript, the published package the JavaScript compiled from it.
  const source = new URL('../src/main.ts', import.meta.url);
  const isCheckout = existsSync(source);
  if (isCheckout) {
    keepCompiled();
  }
  await import(isCheckout ? source.href : new URL('../src/main.js', import.meta.url).href);
}

/**
 * Keeps the compiled TypeScript for the next start, which then takes half the time and less memory. Where the folder
 * cannot be written, Node.js works without it.
 */
function keepCompiled() {
  const { directory } = module.enableCompileCache(
    new URL('../../node_modules/.cache/guildbook', import.meta.url).pathname,
  );
  if (directory !== undefined) {
    // Threads and worker processes start without the cache and look here.
    process.env.NODE_COMPILE_CACHE ??= directory;
  }
}
