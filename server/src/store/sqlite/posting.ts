import type { DatabaseSync } from 'node:sqlite';
import { DomainError } from '../../domain/errors.ts';
import type { KeyLimitState } from '../../domain/ledger/key-limits.ts';
import { decidePost, type EarlierPost, floorOf, replayOf } from '../../domain/ledger/posting.ts';
import type { AppendOutcome, Idempotency, NewTransaction, TransactionGroup } from '../../domain/model.ts';
import { auditedCorrection } from '../ledger/audited-correction.ts';
import { atPosition } from '../ledger/group-refusal.ts';
import { type PackedOutcome, type PackedPost, packOutcome, unpackPost } from '../ledger/packed-post.ts';
import type { LeafNotes } from '../seal/posted-leaves.ts';
import type { Account, Accounts } from './accounts.ts';
import { createAuditWriter } from './audit.ts';
import { prepare } from './connection.ts';

/** The post that an idempotency key belongs to, with its number. */
interface KnownKey extends EarlierPost {
  number: number;
}

/** Transactions that are posted all or none. */
type PackedGroup = Omit<TransactionGroup, 'transactions'> & { posts: readonly PackedPost[] };

/** A post that is decided and not written yet. */
interface Decided {
  transaction: NewTransaction;
  account: Account;
  /** The state of its key's limits after the post, when the key has limits. */
  keyLimit: KeyLimitState | undefined;
}

/** The changes of a group's transactions that are decided so far. Nothing is written until all are decided. */
interface Pending {
  accounts: Map<string, Account>;
  keys: Map<string, EarlierPost>;
  reversals: Map<number, string>;
  keyLimits: Map<number, KeyLimitState>;
}

/** Appends to the ledger. The domain decides a post, or a group as a whole, before anything changes. */
export function createPostingWrites(db: DatabaseSync, accounts: Accounts, leaves: Pick<LeafNotes, 'note'>) {
  const facts = createFacts(db);
  const write = createWrite(db, accounts, leaves);

  function decide(transaction: NewTransaction, pending?: Pending): AppendOutcome | Decided {
    const { playerId, idempotency, extra, keyNo = 0 } = transaction;
    const { guildNo } = transaction.guild;
    const account = pending?.accounts.get(playerId) ?? accounts.find(guildNo, playerId);
    const decision = decidePost(transaction, {
      earlier: idempotency && (pending?.keys.get(idempotency.key) ?? facts.findKey(guildNo, idempotency.key)),
      account,
      floorUnits: () => floorOf(account ?? {}, facts.isOverdraftAllowed(guildNo)),
      reversedBy: () => {
        const { number = 0 } = extra?.reverses ?? {};
        return pending?.reversals.get(number) ?? facts.findReversal(guildNo, number);
      },
      keyLimit: () => pending?.keyLimits.get(keyNo) ?? facts.findKeyLimit(guildNo, keyNo),
    });
    if ('replay' in decision) {
      return decision.replay;
    }
    const { accountNo = 0, floorUnits = null } = account ?? {};
    const { keyLimit } = decision;
    return { transaction, account: { ...decision.account, accountNo, floorUnits }, keyLimit };
  }

  function append(post: PackedPost): PackedOutcome {
    const decided = decide(unpackPost(post));
    return packOutcome('replayed' in decided ? decided : write.post(decided));
  }

  function appendGroup({ guild, posts, idempotency, batch }: PackedGroup): AppendOutcome[] {
    const isNewBatch = batch !== undefined && isUnclaimed(guild.guildNo, batch);
    const earlier = idempotency && facts.findKey(guild.guildNo, idempotency.key);
    if (idempotency !== undefined && earlier !== undefined) {
      replayOf(idempotency, earlier);
      return facts.findOutcomes(guild.guildNo, earlier.number, posts.length);
    }
    const opened = new Map<string, number>();
    const decided = decideGroup(posts.map(unpackPost));
    // Claimed only now: a refused group leaves the key of its batch free.
    if (isNewBatch) {
      write.claim(guild.guildNo, batch);
    }
    return decided.map((one, position) => {
      if ('replayed' in one) {
        return one;
      }
      const { transaction, account } = one;
      const { playerId } = transaction;
      // An account that the group opens gets its number when its first transaction is written.
      account.accountNo ||= opened.get(playerId) ?? 0;
      const isKeyed = position === 0 && idempotency !== undefined;
      const outcome = write.post(isKeyed ? { ...one, transaction: { ...transaction, idempotency } } : one);
      opened.set(playerId, account.accountNo);
      return outcome;
    });
  }

  /** True when the key of a batch is free. Refuses a key that belongs to another request. */
  function isUnclaimed(guildNo: number, { key, requestHash }: Idempotency): boolean {
    const known = facts.findBatch(guildNo, key);
    if (known !== undefined && known !== requestHash) {
      throw new DomainError('idempotency_mismatch');
    }
    return known === undefined;
  }

  function decideGroup(transactions: readonly NewTransaction[]): (AppendOutcome | Decided)[] {
    const pending: Pending = {
      accounts: new Map(),
      keys: new Map(),
      reversals: new Map(),
      keyLimits: new Map(),
    };
    return transactions.map((transaction, position) => {
      try {
        const decided = decide(transaction, pending);
        if ('account' in decided) {
          remember(pending, decided);
        }
        return decided;
      } catch (error) {
        throw error instanceof DomainError ? atPosition(error, position) : error;
      }
    });
  }

  return {
    append,
    appendGroup: (group: PackedGroup): PackedOutcome[] => appendGroup(group).map(packOutcome),
    claimBatch({ guildNo, batch }: { guildNo: number; batch: Idempotency }): void {
      if (isUnclaimed(guildNo, batch)) {
        write.claim(guildNo, batch);
      }
    },
  };
}

