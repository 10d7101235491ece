import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findProgram } from '../../server/test/support/program.ts';
import { waitMs } from './patience.ts';

const root = join(import.meta.dirname, '../..');
const readyPauseMs = 50;

export interface Demo {
  /** Without a slash at the end. */
  address: string;
  /** Everything the process printed, for the message of a failure. */
  output: () => string;
}

export interface RunningDemo extends Demo {
  /** The working directory of the process, which contains its data. */
  folder: string;
  /** Lets it finish what it is doing, and keeps its folder. */
  stop(): Promise<void>;
  /** Stops it and removes its folder. */
  end(): Promise<void>;
}

interface DemoOptions {
  /** A folder of a demo that has stopped, to start from a copy of its data instead of making them. */
  samples?: string;
  /** The parent of its folder. */
  parent?: string;
}

/**
 * Starts `guildbook demo` with data of its own in a temporary folder. Settings are environment variables on top of the
 * usual ones.
 */
export async function startDemo(
  settings: Readonly<Record<string, string>> = {},
  { samples, parent = tmpdir() }: DemoOptions = {},
): Promise<RunningDemo> {
  if (!existsSync(join(root, 'server/pages/index.html'))) {
    throw new Error('The pages are not built. Run "npm run build" first.');
  }
  const folder = mkdtempSync(join(parent, 'guildbook-e2e-'));
  if (samples !== undefined) cpSync(samples, folder, { recursive: true, mode: constants.COPYFILE_FICLONE });
  const program = findProgram();
  const child = spawn(process.execPath, [program.entry, 'demo'], {
    cwd: folder,
    env: { ...machineSettings(), ...program.env, PORT: '0', LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collectOutput(child);
  const stop = () => stopProcess(child);
  const end = async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const address = await readAddress(child, output);
    await waitUntilReady(address);
    return { address, output, folder, stop, end };
  } catch (error) {
    await end();
    throw new Error(`guildbook demo did not become ready. It printed:\n${output()}`, { cause: error });
  }
}

/** Settings of the machine, such as a DATABASE_URL, must not reach the demo. */
function machineSettings(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

function collectOutput(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (part: Buffer) => {
      output += part.toString();
    });
  }
  return () => output;
}

/** The system chooses the port, and the demo prints it once it listens: no other program can take it in between. */
function readAddress(child: ChildProcess, output: () => string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => reject(new Error(`It printed no address in ${waitMs} ms`)), waitMs);
  child.stdout?.on('data', () => {
    const address = /^ *Dashboard +(http:\/\/[^/]+)\/dashboard\/$/m.exec(output())?.[1];
    if (address !== undefined) resolve(address);
  });
  child.once('error', reject);
  child.once('close', () => reject(new Error('It ended')));
  return promise.finally(() => clearTimeout(timer));
}

/** After a slow start the service refuses requests for a moment, and says so here. */
async function waitUntilReady(address: string): Promise<void> {
  const signal = AbortSignal.timeout(waitMs);
  while (!(await fetch(`${address}/readyz`, { signal })).ok) await wait(readyPauseMs, undefined, { signal });
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), waitMs);
  await ended;
  clearTimeout(timer);
}
