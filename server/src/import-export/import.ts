import { DomainError } from '../domain/errors.ts';
import type { MaybePromise } from '../domain/maybe-promise.ts';
import type { Change, GuildRef } from '../domain/model.ts';
import type { Store } from '../domain/ports.ts';
import { createValidate, describeFault } from '../wire/validation.ts';
import { type Kind, type KindName, kindOf, type Outcome } from './kinds.ts';
import type { ItemSource, SourceItem } from './lines.ts';

/** Records that are read and checked together. */
const BATCH_MAX = 500;
/** Size limit of a batch, and of a write, in characters, so that memory stays constant for large records too. */
const BATCH_LENGTH_MAX = 4 * 1024 * 1024;
/** A kind that is replaced as a whole must fit into memory. */
const REPLACED_MAX = 2_000;
/** Guilds whose records are written at the same time. */
const GUILDS_AT_ONCE = 4;

export interface ImportResult {
  line: number;
  text: string;
  outcome: Outcome;
}

export interface ImportOptions {
  store: Store;
  kind: KindName;
  items: ItemSource;
  /** The guild of records without a guildId; records of another guild are then rejected. */
  guildId?: string | undefined;
  change: Change;
}

/** A record that is to be written, or the reason of its rejection. */
type Checked = Accepted | Rejection;
type Rejection = { line: number; text: string; rejected: string };
interface Accepted {
  line: number;
  text: string;
  value: unknown;
  guild: GuildRef | undefined;
  /** Set when the record was written. */
  outcome?: Outcome | undefined;
}

/** The next batch of the source, or the results of the write under way. */
type Step = { read: IteratorResult<Checked[], void> } | { written: ImportResult[] };

/**
 * Imports any number of records into the store and reports on each, in their order, with those of one write together.
 * While records are being written, the next ones are read and checked; all that have been checked by the end of a write
 * are written together. So writes are large when the source is fast, and a slow source does not delay its records.
 * Memory use is constant, and a record that was reported as written is on disk.
 */
export async function* importRecords(options: ImportOptions): AsyncGenerator<ImportResult[]> {
  const kind = kindOf(options.kind);
  const writeMax = kind.writeMax(options.store);
  const source = checkedBatches(options, kind);
  let reading: Promise<Step> | undefined = readNext(source);
  let writing: Promise<Step> | undefined;
  let checked: Checked[] = [];
  let checkedLength = 0;
  try {
    while (reading !== undefined || writing !== undefined) {
      const isFull =
        checked.length > 0 && (checked.length + BATCH_MAX > writeMax || checkedLength >= BATCH_LENGTH_MAX);
      const pending: (Promise<Step> | undefined)[] = [writing, isFull ? undefined : reading];
      const step: Step = await Promise.race(pending.filter((one) => one !== undefined));
      let results: ImportResult[] | undefined;
      if ('written' in step) {
        results = step.written;
        writing = undefined;
      } else {
        for (const entry of step.read.value ?? []) {
          checked.push(entry);
          checkedLength += entry.text.length;
        }
        reading = step.read.done === true ? undefined : readNext(source);
      }
      if (writing === undefined && checked.length > 0) {
        writing = unobserved(writeBatch(options, kind, checked).then((written) => ({ written })));
        checked = [];
        checkedLength = 0;
      }
      if (results !== undefined) {
        yield results;
      }
    }
  } finally {
    // A source that is waiting for input ends with its stream; nobody waits for it here.
    unobserved(source.return());
    await writing?.catch(() => {});
  }
}

function readNext(source: AsyncGenerator<Checked[], void>): Promise<Step> {
  return unobserved(source.next().then((read) => ({ read })));
}

/** A failure is handled where the promise is awaited, later; until then it must not count as unhandled. */
function unobserved<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => {});
  return promise;
}

async function* checkedBatches(options: ImportOptions, kind: Kind): AsyncGenerator<Checked[], void> {
  const check = createCheck(options, kind);
  for await (const batch of batches(options.items, kind)) {
    const checked: Checked[] = [];
    for (const item of batch) {
      const one = check(item);
      checked.push(one instanceof Promise ? await one : one);
    }
    yield checked;
  }
}

async function* batches(groups: ItemSource, kind: Kind): AsyncGenerator<SourceItem[]> {
  const sizeMax = kind.replacesAll ? REPLACED_MAX : BATCH_MAX;
  let batch: SourceItem[] = [];
  let batchLength = 0;
  for await (const items of groups) {
    for (const item of items) {
      batch.push(item);
      batchLength += item.text.length;
      if (batch.length > sizeMax && kind.replacesAll) {
        throw new DomainError('invalid_input', {
          detail: `there may be at most ${REPLACED_MAX} ${kind.name}`,
        });
      }
      if ((batch.length >= sizeMax || batchLength >= BATCH_LENGTH_MAX) && !kind.replacesAll) {
        yield batch;
        batch = [];
        batchLength = 0;
      }
    }
  }
  if (batch.length === 0 && kind.replacesAll) {
    throw new DomainError('invalid_input', { detail: `there are no ${kind.name} to import` });
  }
  if (batch.length > 0) {
    yield batch;
  }
}

