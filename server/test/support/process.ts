import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { reportOnFailure, shorten } from './failure-report.ts';
import { createFolder } from './folder.ts';
import { untilTrue } from './patience.ts';
import { findProgram } from './program.ts';

/** The status of a command that a signal ended, which has none of its own. */
const NO_STATUS = -1;

const running = new Set<ChildProcess>();

/** Ends the processes that a failed test left running: they would slow other tests and write into folders being removed. */
export async function endProcesses(): Promise<void> {
  await Promise.all([...running].map(endNow));
}

export interface CommandResult {
  /** The exit status; -1 when a signal ended the process. */
  status: number;
  stdout: string;
  /** Without the lines that name the stores, unless the test wants them. */
  stderr: string;
}

export interface CommandOptions {
  cwd: string;
  env?: Record<string, string>;
  /** The entry of another installation than the program of this checkout. */
  program?: string;
  /** Keeps the lines that name the store in the result. Every command has them; few tests are about them. */
  keepsStoreLines?: boolean;
  /** Root may read and write everything. With this a process of root obeys the modes of files, as anybody else's does. */
  obeysModes?: boolean;
  /** The name server that the process asks, on port 53, instead of the machine's. Needs root. */
  nameServer?: string;
}

export interface RunningCommand {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves when the process has ended and all of its output was read. */
  ended: Promise<CommandResult>;
}

/** Runs one command line of the real program to its end, with an empty standard input. */
export function runCommand(args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const { child, ended } = startCommand(args, options);
  child.stdin.end();
  return ended;
}

/** Starts a command line of the real program whose standard input the test writes to. */
export function startCommand(args: readonly string[], options: CommandOptions): RunningCommand {
  const { cwd, env = {} } = options;
  const [program, ...rest] = commandLine(args, options);
  const child = watch(
    spawn(program, rest, { cwd, env: environmentOf(options, settingsFor(args, env)), stdio: 'pipe' }),
  );
  // A command that ends early closes its input under the test's hands.
  child.stdin.on('error', () => {});
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk;
  });
  reportOnFailure(describeLine(args, env), () =>
    [describeEnd(child), `stdout: ${shorten(stdout)}`, `stderr: ${shorten(stderr)}`].join('\n'),
  );
  const ended = once(child, 'close').then(([status]) =>
    withoutStoreLines({ status: status ?? NO_STATUS, stdout, stderr }, options),
  );
  return { child, ended };
}

export interface ServerProcess {
  address: string;
  child: ChildProcess;
  /** Resolves with exit status and signal, when the process has ended and all of its output was read. */
  ended: Promise<{ status: number | null; signal: NodeJS.Signals | null }>;
  /** The lines it wrote so far, to standard output and to standard error. */
  output: string[];
  /** Sends a request, and repeats it when the service is overloaded, since that is due to a busy machine. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** The address of the metrics, which its log names. */
  metricsUrl(): string;
  readMetrics(): Promise<string>;
}

export interface ServerOptions extends CommandOptions {
  command?: string;
  args?: readonly string[];
  /** Starts it as the leader of its own process group, to which a test can send a signal. */
  leadsGroup?: boolean;
}

/** Starts `guildbook serve` (or another serving command) on a free port and waits until it is ready. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { cwd, env = {}, command = 'serve', args = [], leadsGroup = false } = options;
  const [program, ...rest] = commandLine([command, ...args], options);
  const child = watch(
    spawn(program, rest, {
      cwd,
      env: environmentOf(options, { PORT: '0', METRICS_PORT: '0', ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: leadsGroup,
    }),
  );
  const output: string[] = [];
  reportOnFailure(describeLine([command, ...args], env), () =>
    [describeEnd(child), shorten(output.join('\n'))].join('\n'),
  );
  const ended = once(child, 'close').then(([status, signal]) => ({ status, signal }));
  createInterface(child.stderr).on('line', (line) => output.push(line));
  const address = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      output.push(line);
      const found = /(?:"address":"|Dashboard {2})(http:\/\/[^"/]+)/.exec(line)?.[1];
      if (found !== undefined) {
        resolve(found);
      }
    });
    ended.then(() => reject(new Error(`the server ended before it listened:\n${output.join('\n')}`)));
  });
  const metricsUrl = () => /"metrics":"([^"]+)"/.exec(output.join('\n'))?.[1] ?? '';
  // A start that took long on a busy machine is followed by a moment in which requests are refused.
  await untilTrue(async () => (await fetch(`${address}/readyz`)).status === 200);
  return {
    address,
    child,
    ended,
    output,
    ask: (path, init) => askUnlessOverloaded(`${address}${path}`, init),
    metricsUrl,
    // A connection of its own each time, so that several workers take turns.
    readMetrics: async () => (await fetch(metricsUrl(), { headers: { connection: 'close' } })).text(),
  };
}

/** Kills a process, unless it has ended already, and waits for its end. */
export async function endNow(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }
}

async function askUnlessOverloaded(url: string, init: RequestInit | undefined): Promise<Response> {
  let reply = await fetch(url, init);
  await untilTrue(async () => {
    if (reply.status !== 503 || !(await reply.clone().text()).includes('overloaded')) {
      return true;
    }
    reply = await fetch(url, init);
    return false;
  });
  return reply;
}

/** Makes sure that a process ends with the tests of the file at the latest. */
export function watch<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Drops the capabilities that let root ignore the modes of files. */
const OVERRIDING = '--bounding-set=-dac_override,-dac_read_search';

function commandLine(
  args: readonly string[],
  { program = findProgram().entry, obeysModes = false, nameServer }: CommandOptions,
): [string, ...string[]] {
  const line: [string, ...string[]] = [process.execPath, program, ...args];
  if (nameServer !== undefined) {
    return ['unshare', '--mount', 'sh', '-c', withNameServer(nameServer), 'sh', ...line];
  }
  const isRoot = process.getuid?.() === 0;
  return obeysModes && isRoot ? ['setpriv', OVERRIDING, ...line] : line;
}

/** A shell script that runs its arguments with a file of name servers that only they see. */
function withNameServer(nameServer: string): string {
  const file = path.join(createFolder(), 'resolv.conf');
  writeFileSync(file, `nameserver ${nameServer}\n`);
  return `mount --bind '${file}' /etc/resolv.conf && exec "$@"`;
}

/** Removes the lines that name the stores of a command. */
export function withoutStoreLines(
  result: CommandResult,
  { keepsStoreLines = false }: Pick<CommandOptions, 'keepsStoreLines'>,
): CommandResult {
  const lines = /^(?:Store|From|To): .*\n/gm;
  return keepsStoreLines ? result : { ...result, stderr: result.stderr.replaceAll(lines, '') };
}

/** A command line as somebody would type it. */
export function describeLine(args: readonly string[], env: Record<string, string>): string {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return [...settings, 'guildbook', ...args].join(' ');
}

function describeEnd({ exitCode, signalCode }: ChildProcess): string {
  return exitCode === null && signalCode === null ? 'still running' : `ended with ${signalCode ?? exitCode}`;
}

/** Tests that serve at the same time must not compete for the usual port of the metrics. */
export function settingsFor(args: readonly string[], env: Record<string, string>): Record<string, string> {
  return args.includes('serve') ? { METRICS_PORT: '0', ...env } : env;
}

function environmentOf({ program }: CommandOptions, env: Record<string, string>): Record<string, string> {
  return cleanEnvironment({ ...(program === undefined ? findProgram().env : {}), ...env });
}

/** Settings of the machine must not leak into the test. */
export function cleanEnvironment(env: Record<string, string>): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env };
}
