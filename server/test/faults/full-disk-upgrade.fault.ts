import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepCopyBeside } from '../../src/store/sqlite/kept-copy.ts';
import { migrateSqliteFile } from '../../src/store/sqlite/migrate.ts';
import { openStoreFile } from '../support/read-store.ts';

const DISK_BYTES = 96 * 1024 * 1024;
/** Several of the steps in which pages are copied. */
const RECORDS = 8_000;

let disk: string;

beforeEach(() => {
  disk = mkdtempSync(path.join(tmpdir(), 'guildbook-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', disk]);
});
afterEach(() => {
  execFileSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true });
});

test('a copy before an upgrade on a disk that runs full meanwhile names the way without one, and leaves nothing', async () => {
  const store = path.join(disk, 'guildbook.db');
  fill(store);
  let looks = 0;
  const copy = keepCopyBeside({
    store,
    from: 1,
    to: 2,
    stop: new AbortController().signal,
    onProgress() {
      looks += 1;
      // Somebody else takes what was free when the copy began.
      writeFileSync(path.join(disk, `filler-${looks}`), Buffer.alloc(freeBytes()));
    },
  });
  await expect(copy).rejects.toThrow(/has no room for a copy of it.*\n.*npx guildbook migrate --no-copy$/);
  expect(looks).toBeGreaterThan(0);
  expect(readdirSync(disk).filter((name) => name.startsWith('guildbook.db.'))).toEqual([]);
});

function fill(store: string): void {
  migrateSqliteFile(store);
  const db = openStoreFile(store);
  db.exec(`INSERT INTO guild (guild_no, guild_id, name, plan, overdraft_allowed, created_at)
    VALUES (1, '1', 'One', 'none', 1, 0);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${RECORDS})
    INSERT INTO discharge SELECT 1, 'd' || i, 'c', 'p', 'n', printf('%.4000c', 'x'), '2026-01-01', '', '', '',
      unixepoch('2026-01-01') * 1000, 'n', 'd' || i || char(10, 112, 10, 99, 10, 110) FROM n;`);
  db.close();
}

function freeBytes(): number {
  const { bavail, bsize } = statfsSync(disk);
  return bavail * bsize;
}
