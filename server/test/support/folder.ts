import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

let folders: string[] = [];

/** For the end of a file, not of a test: among tests that run side by side, the first to end would take the others' along. */
export function removeFolders(): void {
  for (const folder of folders) {
    // A process that a failed test left behind may still write there.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
  folders = [];
}

/** A folder of the test's own, gone when the tests of its file are over. */
export function createFolder(): string {
  return removeAtEnd(mkdtempSync(path.join(tmpdir(), 'guildbook-test-')));
}

export function removeAtEnd(folder: string): string {
  folders.push(folder);
  return folder;
}
