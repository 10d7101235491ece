import { closeSync, openSync, statSync, utimesSync } from 'node:fs';

/**
 * The time of the last backup is the modification time of an empty file beside the store. `backup` runs in another
 * process than the service, often as another user, and on stores of any version: everybody can read a file's time,
 * and it needs no table. Backups made by other means can be recorded with `touch`.
 */
const SUFFIX = '-last-backup';

/** Records that a backup holds the store as of this time. */
export function recordBackup(file: string, atMs: number): void {
  const mark = `${file}${SUFFIX}`;
  closeSync(openSync(mark, 'a', 0o644));
  utimesSync(mark, atMs / 1_000, atMs / 1_000);
}

/** The time given to the last `recordBackup`; 0 when there is none. */
export function lastBackupAtMs(file: string): number {
  return statSync(`${file}${SUFFIX}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
