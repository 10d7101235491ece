/** What the service is about, as plain data. Field names are those of the interface wherever it has one. */

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
  /** The plan ends here; undefined means that it has no end. */
  planUntilMs: number | undefined;
  /** When false, a withdrawal may not take a balance below zero. */
  overdraftAllowed: boolean;
  /** What the guild's money is called and how amounts are shown. They say nothing about what is posted. */
  currencyName: string | undefined;
  currencySymbol: string | undefined;
  /** From 0 to 4; undefined shows what there is, and two at least where there are any. */
  decimalsShown: number | undefined;
  createdAtMs: number;
}

/** What is to be different about a guild; what is not given stays as it is. */
export interface GuildChange {
  guildId: string;
  name?: string | undefined;
  /** null takes the icon away. */
  icon?: string | null | undefined;
  ownerChatId?: string | null | undefined;
  plan?: Plan | undefined;
  /** null means that the plan has no end. */
  planUntilMs?: number | null | undefined;
  overdraftAllowed?: boolean | undefined;
  /** null takes each of them away. */
  currencyName?: string | null | undefined;
  currencySymbol?: string | null | undefined;
  decimalsShown?: number | null | undefined;
}

export interface Discharge {
  id: string;
  guildId: string;
  chatId: string;
  playerId: string;
  name: string;
  reason: string;
  /** ISO 8601. A plain date stays a plain date. */
  date: string;
  type: string;
  from: string;
  signed: string;
}

export interface Transfer {
  id: string;
  guildId: string;
  playerId: string;
  name: string;
  /** ISO 8601 date-time in UTC with milliseconds. */
  date: string;
  from: string;
  to: string;
  signed: string;
}

/** A stretch of time, its beginning included and its end not. */
export interface TimeRange {
  sinceMs: number;
  untilMs: number;
}

/** Links one chat account to one game account, and remembers the game accounts used before. */
export interface Verification {
  chatId: string;
  playerId: string;
  username: string;
  /** Newest first, without repeats. */
  pastUsers: PastUser[];
}

export interface PastUser {
  playerId: string;
  username: string;
}

/** A verification as it comes in: without `pastUsers`, the past accounts follow from what was known before. */
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

/** Who does something: a key by its id, a dashboard user by chatId, the operator's bot, the operator at the command line. */
export interface Actor {
  kind: ActorKind;
  id: string;
}

/** Who changes something, and when: every change of a record carries one, for the audit log. */
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
  /** The fields that changed, as they were and as they are. */
  detail: { before?: Record<string, unknown>; after?: Record<string, unknown> };
}

/** Which entries of the log; what is left out makes no difference. */
export interface AuditFilter {
  actor?: Actor | undefined;
  subjectKind?: SubjectKind | undefined;
  /** Only entries of these kinds; undefined for all kinds. */
  subjectKinds?: readonly SubjectKind[] | undefined;
  /** Belongs to a kind. */
  subjectId?: string | undefined;
  action?: AuditAction | undefined;
  range?: TimeRange | undefined;
}

/** What became of a record that was put: putting the same thing again changes nothing. */
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

/** What opens the chat platform in a person's name. */
export interface ChatTokens {
  accessToken: string;
  refreshToken: string | undefined;
  expiresAtMs: number;
}

/** What somebody is to a guild on the chat platform: the first three manage it. */
export type Standing = 'owner' | 'admin' | 'manager' | 'member';

/** A guild that a person manages on the platform, or is a member of and may have a role in here. */
export interface ManagedGuild {
  guildId: string;
  name: string;
  icon: string | undefined;
  standing: Standing;
  /** Their roles on the platform; asked only where they can make a difference. */
  chatRoleIds: readonly string[];
}

/** Somebody signed in with one browser. The token itself is only in that browser. */
export interface Session {
  tokenHash: string;
  user: ChatUser;
  /** As the chat platform last told. */
  guilds: readonly ManagedGuild[];
  /** Access and refresh token, encrypted. */
  sealedTokens: string;
  tokensExpireAtMs: number;
  createdAtMs: number;
  lastSeenAtMs: number;
  /** It ends here, however busy it is. */
  expiresAtMs: number;
}

export type SessionChange = Partial<Pick<Session, 'guilds' | 'sealedTokens' | 'tokensExpireAtMs'>>;

/** The encrypted tokens of a session, and where they are stored. */
export type SealedSession = Pick<Session, 'tokenHash' | 'sealedTokens'> & { sessionNo: number };

/** A sign-in under way: the browser was sent to the chat platform and may come back once. */
export interface SignInAttempt {
  stateHash: string;
  browserHash: string;
  sealedVerifier: string;
  returnTo: string;
  createdAtMs: number;
  expiresAtMs: number;
}
