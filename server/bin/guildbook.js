#!/usr/bin/env node
// Plain JavaScript on purpose: a runtime that is too old cannot read TypeScript, but it can read this.
import module from 'node:module';

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(
    `guildbook needs Node.js 24 or newer and this is ${process.version}: run it as "npx guildbook", which brings its own`,
  );
  process.exitCode = 1;
} else {
  // Keeps what was compiled from TypeScript for the next start, which then takes half the time and less memory. Where
  // the folder cannot be written, Node goes on without.
  module.enableCompileCache(new URL('../../node_modules/.cache/guildbook', import.meta.url).pathname);
  await import('../src/main.ts');
}