function remember(pending: Pending, { transaction, account, keyLimit }: Decided): void {
  const { playerId, transactionId, idempotency, extra, keyNo } = transaction;
  pending.accounts.set(playerId, account);
  if (idempotency !== undefined) {
    const { key, requestHash } = idempotency;
    pending.keys.set(key, { requestHash, transactionId, balanceUnits: account.balanceUnits });
  }
  if (extra?.reverses !== undefined) {
    pending.reversals.set(extra.reverses.number, transactionId);
  }
  if (keyLimit !== undefined && keyNo !== undefined) {
    pending.keyLimits.set(keyNo, keyLimit);
  }
}

/** Reads everything that a decision needs besides the account. */
function createFacts(db: DatabaseSync) {
  const findKey = prepare<KnownKey>(
    db,
    `SELECT i.request_hash AS requestHash, t.transaction_id AS transactionId, t.balance_after AS balanceUnits, t.number
     FROM idempotency i JOIN ledger_transaction t USING (guild_no, account_no, seq)
     WHERE i.guild_no = ? AND i.idempotency_key = ?`,
  );
  const findOutcomes = prepare<Omit<AppendOutcome, 'replayed'>>(
    db,
    `SELECT transaction_id AS transactionId, balance_after AS balanceUnits
     FROM ledger_transaction INDEXED BY ledger_by_number
     WHERE guild_no = ? AND number >= ? AND number < ? ORDER BY number`,
  );
  const findBatch = prepare<{ requestHash: string }>(
    db,
    'SELECT request_hash AS requestHash FROM batch_request WHERE guild_no = ? AND batch_key = ?',
  );
  const findGuild = prepare<{ overdraftAllowed: number }>(
    db,
    'SELECT overdraft_allowed AS overdraftAllowed FROM guild WHERE guild_no = ?',
  );
  const findReversal = prepare<{ transactionId: string }>(
    db,
    `SELECT t.transaction_id AS transactionId FROM ledger_extra AS x INDEXED BY extra_by_reversed
     CROSS JOIN ledger_transaction AS t
     WHERE x.guild_no = ? AND x.reverses = ? AND t.guild_no = x.guild_no AND t.number = x.number`,
  );
  const findKeyLimit = prepare<KeyLimitState>(
    db,
    `SELECT amount_max AS amountMaxUnits, withdrawn_per_day_max AS withdrawnPerDayMaxUnits, day,
       withdrawn AS withdrawnUnits
     FROM key_limit WHERE guild_no = ? AND key_no = ?`,
  );
  return {
    findKeyLimit: (guildNo: number, keyNo: number) => findKeyLimit.get(guildNo, keyNo),
    findKey: (guildNo: number, key: string) => findKey.get(guildNo, key),
    findBatch: (guildNo: number, key: string) => findBatch.get(guildNo, key)?.requestHash,
    findOutcomes: (guildNo: number, first: number, count: number): AppendOutcome[] =>
      findOutcomes.all(guildNo, first, first + count).map((outcome) => ({ ...outcome, replayed: true })),
    isOverdraftAllowed: (guildNo: number): boolean => findGuild.get(guildNo)?.overdraftAllowed === 1,
    findReversal: (guildNo: number, number: number): string | undefined =>
      findReversal.get(guildNo, number)?.transactionId,
  };
}

