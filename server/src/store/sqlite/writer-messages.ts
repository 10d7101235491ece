import type { WriteOutcome } from '../batch-queue.ts';
import { type Refusal, type Reply, toOutcome } from '../reply.ts';

// A batch as it crosses to the writer thread and back. Most batches are posts, so a name shared by many writes is
// sent once.

export interface NamedWrite<Name extends string> {
  name: Name;
  input: unknown;
}

/** Consecutive writes of the same name. */
export interface WriteRun<Name extends string> {
  name: Name;
  inputs: unknown[];
}

/** The outcome of each write of a batch: its value, or the refusal for its index. */
export interface PackedReplies {
  values: unknown[];
  refusals: { place: number; refusal: Refusal }[];
}

export function packWrites<Name extends string>(writes: readonly NamedWrite<Name>[]): WriteRun<Name>[] {
  const runs: WriteRun<Name>[] = [];
  let last: WriteRun<Name> | undefined;
  for (const { name, input } of writes) {
    if (last?.name !== name) {
      last = { name, inputs: [] };
      runs.push(last);
    }
    last.inputs.push(input);
  }
  return runs;
}

export function unpackWrites<Name extends string>(runs: readonly WriteRun<Name>[]): NamedWrite<Name>[] {
  return runs.flatMap(({ name, inputs }) => inputs.map((input) => ({ name, input })));
}

export function packReplies(replies: readonly Reply[]): PackedReplies {
  const packed: PackedReplies = { values: [], refusals: [] };
  for (const [place, reply] of replies.entries()) {
    if ('value' in reply) {
      packed.values.push(reply.value);
    } else {
      packed.values.push(undefined);
      packed.refusals.push({ place, refusal: reply });
    }
  }
  return packed;
}

export function unpackReplies({ values, refusals }: PackedReplies): WriteOutcome<unknown>[] {
  const outcomes: WriteOutcome<unknown>[] = values.map((value) => ({ value }));
  for (const { place, refusal } of refusals) {
    outcomes[place] = toOutcome(refusal);
  }
  return outcomes;
}
