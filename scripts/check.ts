import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

// Runs all checks side by side, as many at once as there are cores, and prints what each one says when it is done. A type
// check uses one core: on more of them it does part of its work several times.

const CHECKS: readonly string[][] = [
  ['tsc', '-p', 'server', '--checkers', '1'],
  ['tsc', '-p', 'dashboard', '--checkers', '1'],
  ['biome', 'check', '--error-on-warnings', '.'],
  ['tsc', '-p', 'client', '--checkers', '1'],
  ['tsc', '-p', 'e2e', '--checkers', '1'],
  ['tsc', '-p', 'server/src/demo/platform/browser', '--checkers', '1'],
  [process.execPath, 'scripts/generated.ts', '--check'],
  [process.execPath, 'scripts/check-texts.ts'],
];

const waiting = [...CHECKS];
await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));

async function runWaiting(): Promise<void> {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    await run(check);
  }
}

async function run([program = '', ...args]: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  }
  const [status] = await once(child, 'close');
  console.log(`${[program, ...args].join(' ')}\n${Buffer.concat(chunks)}`);
  if (status !== 0) {
    process.exitCode = 1;
  }
}
