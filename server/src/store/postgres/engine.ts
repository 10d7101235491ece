import type { Engine, LongRead, Write, WriteSet } from '../jobs.ts';
import { LONG_READS } from '../long-reads.ts';
import { WRITES } from '../writes.ts';
import type { Reads } from './read.ts';
import type { Writer } from './write.ts';

/** The parts of this store that stored features are made of. */
export function createEngine(
  { read, inSnapshot }: Pick<Reads, 'read' | 'inSnapshot'>,
  writer: Pick<Writer, 'write'>,
): Engine<typeof WRITES, typeof LONG_READS> {
  function write(name: keyof typeof WRITES, input: never): Promise<unknown> {
    const { lane, run }: Write<never, unknown> = WRITES[name];
    return writer.write(lane(input), async (transaction) => run(transaction, input));
  }
  function readLong(name: keyof typeof LONG_READS, input: never): Promise<unknown> {
    const run: LongRead<never, unknown> = LONG_READS[name];
    return inSnapshot((moment) => run(moment, input));
  }
  // Both run the job of that name, so that the result belongs to it.
  return {
    read,
    inSnapshot,
    readLong: readLong as unknown as Engine<WriteSet, typeof LONG_READS>['readLong'],
    write: write as Engine<typeof WRITES>['write'],
  };
}
