import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CommandOrder } from './command-runner-child.ts';
import { reportOnFailure, shorten } from './failure-report.ts';
import { PATIENCE_MS } from './patience.ts';
import {
  type CommandOptions,
  type CommandResult,
  cleanEnvironment,
  describeLine,
  settingsFor,
  watch,
  withoutStoreLines,
} from './process.ts';
import { COMPILE_CACHE, findProgram } from './program.ts';

const CHILD = fileURLToPath(new URL('./command-runner-child.ts', import.meta.url));

interface Runner {
  child: ChildProcess;
  /** Rejects when the process ends. */
  ended: Promise<never>;
}

let runner: Runner | undefined;
let lastRun: Promise<unknown> = Promise.resolve();

/**
 * Runs one command line of the program to its end, in a process that the command lines of a test file share: most of the
 * time of a short command goes into starting Node. Tests that are about the process itself, such as its signals, pipes and
 * end, use `runCommand`. Command lines run one after the other, however many are asked for at once.
 */
export function runInShared(
  args: readonly string[],
  { cwd, env = {}, input = '', ...options }: CommandOptions & { input?: string },
): Promise<CommandResult> {
  let result: CommandResult | undefined;
  reportOnFailure(describeLine(args, env), () =>
    result === undefined
      ? 'still running, or waiting for others'
      : `ended with ${result.status}\nstdout: ${shorten(result.stdout)}\nstderr: ${shorten(result.stderr)}`,
  );
  const run = lastRun.then(async () => {
    result = withoutStoreLines(await send({ args, cwd, env: settingsFor(args, env), input }), options);
    return result;
  });
  lastRun = run.catch(() => {});
  return run;
}

async function send(order: CommandOrder): Promise<CommandResult> {
  runner ??= startRunner();
  const { child, ended } = runner;
  const answered = once(child, 'message');
  child.send(order);
  // A command line that never ends must not keep those after it waiting.
  const deadline = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  try {
    const [result] = await Promise.race([answered, ended]);
    return result;
  } finally {
    clearTimeout(deadline);
  }
}

function startRunner(): Runner {
  const env = cleanEnvironment({ NODE_COMPILE_CACHE: COMPILE_CACHE });
  const child = watch(
    fork(CHILD, [findProgram().runModule], {
      env,
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    }),
  );
  const ended = once(child, 'exit').then(([status, signal]) => {
    runner = undefined;
    throw new Error(`the process that runs the command lines ended (${signal ?? status})`);
  });
  // It ends with the tests of the file, when nobody waits for it any more.
  ended.catch(() => {});
  return { child, ended };
}
