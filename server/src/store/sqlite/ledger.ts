import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { createCache } from '../../domain/cache.ts';
import { decimalText } from '../../domain/ledger/amount.ts';
import { decidePost, type EarlierPost } from '../../domain/ledger/posting.ts';
import type {
  AppendOutcome,
  ListedTransaction,
  NewTransaction,
  PastTransaction,
} from '../../domain/model.ts';
import type { LedgerStore } from '../../domain/ports.ts';
import { LISTED } from '../listing-sql.ts';
import { createPageCache, KEPT_TRANSACTIONS_MAX } from '../page-cache.ts';
import type { Accounts } from './accounts.ts';
import { createAuditWriter } from './audit.ts';
import { prepare } from './connection.ts';
import { createImportWrites } from './ledger-import.ts';
import { createListing, createVisitingListing } from './listing.ts';
import { readRows } from './read-rows.ts';
import type { LongReadOf, StoreParts } from './write.ts';

const EXPORT = `SELECT g.guild_id AS guildId, a.player_id AS playerId, t.transaction_id AS transactionId,
  t.amount AS amountUnits, t.quantity, t.name, t.source, t.total AS totalUnits, t.created_at AS createdAtMs
  FROM ledger_transaction t JOIN account a USING (account_no) JOIN guild g ON g.guild_no = t.guild_no`;

/** Names of pages that were asked for once. As many as can be kept: those that come again later would be gone by then. */
const ASKED_PAGES_MAX = KEPT_TRANSACTIONS_MAX / 20;

export type LedgerWrites = ReturnType<typeof createLedgerWrites>;
export type LedgerReads = ReturnType<typeof createLedgerReads>;

type LedgerParts = StoreParts<LedgerWrites> & { readLong: LongReadOf<LedgerReads> };

export function createLedgerStore(parts: LedgerParts): LedgerStore {
  const { db, readNow, readLong, openReader, write } = parts;
  const list = createListing<ListedTransaction>(db, {
    form: LISTED,
    toRow: toListed,
    listElsewhere: (input, rows) => readLong('listTransactions', input, rows),
    cache: { pages: createPageCache(), asked: createCache(ASKED_PAGES_MAX) },
  });
  return {
    append: (transaction) => write('append', transaction),
    list: (guild, playerId, query) => readNow(() => list(guild.guildNo, playerId, query)),
    import: ({ guildNo }, transactions) => write('importTransactions', { guildNo, transactions }),
    read: (guild) =>
      readRows<PastTransaction, PastTransaction>({
        openReader,
        sql: `${EXPORT} ${guild === undefined ? '' : 'WHERE t.guild_no = ?'} ORDER BY t.guild_no, t.account_no, t.seq`,
        values: guild === undefined ? [] : [guild.guildNo],
        converter: () => (row) => row,
      }),
  };
}

/** The columns of `LISTED`, whose types the table's own rules give. */
function toListed(values: SQLOutputValue[]): ListedTransaction {
  const [transactionId, amountUnits, quantity, name, source, totalUnits, createdAtMs] = values as [
    string,
    number,
    number,
    string,
    string,
    number,
    number,
  ];
  return { transactionId, amountUnits, quantity, name, source, totalUnits, createdAtMs };
}

/** What the reader threads do for the ledger. */
export function createLedgerReads(db: DatabaseSync) {
  return { listTransactions: createVisitingListing<ListedTransaction>(db, LISTED) };
}

/** What the writer thread does for the ledger. A post is decided by the domain before anything changes. */
export function createLedgerWrites(db: DatabaseSync, accounts: Accounts) {
  const insertIdempotency = prepare(
    db,
    `INSERT INTO idempotency (guild_no, idempotency_key, request_hash, account_no, seq) VALUES (?, ?, ?, ?, ?)`,
  );
  const findEarlier = prepare<EarlierPost>(
    db,
    `SELECT i.request_hash AS requestHash, t.transaction_id AS transactionId, t.balance_after AS balanceUnits
     FROM idempotency i JOIN ledger_transaction t USING (guild_no, account_no, seq)
     WHERE i.guild_no = ? AND i.idempotency_key = ?`,
  );
  const findGuild = prepare<{ overdraftAllowed: number }>(
    db,
    'SELECT overdraft_allowed AS overdraftAllowed FROM guild WHERE guild_no = ?',
  );
  const logCorrection = createCorrectionLog(db);

  return {
    ...createImportWrites(db, accounts),
    append(transaction: NewTransaction): AppendOutcome {
      const { playerId, transactionId, idempotency } = transaction;
      const { guildNo } = transaction.guild;
      const account = accounts.find(guildNo, playerId);
      const decision = decidePost(transaction, {
        earlier: idempotency && findEarlier.get(guildNo, idempotency.key),
        account,
        mayOverdraw: () => findGuild.get(guildNo)?.overdraftAllowed === 1,
      });
      if ('replay' in decision) {
        return decision.replay;
      }
      const { balanceUnits, count: seq, lastCreatedAtMs } = decision.account;
      const accountNo = account?.accountNo ?? accounts.open(guildNo, playerId);
      accounts.insert(guildNo, accountNo, {
        ...transaction,
        seq,
        balanceUnits,
        createdAtMs: lastCreatedAtMs,
      });
      accounts.move(guildNo, playerId, { accountNo, balanceUnits, count: seq, lastCreatedAtMs });
      if (idempotency !== undefined) {
        insertIdempotency.run(guildNo, idempotency.key, idempotency.requestHash, accountNo, seq);
      }
      logCorrection(transaction);
      return { transactionId, balanceUnits, replayed: false };
    },
  };
}

/** What a person posts by hand is a change like any other: the log says who did it. */
function createCorrectionLog(db: DatabaseSync) {
  const audit = createAuditWriter(db);
  return (transaction: NewTransaction): void => {
    const { guild, postedBy, transactionId, createdAtMs, playerId, name, quantity } = transaction;
    if (postedBy === undefined) {
      return;
    }
    const amount = decimalText(transaction.amountUnits);
    const total = decimalText(transaction.totalUnits);
    audit({
      guildNo: guild.guildNo,
      change: { actor: { kind: 'user', id: postedBy }, atMs: createdAtMs },
      subjectKind: 'transaction',
      subjectId: transactionId,
      before: undefined,
      after: { playerId, name, quantity, amount, total },
    });
  };
}
