import { setTimeout as wait } from 'node:timers/promises';
import { DomainError } from '../../domain/errors.ts';
import { createBatchQueue } from '../batch-queue.ts';
import { type Reply, toOutcome } from '../reply.ts';
import type { SEAL_READS } from '../seal/growth.ts';
import { createThreadOnDemand, type ThreadOnDemandOptions } from '../thread-on-demand.ts';
import { createTurns } from '../turns.ts';
import type { ExportReads } from './export-reads.ts';
import type { LongReads, NamedRead } from './reader.ts';
import type { ReadingNo, RecordReadings } from './record-readings.ts';
import type { CallOf, LongReadOf } from './thread-calls.ts';
import { createWalTruncation, type WalTruncationOptions } from './wal-truncation.ts';

/** Reads that may wait for one thread. More are refused. */
const WAITING_MAX = 1_000;
/** Reads that visit no more rows take milliseconds. They must not wait behind those that take tenths of a second. */
const MIDDLING_ROWS_MAX = 50_000;

/**
 * Pause between two ranges of exports. The calling thread spends about as long on a range, so all exports together
 * take half of its time at most.
 */
const EXPORT_PAUSE_MS = 1;

type AllExportReads = ExportReads & RecordReadings & Pick<LongReads, 'listAudit'>;

export interface ReaderThreads {
  read: LongReadOf<LongReads>;
  /**
   * Reads a range of an export on the export thread: exports wait only for each other. One range of each guild is
   * queued at a time, so that a guild with several exports has no larger share of the thread.
   */
  readExport: CallOf<AllExportReads>;
  /** Runs a read of the sealer on its own thread. */
  readBehind: CallOf<Pick<LongReads, keyof typeof SEAL_READS>>;
  /** Answers waiting reads, then ends the threads. */
  close(): Promise<void>;
}

interface ReaderOptions extends Pick<ThreadOnDemandOptions, 'onFatal' | 'isBackground' | 'idleMs'> {
  file: string;
  /** How long the thread pauses after each answer. */
  pauseMs?: number;
}

/**
 * Runs two threads for reads that visit many rows, chosen by the number of rows, one for exports and one for the sealer. The last two
 * have a low priority. Each starts when it is needed, and ends when it has been idle for a while.
 */
export function createReaderThreads(
  options: ReaderOptions & Pick<WalTruncationOptions, 'truncateWal'>,
): ReaderThreads {
  const run = createWalTruncation(options);
  const middling = createReaderThread(options, run);
  const long = createReaderThread(options, run);
  const exports = createReaderThread({ ...options, isBackground: true, pauseMs: EXPORT_PAUSE_MS }, run);
  // The reader's function of that name returned the value.
  const read = ((name: keyof LongReads, input: unknown, rows: number) =>
    (rows > MIDDLING_ROWS_MAX ? long : middling).ask({ name, input })) as LongReadOf<LongReads>;
  const behind = createReaderThread({ ...options, isBackground: true }, run);
  const inTurn = createTurns<number>();
  const readExport = ((name: keyof AllExportReads, input: ExportInput) =>
    inTurn(guildNoOf(input), () => exports.ask({ name, input }))) as CallOf<AllExportReads>;
  return {
    read,
    readExport,
    readBehind: ((name: keyof typeof SEAL_READS, input: unknown) =>
      behind.ask({ name, input })) as ReaderThreads['readBehind'],
    async close() {
      await Promise.all([middling, long, exports, behind].map((thread) => thread.close()));
    },
  };
}

/** The inputs of an export's reads. Each names its guild. */
type ExportInput = Parameters<AllExportReads[keyof AllExportReads]>[0];

function guildNoOf(input: ExportInput): number {
  if ('account' in input) {
    return input.account.guildNo;
  }
  return 'guild' in input ? input.guild.guildNo : input.guildNo;
}

function createReaderThread(
  { pauseMs, file, ...options }: ReaderOptions,
  run: ReturnType<typeof createWalTruncation>,
) {
  // Open readings live in the thread until they are closed.
  const readings = new Set<number>();
  const thread = createThreadOnDemand<NamedRead, Reply>({
    ...options,
    script: new URL('./reader.ts', import.meta.url),
    place: file,
    mayEnd: () => readings.size === 0,
    onDeath: () => readings.clear(),
  });
  let closed: Promise<void> | undefined;
  let paused: Promise<void> | undefined;

  async function askThread(request: NamedRead): Promise<Reply> {
    await paused;
    try {
      const reply = await thread.ask(request);
      noteReading(request, reply);
      return reply;
    } finally {
      paused = pauseMs === undefined ? undefined : wait(pauseMs);
    }
  }

  function noteReading({ name, input }: NamedRead, reply: Reply): void {
    if (name === 'openRecords' && 'value' in reply) {
      readings.add((input as ReadingNo).reading);
    } else if (name === 'closeRecords') {
      readings.delete((input as ReadingNo).reading);
    }
  }

  // Reads have nothing to commit. The queue runs them one at a time and bounds how many wait.
  const line = createBatchQueue<NamedRead, unknown>({
    run: (requests) =>
      Promise.all(requests.map(async (request) => toOutcome(await run(() => askThread(request))))),
    batchMax: 1,
    queueMax: WAITING_MAX,
  });

  async function end(): Promise<void> {
    await line.drain();
    await thread.close();
  }

  return {
    ask: (request: NamedRead): Promise<unknown> =>
      closed === undefined
        ? line.submit(request)
        : Promise.reject(new DomainError('store_unavailable', { retryAfterSeconds: 1 })),
    close() {
      closed ??= end();
      return closed;
    },
  };
}
