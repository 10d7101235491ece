import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';
import { removeAtEnd } from './folder.ts';

const MEMORY = '/dev/shm';
/** Less may not be enough for the stores of a whole run. Containers often have 64 MB. */
const FREE_BYTES_MIN = 2 ** 30;

/** The place for new folders that need no disk: in memory, where the machine has enough of it. */
export function findMemoryParent(): string {
  if (!existsSync(MEMORY) || freemem() < FREE_BYTES_MIN) {
    return tmpdir();
  }
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize < FREE_BYTES_MIN ? tmpdir() : MEMORY;
}

/**
 * A folder in memory, where the machine has that, gone when the tests of its file are over. For stores: their commits wait for
 * a disk, and other processes may keep a disk busy for seconds. The tests of the program (`server/test/process`) have theirs
 * on the disk.
 */
export function createMemoryFolder(): string {
  return removeAtEnd(mkdtempSync(path.join(findMemoryParent(), 'guildbook-test-')));
}
