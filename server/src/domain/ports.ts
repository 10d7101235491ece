import type { KeyStore } from './access/key-store.ts';
import type { PreferenceStore } from './access/preferences.ts';
import type { RoleStore } from './access/roles.ts';
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
  PastUser,
  Plan,
  PutOutcome,
  SealedSession,
  Session,
  SessionChange,
  SignInAttempt,
  SubjectKind,
  TimeRange,
  Transfer,
  Verification,
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
import type { StoreFigures } from './store-figures.ts';
import type { WebhookStore } from './webhooks/webhook-store.ts';

export type { KeyStore, KeyUse } from './access/key-store.ts';
export type { LedgerStore } from './ledger/ledger-store.ts';

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
  readonly preferences: PreferenceStore;
  readonly figures: StoreFigures;
  /**
   * Runs work whose writes are committed together when it resolves, or undone together when it rejects. Only for a
   * process that does nothing else with the store: others wait for the write lock as long as it lasts.
   */
  allOrNothing<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Moves with any process's change of the part, or of the guild's records, before it is acknowledged; with a change of
   * commands by another instance at most one second later. At once where it is known without asking a server. Undefined:
   * unknown.
   */
  revision(part: GuildRef | 'verifications' | 'commands'): MaybePromise<number | undefined>;
  /**
   * Resolves when the store can answer, and on SQLite can be written; rejects with `store_unavailable` otherwise. On
   * PostgreSQL a server that answers and refuses writes counts as ready: reads would end everywhere otherwise.
   */
  check(): Promise<void>;
  /** Lets writes under way finish, then gives everything back. Later calls reject. */
  close(): Promise<void>;
}

export interface GuildStore {
  find(guildId: string): Promise<Guild | undefined>;
  /** All guilds, ordered by id. */
  list(): Promise<Guild[]>;
  /** False as long as no guild was made. */
  hasAny(): Promise<boolean>;
  /**
   * Creates the guild of that id or changes it, by the rules of `changeGuild`, reading and writing in one commit. An
   * existing guild keeps its number and creation time. Rejects with `invalid_input` when a new guild has no name.
   */
  set(guild: GuildChange & { defaultPlan: Plan }, change: Change): Promise<Guild>;
}

/** One kind of a guild's records. Those of one guild never show through another guild's reference. */
export interface RecordStore<Item, Filter extends RecordFilter = RecordFilter> {
  find(guild: GuildRef, id: string): MaybePromise<Item | undefined>;
  /** Those of the ids that there are, in no particular order. */
  findMany(guild: GuildRef, ids: readonly string[]): Promise<Item[]>;
  /**
   * Creates or replaces by id, all in one commit. With `match` it does so only while each record is there and is the one
   * that is meant, and rejects with `record_changed` otherwise.
   */
  put(guild: GuildRef, items: readonly Item[], change: Change, match?: RecordMatch): Promise<PutOutcome[]>;
  /** Creates a record. False when there is one of that id, which stays as it is. */
  create(guild: GuildRef, item: Item, change: Change): Promise<boolean>;
  /**
   * Replaces a record. False when there is none of that id, and none is made. With `match` it rejects with
   * `record_changed` when another one is meant.
   */
  replace(guild: GuildRef, item: Item, change: Change, match?: RecordMatch): Promise<boolean>;
  /** False when there is no such record. With `match` it rejects with `record_changed` when another one is meant. */
  delete(guild: GuildRef, id: string, change: Change, match?: RecordMatch): Promise<boolean>;
  /** Newest first, those of one date by id, which descends too. Records that are neither added nor changed show once. */
  walk(guild: GuildRef, walk: RecordWalk): Promise<Item[]>;
  /** All records, or one guild's, ordered by guild and id, as of the moment the reading began. */
  read(guild: GuildRef | undefined): AsyncIterable<Item>;
  /** One page of what matches, consistent with its total. A page past the end is empty. */
  list(guild: GuildRef, query: Filter & PageOf): Promise<RecordPage<Item>>;
  /** Everything that matches, in the filter's order, as of the moment the reading began. */
  readMatching(guild: GuildRef, filter: Filter): AsyncIterable<Item>;
  /** How many are dated within the range. A plain date is its midnight in UTC. */
  count(guild: GuildRef, range: TimeRange): Promise<number>;
  /** How many are about each of the players, in the order given. */
  countByPlayer(guild: GuildRef, playerIds: readonly string[]): Promise<number[]>;
}

export interface DischargeStore extends RecordStore<Discharge, DischargeFilter> {
  /** The kinds of discharge that the guild has, each once, in order of their code points, at most `limit`. */
  types(guild: GuildRef, limit: number): Promise<string[]>;
}

export interface VerificationStore {
  /**
   * Finds a person by a value of the first of the kinds under which there is one. Names are compared without regard to
   * case. Where several match, the one verified last wins, then the one whose chatId sorts last: the answer never
   * depends on chance.
   */
  find(kinds: readonly LookupKind[], value: string): MaybePromise<Verification | undefined>;
  /** Who is verified with each of the game accounts now, in no particular order. */
  findHolders(playerIds: readonly string[]): Promise<PastUser[]>;
  /**
   * Verifies people by chatId, all in one commit and in the given order. When somebody's game account differs from
   * the one before, the old one moves to the front of the past accounts; where `pastUsers` is given, it is taken as
   * it is instead. A game account that belonged to another chat account is taken from it: that one is verified no
   * longer and remembers the account among its past ones. Past accounts never repeat and never hold the present one.
   */
  put(verifications: readonly NewVerification[], change: Change, guild?: GuildRef): Promise<PutOutcome[]>;
  /**
   * Forgets a person, past accounts included. False when there is no such verification. What a guild does, here and in
   * `put`, is in that guild's log too.
   */
  delete(chatId: string, change: Change, guild?: GuildRef): Promise<boolean>;
  /** All verifications, ordered by chatId, as of the moment the reading began. */
  read(): AsyncIterable<Verification>;
}

