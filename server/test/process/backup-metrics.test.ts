import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { lastBackupAtMs } from '../../src/store/sqlite/backup-mark.ts';
import { createFolder } from '../support/folder.ts';
import { createPoster } from '../support/load.ts';
import { seriesOf } from '../support/metrics.ts';
import { runCommand, startServer } from '../support/process.ts';
import { createCommandPlace } from './command-place.ts';

test('the service shows the moment of a backup that another process made', async () => {
  const cwd = createFolder();
  const file = path.join(cwd, 'guildbook.db');
  await createPoster(file, 1);
  const env = { DATABASE_URL: `sqlite:${file}` };
  const server = await startServer({ cwd, env });
  const startedAt = Date.now() / 1_000;
  const backup = await runCommand(['backup', 'backup.db'], { cwd, env });
  expect(backup).toMatchObject({ status: 0, stderr: '' });
  const text = await server.readMetrics();
  const shown = seriesOf(text, 'guildbook_last_backup_timestamp_seconds') ?? 0;
  expect(shown).toBeGreaterThanOrEqual(startedAt);
  expect(shown).toBeLessThanOrEqual(statSync(path.join(cwd, 'backup.db')).mtimeMs / 1_000);
});

test('a backup that fails is not recorded, and one that cannot be recorded is a backup all the same', async () => {
  const place = await createCommandPlace();
  place.write('backup.db', 'taken');
  expect((await place.run('backup', 'backup.db')).status).toBe(1);
  expect(lastBackupAtMs(place.store)).toBe(0);
  // A folder of that name cannot be opened as a file.
  mkdirSync(`${place.store}-last-backup`);
  const unrecorded = await place.run('backup', '--force', 'backup.db');
  expect(unrecorded).toMatchObject({ status: 0, stdout: 'Backup written to backup.db and checked.\n' });
  expect(unrecorded.stderr).toMatch(
    /^Warning: the backup is complete, but the service's metrics will not show it: EISDIR/,
  );
  expect(place.read('backup.db').startsWith('SQLite format 3')).toBe(true);
});
