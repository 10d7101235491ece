import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];

// Not when a test is over: among tests that run side by side, the one that ends first would take the others' along.
afterAll(() => {
  for (const folder of folders) {
    // A process that a failed test left behind may still write there.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
});

/** A folder of the test's own, gone when the tests of its file are over. */
export function createFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'guildbook-test-'));
  folders.push(folder);
  return folder;
}
