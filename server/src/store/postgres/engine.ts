import { type BatchQueue, createBatchQueue } from '../batch-queue.ts';
import type { DivideByServer, Engine, LongRead, Write, WriteSet } from '../jobs.ts';
import { LONG_READS } from '../long-reads.ts';
import { WRITES } from '../writes.ts';
import type { Reads } from './read.ts';
import { readRows } from './read-rows.ts';
import type { Writer } from './transactions.ts';

/** Limits of a group: writes in one transaction, and writes that wait for one. */
const GROUP_MAX = 1_000;
const QUEUE_MAX = 20_000;

type On = Write<never, unknown>['on'];
type Group = Extract<On, { runAll: unknown }>;
type Once = Extract<On, { call: unknown }>;

export interface EngineReads extends Reads {
  readAside: Reads['read'];
  divideByServer: DivideByServer;
}

/** The engine on which the stored features run. */
export function createEngine(
  { read, readAside, readLong: readAlone, inSnapshot, openReader, divideByServer }: EngineReads,
  writer: Pick<Writer, 'write' | 'writeOnce' | 'admit'>,
): Engine<typeof WRITES, typeof LONG_READS> {
  const groups = new Map<string, BatchQueue<never, unknown>>();

  async function runGroup(name: string, { runAll, callAll }: Group, inputs: readonly never[]) {
    if (callAll === undefined) {
      const results = await writer.write(name, async (transaction) => runAll(transaction, inputs));
      return results.map((value) => ({ value }));
    }
    const { statement, values } = callAll(inputs);
    await writer.writeOnce(statement, values);
    return inputs.map(() => ({ value: undefined }));
  }

  function groupOf(name: string, declared: Group): BatchQueue<never, unknown> {
    let group = groups.get(name);
    if (group === undefined) {
      group = createBatchQueue<never, unknown>({
        run: (inputs) => runGroup(name, declared, inputs),
        batchMax: GROUP_MAX,
        queueMax: QUEUE_MAX,
      });
      groups.set(name, group);
    }
    return group;
  }

  async function writeOnce({ call, toResult }: Once, input: never): Promise<unknown> {
    const { statement, values } = call(input);
    return toResult(await writer.admit(() => writer.writeOnce(statement, values)));
  }

  function write(name: keyof typeof WRITES, input: never): Promise<unknown> {
    const { run, on }: Write<never, unknown> = WRITES[name];
    if ('lane' in on) {
      return writer.write(on.lane(input), async (transaction) => run(transaction, input));
    }
    return 'runAll' in on ? writer.admit(() => groupOf(name, on).submit(input)) : writeOnce(on, input);
  }
  async function readLong(name: keyof typeof LONG_READS, input: never): Promise<unknown> {
    const run: LongRead<never, unknown> = LONG_READS[name];
    return run.needsNoSnapshot === true ? run(readAlone, input) : inSnapshot((moment) => run(moment, input));
  }
  // Both run the job of that name, so the result has that job's type.
  return {
    read,
    readNow: read,
    readAside,
    divideByServer,
    inSnapshot,
    stream: (rows) => readRows({ openReader, ...rows }),
    readLong: readLong as unknown as Engine<WriteSet, typeof LONG_READS>['readLong'],
    write: write as Engine<typeof WRITES>['write'],
  };
}
