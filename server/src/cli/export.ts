import { createWriteStream, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Argument, type Command, Option } from 'commander';
import { OperatorError } from '../domain/errors.ts';
import {
  EXPORT_NAMES,
  type ExportName,
  exportRecords,
  FORMATS,
  type Format,
  inPieces,
} from '../import-export/export.ts';
import { formatOfFile } from '../import-export/source.ts';
import { assertWritableFolder } from '../store/sqlite/store-file.ts';
import { parseId } from './arguments.ts';
import { createProgress, formatMany } from './progress.ts';
import { stoppable } from './stoppable.ts';
import { withToolbox } from './toolbox.ts';

interface ExportCommandOptions {
  guild?: string;
  format?: Format;
  out?: string;
  force?: boolean;
}

export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description('write records out')
    .addArgument(new Argument('<kind>', 'what to write out').choices(EXPORT_NAMES))
    .option('--guild <guildId>', "only this guild's records", parseId)
    .addOption(
      new Option('--format <format>', "by default what the file's name says, else json").choices(FORMATS),
    )
    .option('--out <file>', 'where to; without it, or with -, to standard output')
    .option('--force', 'overwrite the file if it exists')
    .action((kind: ExportName, _options: object, command: Command) => exportKind(kind, command));
}

async function exportKind(kind: ExportName, command: Command): Promise<void> {
  const options = command.opts<ExportCommandOptions>();
  const file = options.out === '-' ? undefined : options.out;
  const format = options.format ?? (file === undefined ? undefined : formatOfFile(file)) ?? 'json';
  let count = 0;
  const progress = createProgress(`Exporting ${kind}`);
  if (file !== undefined) {
    assertTarget(file, options.force === true);
  }
  await withToolbox(command, 'expect', async ({ store, guilds }) => {
    const guild = options.guild === undefined ? undefined : await guilds.find(options.guild);
    const onRecord = () => {
      count += 1;
      progress.update({ done: count, count });
    };
    const text = inPieces(exportRecords({ store, kind, format, guild, onRecord }));
    const left =
      file === undefined ? 'the output ends early' : `${file} was not written, and nothing is left of it`;
    await stoppable(left, (stop) => writeOut(file, text, stop));
  }).finally(progress.finish);
  if (file !== undefined) {
    console.error(`${formatMany(count, 'record')} written to ${file}`);
  }
}

function assertTarget(file: string, mayOverwrite: boolean): void {
  assertWritableFolder(path.dirname(path.resolve(file)));
  const present = statSync(file, { throwIfNoEntry: false });
  // A device or a folder would be replaced by a file, or fail after all records were read.
  if (present?.isFile() === false) {
    throw new OperatorError(
      `${file} is not a regular file\n  Name a file, or leave --out out for standard output.`,
    );
  }
  if (present !== undefined && !mayOverwrite) {
    throw new OperatorError(`${file} exists already: give --force to overwrite it`);
  }
}

/** The file gets its name when it is complete, so that nobody uses half an export. */
async function writeOut(
  file: string | undefined,
  text: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  if (file === undefined) {
    await pipeline(Readable.from(text), process.stdout, { end: false, signal }).catch(ignoreClosedPipe);
    return;
  }
  const unfinished = `${file}.unfinished`;
  try {
    await pipeline(Readable.from(text), createWriteStream(unfinished, { mode: 0o600 }), { signal });
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** A reader that needs no more, such as `head`, closes the pipe; that is no failure. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') {
    throw error;
  }
}
