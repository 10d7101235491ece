import type { LedgerStore } from '../../domain/ports.ts';
import { NO_GUILD } from '../audit/audit-writer.ts';
import type { Engine, WriteSet } from '../jobs.ts';

/**
 * The guilds that this process has written to and whose endpoints it has not looked at since. Has at most one number
 * for each guild of the store.
 */
export interface MovedGuilds {
  add(guildNo: number): void;
  /** Removes and returns up to `max` guilds, in the order in which they were added. */
  take(max: number): number[];
}

export function createMovedGuilds(): MovedGuilds {
  const guildNos = new Set<number>();
  return {
    add: (guildNo) => {
      guildNos.add(guildNo);
    },
    take(max) {
      const taken = guildNos.values().take(max).toArray();
      for (const guildNo of taken) {
        guildNos.delete(guildNo);
      }
      return taken;
    },
  };
}

/** A ledger whose writes are noted. A write that failed is noted too: it may have been committed. */
export function noteLedger(ledger: LedgerStore, ...noted: readonly MovedGuilds[]): LedgerStore {
  const after = <Result>(guildNo: number, write: Promise<Result>): Promise<Result> => {
    const note = () => {
      for (const moved of noted) {
        moved.add(guildNo);
      }
    };
    write.then(note, note);
    return write;
  };
  return {
    ...ledger,
    append: (transaction) => after(transaction.guild.guildNo, ledger.append(transaction)),
    appendGroup: (group) => after(group.guild.guildNo, ledger.appendGroup(group)),
    setFloor: (guild, account, change) => after(guild.guildNo, ledger.setFloor(guild, account, change)),
    import: (guild, transactions) => after(guild.guildNo, ledger.import(guild, transactions)),
  };
}

/** An engine whose writes are noted. */
export function noteWrites<Noted extends Pick<Engine<WriteSet>, 'write'>>(
  engine: Noted,
  moved: MovedGuilds,
): Noted {
  const write: Engine<WriteSet>['write'] = (name, input) => {
    const written = engine.write(name, input);
    if (WITHOUT_EVENTS.has(name)) {
      return written;
    }
    const note = (result?: unknown) => {
      for (const guildNo of [...guildsIn(input), ...guildsIn(result)]) {
        moved.add(guildNo);
      }
      if (PEOPLE_WRITES.has(name)) {
        moved.add(NO_GUILD);
      }
    };
    written.then(note, () => note());
    return written;
  };
  return { ...engine, write };
}

/** Frequent writes that add nothing to a log that endpoints follow. */
const WITHOUT_EVENTS: ReadonlySet<string> = new Set(['recordDeliveries', 'advanceSeals', 'advanceSeal']);

/** Writes to the log that belongs to no guild. */
const PEOPLE_WRITES: ReadonlySet<string> = new Set(['putVerifications', 'deleteVerification']);

interface NamesGuild {
  guildNo?: number;
  guild?: { guildNo?: number } | undefined;
  key?: NamesGuild;
  webhook?: NamesGuild;
}

/** The guilds that the input or the result of a write names. */
function guildsIn(value: unknown): number[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const { guildNo, guild, key, webhook }: NamesGuild = value;
  return [guildNo, guild?.guildNo, key?.guild?.guildNo, webhook?.guild?.guildNo].filter(
    (found) => found !== undefined,
  );
}
