import type { DatabaseSync } from 'node:sqlite';
import type { GuildRef } from '../../domain/model.ts';
import type { PartRevision, Part as SharedPart } from '../revision.ts';
import { prepare } from './connection.ts';

export type Part = 'keys' | 'commands' | 'records' | 'verifications';

type Counters = Record<Part, number>;

/** Counters of more guilds than this are not cached: the cache is emptied. */
const GUILDS_MAX = 10_000;

export interface Revisions {
  of(part: Part): number;
  /** The counter of a guild's records. */
  ofGuild(guild: GuildRef): number;
  /** Changes when a guild's ledger grows or keys change; undefined while it cannot be read. */
  ofLedger(guildNo: number): string | undefined;
  /** After a ledger grew by a write of our own the next look at it is a fresh one, even within the same turn. */
  lookAtLedgerAgain(guildNo: number): void;
  /** Whether the counters can be read right now. */
  isReadable(): boolean;
  /** After a change of our own the next look is a fresh one, even within the same turn. */
  lookAgain(): void;
}

/**
 * Tells whether a part of the store has changed since it was last read into memory, by this process or any
 * other. The counters are read at most once per turn of the event loop: requests that arrive together share
 * the look, and a request that arrives after a change is always answered after it.
 */
export function createRevisions(db: DatabaseSync): Revisions {
  const counter = (part: Part) => `(SELECT value FROM revision WHERE part = '${part}') AS ${part}`;
  const find = prepare<Counters>(
    db,
    `SELECT ${(['keys', 'commands', 'records', 'verifications'] as const).map(counter).join(', ')}`,
  );
  const findGuild = prepare<{ value: number }>(db, 'SELECT value FROM record_revision WHERE guild_no = ?');
  /** Counters of guilds, which hold for as long as the counter of all records stands at `guildsAt`. */
  const guilds = new Map<number, number>();
  let guildsAt: number | undefined;
  const findLast = prepare<{ last: number }>(
    db,
    'SELECT last_number AS last FROM guild_ledger WHERE guild_no = ?',
  );
  const ledgers = new Map<number, string>();
  let known: Counters | undefined;
  const lookAgain = () => {
    known = undefined;
    ledgers.clear();
  };

  function look(): Counters | undefined {
    if (known === undefined) {
      known = find.get();
      setImmediate(lookAgain);
    }
    return known;
  }

  function isReadable(): boolean {
    try {
      return look() !== undefined;
    } catch {
      return false;
    }
  }

  return {
    lookAgain,
    of: (part) => look()?.[part] ?? 0,
    ofGuild({ guildNo }) {
      const records = look()?.records;
      if (records !== guildsAt || guilds.size >= GUILDS_MAX) {
        guilds.clear();
        guildsAt = records;
      }
      let value = guilds.get(guildNo);
      if (value === undefined) {
        value = findGuild.get(guildNo)?.value ?? 0;
        guilds.set(guildNo, value);
      }
      return value;
    },
    ofLedger(guildNo) {
      if (!db.isOpen || !isReadable()) {
        return undefined;
      }
      let value = ledgers.get(guildNo);
      if (value === undefined) {
        value = `${findLast.get(guildNo)?.last ?? 0} ${look()?.keys}`;
        ledgers.set(guildNo, value);
      }
      return value;
    },
    lookAtLedgerAgain(guildNo) {
      ledgers.delete(guildNo);
    },
    isReadable,
  };
}

/** A part's counter for the features that are the same on both engines. */
export function partRevision(revisions: Revisions, part: SharedPart): PartRevision {
  return {
    // A counter that cannot be read equals no other one, so that nothing in memory answers for a closed or failing store.
    read: () => (revisions.isReadable() ? revisions.of(part) : Number.NaN),
    lookAgain: revisions.lookAgain,
  };
}
