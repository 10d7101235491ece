import type { MaybePromise } from '../domain/maybe-promise.ts';
import { type Sql, statement } from './sql.ts';

/** A part of the store that is cached in memory, with a counter that every change of the part increments. */
export type Part = 'keys' | 'commands';

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
