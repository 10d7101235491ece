import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { openConnection } from '../server/src/store/sqlite/connection.ts';
import { migrateSqliteFile } from '../server/src/store/sqlite/migrate.ts';

/**
 * Imports NDJSON transactions with the real command, and inserts the same rows with a bare node:sqlite loop: the same
 * tables and indexes, the same durability, commits of the same size, and no parsing, checking or balances.
 */
const ROWS = Number(process.argv[2] ?? 1_000_000);
const ACCOUNTS = 2_000;
const ROWS_PER_COMMIT = 1_000;
const START_MS = Date.parse('2025-01-01T00:00:00Z');
const PROGRAM = fileURLToPath(new URL('../server/bin/guildbook.js', import.meta.url));

interface Row {
  playerId: string;
  account: number;
  seq: number;
  transactionId: string;
  amount: number;
  quantity: number;
  name: string;
  source: string;
  createdAtMs: number;
}

/** The same rows every time, spread over the accounts as posts of many players would be. */
function* makeRows(): Generator<Row> {
  const counts = new Uint32Array(ACCOUNTS);
  for (let index = 0; index < ROWS; index += 1) {
    const account = (index * 7919) % ACCOUNTS;
    const seq = (counts[account] ?? 0) + 1;
    counts[account] = seq;
    const id = index.toString(16).padStart(12, '0');
    yield {
      playerId: String(10_000_000 + account),
      account,
      seq,
      transactionId: `019a7f4c-52e1-7c3b-9d0e-${id}`,
      amount: ((index % 400) - 200 || 1) / 4,
      quantity: 1 + (index % 9),
      name: `Item ${index % 120}`,
      source: `source-${index % 10}`,
      createdAtMs: START_MS + index * 20,
    };
  }
}

async function writeNdjson(file: string): Promise<void> {
  function* lines(): Generator<string> {
    for (const { account: _account, seq: _seq, createdAtMs, ...row } of makeRows()) {
      yield `${JSON.stringify({ guildId: 'bench', ...row, createdAt: new Date(createdAtMs).toISOString() })}\n`;
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(file));
}

function runBareLoop(file: string): number {
  migrateSqliteFile(file);
  const db = openConnection(file);
  db.exec("INSERT INTO guild VALUES (1, 'bench', 'Bench', 'developer', NULL, 1, 0, NULL, NULL)");
  const open = db.prepare('INSERT INTO account VALUES (?, 1, ?, 0, 0, 0, NULL)');
  for (let account = 0; account < ACCOUNTS; account += 1) {
    open.run(account + 1, String(10_000_000 + account));
  }
  const insert = db.prepare(
    'INSERT INTO ledger_transaction VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, 0, NULL, ?, NULL, ?)',
  );
  const startMs = performance.now();
  let inCommit = 0;
  let number = 0;
  db.exec('BEGIN IMMEDIATE');
  for (const row of makeRows()) {
    number += 1;
    const units = row.amount * 10_000;
    insert.run(
      row.account + 1,
      row.seq,
      row.transactionId,
      units,
      row.quantity,
      units * row.quantity,
      row.name,
      row.source,
      row.createdAtMs,
      number,
    );
    inCommit += 1;
    if (inCommit === ROWS_PER_COMMIT) {
      db.exec('COMMIT; BEGIN IMMEDIATE');
      inCommit = 0;
    }
  }
  db.exec('COMMIT');
  const seconds = (performance.now() - startMs) / 1_000;
  db.close();
  return ROWS / seconds;
}

async function runImport(folder: string, file: string): Promise<{ rate: number; peakMegabytes: number }> {
  const env = { ...process.env, DATABASE_URL: `sqlite:${path.join(folder, 'import.db')}` };
  await ended(
    spawn(process.execPath, [PROGRAM, 'guild', 'set', 'bench', '--name', 'Bench'], { env, stdio: 'ignore' }),
  );
  const startMs = performance.now();
  const child = spawn(process.execPath, [PROGRAM, 'import', 'transactions', file], { env, stdio: 'inherit' });
  let peakMegabytes = 0;
  const watch = setInterval(() => {
    peakMegabytes = Math.max(peakMegabytes, peakOf(child));
  }, 100);
  await ended(child);
  clearInterval(watch);
  return { rate: ROWS / ((performance.now() - startMs) / 1_000), peakMegabytes };
}

function peakOf({ pid }: ChildProcess): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', (status) => (status === 0 ? resolve() : reject(new Error(`ended with ${status}`))));
  });
}

const folder = mkdtempSync(path.join(tmpdir(), 'guildbook-bench-'));
try {
  const file = path.join(folder, 'transactions.ndjson');
  await writeNdjson(file);
  const bare = runBareLoop(path.join(folder, 'bare.db'));
  const { rate, peakMegabytes } = await runImport(folder, file);
  const db = new DatabaseSync(path.join(folder, 'import.db'), { readOnly: true });
  const stored = db.prepare('SELECT count(*) AS count FROM ledger_transaction').get();
  db.close();
  console.log(`rows stored       ${stored?.count}`);
  console.log(`bare insert loop  ${Math.round(bare)} rows/s`);
  console.log(`guildbook import  ${Math.round(rate)} rows/s, start of the program included`);
  console.log(`ratio             ${(rate / bare).toFixed(2)}`);
  console.log(`peak memory       ${Math.round(peakMegabytes)} MB`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