/**
 * Writes a decided post: the transaction, its account, its idempotency key, its key's limits, and the audit entry of
 * a correction. Notes its leaf.
 */
function createWrite(db: DatabaseSync, accounts: Accounts, leaves: Pick<LeafNotes, 'note'>) {
  const insertIdempotency = prepare(
    db,
    `INSERT INTO idempotency (guild_no, idempotency_key, request_hash, account_no, seq) VALUES (?, ?, ?, ?, ?)`,
  );
  const insertBatch = prepare(
    db,
    'INSERT INTO batch_request (guild_no, batch_key, request_hash) VALUES (?, ?, ?)',
  );
  const moveKeyLimit = prepare(
    db,
    'UPDATE key_limit SET day = ?, withdrawn = ? WHERE guild_no = ? AND key_no = ?',
  );
  const logCorrection = createCorrectionLog(db);

  function writeKey(guildNo: number, { key, requestHash }: Idempotency, { accountNo, count }: Account): void {
    insertIdempotency.run(guildNo, key, requestHash, accountNo, count);
  }

  function post({ transaction, account, keyLimit }: Decided): AppendOutcome {
    const { playerId, transactionId, idempotency, keyNo } = transaction;
    const { guildNo } = transaction.guild;
    const { balanceUnits, count: seq, lastCreatedAtMs: createdAtMs } = account;
    if (account.accountNo === 0) {
      account.accountNo = accounts.open(guildNo, playerId);
    }
    const row = { ...transaction, seq, balanceUnits, createdAtMs };
    const number = accounts.insert(guildNo, account.accountNo, row);
    leaves.note(transaction, { number, balanceUnits, createdAtMs });
    accounts.move(guildNo, playerId, account);
    if (idempotency !== undefined) {
      writeKey(guildNo, idempotency, account);
    }
    if (keyLimit !== undefined && keyNo !== undefined) {
      moveKeyLimit.run(keyLimit.day, keyLimit.withdrawnUnits, guildNo, keyNo);
    }
    logCorrection(transaction);
    return { transactionId, balanceUnits, replayed: false };
  }

  return {
    post,
    claim(guildNo: number, { key, requestHash }: Idempotency): void {
      insertBatch.run(guildNo, key, requestHash);
    },
  };
}

/** Writes the audit entry for a post that a person makes by hand. */
function createCorrectionLog(db: DatabaseSync) {
  const audit = createAuditWriter(db);
  return (transaction: NewTransaction): void => {
    const { guild, postedBy, transactionId, createdAtMs } = transaction;
    if (postedBy === undefined) {
      return;
    }
    const change = { actor: { kind: 'user' as const, id: postedBy }, atMs: createdAtMs };
    audit(
      { guildNo: guild.guildNo, change, subjectKind: 'transaction' },
      { subjectId: transactionId, before: undefined, after: auditedCorrection(transaction) },
    );
  };
}
