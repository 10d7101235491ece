import type { Command } from 'commander';
import { type ArchivedYear, archiveStore, checkArchive } from '../compose/archive.ts';
import { sumText } from '../domain/ledger/amount.ts';
import type { MoneySums } from '../domain/ledger/ledger-views.ts';
import { parseId } from './arguments.ts';
import { createProgress, formatMany } from './progress.ts';
import { stoppable } from './stoppable.ts';
import { readStoreConfig } from './store-line.ts';

interface ArchiveCommandOptions {
  before?: string;
  check?: string[];
  out: string;
  guild?: string;
  dryRun?: boolean;
}

export function addArchiveCommand(program: Command): void {
  program
    .command('archive')
    .description(
      'write old transactions into checked files, one for each guild and year, and remove them from the store; balances and sums stay, and a run that was cut off goes on when repeated',
    )
    .option(
      '--before <day>',
      'archive transactions from before this day in UTC, at least a year ago, as in 2026-01-31',
    )
    .option('--out <folder>', 'where to write the files', 'archive')
    .option('--guild <guildId>', "only this guild's transactions", parseId)
    .option('--dry-run', 'only print what would be archived')
    .option('--check <files...>', 'check archive files instead')
    .action(async (options: ArchiveCommandOptions, command: Command) => {
      const { check, before } = options;
      if ((check === undefined) === (before === undefined)) {
        command.error('error: give either --before <day> or --check <files...>');
      }
      await (check === undefined ? archive(options, before ?? '', command) : checkFiles(check));
    });
}

async function archive(options: ArchiveCommandOptions, before: string, command: Command): Promise<void> {
  const config = readStoreConfig(command);
  const progress = createProgress('Archiving', 'transaction');
  const isDryRun = options.dryRun === true;
  const years = await stoppable('run the same command again to go on', (stop) =>
    archiveStore(config, {
      before,
      folder: options.out,
      guildId: options.guild,
      isDryRun,
      nowMs: Date.now(),
      stop,
      onProgress: ({ archived, removed }) =>
        progress.update({ done: removed, count: isDryRun ? archived : removed }),
    }),
  ).finally(progress.finish);
  for (const year of years) {
    console.log(describeYear(year));
  }
  if (years.length === 0) {
    console.log(`No guild has transactions from before ${before} to archive.`);
  }
}

async function checkFiles(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const { guildId, year, sums } = await checkArchive(file);
    console.log(`${file}: guild ${guildId}, ${year}, ${describeSums(sums)}. The file is complete.`);
  }
}

function describeYear({ guildId, year, sums, file }: ArchivedYear): string {
  const where = file === undefined ? 'would be archived' : `archived in ${file}`;
  return `Guild ${guildId}, ${year}: ${describeSums(sums)}, ${where}`;
}

function describeSums({ depositCount, depositUnits, withdrawalCount, withdrawalUnits }: MoneySums): string {
  const count = formatMany(depositCount + withdrawalCount, 'transaction');
  return `${count}, ${sumText(depositUnits)} in and ${sumText(withdrawalUnits)} out`;
}
