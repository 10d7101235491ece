import type { Command } from 'commander';
import { copyBetween } from '../compose/copy.ts';
import { databaseUrl } from '../config/values.ts';
import { assertEnvFile } from './env-file.ts';
import { createProgress, formatMany } from './progress.ts';
import { printKeyOfCopy } from './secrets.ts';
import { stoppable } from './stoppable.ts';
import { printStore } from './store-line.ts';

type Side = 'from' | 'to';

export function addCopyCommand(program: Command): void {
  program
    .command('copy')
    .description(
      'copy everything from one store to another and compare the two; nobody can write to the source meanwhile, and a copy that was cut off goes on when repeated',
    )
    .option('--from <url>', 'the store to copy, as in sqlite:./data/guildbook.db')
    .option('--from-env <name>', 'the same, from an environment variable, which no list of processes shows')
    .option('--to <url>', 'an empty one, as in postgres://user:password@host/guildbook')
    .option('--to-env <name>', 'the same, from an environment variable')
    .action(async (_options: object, command: Command) => {
      assertEnvFile(command);
      const [from, to] = [readUrl(command, 'from'), readUrl(command, 'to')];
      printStore(command, from, 'From');
      printStore(command, to, 'To');
      const copying = createProgress('Copying', 'row');
      const verifying = createProgress('Verifying', 'transaction');
      const count = await stoppable('nothing was copied', (stop) =>
        copyBetween(from, to, {
          onSourceInUse: () => console.error(SOURCE_IN_USE),
          onRows: ({ done, total }) => copying.update({ done, total, count: done }),
          onVerify({ done, total }) {
            copying.finish();
            verifying.update({ done, total, count: done });
          },
          stop,
        }),
      ).finally(verifying.finish);
      console.log(
        `Copied ${formatMany(count, 'row')}. Counts and balances agree, and the copy was verified.`,
      );
      printKeyOfCopy(from);
    });
}

const SOURCE_IN_USE = `Warning: the source is being served. Posts wait for the copy and fail after five seconds, and what is
posted after it is not in the copy: stop the service first.`;

/** Each side is given as an address or as the name of a variable that holds one. */
function readUrl(command: Command, side: Side): string {
  const options = command.opts<Record<string, string | undefined>>();
  const [given, name] = [options[side], options[`${side}Env`]];
  if ((given === undefined) === (name === undefined)) {
    return command.error(`error: give either --${side} <url> or --${side}-env <name>`);
  }
  const source = name === undefined ? `--${side}` : `--${side}-env ${name}`;
  const text = given ?? process.env[name ?? ''] ?? '';
  if (text === '') {
    return command.error(`error: ${source}: there is no such environment variable`);
  }
  try {
    return databaseUrl(text);
  } catch (error) {
    return command.error(`error: ${source}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
