import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { untilTrue } from './patience.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/guildbook.js', import.meta.url));

const running = new Set<ChildProcess>();

// What a failed test left behind must not slow the others down.
afterAll(() => {
  for (const child of running) {
    child.kill('SIGKILL');
  }
});

export interface CommandResult {
  status: number;
  stdout: string;
  stderr: string;
}

export interface CommandOptions {
  cwd: string;
  env?: Record<string, string>;
}

/** Runs one command line of the real program to its end. */
export function runCommand(
  args: readonly string[],
  { cwd, env = {} }: CommandOptions,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [PROGRAM, ...args],
      { cwd, env: cleanEnvironment(env) },
      (error, stdout, stderr) => {
        resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
  });
}

export interface ServerProcess {
  address: string;
  child: ChildProcess;
  /** Resolves with exit status and signal. */
  ended: Promise<{ status: number | null; signal: NodeJS.Signals | null }>;
  output: string[];
}

/** Starts `guildbook serve` (or another serving command) on a free port and waits until it is ready. */
export async function startServer(
  options: CommandOptions & { command?: string; args?: readonly string[] },
): Promise<ServerProcess> {
  const { cwd, env = {}, command = 'serve', args = [] } = options;
  const child = spawn(process.execPath, [PROGRAM, command, ...args], {
    cwd,
    env: cleanEnvironment({ PORT: '0', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  child.stderr.on('data', (chunk) => output.push(String(chunk)));
  running.add(child);
  child.once('exit', () => running.delete(child));
  const ended = once(child, 'exit').then(([status, signal]) => ({ status, signal }));
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
  // A start that took long on a busy machine is followed by a moment in which requests are refused.
  await untilTrue(async () => (await fetch(`${address}/readyz`)).status === 200);
  return { address, child, ended, output };
}

/** Settings of the machine must not leak into the test. */
function cleanEnvironment(env: Record<string, string>): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env };
}
