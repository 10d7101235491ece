import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of the test's own, gone when the test is over. */
export function createFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'guildbook-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
