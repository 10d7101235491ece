import type { MaybePromise } from '../domain/maybe-promise.ts';
import { type Sql, statement } from './sql.ts';

/** A part of the store that is cached in memory, with a counter that every change of the part increments. */
export type Part = 'keys' | 'commands' | 'boards';

/** The channel on which other instances are notified of a changed part. The message is the part. */
export const REVISION_CHANNEL = 'guildbook_revision';

/** Reads a part's counter. */
export interface PartRevision {
  /** The counter; synchronous while the last read of it is still valid. */
  read(): MaybePromise<number>;
  /** Makes the next `read` read the store, after a change by this process or a notification. */
  lookAgain(): void;
}

const BUMP = statement('UPDATE revision SET value = value + 1 WHERE part = $1');

/** Increments a part's counter. Call it in the transaction that changes the part. */
export async function bumpRevision(sql: Sql, part: Part): Promise<void> {
  await sql.run(BUMP, [part]);
  await sql.notify(REVISION_CHANNEL, part);
}

const FIND_KEYS = statement<{ value: number }>(`SELECT value FROM revision WHERE part = 'keys'`);
const RECORD = statement('INSERT INTO key_change (revision, guild_no) VALUES ($1, $2)');
const FORGET = statement('DELETE FROM key_change WHERE revision <= $1');

/** Changes of keys that are recorded. A process that missed more of them drops all keys that it has cached. */
const KEY_CHANGES_MAX = 1_000;

/** Increments the counter of keys and records whose keys changed. Call it in the transaction that changes them. */
export async function bumpKeyRevision(sql: Sql, guildNo: number): Promise<void> {
  await bumpRevision(sql, 'keys');
  // The transaction has locked the counter, so that no other one records the same value.
  const value = (await sql.first(FIND_KEYS))?.value ?? 0;
  await sql.run(RECORD, [value, guildNo]);
  await sql.run(FORGET, [value - KEY_CHANGES_MAX]);
}

/** Values of the counter of keys: changes after `since`, up to `upTo`. */
export interface KeyChanges {
  since: number;
  upTo: number;
}

/** Finds the guilds of such changes. Its values are `since` and `upTo`. */
export const FIND_KEY_CHANGES = statement<{ guildNo: number }>(
  'SELECT guild_no AS "guildNo" FROM key_change WHERE revision > $1 AND revision <= $2',
);

/**
 * The guilds whose keys changed, from the rows that were found. Undefined means that any key may have changed: too much time has
 * passed, or the counter was moved by a version that records no guilds, by a copy or by a restored backup.
 */
export function changedGuilds(
  rows: readonly { guildNo: number }[],
  { since, upTo }: KeyChanges,
): number[] | undefined {
  return rows.length > 0 && rows.length === upTo - since ? rows.map(({ guildNo }) => guildNo) : undefined;
}
