#!/usr/bin/env node
// Plain JavaScript on purpose: a runtime that is too old cannot read TypeScript, but it can read this.
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(
    `guildbook needs Node.js 24 or newer and this is ${process.version}: run it as "npx guildbook", which brings its own`,
  );
  process.exitCode = 1;
} else {
  await import('../src/main.ts');
}
