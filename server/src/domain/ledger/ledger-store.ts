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
   * Appends one transaction to the player's account, creating the account when needed. Within an account `seq` runs
   * 1, 2, 3, ... without gaps and the creation time never decreases: a time before the account's last one is raised
   * to it. Within a guild `number` runs without gaps too, in the order of commits. Rejects with `overdraft`,
   * `balance_out_of_range`, `idempotency_mismatch` or, for a second reversal, `already_reversed`, and writes nothing
   * then. A known idempotency key with the same request hash returns the first outcome again. A transaction of a
   * person (`postedBy`) is added to the audit log in the same commit.
   */
  append(transaction: NewTransaction): Promise<AppendOutcome>;
  /**
   * Appends all transactions of a group in the given order, or none: it rejects with the refusal of the first refused
   * transaction and its position. Their numbers are consecutive. Transactions committed together with the group
   * neither undo it nor are undone by it. A known idempotency key of the group returns all of its outcomes again.
   */
  appendGroup(group: TransactionGroup): Promise<AppendOutcome[]>;
  /**
   * Binds the key of a batch to its request, permanently. Rejects with `idempotency_mismatch` when it is bound to
   * another request. `appendGroup` does the same for the `batch` of a group in the commit of the group, so a refused
   * group leaves the key free.
   */
  claimBatch(guild: GuildRef, batch: Idempotency): Promise<void>;
  /**
   * Sets the lowest balance to which withdrawals may take an account; undefined applies the guild's rule. False when
   * the player has no account.
   */
  setFloor(
    guild: GuildRef,
    account: { playerId: string; floorUnits: number | undefined },
    change: Change,
  ): Promise<boolean>;
  /** One page of an account, consistent with its total. The account of an unknown player is empty. */
  list(guild: GuildRef, playerId: string, query: ListingQuery): MaybePromise<Listing>;
  /**
   * Appends past transactions with their own ids and times, in one commit. A transaction that already
   * exists gives `present`. Refused are transactions older than their account's last, those that would take a balance
   * out of range, and those that reverse a missing or already reversed transaction. Floors do not apply. Outcomes are
   * in the given order.
   */
  import(guild: GuildRef, transactions: readonly PastTransaction[]): Promise<ImportOutcome[]>;
  /** The number of transactions in a call of `import` that is fast and delays other writes of the guild only shortly. */
  readonly importMax: number;
  /** All transactions, or one guild's, ordered by guild and number, as of the moment the reading began. */
  read(guild: GuildRef | undefined): AsyncIterable<PastTransaction>;
}
