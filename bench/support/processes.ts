import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { undoAtEnd } from './undo.ts';

export const PROGRAM = fileURLToPath(new URL('../../server/bin/guildbook.js', import.meta.url));
export const MEGABYTE = 1_000_000;
const STOP_WAIT_MS = 10_000;
const RUN_WAIT_MS = 900_000;
const TICKS_PER_SECOND = 100;

/** A process and all below it. */
type Processes = Pick<ChildProcess, 'pid'>;

/** Sees to it that the process does not outlive the run; the function returned stops it earlier. */
export function stopAtEnd(child: ChildProcess): () => Promise<void> {
  return undoAtEnd(() => stop(child));
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
    return;
  }
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WAIT_MS);
  await ended;
  clearTimeout(timer);
}

/** Runs a program to its end and returns what it printed. Another exit status than 0 is an error with all of that. */
export async function runToEnd(
  program: string,
  args: readonly string[],
  { onStart, ...options }: SpawnOptions & { onStart?: ((child: ChildProcess) => void) | undefined } = {},
): Promise<string> {
  const child = spawn(program, args, {
    timeout: RUN_WAIT_MS,
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const forget = stopAtEnd(child);
  onStart?.(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (part: Buffer) => {
      output += part.toString();
    });
  }
  const [status] = await once(child, 'close');
  await forget();
  if (status !== 0) {
    throw new Error(`${path.basename(program)} ${args.join(' ')} ended with ${status}:\n${output}`);
  }
  return output;
}

/** Runs one command of Guildbook's to its end. */
export function runGuildbook(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  return runToEnd(process.execPath, [PROGRAM, ...args], { env: { ...process.env, ...env } });
}

/** A folder that is gone at the end of the run. */
export function createFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(path.join(parent, 'guildbook-bench-'));
  undoAtEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Resident memory of a process and all below it, now and at the highest of each. Linux only. */
export function memoryOf({ pid }: Processes): { nowBytes: number; peakBytes: number } {
  const statuses = familyOf(pid).map(({ folder }) => readOrEmpty(`${folder}/status`));
  const sum = (name: string) =>
    statuses.reduce((bytes, status) => {
      const [, kilobytes = '0'] = new RegExp(`${name}:\\s+(\\d+) kB`).exec(status) ?? [];
      return bytes + Number(kilobytes) * 1_024;
    }, 0);
  return { nowBytes: sum('VmRSS'), peakBytes: sum('VmHWM') };
}

/** Processor time of a process and all that it started, in user and in system mode. Linux only. */
export function cpuOf(processes: Processes): number {
  return (ticksOf(processes) * 1_000) / TICKS_PER_SECOND;
}

/** Processor time of a process and all that it started, in ticks. Linux only. */
export function ticksOf({ pid }: Processes): number {
  // The thirteenth and fourteenth field after the state are the times of children that have ended.
  return familyOf(pid).reduce(
    (sum, { fields }) => sum + fields.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0),
    0,
  );
}

/** Open file descriptors of a process and all below it. Linux only. */
export function openFilesOf({ pid }: Processes): number {
  return familyOf(pid).reduce((sum, { folder }) => sum + readdirSync(`${folder}/fd`).length, 0);
}

interface ProcessEntry {
  folder: string;
  /** Of `stat`, from the state on: the second is the parent, the twelfth and thirteenth are ticks. */
  fields: string[];
}

/** Workers are processes of their own, and their work counts as the service's. */
function familyOf(pid: number | undefined): ProcessEntry[] {
  const entries = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      const text = readOrEmpty(`/proc/${name}/stat`);
      return { folder: `/proc/${name}`, fields: text.slice(text.lastIndexOf(')') + 2).split(' ') };
    });
  const family = entries.filter(({ folder }) => folder === `/proc/${pid}`);
  for (const { folder } of family) {
    family.push(...entries.filter(({ fields }) => `/proc/${fields[1]}` === folder));
  }
  return family;
}

/** Others' processes may end between being listed and being read. */
function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
