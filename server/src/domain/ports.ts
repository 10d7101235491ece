import type { InstanceStore } from './access/instances.ts';
import type { InvitationStore } from './access/invitation-store.ts';
import type { RequestStore } from './access/key-requests.ts';
import type { KeyStore } from './access/key-store.ts';
import type { PreferenceStore } from './access/preferences.ts';
import type { RoleStore } from './access/roles.ts';
import type { SessionStore } from './access/session-store.ts';
import type { BoardStore } from './board/board.ts';
import type { ChatStore } from './chat/settings.ts';
import type { EntryStore } from './ledger/entries.ts';
import type { LedgerStore } from './ledger/ledger-store.ts';
import type { LedgerViewStore } from './ledger/ledger-views.ts';
import type { MaybePromise } from './maybe-promise.ts';
import type {
  Actor,
  AuditEntry,
  AuditFilter,
  BotCommand,
  Change,
  ChatGuild,
  ChatTokens,
  ChatUser,
  Discharge,
  Guild,
  GuildChange,
  GuildRef,
  LookupKind,
  NewVerification,
  Plan,
  PutOutcome,
  SubjectKind,
  TimeRange,
  Transfer,
  Verification,
  VerifiedName,
} from './model.ts';
import type { MemberStore } from './people/member-store.ts';
import type {
  DischargeFilter,
  PageOf,
  RecordFilter,
  RecordPage,
  RecordWalk,
} from './records/record-lists.ts';
import type { RecordMatch } from './records/record-tag.ts';
import type { RetentionStore } from './retention/retention-store.ts';
import type { SealStore } from './seal/seal-store.ts';
import type { StoreFigures } from './store-figures.ts';
import type { WebhookStore } from './webhooks/webhook-store.ts';

export type { KeyStore, KeyUse, RefusedHour } from './access/key-store.ts';
export type { SessionStore } from './access/session-store.ts';
export type { LedgerStore } from './ledger/ledger-store.ts';

/** The only source of time, so that tests can control it. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. May jump. */
  nowMs(): number;
  /** Never goes back; only differences have a meaning. */
  monotonicMs(): number;
}

/** The only source of ids and randomness. */
export interface IdSource {
  /** A UUIDv7: unique, and ordered by time within one process. */
  uuid(): string;
  randomBytes(count: number): Uint8Array;
}

/**
 * The database. Each method is a whole unit of work: it happens entirely or not at all, and when its promise
 * resolves, its writes are on disk. Failures of the store itself reject with `store_unavailable`; no driver error
 * crosses a port.
 */
export interface Store {
  readonly guilds: GuildStore;
  readonly keys: KeyStore;
  readonly discharges: DischargeStore;
  readonly transfers: RecordStore<Transfer>;
  readonly verifications: VerificationStore;
  readonly members: MemberStore;
  readonly commands: CommandStore;
  readonly ledger: LedgerStore;
  readonly ledgerViews: LedgerViewStore;
  readonly entries: EntryStore;
  readonly audit: AuditStore;
  readonly sessions: SessionStore;
  readonly webhooks: WebhookStore;
  readonly roles: RoleStore;
  readonly invitations: InvitationStore;
  readonly chat: ChatStore;
  readonly boards: BoardStore;
  readonly preferences: PreferenceStore;
  readonly requests: RequestStore;
  readonly instances: InstanceStore;
  readonly retention: RetentionStore;
  readonly seals: SealStore;
  readonly figures: StoreFigures;
  /**
   * Runs work whose writes are committed together when it resolves, and undone together when it rejects. Only for a
   * process that does nothing else with the store: other writers wait for the write lock until it ends.
   */
  allOrNothing<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * A number that changes with every change of the part, or of the guild's records, by any process, before the change
   * is acknowledged. A change of commands by another instance shows at most one second later. Synchronous when it is
   * known without asking a server. Undefined when it is unknown.
   */
  revision(part: GuildRef | 'verifications' | 'commands'): MaybePromise<number | undefined>;
  /**
   * Resolves when the store can answer, and on SQLite can be written; rejects with `store_unavailable` otherwise. A
   * PostgreSQL server that answers but refuses writes counts as ready: otherwise reads would stop on every instance.
   */
  check(): Promise<void>;
  /** Waits for pending writes, then releases all resources. Later calls reject. */
  close(): Promise<void>;
}

