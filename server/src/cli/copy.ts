import { type Command, InvalidArgumentError } from 'commander';
import { copyBetween } from '../compose/copy.ts';
import { databaseUrl } from '../config/values.ts';
import { createProgress, format } from './progress.ts';

export function addCopyCommand(program: Command): void {
  program
    .command('copy')
    .description(
      'copy everything from one store to another and compare the two; nobody can write to the source meanwhile, and a copy that was cut off goes on when repeated',
    )
    .requiredOption('--from <url>', 'the store to copy, as in sqlite:./data/guildbook.db', parseUrl)
    .requiredOption('--to <url>', 'an empty one, as in postgres://user:password@host/guildbook', parseUrl)
    .action(async ({ from, to }: { from: string; to: string }) => {
      const copying = createProgress('Copying', 'rows');
      const verifying = createProgress('Verifying', 'transactions');
      const count = await copyBetween(from, to, {
        onRows: ({ done, total }) => copying.update({ done, total, count: done }),
        onVerify({ done, total }) {
          copying.finish();
          verifying.update({ done, total, count: done });
        },
      });
      verifying.finish();
      console.log(`Copied ${format(count)} rows. Counts and balances agree, and the copy was verified.`);
    });
}

function parseUrl(text: string): string {
  try {
    return databaseUrl(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}
