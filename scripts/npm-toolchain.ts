import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { findSparePort } from '../server/test/support/spare-port.ts';
import { ROOT } from './run.ts';

// Installs this project with another npm on another Node.js, as somebody does who has them on their machine. Both are
// packages of the registry. `npm test` does this with the oldest supported pair, `npm run check:npm` with many.

export const OLDEST = { npm: '10.8.2', node: '20.20.2' } as const;

/** Folders of a checkout that a fresh clone does not have. */
const NOT_CLONED = /^(?:\.git|data|release|(?:.*\/)?node_modules|server\/(?:dist|pages)|client\/dist)$/;
/** Settings of npm that say where the registry is. All others belong to the npm that runs this script. */
const KEPT_SETTINGS = /^npm_config_(?:registry|cafile|cache|proxy|https_proxy|noproxy)$/i;

/** The folders of the shell and its programs. */
const SYSTEM_FOLDERS = ['/usr/bin', '/bin'];

export interface Toolchain {
  npm: string;
  node: string;
  /** Holds `bin/node`, `bin/npm` and `bin/npx`. */
  folder: string;
  /** The environment of a machine that has this Node.js, this npm and no other. */
  env: Record<string, string>;
  remove(): void;
}

export interface ToolchainVersions {
  npm: string;
  node: string;
}

/** Installs both into a temporary folder. `npm` and `node` may be version ranges or tags. */
export function installToolchain(wanted: ToolchainVersions): Toolchain {
  const folder = mkdtempSync(path.join(tmpdir(), 'guildbook-npm-'));
  const runtime = runtimePackage();
  const packages = [`npm@${wanted.npm}`, `${runtime}@${wanted.node}`];
  const env = cleanEnvironment(process.env.PATH ?? '');
  // --force: the npm of this machine need not run on the Node.js that is installed here.
  execFileSync('npm', ['install', '--silent', '--force', '--no-save', '--prefix', folder, ...packages], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const modules = path.join(folder, 'node_modules');
  mkdirSync(path.join(folder, 'bin'));
  symlinkSync(path.join(modules, runtime, 'bin/node'), path.join(folder, 'bin/node'));
  for (const name of ['npm', 'npx']) {
    symlinkSync(path.join(modules, `npm/bin/${name}-cli.js`), path.join(folder, 'bin', name));
  }
  const require = createRequire(path.join(modules, 'npm/package.json'));
  return {
    npm: require('./package.json').version,
    node: require(path.join(modules, runtime, 'package.json')).version,
    folder,
    env: cleanEnvironment([path.join(folder, 'bin'), ...SYSTEM_FOLDERS].join(path.delimiter)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** True when the manifest of this npm names this Node.js. */
export function isSupported({ folder, node }: Toolchain): boolean {
  const require = createRequire(path.join(folder, 'node_modules/npm/package.json'));
  return require('semver').satisfies(node, require('./package.json').engines.node);
}

/** Copies the files that a clone of this checkout has, changes that are not committed included. */
export function copyCheckout(folder: string): void {
  cpSync(ROOT, folder, {
    recursive: true,
    filter: (file) => !NOT_CLONED.test(path.relative(ROOT, file).split(path.sep).join('/')),
  });
}

export interface Output {
  /** The lines of standard output and of standard error, in the order of their arrival. */
  lines: string[];
}

/** Runs npm to its end. Throws with all its output when it fails. */
export async function runNpm(toolchain: Toolchain, cwd: string, args: readonly string[]): Promise<string[]> {
  const { child, lines } = startProgram('npm', args, { cwd, env: toolchain.env });
  const [status] = await once(child, 'close');
  if (status !== 0) {
    throw new Error(`npm ${args.join(' ')} ended with status ${status}:\n${lines.join('\n')}`);
  }
  return lines;
}

export interface RunningService extends Output {
  address: string;
  metricsUrl: string;
  /** Resolves with everything printed so far, once a line with this text was printed. */
  untilPrinted(text: string): Promise<string>;
  /** Stops it as Ctrl-C in a terminal does, and resolves with its exit status. */
  stop(): Promise<number | null>;
}

export interface ProgramPlace {
  cwd: string;
  env: Record<string, string>;
}

/** Starts a program that serves, and waits until it has printed its address. */
export async function startService(
  program: string,
  args: readonly string[],
  { cwd, env }: ProgramPlace,
): Promise<RunningService> {
  const metricsPort = await findSparePort();
  const { child, lines, onLine } = startProgram(program, args, {
    cwd,
    env: { PORT: '0', METRICS_PORT: String(metricsPort), ...env },
  });
  const ended = once(child, 'close');
  const untilMatched = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const [, found] = pattern.exec(lines.join('\n')) ?? [];
        if (found !== undefined) {
          resolve(found);
        }
      };
      look();
      onLine(look);
      ended.then(() => reject(new Error(`${program} ended too early:\n${lines.join('\n')}`)), reject);
    });
  const address = await untilMatched(/(?:"address":"|Dashboard {2})(http:\/\/[^"/]+)/);
  const untilPrinted = async (text: string) => {
    await untilMatched(new RegExp(`(${RegExp.escape(text)})`));
    return lines.join('\n');
  };
  const stop = async () => {
    signalGroup(child, 'SIGINT');
    const [status] = await ended;
    return status;
  };
  return { address, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`, lines, untilPrinted, stop };
}

/** The version of Node.js on which a service runs, which need not be the one that started it. */
export async function readServingNode({ metricsUrl }: RunningService): Promise<string | undefined> {
  const metrics = await (await fetch(metricsUrl)).text();
  return /nodejs_version_info\{version="v([^"]+)"/.exec(metrics)?.[1];
}

interface StartedProgram extends Output {
  child: ChildProcess;
  onLine(listener: (line: string) => void): void;
}

function startProgram(program: string, args: readonly string[], { cwd, env }: ProgramPlace): StartedProgram {
  // A group of its own, like a job of a shell, so that a signal reaches npm, its shell and the service.
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  // A check that ends early leaves nothing running.
  const kill = () => signalGroup(child, 'SIGKILL');
  process.once('exit', kill);
  child.once('close', () => process.off('exit', kill));
  const lines: string[] = [];
  const readers = [child.stdout, child.stderr].map((stream) => createInterface(stream));
  for (const reader of readers) {
    reader.on('line', (line) => lines.push(line));
  }
  const onLine = (listener: (line: string) => void) => {
    for (const reader of readers) {
      reader.on('line', listener);
    }
  };
  return { child, lines, onLine };
}

function signalGroup({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined && exitCode === null && signalCode === null) {
    process.kill(-pid, signal);
  }
}

/** Without the settings that an npm script gets from the npm that runs it, and without settings of Guildbook. */
function cleanEnvironment(searchPath: string): Record<string, string> {
  const kept = /^(?:HOME|TMPDIR|LANG|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|(?:https?|no)_proxy)$/i;
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && (kept.test(name) || KEPT_SETTINGS.test(name)) ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(inherited), PATH: searchPath };
}

/** The package that holds a Node.js binary for this machine, as in server/package.json. */
function runtimePackage(): string {
  const isAppleSilicon = process.platform === 'darwin' && process.arch === 'arm64';
  return `node-${isAppleSilicon ? 'bin-' : ''}${process.platform}-${process.arch}`;
}
