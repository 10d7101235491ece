import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LedgerSize } from './ledger-file.ts';
import { runToEnd } from './processes.ts';
import { undoAtEnd } from './undo.ts';

const DATA = fileURLToPath(new URL('../data', import.meta.url));
const MAKER = fileURLToPath(new URL('./make-ledger.ts', import.meta.url));
const SOURCES = ['../../server/src/store/sqlite/schema/*.sql', './daily-sums.sql', './ledger-file.ts'];

export interface PreparedLedger {
  /** A copy that a run may change as it likes. */
  file: string;
  keys: string[];
  remove: () => Promise<void>;
}

/** A ledger of that size: made once and kept until the schema changes, then copied for each run. */
export async function prepareLedger(name: string, size: LedgerSize): Promise<PreparedLedger> {
  mkdirSync(DATA, { recursive: true });
  const kept = path.join(DATA, `${name}-${size.rows}-${fingerprint()}.db`);
  const keysFile = `${kept}.keys.json`;
  if (!existsSync(keysFile)) {
    console.log(`making a ledger of ${size.rows.toLocaleString('en')} transactions, this once ...`);
    removeAll(`${name}-${size.rows}-*`);
    await makeLedger({ kept, keysFile, size });
  }
  const file = path.join(DATA, `${name}-run-${process.pid}.db`);
  const remove = undoAtEnd(() => removeAll(`${name}-run-${process.pid}.db*`));
  await copyFile(kept, file);
  return { file, keys: JSON.parse(readFileSync(keysFile, 'utf8')), remove };
}

/** In a process of its own: it takes a minute, in which this one could not be stopped. */
async function makeLedger(made: { kept: string; keysFile: string; size: LedgerSize }): Promise<void> {
  const part = `${made.kept}.part`;
  const removePart = undoAtEnd(() => removeAll(`${path.basename(part)}*`));
  const keys = await runToEnd(process.execPath, [MAKER, part, JSON.stringify(made.size)]);
  renameSync(part, made.kept);
  writeFileSync(made.keysFile, keys, { mode: 0o600 });
  await removePart();
}

function removeAll(pattern: string): void {
  for (const file of globSync(path.join(DATA, pattern))) {
    rmSync(file, { force: true });
  }
}

function fingerprint(): string {
  const hash = createHash('sha256');
  const files = SOURCES.flatMap((pattern) => globSync(fileURLToPath(new URL(pattern, import.meta.url))));
  for (const file of files.sort()) {
    hash.update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 12);
}
