import { rmSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GuildRef } from '../../src/domain/model.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { writeEmptyStore } from '../support/empty-store.ts';
import { createMemoryFolder } from '../support/memory-folder.ts';
import { openStoreFile, readStore } from '../support/read-store.ts';
import type { AccountRow, StorePlace, TransactionRow } from './store-place.ts';

/** One SQLite file in a folder of its own. */
export async function createSqlitePlace(): Promise<StorePlace> {
  const folder = createMemoryFolder();
  const file = path.join(folder, 'guildbook.db');
  writeEmptyStore(file);
  return {
    databaseUrl: `sqlite:${file}`,
    open: () =>
      openSqliteStore({
        file,
        onFatal(error) {
          throw error;
        },
      }),
    readLedger: async (guilds) => readLedger(file, guilds),
    // The store looks once per turn of the event loop whether something changed, and this begins a new one.
    passNoticeTime: nextTurn,
    async execute(sql) {
      const db = openStoreFile(file);
      try {
        db.exec(sql);
      } finally {
        db.close();
      }
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

function readLedger(file: string, guilds: readonly GuildRef[] | undefined) {
  const guildNos = JSON.stringify(guilds?.map(({ guildNo }) => guildNo) ?? null);
  return readStore(file, (db) => {
    const accounts = db.prepare(
      `SELECT guild_no AS guildNo, player_id AS playerId, balance AS balanceUnits, transaction_count AS count
       FROM account WHERE $1 = 'null' OR guild_no IN (SELECT value FROM json_each($1))
       ORDER BY guild_no, player_id`,
    );
    const transactions = db.prepare(
      `SELECT t.guild_no AS guildNo, a.player_id AS playerId, t.seq, t.transaction_id AS transactionId,
         t.total AS totalUnits, t.balance_after AS balanceAfterUnits, t.created_at AS createdAtMs
       FROM ledger_transaction t JOIN account a ON a.account_no = t.account_no AND a.guild_no = t.guild_no
       WHERE $1 = 'null' OR t.guild_no IN (SELECT value FROM json_each($1))
       ORDER BY t.guild_no, a.player_id, t.seq`,
    );
    // The rows have the shape that the statements select.
    return {
      accounts: accounts.all({ $1: guildNos }) as unknown as AccountRow[],
      transactions: transactions.all({ $1: guildNos }) as unknown as TransactionRow[],
    };
  });
}
