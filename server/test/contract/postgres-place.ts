import pg from 'pg';
import { openPostgresStore } from '../../src/store/postgres/open.ts';
import { createDatabase, type TestDatabase } from '../postgres/database.ts';
import type { AccountRow, StorePlace, TransactionRow } from './store-place.ts';

/** How soon a store must show what another one did to keys and commands. */
const NOTICED_WITHIN_MS = 1_000;

const ACCOUNTS = `SELECT guild_no::float8 AS "guildNo", player_id AS "playerId", balance::float8 AS "balanceUnits",
    transaction_count::float8 AS count FROM account
  WHERE $1::bigint[] IS NULL OR guild_no = ANY ($1) ORDER BY guild_no, player_id`;
const TRANSACTIONS = `SELECT t.guild_no::float8 AS "guildNo", a.player_id AS "playerId", t.seq::float8 AS seq,
    t.transaction_id AS "transactionId", t.total::float8 AS "totalUnits",
    t.balance_after::float8 AS "balanceAfterUnits", t.created_at::float8 AS "createdAtMs"
  FROM ledger_transaction t JOIN account a USING (guild_no, account_no)
  WHERE $1::bigint[] IS NULL OR t.guild_no = ANY ($1) ORDER BY t.guild_no, a.player_id, t.seq`;

/** A PostgreSQL database of its own, on the one server that the run has. Stores may reach it by another address. */
export async function createPostgresPlace(
  addressOf: (database: TestDatabase) => string | Promise<string> = ({ url }) => url,
): Promise<StorePlace> {
  const database = await createDatabase();
  const address = await addressOf(database);
  let passedMs = 0;
  const clock = { monotonicMs: () => performance.now() + passedMs };
  let side: pg.Client | undefined;

  /** One connection for all looks past the port, since each new one costs more than most looks. */
  async function connectBeside(): Promise<pg.Client> {
    if (side === undefined) {
      side = new pg.Client({ connectionString: database.url });
      await side.connect();
    }
    return side;
  }

  return {
    databaseUrl: address,
    open: () => openPostgresStore({ url: address, clock }),
    async readLedger(guilds) {
      const client = await connectBeside();
      const guildNos = guilds?.map(({ guildNo }) => guildNo);
      const accounts = await client.query<AccountRow>(ACCOUNTS, [guildNos]);
      const transactions = await client.query<TransactionRow>(TRANSACTIONS, [guildNos]);
      return { accounts: accounts.rows, transactions: transactions.rows };
    },
    async passNoticeTime() {
      passedMs += NOTICED_WITHIN_MS;
    },
    async execute(sql) {
      await (await connectBeside()).query(sql);
    },
    async remove() {
      await side?.end();
      await database.remove();
    },
  };
}