export interface GuildStore {
  find(guildId: string): Promise<Guild | undefined>;
  /** All guilds, ordered by id. */
  list(): Promise<Guild[]>;
  /** Those of the ids that belong to a guild, in the given order. */
  findExisting(guildIds: readonly string[]): Promise<string[]>;
  /** False until the first guild is created. */
  hasAny(): Promise<boolean>;
  /**
   * Creates the guild of that id, or changes it by the rules of `changeGuild`, in one commit. An existing guild keeps
   * its number and creation time. Rejects with `invalid_input` when a new guild has no name.
   */
  set(guild: GuildChange & { defaultPlan: Plan }, change: Change): Promise<Guild>;
}

/** One kind of a guild's records. Records of other guilds are never returned. */
export interface RecordStore<Item, Filter extends RecordFilter = RecordFilter> {
  find(guild: GuildRef, id: string): MaybePromise<Item | undefined>;
  /** The existing records of these ids, in no particular order. */
  findMany(guild: GuildRef, ids: readonly string[]): Promise<Item[]>;
  /**
   * Creates or replaces by id, all in one commit. With `match` it rejects with `record_changed` unless every record
   * exists and has one of the given tags.
   */
  put(guild: GuildRef, items: readonly Item[], change: Change, match?: RecordMatch): Promise<PutOutcome[]>;
  /** Creates the records whose ids are free, all in one commit. Existing records stay unchanged. */
  addFree(guild: GuildRef, items: readonly Item[], change: Change): Promise<('created' | 'exists')[]>;
  /** Creates a record. False when one of that id exists, which stays unchanged. */
  create(guild: GuildRef, item: Item, change: Change): Promise<boolean>;
  /**
   * Replaces a record. False when none of that id exists. With `match` it rejects with `record_changed` when the
   * record has none of the given tags.
   */
  replace(guild: GuildRef, item: Item, change: Change, match?: RecordMatch): Promise<boolean>;
  /**
   * False when there is no such record. With `match` it rejects with `record_changed` when the record has none of the
   * given tags.
   */
  delete(guild: GuildRef, id: string, change: Change, match?: RecordMatch): Promise<boolean>;
  /**
   * Newest first, those of one date by descending id. Records that are neither added nor changed during the walk are
   * returned once.
   */
  walk(guild: GuildRef, walk: RecordWalk): Promise<Item[]>;
  /** All records, or one guild's, ordered by guild and id, as of the moment the reading began. */
  read(guild: GuildRef | undefined): AsyncIterable<Item>;
  /** One page of the matching records, consistent with its total. A page past the end is empty. */
  list(guild: GuildRef, query: Filter & PageOf): Promise<RecordPage<Item>>;
  /** All matching records, in the filter's order, as of the moment the reading began. */
  readMatching(guild: GuildRef, filter: Filter): AsyncIterable<Item>;
  /** The number of records dated within the range. A date without a time counts as midnight in UTC. */
  count(guild: GuildRef, range: TimeRange): Promise<number>;
  /** The number of records about each of the players, in the given order. */
  countByPlayer(guild: GuildRef, playerIds: readonly string[]): Promise<number[]>;
}

export interface DischargeStore extends RecordStore<Discharge, DischargeFilter> {
  /** The guild's types of discharge without repeats, ordered by code points, at most `limit`. */
  types(guild: GuildRef, limit: number): Promise<string[]>;
}

export interface VerificationStore {
  /**
   * Finds a person by a value, trying the kinds in order until one matches. Names are compared without regard to
   * case. When several people match, the one verified last is returned, then the one whose chatId sorts last, so that
   * the answer is deterministic.
   */
  find(kinds: readonly LookupKind[], value: string): MaybePromise<Verification | undefined>;
  /** The people who have one of these game accounts now, or one of these chat accounts, in no particular order. */
  findVerified(by: 'player' | 'chat', ids: readonly string[]): Promise<VerifiedName[]>;
  /**
   * Verifies people by chatId, all in one commit and in the given order. When a person's game account changes, the
   * old one moves to the front of the past accounts; a given `pastUsers` is stored as it is instead. A game account
   * that belonged to another chat account is taken from it: that chat account is no longer verified, and the game
   * account becomes one of its past accounts. Past accounts never repeat and never contain the present one.
   */
  put(verifications: readonly NewVerification[], change: Change, guild?: GuildRef): Promise<PutOutcome[]>;
  /**
   * The same for people who are not verified yet, with game accounts that nobody has now. Others stay as they are:
   * `exists` when it would have changed them.
   */
  addFree(
    verifications: readonly NewVerification[],
    change: Change,
    guild?: GuildRef,
  ): Promise<(PutOutcome | 'exists')[]>;
  /**
   * Deletes a person, past accounts included. False when there is no such verification. With `guild`, here and in
   * `put`, the guild's audit log gets an entry too.
   */
  delete(chatId: string, change: Change, guild?: GuildRef): Promise<boolean>;
  /** All verifications, ordered by chatId, as of the moment the reading began. */
  read(): AsyncIterable<Verification>;
}

