import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.join(import.meta.dirname, '..');

/** Debian keeps some programs where only root looks. */
const PATH = `${process.env.PATH ?? ''}:/usr/local/sbin:/usr/sbin:/sbin`;

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
  input?: string;
}

export function programEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, PATH };
}

/** Runs a program, shows what it prints, and throws when it fails. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): void {
  const { cwd = ROOT, env = {}, input } = options;
  console.log(`$ ${[program, ...args].join(' ')}`);
  execFileSync(program, args, {
    cwd,
    env: { ...programEnvironment(), ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'inherit', 'inherit'],
    ...(input !== undefined && { input }),
  });
}

/** Runs a program and returns its standard output. */
export function read(program: string, args: readonly string[], options: RunOptions = {}): string {
  const { cwd = ROOT, env = {} } = options;
  return execFileSync(program, args, {
    cwd,
    env: { ...programEnvironment(), ...env },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Runs a program without printing anything, and returns true when it ends with status 0. */
export function succeeds(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { env: programEnvironment(), stdio: 'ignore' }).status === 0;
}

export function isInstalled(program: string): boolean {
  return PATH.split(path.delimiter).some((folder) => existsSync(path.join(folder, program)));
}
