import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { GuildRef } from '../../domain/model.ts';
import { LAST_ENTRY } from '../audit/audit-writer.ts';
import { SQLITE } from '../dialect.ts';
import { changedGuilds, FIND_KEY_CHANGES, type PartRevision, type Part as SharedPart } from '../revision.ts';
import { textOf } from '../sql.ts';
import { prepare, prepareLists, withNumberedValues } from './connection.ts';

const PARTS = ['keys', 'commands', 'boards', 'records', 'verifications'] as const;
export type Part = (typeof PARTS)[number];

type Counters = Record<Part, number>;

/** When the counters of this many guilds are cached, the cache is emptied. */
const GUILDS_MAX = 10_000;

export interface Revisions {
  of(part: Part): number;
  /** The counter of a guild's records. */
  ofGuild(guild: GuildRef): number;
  /** Changes when a guild's ledger grows or is archived, and when its keys change. Undefined while it cannot be read. */
  ofLedger(guildNo: number): string | undefined;
  /** The number of the last entry in a guild's log. */
  ofLog(guildNo: number): number;
  /** Call it after a write of our own to a ledger: its counter is then read again, even within the same turn. */
  lookAtLedgerAgain(guildNo: number): void;
  /** True when the counters can be read now. */
  isReadable(): boolean;
  /** Call it after a change of our own: the next look then notices it, even within the same turn. */
  lookAgain(): void;
}

/**
 * Reads the counters that validate cached entries; changes by this process and any other count. Once per turn of the event loop,
 * `PRAGMA data_version` shows whether another connection has committed since; without a commit, the counters that were read before
 * are still right. The writer thread has a connection of its own. Requests that arrive together share a look, and a request that
 * arrives after a change always sees it.
 */
export function createRevisions(db: DatabaseSync): Revisions {
  const counter = (part: Part) => `(SELECT value FROM revision WHERE part = '${part}') AS ${part}`;
  const find = prepare<Counters>(db, `SELECT ${PARTS.map(counter).join(', ')}`);
  const findGuild = prepare<{ value: number }>(db, 'SELECT value FROM record_revision WHERE guild_no = ?');
  /** Counters of guilds, valid while the counter of all records equals `guildsAt`. */
  const guilds = new Map<number, number>();
  let guildsAt: number | undefined;
  const findLedger = prepare<{ mark: string }>(
    db,
    `SELECT last_number || ' ' || archived_number AS mark FROM guild_ledger WHERE guild_no = ?`,
  );
  const ledgers = new Map<number, string>();
  const findLastEntry = prepareLists(db, withNumberedValues(textOf(LAST_ENTRY, SQLITE)));
  const logs = new Map<number, number>();
  const findVersion = prepareLists(db, 'PRAGMA data_version');
  /** The version of the data from which the cached counters were read. */
  let version: SQLOutputValue | undefined;
  let isLookedAt = false;
  const findKeyChanges = prepare<{ guildNo: number }>(db, textOf(FIND_KEY_CHANGES, SQLITE));
  /** The counter of keys when a change of a guild's keys was noticed; `allKeysChangedAt` for guilds that are not in it. */
  const keysChangedAt = new Map<number, number>();
  let allKeysChangedAt = 0;
  let keysSeen = 0;
  let known: Counters | undefined;
  const lookAgain = () => {
    isLookedAt = false;
  };

  /** Forgets what was read before the last commit. The version is read first, so that a commit meanwhile is noticed by the next look. */
  function noticeCommits(): void {
    if (isLookedAt) {
      return;
    }
    const now = findVersion.get()?.[0];
    if (now !== version) {
      known = undefined;
      ledgers.clear();
      logs.clear();
      version = now;
    }
    isLookedAt = true;
    setImmediate(lookAgain);
  }

  function look(): Counters | undefined {
    noticeCommits();
    known ??= find.get();
    return known;
  }

  /** Adds to counters by guild. Without commits nothing else would bound their number. */
  function remember<Value>(counters: Map<number, Value>, guildNo: number, value: Value): Value {
    if (counters.size >= GUILDS_MAX) {
      counters.clear();
    }
    counters.set(guildNo, value);
    return value;
  }

  function keyChangeOf(guildNo: number): number {
    const changes = { since: keysSeen, upTo: look()?.keys ?? 0 };
    if (changes.upTo !== keysSeen) {
      const guildNos = changedGuilds(findKeyChanges.all(changes.since, changes.upTo), changes);
      if (guildNos === undefined || keysChangedAt.size >= GUILDS_MAX) {
        keysChangedAt.clear();
        allKeysChangedAt = changes.upTo;
      }
      for (const changed of guildNos ?? []) {
        keysChangedAt.set(changed, changes.upTo);
      }
      keysSeen = changes.upTo;
    }
    return keysChangedAt.get(guildNo) ?? allKeysChangedAt;
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
      return (
        ledgers.get(guildNo) ??
        remember(ledgers, guildNo, `${findLedger.get(guildNo)?.mark ?? ''} ${keyChangeOf(guildNo)}`)
      );
    },
    ofLog(guildNo) {
      noticeCommits();
      return logs.get(guildNo) ?? remember(logs, guildNo, Number(findLastEntry.get(guildNo)?.[0] ?? 0));
    },
    lookAtLedgerAgain(guildNo) {
      ledgers.delete(guildNo);
    },
    isReadable,
  };
}

/** The counter of a part, for features that both engines share. */
export function partRevision(revisions: Revisions, part: SharedPart): PartRevision {
  return {
    // NaN equals no other counter, so no cached entry is valid while the store is closed or failing.
    read: () => (revisions.isReadable() ? revisions.of(part) : Number.NaN),
    lookAgain: revisions.lookAgain,
  };
}
