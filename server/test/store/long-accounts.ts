import { copyFileSync } from 'node:fs';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { aGuild, CHANGE } from '../contract/specimens.ts';
import { createFolder } from '../support/folder.ts';
import { openStoreFile } from '../support/read-store.ts';

/** The players, and how many transactions each has. */
export const LENGTHS = { short: 300, middling: 3_000, long: 60_000 };
type Player = keyof typeof LENGTHS;

/** Accounts of several lengths, written straight into the tables, because posting so much would take long. */
function fillAccounts(file: string, guildNo: number, players: readonly Player[]): void {
  const db = openStoreFile(file);
  db.exec('BEGIN');
  players.forEach((player, index) => {
    const accountNo = index + 1;
    db.prepare(
      `INSERT INTO account (account_no, guild_no, player_id, balance, transaction_count, last_created_at)
       VALUES (?, ?, ?, 0, ?, ?)`,
    ).run(accountNo, guildNo, player, LENGTHS[player], LENGTHS[player]);
    db.prepare(
      `WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ?)
       INSERT INTO ledger_transaction (guild_no, account_no, seq, transaction_id, amount, quantity, total, name, source,
         balance_after, created_at)
       SELECT ?, ?, n, 'id-' || n, 1 + n % 7, 1 + n % 5, (1 + n % 7) * (1 + n % 5), 'Iron Ingot',
         iif(n % 3 = 0, 'shop', 'quest'), n, n FROM counted`,
    ).run(LENGTHS[player], guildNo, accountNo);
  });
  db.exec('COMMIT');
  db.close();
}

interface Filled {
  file: string;
  guild: Guild;
}

async function fillFile(players: readonly Player[]): Promise<Filled> {
  const file = path.join(createFolder(), 'filled.db');
  const store = await openSqliteStore({
    file,
    onFatal(error) {
      throw error;
    },
  });
  const guild = await store.guilds.set(aGuild(), CHANGE);
  fillAccounts(file, guild.guildNo, players);
  await store.close();
  return { file, guild };
}

/** Each set of accounts is made once, because copying it takes a fraction of the time. */
const filled = new Map<string, Promise<Filled>>();

/** A store with the accounts, the threads it starts from here on, and what it reports as fatal. */
export async function openFilled(players: readonly Player[] = ['short', 'middling']) {
  const key = players.join(' ');
  const template = filled.get(key) ?? fillFile(players);
  filled.set(key, template);
  const { guild, file: original } = await template;
  const file = path.join(createFolder(), 'guildbook.db');
  copyFileSync(original, file);
  const fatal: Error[] = [];
  const store = await openSqliteStore({ file, onFatal: (error) => fatal.push(error) });
  onTestFinished(() => store.close());
  const threads: Worker[] = [];
  const note = (thread: Worker) => threads.push(thread);
  process.on('worker', note);
  onTestFinished(() => {
    process.off('worker', note);
  });
  return { file, guild, store, threads, fatal };
}
