import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { createAskedBefore } from '../../domain/cache.ts';
import type { Change, ListedTransaction } from '../../domain/model.ts';
import type { LedgerStore } from '../../domain/ports.ts';
import { auditedFloor } from '../ledger/audited-correction.ts';
import { packPost, unpackOutcome } from '../ledger/packed-post.ts';
import { createPageCache } from '../ledger/page-cache.ts';
import { pastRows } from '../ledger/past-rows.ts';
import { LISTED } from '../ledger/row-form.ts';
import type { LeafNotes } from '../seal/posted-leaves.ts';
import type { Accounts } from './accounts.ts';
import { createAuditWriter } from './audit.ts';
import { createImportWrites } from './ledger-import.ts';
import { createAccountCache, createListing, createVisitingListing } from './listing.ts';
import { createPostingWrites } from './posting.ts';
import { readRows } from './read-rows.ts';
import type { Revisions } from './revision.ts';
import type { LongReadOf, StoreParts } from './thread-calls.ts';

/** Slots that remember the pages asked for once: about twice as many as pages can be cached. */
const ASKED_PAGES = 1_024;
/** All other writes wait for the commit of an import, which takes some 20 ms with this number. */
const IMPORT_MAX = 500;

export type LedgerWrites = ReturnType<typeof createLedgerWrites>;
export type LedgerReads = ReturnType<typeof createLedgerReads>;

type LedgerParts = StoreParts<LedgerWrites> & { readLong: LongReadOf<LedgerReads>; revisions: Revisions };

export function createLedgerStore(parts: LedgerParts): LedgerStore {
  const { db, readNow, readLong, openReader, write, revisions } = parts;
  const list = createListing<ListedTransaction>(db, {
    form: LISTED,
    toRow: toListed,
    findAccount: createAccountCache(db, revisions),
    listElsewhere: (input, rows) => readLong('listTransactions', input, rows),
    cache: { pages: createPageCache(), askedBefore: createAskedBefore(ASKED_PAGES) },
  });
  return {
    append: (transaction) =>
      write('append', packPost(transaction)).then((outcome) => {
        revisions.lookAtLedgerAgain(transaction.guild.guildNo);
        return unpackOutcome(outcome, transaction);
      }),
    async appendGroup({ transactions, ...group }) {
      const outcomes = await write('appendGroup', { ...group, posts: transactions.map(packPost) });
      revisions.lookAtLedgerAgain(group.guild.guildNo);
      return transactions.map((transaction, index) => unpackOutcome(outcomes[index], transaction));
    },
    claimBatch: ({ guildNo }, batch) => write('claimBatch', { guildNo, batch }),
    setFloor: ({ guildNo }, { playerId, floorUnits = null }, change) =>
      write('setFloor', { guildNo, playerId, floorUnits, change }),
    list: (guild, playerId, query) => readNow(() => list(guild.guildNo, playerId, query)),
    async import({ guildNo }, transactions) {
      const counts = await write('importTransactions', { guildNo, transactions });
      revisions.lookAtLedgerAgain(guildNo);
      return counts;
    },
    importMax: IMPORT_MAX,
    read: (guild) => readRows({ openReader, ...pastRows(guild) }),
  };
}

/** The columns of `LISTED`, whose types the schema ensures. */
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

/** The reads of the ledger that run on reader threads. */
export function createLedgerReads(db: DatabaseSync) {
  return { listTransactions: createVisitingListing<ListedTransaction>(db, LISTED) };
}

/** The writes of the ledger that run on the writer thread. */
export function createLedgerWrites(db: DatabaseSync, accounts: Accounts, leaves: Pick<LeafNotes, 'note'>) {
  const audit = createAuditWriter(db);
  return {
    ...createImportWrites(db, accounts),
    ...createPostingWrites(db, accounts, leaves),
    setFloor({ guildNo, playerId, floorUnits, change }: FloorChange): boolean {
      const account = accounts.find(guildNo, playerId);
      if (account === undefined) {
        return false;
      }
      const before = account.floorUnits ?? null;
      if (before !== floorUnits) {
        accounts.setFloor(guildNo, playerId, floorUnits);
        audit(
          { guildNo, change, subjectKind: 'account' },
          { subjectId: playerId, before: auditedFloor(before), after: auditedFloor(floorUnits) },
        );
      }
      return true;
    },
  };
}

interface FloorChange {
  guildNo: number;
  playerId: string;
  floorUnits: number | null;
  change: Change;
}