export interface CommandStore {
  /**
   * The catalogue in the order it was given. The same array is returned for as long as nothing changed. What another
   * instance changed shows at most one second later.
   */
  list(): Promise<readonly BotCommand[]>;
  /**
   * Replaces the whole catalogue in one commit. With `expectedTag` it does so only while the catalogue still has that
   * tag, and rejects with `commands_changed` otherwise.
   */
  replace(commands: readonly BotCommand[], change: Change, expectedTag?: string): Promise<PutOutcome>;
}

export type AuditPageQuery = AuditFilter & { limit: number; beforeEntryNo?: number | undefined };

export interface AuditStore {
  /**
   * The newest matching entries of a guild, or of what belongs to no guild, that are older than the given one. Newest
   * means by time, and of one time by number.
   */
  list(guild: GuildRef | undefined, page: AuditPageQuery): Promise<AuditEntry[]>;
  /** The same, for those who read all of a log: whoever else asks the store does not wait for it. */
  listForExport(guild: GuildRef, page: AuditPageQuery): Promise<AuditEntry[]>;
  /** What follows an entry of a guild's log, or of what belongs to no guild, by number. None below the last one appears later. */
  after(guild: GuildRef | undefined, page: { afterEntryNo: number; limit: number }): Promise<AuditEntry[]>;
  /**
   * Those who did something in the guild, each once, at most `limit`, ordered by kind and id. With kinds: those who have an
   * entry of one of them.
   */
  actors(
    guild: GuildRef,
    options: { limit: number; subjectKinds?: readonly SubjectKind[] | undefined },
  ): Promise<Actor[]>;
}

/** Who is signed in, and who is about to be. Tokens come in as hashes and secrets come in encrypted. */
export interface SessionStore {
  /**
   * Remembers a sign-in under way, and forgets those that had expired when it began. At most `SIGN_INS_UNDER_WAY_MAX`
   * are remembered: beyond that the oldest are forgotten.
   */
  insertAttempt(attempt: SignInAttempt): Promise<void>;
  /** Gives an attempt out once, to the browser that began it. Anybody else gets nothing and takes nothing away. */
  takeAttempt(from: { stateHash: string; browserHash: string }): Promise<SignInAttempt | undefined>;
  /**
   * Begins a session and remembers its person's name and picture. Forgets sessions that had expired by then, and the
   * person's oldest ones beyond `SESSIONS_PER_USER_MAX`.
   */
  insert(session: Session): Promise<void>;
  /** Finds a session by the hash of its token, expired ones too. An ended one is not found once its end resolved. */
  find(tokenHash: string): Promise<Session | undefined>;
  /** Moves the last sight of a session forward, never back. */
  touch(tokenHash: string, seenAtMs: number): Promise<void>;
  /**
   * Replaces what is given of a session and leaves the rest; with `sealedTokens` only while the session has those. False
   * when nothing was replaced: a session that ended stays ended.
   */
  update(tokenHash: string, change: SessionChange, sealedTokens?: string): Promise<boolean>;
  /** Ends one session; with `sealedTokens` only while it has those. False when there is none. */
  delete(tokenHash: string, sealedTokens?: string): Promise<boolean>;
  /** Ends all sessions of a person and tells how many there were. */
  deleteAll(chatId: string): Promise<number>;
  /** The encrypted tokens of sessions that have not expired, behind one of them in the order of their beginning, at most `limit`. */
  readSealed(page: {
    after: SealedSession | undefined;
    nowMs: number;
    limit: number;
  }): Promise<SealedSession[]>;
  /** Those of the given people who ever signed in, with the name and picture of their last sign-in. */
  findUsers(chatIds: readonly string[]): Promise<ChatUser[]>;
}

/**
 * The chat platform people sign in with. Every method gives up after a stated time. Rejects with `platform_refused`
 * when the platform says no (a code used twice, a token taken back), and with `platform_unavailable` when it says
 * nothing useful: out of reach, slow, overloaded, or not making sense. No token or code gets into an error.
 */
export interface ChatPlatform {
  /** Names the platform and the application registered there: sessions begun with another one do not count. */
  readonly identity: string;
  /** Where to send the browser. The verifier stays here; the address holds only its SHA-256. */
  authorizeUrl(request: { state: string; codeVerifier: string; redirectUri: string }): Promise<string>;
  /** Trades a code for tokens. `redirectUri` and verifier are those the code was asked for with. */
  exchangeCode(grant: {
    code: string;
    state: string;
    codeVerifier: string;
    redirectUri: string;
  }): Promise<ChatTokens>;
  /** Trades a refresh token for new tokens. The answer has a refresh token to use next, be it the same one. */
  refresh(refreshToken: string): Promise<ChatTokens>;
  fetchUser(accessToken: string): Promise<ChatUser>;
  /** Every guild the person is a member of, with their rights in it. */
  fetchGuilds(accessToken: string): Promise<ChatGuild[]>;
  /** The ids of the person's roles in a guild of theirs; none when they are no member any more. */
  fetchChatRoles(accessToken: string, guildId: string): Promise<string[]>;
}

export interface RateLimiter {
  /**
   * Counts one request against the bucket, or refuses it. In no window of the bucket's length are more
   * than `limit` admitted for one subject. Refused requests use no quota. Decided at once where nobody has to be asked.
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
  /** Until the oldest counted request leaves the window and its place is free again. */
  resetAfterMs: number;
}