/** Checks a record. The answer is a promise only when the record is the first one of its guild. */
function createCheck(
  { store, guildId }: ImportOptions,
  kind: Kind,
): (item: SourceItem) => MaybePromise<Checked> {
  const validate = createValidate(kind.schema);
  const guilds = new Map<string, GuildRef>();

  async function findGuild(id: string): Promise<GuildRef | undefined> {
    const guild = await store.guilds.find(id);
    if (guild !== undefined) {
      // Only existing guilds are cached: their number limits the memory.
      guilds.set(id, guild);
    }
    return guild;
  }

  return (item) => {
    const { line, text } = item;
    if ('fault' in item) {
      return { line, text, rejected: item.fault };
    }
    const fault = validate(item.value);
    if (fault !== undefined) {
      return { line, text, rejected: describeFault(fault) };
    }
    if (!kind.isGuildOwned) {
      return { line, text, value: item.value, guild: undefined };
    }
    // The schema was just checked, and every guild-owned kind has this field.
    const value = item.value as { guildId?: string };
    const id = value.guildId ?? guildId;
    if (id === undefined) {
      return { line, text, rejected: 'guildId is missing, and no guild was named for all' };
    }
    if (guildId !== undefined && id !== guildId) {
      return { line, text, rejected: 'the record belongs to another guild than the one named' };
    }
    const ofGuild = (guild: GuildRef | undefined): Checked =>
      guild === undefined
        ? { line, text, rejected: 'there is no such guild' }
        : { line, text, value: value.guildId === id ? value : { ...value, guildId: id }, guild };
    const known = guilds.get(id);
    return known === undefined ? findGuild(id).then(ofGuild) : ofGuild(known);
  };
}

/** Writes the records of a batch guild by guild, and returns the outcomes in the records' order. */
async function writeBatch(
  options: ImportOptions,
  kind: Kind,
  batch: readonly Checked[],
): Promise<ImportResult[]> {
  if (kind.replacesAll && batch.some((entry) => 'rejected' in entry)) {
    return batch.map((entry) => refuseWithOthers(kind, entry));
  }
  const runs = new Map<GuildRef | undefined, Accepted[]>();
  for (const entry of batch) {
    if (!('rejected' in entry)) {
      const run = runs.get(entry.guild);
      if (run === undefined) {
        runs.set(entry.guild, [entry]);
      } else {
        run.push(entry);
      }
    }
  }
  await writeRuns(options, kind, runs);
  return batch.map((entry) => {
    const { line, text } = entry;
    const outcome = 'rejected' in entry ? { rejected: entry.rejected } : entry.outcome;
    return { line, text, outcome: outcome ?? { rejected: 'not written' } };
  });
}

/** Writes the records of several guilds at the same time. Nothing is being written any more when it ends or fails. */
async function writeRuns(
  options: ImportOptions,
  kind: Kind,
  runs: ReadonlyMap<GuildRef | undefined, readonly Accepted[]>,
): Promise<void> {
  const left = [...runs].reverse();
  const writers = Array.from({ length: GUILDS_AT_ONCE }, async () => {
    try {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        await writeRun(options, kind, ...next);
      }
    } catch (error) {
      left.length = 0;
      throw error;
    }
  });
  const failed = (await Promise.allSettled(writers)).find((writer) => writer.status === 'rejected');
  if (failed !== undefined) {
    throw failed.reason;
  }
}

/** Writes the records of one guild, in commits that hold no more than the store wants. */
async function writeRun(
  { store, change }: ImportOptions,
  kind: Kind,
  guild: GuildRef | undefined,
  run: readonly Accepted[],
): Promise<void> {
  const writeMax = kind.replacesAll ? run.length : kind.writeMax(store);
  for (let start = 0; start < run.length; start += writeMax) {
    const part = run.slice(start, start + writeMax);
    const written = await kind.write(
      store,
      guild,
      part.map(({ value }) => value),
      change,
    );
    for (const [index, entry] of part.entries()) {
      entry.outcome = written[index];
    }
  }
}

/** A kind that is replaced as a whole is refused as a whole: otherwise a mistyped file would empty the catalogue. */
function refuseWithOthers(kind: Kind, entry: Checked): ImportResult {
  const { line, text } = entry;
  const reason = `nothing was written, because not all ${kind.name} are good and they are replaced as a whole`;
  return { line, text, outcome: { rejected: 'rejected' in entry ? entry.rejected : reason } };
}