export interface CommandStore {
  /**
   * The catalogue in its given order. The same array is returned until the catalogue changes. A change by another
   * instance is visible at most one second later.
   */
  list(): Promise<readonly BotCommand[]>;
  /**
   * Replaces the whole catalogue in one commit. With `expectedTag` it rejects with `commands_changed` unless the
   * catalogue still has that tag.
   */
  replace(commands: readonly BotCommand[], change: Change, expectedTag?: string): Promise<PutOutcome>;
}

export type AuditPageQuery = AuditFilter & { limit: number; beforeEntryNo?: number | undefined };

export interface AuditStore {
  /**
   * The newest matching entries that are older than the given one, of a guild or, without one, of the log that
   * belongs to no guild. Ordered by time, then by number.
   */
  list(guild: GuildRef | undefined, page: AuditPageQuery): Promise<AuditEntry[]>;
  /** The same for reading a whole log. Other callers of the store do not wait for it. */
  listForExport(guild: GuildRef, page: AuditPageQuery): Promise<AuditEntry[]>;
  /**
   * The entries after a number, of a guild or of the log that belongs to no guild. No entry with a lower number
   * appears later.
   */
  after(guild: GuildRef | undefined, page: { afterEntryNo: number; limit: number }): Promise<AuditEntry[]>;
  /**
   * The actors of the guild's entries without repeats, at most `limit`, ordered by kind and id. With kinds, only
   * actors of entries of these kinds.
   */
  actors(
    guild: GuildRef,
    options: { limit: number; subjectKinds?: readonly SubjectKind[] | undefined },
  ): Promise<Actor[]>;
}

/**
 * The chat platform that people sign in with. Every method has a time limit. Rejects with `platform_refused` when the
 * platform refuses (a code used twice, a revoked token), and with `platform_unavailable` when it is unreachable,
 * slow, overloaded or answers nonsense. Errors never contain a token or code.
 */
export interface ChatPlatform {
  /** Identifies the platform and the application registered there. Sessions of another identity are not valid. */
  readonly identity: string;
  /** The address to send the browser to. It contains only the SHA-256 of the verifier. */
  authorizeUrl(request: { state: string; codeVerifier: string; redirectUri: string }): Promise<string>;
  /** Exchanges a code for tokens. `redirectUri` and verifier are those of the request that the code was issued for. */
  exchangeCode(grant: {
    code: string;
    state: string;
    codeVerifier: string;
    redirectUri: string;
  }): Promise<ChatTokens>;
  /**
   * Exchanges a refresh token for new tokens. The result has the refresh token for next time, which may be the same.
   */
  refresh(refreshToken: string): Promise<ChatTokens>;
  fetchUser(accessToken: string): Promise<ChatUser>;
  /** Every guild of the person, with their permissions in it. */
  fetchGuilds(accessToken: string): Promise<ChatGuild[]>;
  /** The ids of the person's roles in one of their guilds; empty when they are no longer a member. */
  fetchChatRoles(accessToken: string, guildId: string): Promise<string[]>;
}

export interface RateLimiter {
  /**
   * Counts one request against the bucket, or refuses it. In no window of the bucket's length are more than `limit`
   * requests admitted for one subject. Refused requests use no quota. Synchronous when the limiter is in memory.
   */
  admit(bucket: RateBucket, subject: string): Admission | Promise<Admission>;
}

export interface RateBucket {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
}

export interface Admission {
  admitted: boolean;
  remaining: number;
  /** Time until the oldest counted request leaves the window. */
  resetAfterMs: number;
}
