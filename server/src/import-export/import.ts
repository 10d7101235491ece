import { DomainError } from '../domain/errors.ts';
import type { Change, GuildRef } from '../domain/model.ts';
import type { Store } from '../domain/ports.ts';
import { createValidate, describeFault } from '../wire/validation.ts';
import { type Kind, type KindName, kindOf, type Outcome } from './kinds.ts';
import type { SourceItem } from './lines.ts';

/** Records per commit. Enough to share the wait for the commit, few enough to fit into memory. */
const BATCH_MAX = 500;
/** Size limit of a batch in characters, so that memory stays constant for large records too. */
const BATCH_LENGTH_MAX = 4 * 1024 * 1024;
/** A kind that is replaced as a whole must fit into memory. */
const REPLACED_MAX = 2_000;

export interface ImportResult {
  line: number;
  text: string;
  outcome: Outcome;
}

export interface ImportOptions {
  store: Store;
  kind: KindName;
  items: AsyncIterable<SourceItem>;
  /** The guild of records without a guildId; records of another guild are then rejected. */
  guildId?: string | undefined;
  change: Change;
}

/** A checked record with its guild, or the reason of its rejection. */
type Checked = { line: number; text: string; value: unknown; guild: GuildRef | undefined } | Rejection;
type Rejection = { line: number; text: string; rejected: string };

/**
 * Imports any number of records into the store and reports on each, in their order. While one batch is being
 * committed, the next one is read and checked. Memory use is constant, and a record that was reported as written is
 * on disk.
 */
export async function* importRecords(options: ImportOptions): AsyncGenerator<ImportResult> {
  const kind = kindOf(options.kind);
  const check = createCheck(options, kind);
  let writing: Promise<ImportResult[]> | undefined;
  for await (const batch of batches(options.items, kind)) {
    const checked: Checked[] = [];
    for (const item of batch) {
      checked.push(await check(item));
    }
    if (writing !== undefined) {
      yield* await writing;
    }
    writing = writeBatch(options, kind, checked);
    // The failure is handled where the promise is awaited, later; until then it must not count as unhandled.
    writing.catch(() => {});
  }
  if (writing !== undefined) {
    yield* await writing;
  }
}

async function* batches(items: AsyncIterable<SourceItem>, kind: Kind): AsyncGenerator<SourceItem[]> {
  const sizeMax = kind.replacesAll ? REPLACED_MAX : BATCH_MAX;
  let batch: SourceItem[] = [];
  let batchLength = 0;
  for await (const item of items) {
    batch.push(item);
    batchLength += item.text.length;
    if (batch.length > sizeMax && kind.replacesAll) {
      throw new DomainError('invalid_input', { detail: `there may be at most ${REPLACED_MAX} ${kind.name}` });
    }
    if ((batch.length >= sizeMax || batchLength >= BATCH_LENGTH_MAX) && !kind.replacesAll) {
      yield batch;
      batch = [];
      batchLength = 0;
    }
  }
  if (batch.length === 0 && kind.replacesAll) {
    throw new DomainError('invalid_input', { detail: `there are no ${kind.name} to import` });
  }
  if (batch.length > 0) {
    yield batch;
  }
}

function createCheck({ store, guildId }: ImportOptions, kind: Kind): (item: SourceItem) => Promise<Checked> {
  const validate = createValidate(kind.schema);
  const guilds = new Map<string, GuildRef>();

  async function findGuild(id: string): Promise<GuildRef | undefined> {
    const known = guilds.get(id);
    if (known !== undefined) {
      return known;
    }
    const guild = await store.guilds.find(id);
    if (guild !== undefined) {
      // Only existing guilds are cached: their number limits the memory.
      guilds.set(id, guild);
    }
    return guild;
  }

  return async (item) => {
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
    const guild = await findGuild(id);
    if (guild === undefined) {
      return { line, text, rejected: 'there is no such guild' };
    }
    return { line, text, value: { ...value, guildId: id }, guild };
  };
}

/** Writes the records of a batch in runs of one guild, and returns the outcomes in the records' order. */
async function writeBatch(
  options: ImportOptions,
  kind: Kind,
  batch: readonly Checked[],
): Promise<ImportResult[]> {
  const { store, change } = options;
  if (kind.replacesAll && batch.some((entry) => 'rejected' in entry)) {
    return batch.map((entry) => refuseWithOthers(kind, entry));
  }
  const runs = new Map<GuildRef | undefined, { line: number; text: string; value: unknown }[]>();
  for (const entry of batch) {
    if (!('rejected' in entry)) {
      const run = runs.get(entry.guild) ?? [];
      run.push(entry);
      runs.set(entry.guild, run);
    }
  }
  const outcomes = new Map<unknown, Outcome>();
  for (const [guild, run] of runs) {
    const written = await kind.write(
      store,
      guild,
      run.map(({ value }) => value),
      change,
    );
    for (const [index, entry] of run.entries()) {
      outcomes.set(entry, written[index] ?? { rejected: 'not written' });
    }
  }
  return batch.map((entry) => {
    const { line, text } = entry;
    const outcome = 'rejected' in entry ? { rejected: entry.rejected } : outcomes.get(entry);
    return { line, text, outcome: outcome ?? { rejected: 'not written' } };
  });
}

/** A kind that is replaced as a whole is refused as a whole: otherwise a mistyped file would empty the catalogue. */
function refuseWithOthers(kind: Kind, entry: Checked): ImportResult {
  const { line, text } = entry;
  const reason = `nothing was written, because not all ${kind.name} are good and they are replaced as a whole`;
  return { line, text, outcome: { rejected: 'rejected' in entry ? entry.rejected : reason } };
}
