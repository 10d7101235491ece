import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

/** Commits wait for a disk, and other processes may keep a disk busy for seconds. No test here loses power. */
const PARENT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A folder in memory, where the machine has that, gone when the tests of its file are over. */
export function createMemoryFolder(): string {
  const folder = mkdtempSync(path.join(PARENT, 'guildbook-test-'));
  folders.push(folder);
  return folder;
}
