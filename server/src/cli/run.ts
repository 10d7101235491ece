import { CommanderError } from 'commander';
import { explain } from './explain.ts';
import { createProgram } from './program.ts';

const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;

/** Runs one command line and returns its exit status. Long-running commands return after they were stopped. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync([...args], { from: 'user' });
    return DONE;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has already printed the message. Help and version are no errors.
      return error.exitCode === 0 ? DONE : WRONG_USAGE;
    }
    console.error(`guildbook: ${explain(error)}`);
    return FAILED;
  }
}
