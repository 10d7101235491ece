import { createReadStream, statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { Argument, type Command, Option } from 'commander';
import type { Toolbox } from '../compose.ts';
import { OperatorError } from '../domain/errors.ts';
import { FORMATS, type Format } from '../import-export/export.ts';
import { type ImportResult, importRecords } from '../import-export/import.ts';
import { KIND_NAMES, type KindName } from '../import-export/kinds.ts';
import type { ByteSource } from '../import-export/lines.ts';
import { formatOfFile, readSource, sniffFormat } from '../import-export/source.ts';
import { parseId } from './arguments.ts';
import { OPERATOR } from './operator.ts';
import { createProgress, format, formatMany } from './progress.ts';
import { withToolbox } from './toolbox.ts';

/** The file of rejected records has the other reasons. */
const REASONS_SHOWN_MAX = 5;

interface ImportCommandOptions {
  guild?: string;
  format?: Format;
  strict?: boolean;
}

export function addImportCommand(program: Command): void {
  program
    .command('import')
    .description('take records in from a file')
    .addArgument(new Argument('<kind>', 'what the records are').choices(KIND_NAMES))
    .argument('<file>', 'JSON array, NDJSON or CSV with a header row; - for standard input')
    .option('--guild <guildId>', 'the guild of records that do not name theirs', parseId)
    .addOption(
      new Option('--format <format>', 'when neither the name nor the content tells').choices(FORMATS),
    )
    .option(
      '--strict',
      'all or nothing: the first bad record undoes everything; others cannot write meanwhile',
    )
    .addHelpText(
      'after',
      `
Bad records do not stop the rest: they go into <file>.rejected with line number and reason, and the exit status is 1.
Importing the same file again adds nothing, so an import that was stopped is completed by running it again.
Transactions keep their ids and times. History is only appended: one that is older than its account's last transaction
is rejected. "commands" replaces the whole catalogue.`,
    )
    .action((kind: KindName, file: string, _options: object, command: Command) =>
      importFile(kind, file, command),
    );
}

async function importFile(kind: KindName, file: string, command: Command): Promise<void> {
  const options = command.opts<ImportCommandOptions>();
  const stop = new AbortController();
  const input = await openInput(file, options.format, stop.signal);
  const tally = createTally(file);
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal);
  try {
    await withToolbox(command, 'create', async (toolbox) => {
      const work = () => runImport({ toolbox, kind, input, tally, options, stop: stop.signal });
      await (options.strict === true ? toolbox.store.allOrNothing(work) : work());
    });
  } finally {
    process.off('SIGINT', onSignal);
    await tally.close();
  }
  console.error(tally.summary());
  if (stop.signal.aborted) {
    throw new OperatorError('stopped; what was imported stays, and running it again completes it');
  }
  if (tally.rejected > 0) {
    throw new OperatorError(
      [`${format(tally.rejected)} rejected, see ${tally.rejectedFile}`, ...tally.reasons].join('\n'),
    );
  }
}

interface Input {
  bytes: ByteSource;
  format: Format;
  totalBytes: number | undefined;
  readBytes: () => number;
}

async function openInput(file: string, given: Format | undefined, stop: AbortSignal): Promise<Input> {
  if (file !== '-' && statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new OperatorError(`there is no file ${file}`);
  }
  const stream = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 });
  // Stopping an import must not wait for input that may never come.
  stop.addEventListener('abort', () => stream.destroy());
  let readBytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      readBytes += chunk.length;
      yield chunk;
    }
  }
  const known = given ?? formatOfFile(file);
  const { format, bytes } =
    known === undefined ? await sniffFormat(counted()) : { format: known, bytes: counted() };
  const totalBytes = file === '-' ? undefined : statSync(file).size;
  return { bytes, format, totalBytes, readBytes: () => readBytes };
}

interface ImportRun {
  toolbox: Toolbox;
  kind: KindName;
  input: Input;
  tally: Tally;
  options: ImportCommandOptions;
  stop: AbortSignal;
}

async function runImport({ toolbox, kind, input, tally, options, stop }: ImportRun): Promise<void> {
  const progress = createProgress(`Importing ${kind}`);
  const results = importRecords({
    store: toolbox.store,
    kind,
    items: readSource(input.bytes, input.format, kind),
    guildId: options.guild,
    change: { actor: OPERATOR, atMs: Date.now() },
  });
  try {
    for await (const group of results) {
      for (const result of group) {
        if (options.strict === true && typeof result.outcome === 'object') {
          throw new OperatorError(`line ${result.line}: ${result.outcome.rejected}; nothing was imported`);
        }
      }
      await tally.count(group);
      progress.update({ done: input.readBytes(), total: input.totalBytes, count: tally.total });
      stop.throwIfAborted();
    }
  } catch (error) {
    if (!stop.aborted || options.strict === true) {
      throw stop.aborted ? new OperatorError('stopped; nothing was imported', { cause: error }) : error;
    }
  } finally {
    progress.finish();
  }
}

interface Tally {
  readonly total: number;
  readonly rejected: number;
  readonly rejectedFile: string;
  /** The reasons of the first rejected records. */
  readonly reasons: readonly string[];
  count(results: readonly ImportResult[]): Promise<void>;
  summary(): string;
  close(): Promise<void>;
}

/** Counts the results, and writes the rejected records to a file of their own. */
function createTally(file: string): Tally {
  const counts = { created: 0, updated: 0, unchanged: 0, rejected: 0 };
  const rejectedFile =
    file === '-' ? 'import.rejected' : path.join(path.dirname(file), `${path.basename(file)}.rejected`);
  const startMs = performance.now();
  const reasons: string[] = [];
  let aside: Awaited<ReturnType<typeof open>> | undefined;
  return {
    get total() {
      return counts.created + counts.updated + counts.unchanged + counts.rejected;
    },
    get rejected() {
      return counts.rejected;
    },
    rejectedFile,
    reasons,
    async count(results) {
      let rejected = '';
      for (const { line, text, outcome } of results) {
        if (typeof outcome === 'string') {
          counts[outcome] += 1;
          continue;
        }
        counts.rejected += 1;
        if (reasons.length < REASONS_SHOWN_MAX) {
          reasons.push(`  line ${line}: ${outcome.rejected}`);
        }
        rejected += `${JSON.stringify({ line, reason: outcome.rejected, text })}\n`;
      }
      if (rejected !== '') {
        aside ??= await open(rejectedFile, 'w', 0o600);
        await aside.write(rejected);
      }
    },
    summary() {
      const seconds = (performance.now() - startMs) / 1_000;
      const { created, updated, unchanged, rejected } = counts;
      return (
        `${formatMany(this.total, 'record')} in ${seconds.toFixed(1)} s (${format(this.total / seconds)}/s): ` +
        `${format(created)} created, ${format(updated)} updated, ${format(unchanged)} unchanged, ${format(rejected)} rejected`
      );
    },
    async close() {
      if (aside === undefined) {
        await rm(rejectedFile, { force: true });
      }
      await aside?.close();
    },
  };
}
