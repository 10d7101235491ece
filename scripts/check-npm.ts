import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  copyCheckout,
  installToolchain,
  isSupported,
  type RunningService,
  readServingNode,
  runNpm,
  startService,
  type Toolchain,
  type ToolchainVersions,
} from './npm-toolchain.ts';
import { ROOT, run } from './run.ts';

// npm run check:npm
// npm run check:npm -- 10.8.2 20     one npm on one Node.js
//
// For each npm and each Node.js below: "npm ci && npm start" in a copy of this checkout, and the installation of the npm
// package as docs/operations.md describes it, started as the systemd unit starts it. Each has to answer a request, on the
// Node.js of the lock file. A pair that npm itself does not support is listed and left out.

const NPMS = ['10.8.2', '10.9.4', '11.0.0', '11.6.2', 'latest'];
const NODES = ['20', '22', '24'];
/** Noise that must not appear: npm's complaint about the Node.js that runs it, and the build's details. */
const NOISE = /EBADENGINE|PostCSS|gzip/;

const { optionalDependencies } = JSON.parse(readFileSync(path.join(ROOT, 'server/package.json'), 'utf8'));
const [expectedNode] = Object.values<string>(optionalDependencies);
const [oneNpm, oneNode] = process.argv.slice(2);
const pairs = (oneNpm === undefined ? NPMS : [oneNpm]).flatMap((npm) =>
  (oneNode === undefined ? NODES : [oneNode]).map((node) => ({ npm, node })),
);

const folder = mkdtempSync(path.join(tmpdir(), 'guildbook-check-npm-'));
const results: string[] = [];
try {
  const tarball = packServer();
  for (const pair of pairs) {
    results.push(await check(pair, tarball));
    console.log(results.at(-1));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`\n${results.join('\n')}`);
const failures = results.filter((line) => line.includes('FAILED')).length;
console.log(`${results.length - failures} passed, ${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;

async function check(pair: ToolchainVersions, tarball: string): Promise<string> {
  const toolchain = installToolchain(pair);
  const name = `npm ${toolchain.npm} on Node.js ${toolchain.node}`;
  const startedMs = performance.now();
  try {
    if (!isSupported(toolchain)) {
      return `${name}: left out, this npm does not support this Node.js`;
    }
    await checkCheckout(toolchain);
    await checkPackage(toolchain, tarball);
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    return `${name}: checkout and package answer, on Node.js ${expectedNode} (${seconds} s)`;
  } catch (error) {
    return `${name}: FAILED\n${error instanceof Error ? error.message : error}`;
  } finally {
    toolchain.remove();
  }
}

/** The first command of the README. */
async function checkCheckout(toolchain: Toolchain): Promise<void> {
  const checkout = path.join(folder, 'checkout');
  try {
    copyCheckout(checkout);
    const installed = await runNpm(toolchain, checkout, ['ci', '--prefer-offline']);
    const service = await startService('npm', ['start'], { cwd: checkout, env: toolchain.env });
    await expectAnswer(service);
    expectQuiet([...installed, ...service.lines]);
    await service.stop();
  } finally {
    rmSync(checkout, { recursive: true, force: true });
  }
}

/** The npm package of docs/operations.md, started by the command of deploy/guildbook.service. */
async function checkPackage(toolchain: Toolchain, tarball: string): Promise<void> {
  const place = path.join(folder, 'package');
  try {
    mkdirSync(place);
    const installed = await runNpm(toolchain, place, [
      ...['install', '--prefer-offline', '--prefix', place, tarball],
    ]);
    const program = path.join(place, 'node_modules/.bin/guildbook');
    const service = await startService(program, ['serve'], { cwd: place, env: toolchain.env });
    await expectAnswer(service);
    expectQuiet(installed);
    const status = await service.stop();
    if (status !== 0) {
      throw new Error(`guildbook serve ended with status ${status}:\n${service.lines.join('\n')}`);
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function expectAnswer(service: RunningService): Promise<void> {
  const { status } = await fetch(`${service.address}/commands`);
  const node = await readServingNode(service);
  if (status !== 200 || node !== expectedNode) {
    throw new Error(`GET /commands was answered with ${status}, by Node.js ${node}`);
  }
}

function expectQuiet(lines: readonly string[]): void {
  const noise = lines.filter((line) => NOISE.test(line));
  if (noise.length > 0) {
    throw new Error(`This must not be printed:\n${noise.join('\n')}`);
  }
}

function packServer(): string {
  run('npm', ['run', '--silent', 'build']);
  const built = path.join(folder, 'built');
  run(process.execPath, [path.join(ROOT, 'server/build.ts'), built]);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: built, stdio: 'ignore' });
  const [tarball = ''] = globSync('*.tgz', { cwd: folder });
  return path.join(folder, tarball);
}
