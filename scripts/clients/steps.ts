import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from '../run.ts';

/** One check. It rejects with the reason when it fails. */
export interface Step {
  name: string;
  /** The program that this machine lacks for an optional check. The check is then not run, and the summary says so. */
  lacks?: string | undefined;
  run(): Promise<void>;
}

/** Runs every step, also after one has failed, and prints the result of each. A failure sets the exit status. */
export async function runSteps(steps: readonly Step[]): Promise<void> {
  const lines: string[] = [];
  for (const { name, lacks, run } of steps) {
    if (lacks !== undefined) {
      lines.push(`  not run ${name}: it needs ${lacks}`);
      continue;
    }
    console.log(`\n== ${name}`);
    try {
      await run();
      lines.push(`  passed  ${name}`);
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      lines.push(`  FAILED  ${name}`);
      process.exitCode = 1;
    }
  }
  console.log(`\nThe clients of this checkout:\n${lines.join('\n')}`);
}

export interface ProgramOptions {
  cwd?: string;
  env?: Record<string, string>;
}

/** Runs a program to its end and shows what it prints. The event loop stays free for services that this process started. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd = ROOT, env = {} }: ProgramOptions = {},
): Promise<void> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [status, signal] = await once(child, 'close');
  if (status !== 0) {
    throw new Error(`${[program, ...args].join(' ')} ended with ${signal ?? `status ${status}`}`);
  }
}
