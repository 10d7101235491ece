import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLedgerFile, type LedgerSize } from './ledger-file.ts';

const DATA = fileURLToPath(new URL('../data', import.meta.url));
const SOURCES = ['../../server/src/store/sqlite/migrations/*.sql', './ledger-file.ts'];

export interface PreparedLedger {
  /** A copy that a run may change as it likes. */
  file: string;
  keys: string[];
  remove: () => void;
}

/** A ledger of that size: made once and kept until the schema changes, then copied for each run. */
export function prepareLedger(name: string, size: LedgerSize): PreparedLedger {
  mkdirSync(DATA, { recursive: true });
  const kept = path.join(DATA, `${name}-${size.rows}-${fingerprint()}.db`);
  const keysFile = `${kept}.keys.json`;
  if (!existsSync(keysFile)) {
    console.log(`making a ledger of ${size.rows.toLocaleString('en')} transactions, this once ...`);
    for (const stale of globSync(path.join(DATA, `${name}-${size.rows}-*`))) {
      rmSync(stale);
    }
    const keys = createLedgerFile(`${kept}.part`, size);
    renameSync(`${kept}.part`, kept);
    rmSync(`${kept}.part-wal`, { force: true });
    rmSync(`${kept}.part-shm`, { force: true });
    writeFileSync(keysFile, JSON.stringify(keys), { mode: 0o600 });
  }
  const file = path.join(DATA, `${name}-run-${process.pid}.db`);
  copyFileSync(kept, file);
  return {
    file,
    keys: JSON.parse(readFileSync(keysFile, 'utf8')),
    remove() {
      for (const ending of ['', '-wal', '-shm']) {
        rmSync(`${file}${ending}`, { force: true });
      }
    },
  };
}

function fingerprint(): string {
  const hash = createHash('sha256');
  const files = SOURCES.flatMap((pattern) => globSync(fileURLToPath(new URL(pattern, import.meta.url))));
  for (const file of files.sort()) {
    hash.update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 12);
}
