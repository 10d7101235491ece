import { statement } from '../sql.ts';

/**
 * Locks a guild's ledger until the commit, as every append does, and reads its last number. SQLite has one writer and
 * needs no lock.
 */
export const LOCK_LEDGER = statement<{ last: number }>(({ engine }) =>
  engine === 'sqlite'
    ? 'SELECT last_number AS last FROM guild_ledger WHERE guild_no = $1'
    : 'SELECT lock_ledger($1, true) AS last',
);
