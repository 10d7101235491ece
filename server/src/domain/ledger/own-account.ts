import type { Guilds } from '../access/guilds.ts';
import { DomainError } from '../errors.ts';
import type { PastUser, Verification } from '../model.ts';
import type { GuildLedger, PlayerView } from './guild-ledger.ts';
import type { DetailedTransaction, LedgerViewStore, ShownTransaction } from './ledger-views.ts';

/** Sources of the account that are offered as filters. */
const FILTER_SOURCES_MAX = 50;

/** The reads of a guild's ledger that are about one account. */
export type AccountLedger = Pick<
  GuildLedger,
  'activity' | 'balanceAt' | 'statement' | 'exportStatement' | 'list' | 'export'
>;

/** The account of a verified person, with their verification. */
export interface OwnAccountView extends PlayerView {
  chatId: string;
  username: string;
  /** Their other game accounts, newest first. The guild's data about these is left out: somebody else may have them now. */
  pastUsers: readonly PastUser[];
}

/** The ledger of a guild as one of its members sees it: their own account, and nothing of others. */
export interface OwnLedger extends AccountLedger {
  view(guildId: string): Promise<OwnAccountView>;
  transaction(guildId: string, transactionId: string): Promise<ShownTransaction>;
}

/** Returns the ledger as a verified person sees it. */
export type OwnLedgers = (own: Verification) => OwnLedger;

interface OwnLedgerParts {
  guilds: Guilds;
  views: LedgerViewStore;
  guildLedger: GuildLedger;
}

export function createOwnLedgers({ guilds, views, guildLedger }: OwnLedgerParts): OwnLedgers {
  return (own) => {
    const mine = (row: ShownTransaction) => ownSide(row, own);
    return {
      async view(guildId) {
        const guild = await guilds.find(guildId);
        const { chatId, playerId, username, pastUsers } = own;
        const [account, sums] = await Promise.all([
          views.findPlayer(guild, playerId),
          views.accountSums(guild, playerId, {}, FILTER_SOURCES_MAX),
        ]);
        const nothing = { playerId, balanceUnits: 0, transactions: 0 };
        const sources = (sums?.sources ?? []).map(({ source }) => source);
        return { ...(account ?? nothing), account, sources, chatId, username, pastUsers };
      },
      async activity(...asked) {
        const activity = await guildLedger.activity(...asked);
        return { ...activity, moves: activity.moves.map(mine) };
      },
      balanceAt: guildLedger.balanceAt,
      async statement(...asked) {
        const statement = await guildLedger.statement(...asked);
        return { ...statement, transactions: statement.transactions.map(mine) };
      },
      async exportStatement(...asked) {
        const statement = await guildLedger.exportStatement(...asked);
        return { ...statement, transactions: each(statement.transactions, mine) };
      },
      async list(...asked) {
        const listing = await guildLedger.list(...asked);
        return { ...listing, transactions: listing.transactions.map(mine) };
      },
      async export(...asked) {
        return each(await guildLedger.export(...asked), mine);
      },
      async transaction(guildId, transactionId) {
        return mine(await findOwn(guildLedger, own, guildId, transactionId));
      },
    };
  };
}

/**
 * A transaction as the holder of its account sees it: without the person or the key that posted it, and without its number, which
 * counts the transactions of others.
 */
function ownSide(row: ShownTransaction, { chatId }: Verification): ShownTransaction {
  const { kind, id } = row.postedBy;
  const isByThem = kind === 'user' && id === chatId;
  const hidden = { kind, id: undefined, name: undefined, prefix: undefined };
  return { ...row, postedBy: isByThem ? row.postedBy : hidden, number: undefined };
}

/** Transactions of others fail like absent ones, archived ones too, so that nobody can try ids. */
async function findOwn(
  guildLedger: GuildLedger,
  { playerId }: Verification,
  guildId: string,
  transactionId: string,
): Promise<DetailedTransaction> {
  const found = await guildLedger.transaction(guildId, transactionId).catch((error) => {
    if (error instanceof DomainError && error.code === 'archived') {
      return undefined;
    }
    throw error;
  });
  if (found?.playerId !== playerId) {
    throw new DomainError('transaction_not_found');
  }
  return found;
}

async function* each<Item>(items: AsyncIterable<Item>, change: (item: Item) => Item): AsyncGenerator<Item> {
  for await (const item of items) {
    yield change(item);
  }
}
