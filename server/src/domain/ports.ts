import type {
  ApiKey,
  AppendOutcome,
  BotCommand,
  Discharge,
  Guild,
  GuildRef,
  Listing,
  ListingQuery,
  LookupKind,
  NewApiKey,
  NewTransaction,
  StoredKey,
  Transfer,
  Verification,
} from './model.ts';

/** Time comes from here alone, so that tests can hold it still. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. May jump. */
  nowMs(): number;
  /** Never goes back; only differences mean anything. */
  monotonicMs(): number;
}

/** Ids and randomness come from here alone. */
export interface IdSource {
  /** A UUIDv7: unique, and ordered by time as far as one process goes. */
  uuid(): string;
  randomBytes(count: number): Uint8Array;
}

/**
 * Where everything is kept. Each method is a whole unit of work: it happens entirely or not at all, and
 * when its promise resolves, what it wrote is on disk. Failures of the store itself reject with
 * `store_unavailable`; no driver error crosses a port.
 */
export interface Store {
  readonly guilds: GuildStore;
  readonly keys: KeyStore;
  readonly records: RecordStore;
  readonly verifications: VerificationStore;
  readonly commands: CommandStore;
  readonly ledger: LedgerStore;
  /** Resolves when the store can answer; rejects with `store_unavailable` otherwise. */
  check(): Promise<void>;
  /** Lets writes under way finish, then gives everything back. Later calls reject. */
  close(): Promise<void>;
}

export interface GuildStore {
  find(guildId: string): Promise<Guild | undefined>;
  /** All guilds, ordered by id. */
  list(): Promise<Guild[]>;
  /** Creates or replaces the guild of that id. An existing guild keeps its number and creation time. */
  put(guild: Omit<Guild, 'guildNo'>): Promise<Guild>;
}

export interface KeyStore {
  /** Finds the key with this SHA-256, expired ones too. A deleted key is not found from the moment its delete resolved. */
  findByHash(hash: string): Promise<StoredKey | undefined>;
  insert(key: NewApiKey): Promise<void>;
  /** The guild's keys that were not deleted, newest first. */
  list(guild: GuildRef): Promise<ApiKey[]>;
  /** Forgets the key's hash and hides it; transactions keep pointing to it. False when there is no such key. */
  delete(keyId: string, atMs: number): Promise<boolean>;
  /** Moves the last use of each key forward, never back. */
  touch(uses: readonly KeyUse[]): Promise<void>;
}

export interface KeyUse {
  keyNo: number;
  usedAtMs: number;
}

/** Records of one guild never show through another guild's reference. */
export interface RecordStore {
  findDischarge(guild: GuildRef, dischargeId: string): Promise<Discharge | undefined>;
  findTransfer(guild: GuildRef, transferId: string): Promise<Transfer | undefined>;
  /** Creates or replaces by id, all in one commit. */
  putDischarges(guild: GuildRef, discharges: readonly Discharge[]): Promise<void>;
  /** Creates or replaces by id, all in one commit. */
  putTransfers(guild: GuildRef, transfers: readonly Transfer[]): Promise<void>;
}

export interface VerificationStore {
  /**
   * Finds a person by one kind of value. Names are compared without regard to case. Where several match,
   * the one verified last wins, then the one whose chatId sorts last: the answer never depends on chance.
   */
  find(kind: LookupKind, value: string): Promise<Verification | undefined>;
  /** Creates or replaces by chatId, all in one commit. */
  put(verifications: readonly Verification[], verifiedAtMs: number): Promise<void>;
}

export interface CommandStore {
  /** The catalogue in the order it was given. The same array is returned for as long as nothing changed. */
  list(): Promise<readonly BotCommand[]>;
  /** Replaces the whole catalogue in one commit. */
  replace(commands: readonly BotCommand[]): Promise<void>;
}

export interface LedgerStore {
  /**
   * Appends one transaction to the player's account, opening it when needed. Within an account `seq` runs
   * 1, 2, 3, ... without gaps and the creation time never decreases: a time before the account's last one
   * is lifted to it. Rejects with `overdraft`, `balance_out_of_range` or `idempotency_mismatch`, having
   * written nothing. A known idempotency key with the same request hash gives the first outcome again.
   */
  append(transaction: NewTransaction): Promise<AppendOutcome>;
  /** One page of an account, consistent with its total. An unknown player has an empty account. */
  list(guild: GuildRef, playerId: string, query: ListingQuery): Promise<Listing>;
}

export interface RateLimiter {
  /**
   * Counts one request against the bucket, or refuses it. In no window of the bucket's length are more
   * than `limit` admitted for one subject. A refused request does not count.
   */
  admit(bucket: RateBucket, subject: string): Promise<Admission>;
}

export interface RateBucket {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
}

export interface Admission {
  admitted: boolean;
  remaining: number;
  /** Until the oldest counted request leaves the window and its place is free again. */
  resetAfterMs: number;
}
