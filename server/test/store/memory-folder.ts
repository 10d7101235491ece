import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeAtEnd } from '../support/folder.ts';

/** Commits wait for a disk, and other processes may keep a disk busy for seconds. No test here loses power. */
const PARENT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A folder in memory, where the machine has that, gone when the tests of its file are over. */
export function createMemoryFolder(): string {
  return removeAtEnd(mkdtempSync(path.join(PARENT, 'guildbook-test-')));
}
