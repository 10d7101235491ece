import type { PastTransaction } from '../../domain/model.ts';
import type { LedgerStore } from '../../domain/ports.ts';
import { importTransactions } from './ledger-import.ts';
import { createCachedListing } from './listing.ts';
import type { Marks } from './marks.ts';
import type { PostStore } from './posts.ts';
import { type OpenReader, readRows } from './read-rows.ts';
import type { Runner } from './statement.ts';
import type { Writer } from './write.ts';

const EXPORT = `SELECT g.guild_id AS "guildId", a.player_id AS "playerId", t.transaction_id AS "transactionId",
  t.amount AS "amountUnits", t.quantity, t.name, t.source, t.total AS "totalUnits", t.created_at AS "createdAtMs"
  FROM ledger_transaction t JOIN account a USING (guild_no, account_no) JOIN guild g USING (guild_no)`;

export interface LedgerStoreParts {
  read: Runner;
  openReader: OpenReader;
  writer: Writer;
  posts: PostStore;
  marks: Marks;
}

export function createLedgerStore(parts: LedgerStoreParts): LedgerStore {
  const { read, openReader, writer, posts, marks } = parts;
  const list = createCachedListing(read, marks);
  return {
    append: posts.append,
    list: ({ guildNo }, playerId, query) => list(guildNo, playerId, query),
    import: ({ guildNo }, transactions) =>
      writer.write(`ledger ${guildNo}`, (transaction) =>
        importTransactions(transaction, guildNo, transactions),
      ),
    read: (guild) =>
      readRows<PastTransaction, PastTransaction>({
        openReader,
        sql: `${EXPORT} ${guild === undefined ? '' : 'WHERE t.guild_no = $1'} ORDER BY t.guild_no, t.account_no, t.seq`,
        values: guild === undefined ? [] : [guild.guildNo],
        convert: (row) => row,
      }),
  };
}
