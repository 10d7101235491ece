import type { MaybePromise } from '../maybe-promise.ts';
import type {
  AppendOutcome,
  Change,
  GuildRef,
  Idempotency,
  ImportOutcome,
  Listing,
  ListingQuery,
  NewTransaction,
  PastTransaction,
  TransactionGroup,
} from '../model.ts';

export interface LedgerStore {
  /**
   * Appends one transaction to the player's account, opening it when needed. Within an account `seq` runs
   * 1, 2, 3, ... without gaps and the creation time never decreases: a time before the account's last one
   * is lifted to it. Within a guild `number` runs without gaps too, in the order of commits. Rejects with `overdraft`,
   * `balance_out_of_range`, `idempotency_mismatch` or, for a second reversal, `already_reversed`, having
   * written nothing. A known idempotency key with the same request hash gives the first outcome again.
   * What a person posted (`postedBy`) goes into the audit log in the same commit.
   */
  append(transaction: NewTransaction): Promise<AppendOutcome>;
  /**
   * Appends all transactions of a group in the order given, or none: the refusal of the first one that is refused is the
   * group's, with its position. Their numbers follow one another. Others that are committed with the group neither
   * undo it nor are undone by it. A known idempotency key of the group gives all of its outcomes again.
   */
  appendGroup(group: TransactionGroup): Promise<AppendOutcome[]>;
  /**
   * Binds the key of a batch to its request, for good. Rejects with `idempotency_mismatch` when it is bound to another
   * request. `appendGroup` does the same for the `batch` of a group in the commit of the group: a group that is refused leaves
   * the key free.
   */
  claimBatch(guild: GuildRef, batch: Idempotency): Promise<void>;
  /**
   * Sets how far down withdrawals may take an account; undefined leaves it to the guild. False when the player has no
   * account.
   */
  setFloor(
    guild: GuildRef,
    account: { playerId: string; floorUnits: number | undefined },
    change: Change,
  ): Promise<boolean>;
  /** One page of an account, consistent with its total. An unknown player has an empty account. */
  list(guild: GuildRef, playerId: string, query: ListingQuery): MaybePromise<Listing>;
  /**
   * Appends transactions that happened elsewhere, with their own ids and times, in one commit. One that is there
   * already counts as `present`; one that is older than its account's last is refused, as is one that would take a
   * balance out of range, or that reverses something that is not there or has been reversed. Overdraft is no reason:
   * what happened, happened. Outcomes come in the order given.
   */
  import(guild: GuildRef, transactions: readonly PastTransaction[]): Promise<ImportOutcome[]>;
  /** All transactions, or one guild's, guild by guild and in the order of their numbers, as of the moment the reading began. */
  read(guild: GuildRef | undefined): AsyncIterable<PastTransaction>;
}
