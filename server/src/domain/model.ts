/** The types of the domain, as plain data. Field names are those of the interface wherever it has one. */

import type { Language } from '../texts/language.ts';
import type { GuildRef } from './guild-ref.ts';

export * from './access/key.ts';
export type { GuildRef } from './guild-ref.ts';
export * from './ledger/transaction.ts';

export const PLANS = ['none', 'developer', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

export interface Guild extends GuildRef {
  name: string;
  /** Address or hash of its picture, as the chat platform gives it. */
  icon: string | undefined;
  ownerChatId: string | undefined;
  plan: Plan;
  /** When the plan ends; undefined for a plan without an end. */
  planUntilMs: number | undefined;
  /** When false, a withdrawal may not take a balance below zero. */
  overdraftAllowed: boolean;
  /** The name of the guild's money and its display. They do not affect transactions. */
  currencyName: string | undefined;
  currencySymbol: string | undefined;
  /** From 0 to 4. Undefined shows the digits that an amount has, at least two if it has any. */
  decimalsShown: number | undefined;
  /** The calendar of the guild's days, such as `Europe/Berlin`; undefined is UTC. */
  timeZone: string | undefined;
  /** The language of its channel messages, board and chat replies; undefined is English. */
  language: Language | undefined;
  /** When true, everybody may read the checkpoints and hashes of its sealed log. */
  sealPublic: boolean;
  /** When true, verified members may see their own account in the dashboard, also without a role. */
  ownAccounts: boolean;
  createdAtMs: number;
}

/** A change of a guild. `undefined` keeps the current value. */
export interface GuildChange {
  guildId: string;
  name?: string | undefined;
  /** `null` clears it. */
  icon?: string | null | undefined;
  ownerChatId?: string | null | undefined;
  plan?: Plan | undefined;
  /** `null` removes the end of the plan. */
  planUntilMs?: number | null | undefined;
  overdraftAllowed?: boolean | undefined;
  /** `null` clears each of them. */
  currencyName?: string | null | undefined;
  currencySymbol?: string | null | undefined;
  decimalsShown?: number | null | undefined;
  timeZone?: string | null | undefined;
  language?: Language | null | undefined;
  sealPublic?: boolean | undefined;
  ownAccounts?: boolean | undefined;
}

/**
 * The fields of each kind of record that the interface shows, in its order; all of them are texts. A discharge's `date` is ISO 8601,
 * and a plain date stays a plain date. A transfer's `date` is an ISO 8601 date-time in UTC with milliseconds.
 */
export const INTERFACE_FIELDS = {
  discharge: ['id', 'guildId', 'chatId', 'playerId', 'name', 'reason', 'date', 'type', 'from', 'signed'],
  transfer: ['id', 'guildId', 'playerId', 'name', 'date', 'from', 'to', 'signed'],
} as const;

/** Further texts of each kind. A record may lack them, and the answers of the interface never have them. */
export const ADDED_FIELDS = { discharge: [], transfer: [] } as const;

/** All fields of each kind. Tags, webhooks, exports and stores take their lists from here. */
export const RECORD_FIELDS = {
  discharge: [...INTERFACE_FIELDS.discharge, ...ADDED_FIELDS.discharge],
  transfer: [...INTERFACE_FIELDS.transfer, ...ADDED_FIELDS.transfer],
} as const;

type RecordOf<Kind extends keyof typeof RECORD_FIELDS> = Record<
  (typeof INTERFACE_FIELDS)[Kind][number],
  string
> &
  Partial<Record<(typeof ADDED_FIELDS)[Kind][number], string>>;

export type Discharge = RecordOf<'discharge'>;
export type Transfer = RecordOf<'transfer'>;

/** A span of time: the start is included, the end is not. */
export interface TimeRange {
  sinceMs: number;
  untilMs: number;
}

/** A verified person: one chat account and one game account. */
export interface VerifiedName {
  chatId: string;
  playerId: string;
  username: string;
}

/** Links one chat account to one game account, and lists the game accounts used before. */
export interface Verification extends VerifiedName {
  /** Newest first, without repeats. */
  pastUsers: PastUser[];
}

export interface PastUser {
  playerId: string;
  username: string;
}

/**
 * A verification to be stored. Without `pastUsers`, the store derives the past accounts from the stored verification.
 */
export type NewVerification = Omit<Verification, 'pastUsers'> & { pastUsers?: PastUser[] | undefined };

export type LookupKind = 'chat' | 'player' | 'name' | 'past_player' | 'past_name';

/** One command of the chat bot, as the catalogue lists it. */
export interface BotCommand {
  category: string;
  name: string;
  description: string;
  extendedHelp: string;
  preconditions: string[];
}

export const ACTOR_KINDS = ['key', 'user', 'bot', 'operator'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/**
 * Who made a change: a key by its id, a dashboard user by chatId, the operator's bot, or the operator at the command
 * line.
 */
export interface Actor {
  kind: ActorKind;
  id: string;
}

/** The service itself as an actor: it disables endpoints whose deliveries fail. */
export const SERVICE_ACTOR = { kind: 'operator', id: 'webhooks' } as const satisfies Actor;

/** Who changes something, and when. Every change of a record carries one, for the audit log. */
export interface Change {
  actor: Actor;
  atMs: number;
}

export const AUDIT_ACTIONS = ['create', 'update', 'delete'] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export type SubjectKind =
  | 'guild'
  | 'key'
  | 'discharge'
  | 'transfer'
  | 'transaction'
  | 'account'
  | 'verification'
  | 'commands'
  | 'webhook'
  | 'role';

export interface AuditEntry {
  entryNo: number;
  createdAtMs: number;
  actor: Actor;
  action: AuditAction;
  subjectKind: SubjectKind;
  subjectId: string;
  /** The changed fields before and after the change. */
  detail: { before?: Record<string, unknown>; after?: Record<string, unknown> };
}

/** A filter of the audit log. A missing field does not restrict it. */
export interface AuditFilter {
  actor?: Actor | undefined;
  subjectKind?: SubjectKind | undefined;
  /** Only entries of these kinds; undefined for all kinds. */
  subjectKinds?: readonly SubjectKind[] | undefined;
  /** Only together with a kind. */
  subjectId?: string | undefined;
  action?: AuditAction | undefined;
  range?: TimeRange | undefined;
}

/** The result of a `put`. Putting an equal record again changes nothing. */
export type PutOutcome = 'created' | 'updated' | 'unchanged';

/** A person as the chat platform knows them. */
export interface ChatUser {
  chatId: string;
  name: string;
  /** Address or hash of the picture, as the chat platform gives it. */
  avatar: string | undefined;
}

/** A guild as seen by one of its members on the chat platform. */
export interface ChatGuild {
  guildId: string;
  name: string;
  icon: string | undefined;
  isOwner: boolean;
  /** A bit field with more bits than a number holds exactly. */
  permissions: bigint;
}

/** Tokens for requests to the chat platform on behalf of a person. */
export interface ChatTokens {
  accessToken: string;
  refreshToken: string | undefined;
  expiresAtMs: number;
}

/** A member's rank in a guild on the chat platform. All but `member` manage it. */
export type Standing = 'owner' | 'admin' | 'manager' | 'member';

/** A guild that a person manages on the platform, or in which they are a member and may have a role here. */
export interface ManagedGuild {
  guildId: string;
  name: string;
  icon: string | undefined;
  standing: Standing;
  /** Their roles on the platform. They are fetched only for guilds that have given roles to chat roles. */
  chatRoleIds: readonly string[];
}

/** A sign-in of one person in one browser. The token itself exists only in that browser. */
export interface Session {
  tokenHash: string;
  user: ChatUser;
  /** From the last answer of the chat platform. */
  guilds: readonly ManagedGuild[];
  /** Access and refresh token, encrypted. */
  sealedTokens: string;
  tokensExpireAtMs: number;
  createdAtMs: number;
  lastSeenAtMs: number;
  /** The session ends at this time even if it is in use. */
  expiresAtMs: number;
}

export type SessionChange = Partial<Pick<Session, 'guilds' | 'sealedTokens' | 'tokensExpireAtMs'>>;

/** The encrypted tokens of a session, and where they are stored. */
export type SealedSession = Pick<Session, 'tokenHash' | 'sealedTokens'> & { sessionNo: number };

/** A pending sign-in: the browser was sent to the chat platform and may return once. */
export interface SignInAttempt {
  stateHash: string;
  browserHash: string;
  sealedVerifier: string;
  returnTo: string;
  createdAtMs: number;
  expiresAtMs: number;
}
