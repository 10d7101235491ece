import type { Change } from '../../domain/model.ts';
import type { LedgerStore } from '../../domain/ports.ts';
import { openAudit } from '../audit/audit-writer.ts';
import { auditedFloor } from '../ledger/audited-correction.ts';
import { LOCK_LEDGER } from '../ledger/ledger-lock.ts';
import { pastRows } from '../ledger/past-rows.ts';
import type { AccountNumbers } from './account-numbers.ts';
import { importMaxOf, importTransactions } from './ledger-import.ts';
import { createCachedListing } from './listing.ts';
import type { Marks } from './marks.ts';
import type { PostStore } from './posts.ts';
import { type OpenReader, readRows } from './read-rows.ts';
import { prepare, type Runner } from './statement.ts';
import type { Writer } from './transactions.ts';

export interface LedgerStoreParts {
  read: Runner;
  readLong: Runner;
  openReader: OpenReader;
  writer: Writer;
  posts: PostStore;
  numbers: AccountNumbers;
  isDistributed: boolean;
  marks: Marks;
}

export function createLedgerStore(parts: LedgerStoreParts): LedgerStore {
  const { openReader, writer, posts, marks } = parts;
  const list = createCachedListing(parts, marks);
  return {
    append: posts.append,
    appendGroup: posts.appendGroup,
    claimBatch: posts.claimBatch,
    setFloor: ({ guildNo }, account, change) => setFloor(writer, guildNo, account, change),
    list: ({ guildNo }, playerId, query) => list(guildNo, playerId, query),
    import: ({ guildNo }, transactions) =>
      writer.writeLong(`ledger ${guildNo}`, (transaction) =>
        importTransactions(transaction, parts, guildNo, transactions),
      ),
    importMax: importMaxOf(parts),
    read: (guild) => readRows({ openReader, ...pastRows(guild) }),
  };
}

const FIND_FLOOR = prepare<{ floorUnits: number | null }>(
  'SELECT floor AS "floorUnits" FROM account WHERE guild_no = $1 AND player_id = $2 FOR NO KEY UPDATE',
);
const SET_FLOOR = prepare('UPDATE account SET floor = $3 WHERE guild_no = $1 AND player_id = $2');

/** Locks the audit log, then the ledger, in the order in which a correction does it. */
function setFloor(
  writer: Writer,
  guildNo: number,
  { playerId, floorUnits = null }: { playerId: string; floorUnits?: number | null | undefined },
  change: Change,
): Promise<boolean> {
  return writer.write(`guild ${guildNo}`, async (transaction) => {
    const audit = await openAudit(transaction, { guildNo, change, subjectKind: 'account' });
    await transaction.first(LOCK_LEDGER, [guildNo]);
    const found = await transaction.first(FIND_FLOOR, [guildNo, playerId]);
    if (found === undefined || found.floorUnits === floorUnits) {
      return found !== undefined;
    }
    await transaction.run(SET_FLOOR, [guildNo, playerId, floorUnits]);
    audit.add({
      subjectId: playerId,
      before: auditedFloor(found.floorUnits),
      after: auditedFloor(floorUnits),
    });
    await audit.write();
    return true;
  });
}
