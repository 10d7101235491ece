import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { findSparePort } from '../../server/test/support/spare-port.ts';
import { GUILD_ID, KEYS } from '../support/ledger-file.ts';
import { runToEnd } from '../support/processes.ts';
import { startProgram } from '../support/servers.ts';
import { openLog } from './obtain.ts';
import { NotObtainedError, type Peer } from './peer.ts';
import { checkInterfaceAnswer, countRows, interfaceLoads } from './same-interface.ts';
import type { Sample } from './sample.ts';

const HERE = fileURLToPath(new URL('./express/', import.meta.url));
const FILES = ['package.json', 'package-lock.json', 'server.js', 'schema.sql'];
const { dependencies } = JSON.parse(readFileSync(path.join(HERE, 'package.json'), 'utf8'));
const UNITS = 10_000;

/** A small program of our own with the three endpoints, on the two most used packages for this. */
export const express: Peer = {
  name: 'express',
  title: 'Express',
  version: `${dependencies.express} with better-sqlite3 ${dependencies['better-sqlite3']}`,
  survivesPowerCut: true,
  durability: 'SQLite, WAL, `synchronous=FULL`',
  programs: [],
  async obtain(folder) {
    for (const file of FILES) {
      copyFileSync(path.join(HERE, file), path.join(folder, file));
    }
    // Both packages work without their install scripts: better-sqlite3 has its binaries in the package.
    const install = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    await runToEnd('npm', install, { cwd: folder }).catch((cause) => {
      throw new NotObtainedError('npm could not install the packages', { cause });
    });
    return path.join(folder, 'server.js');
  },
  async start({ program, folder, sample }) {
    const file = path.join(folder, 'express.db');
    fillDatabase(file, sample);
    const port = await findSparePort();
    const server = await startProgram({
      command: process.execPath,
      arguments: [program],
      env: { PORT: String(port), DATABASE_FILE: file, NODE_ENV: 'production' },
      port,
      readyPath: '/readyz',
      output: openLog(folder),
    });
    const loads = interfaceLoads(sample.ledger.keys);
    return {
      server,
      loads,
      check: (job, index, body) => checkInterfaceAnswer(loads, { job, index, body }),
      countTransactions: async () => countRows(file, 'ledger_transaction'),
      stop: server.stop,
    };
  },
};

function fillDatabase(file: string, { ledger, discharges, transactions }: Sample): void {
  const db = new DatabaseSync(file);
  db.exec(readFileSync(path.join(HERE, 'schema.sql'), 'utf8'));
  db.exec('PRAGMA journal_mode = WAL; BEGIN');
  const addKey = db.prepare('INSERT INTO api_key VALUES (?, ?)');
  for (const key of ledger.keys.slice(0, KEYS)) {
    addKey.run(createHash('sha256').update(key).digest(), GUILD_ID);
  }
  const addDischarge = db.prepare('INSERT INTO discharge VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  for (const { guildId, id, chatId, playerId, name, reason, date, type, from, signed } of discharges) {
    addDischarge.run(guildId, id, chatId, playerId, name, reason, date, type, from, signed);
  }
  const addTransaction = db.prepare('INSERT INTO ledger_transaction VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  for (const row of transactions) {
    addTransaction.run(
      row.transactionId,
      row.guildId,
      row.playerId,
      Math.round(row.amount * UNITS),
      row.quantity,
      row.name,
      row.source,
      Math.round(row.total * UNITS),
      Date.parse(row.createdAt),
    );
  }
  db.exec(`INSERT INTO account SELECT guild_id, player_id, sum(total), count(*) FROM ledger_transaction GROUP BY 1, 2;
    COMMIT; PRAGMA wal_checkpoint(TRUNCATE); ANALYZE`);
  db.close();
}
