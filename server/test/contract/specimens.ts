import { randomUUIDv7 } from 'node:crypto';
import type { NewKeyRequest } from '../../src/domain/access/key-requests.ts';
import type { HistoryQuery } from '../../src/domain/ledger/entries.ts';
import type {
  BotCommand,
  Discharge,
  GuildChange,
  GuildRef,
  ListingQuery,
  NewApiKey,
  NewTransaction,
  PastTransaction,
  Plan,
  Session,
  SignInAttempt,
  Transfer,
  Verification,
} from '../../src/domain/model.ts';
import type { DischargeFilter, PageOf } from '../../src/domain/records/record-lists.ts';
import { changeAt } from '../support/change.ts';

/** One valid example of everything a store keeps, to be changed where a test cares. */

export const NOON_MS = Date.parse('2026-06-15T12:00:00.000Z');

/** A change by nobody in particular, at noon. */
export const CHANGE = changeAt(NOON_MS);

/** A guild to be made or changed: what a change leaves out stays, so that this names what tests rely on. */
export function aGuild(changes: Partial<GuildChange> = {}): GuildChange & { defaultPlan: Plan } {
  return {
    guildId: '100200300',
    name: 'Lantern Court',
    plan: 'developer',
    overdraftAllowed: true,
    defaultPlan: 'none',
    ...changes,
  };
}

/** The part of a guild that other things refer to it by. */
export function refOf({ guildNo, guildId }: GuildRef): GuildRef {
  return { guildNo, guildId };
}

export function aKey(guild: GuildRef, changes: Partial<NewApiKey> = {}): NewApiKey {
  const keyId = changes.keyId ?? randomUUIDv7();
  return {
    keyId,
    guild: refOf(guild),
    name: 'Shop bot',
    prefix: 'gbk_0aB1cD2e',
    scopes: ['guild:read', 'guild:write'],
    createdBy: 'chat-1',
    createdAtMs: NOON_MS,
    expiresAtMs: NOON_MS + 86_400_000,
    hash: `hash of ${keyId}`,
    ...changes,
  };
}

export function aDischarge(guild: GuildRef, changes: Partial<Discharge> = {}): Discharge {
  return {
    id: 'D-1',
    guildId: guild.guildId,
    chatId: '9001',
    playerId: '48213977',
    name: 'Rowan Vale',
    reason: 'Retired with honours',
    date: '2026-03-04',
    type: 'Honourable',
    from: 'First Company',
    signed: 'Captain Ash',
    ...changes,
  };
}

export function aTransfer(guild: GuildRef, changes: Partial<Transfer> = {}): Transfer {
  return {
    id: 'T-1',
    guildId: guild.guildId,
    playerId: '48213977',
    name: 'Rowan Vale',
    date: '2026-03-04T05:06:07.089Z',
    from: 'First Company',
    to: 'Second Company',
    signed: 'Captain Ash',
    ...changes,
  };
}

export function aVerification(changes: Partial<Verification> = {}): Verification {
  return { chatId: '9001', playerId: '48213977', username: 'RowanVale', pastUsers: [], ...changes };
}

export function aCommand(changes: Partial<BotCommand> = {}): BotCommand {
  return {
    category: 'Economy',
    name: 'balance',
    description: 'Shows a balance',
    extendedHelp: 'balance [player]',
    preconditions: ['GuildOnly', 'RequiresRole: "Clerk"'],
    ...changes,
  };
}

/** The total follows from amount and quantity. */
export function aTransaction(
  guild: GuildRef,
  changes: Partial<Omit<NewTransaction, 'totalUnits'>> = {},
): NewTransaction {
  const transaction = {
    guild: refOf(guild),
    playerId: '48213977',
    transactionId: randomUUIDv7(),
    name: 'Iron Ingot',
    quantity: 1,
    amountUnits: 10_000,
    source: 'shop',
    keyNo: undefined,
    createdAtMs: NOON_MS,
    idempotency: undefined,
    ...changes,
  };
  return { ...transaction, totalUnits: transaction.amountUnits * transaction.quantity };
}

/** A transaction as it comes in from elsewhere. The total follows from amount and quantity. */
export function aPastTransaction(
  guild: GuildRef,
  changes: Partial<Omit<PastTransaction, 'totalUnits'>> = {},
): PastTransaction {
  const transaction = {
    guildId: guild.guildId,
    playerId: '48213977',
    transactionId: randomUUIDv7(),
    name: 'Iron Ingot',
    quantity: 1,
    amountUnits: 10_000,
    source: 'shop',
    createdAtMs: NOON_MS,
    ...changes,
  };
  return { ...transaction, totalUnits: transaction.amountUnits * transaction.quantity };
}

/** The first hundred of an account, oldest first. */
export function aQuery(changes: Partial<ListingQuery> = {}): ListingQuery {
  return {
    page: 1,
    limit: 100,
    source: undefined,
    minUnits: undefined,
    maxUnits: undefined,
    sortBy: 'createdAt',
    sortOrder: 'asc',
    ...changes,
  };
}

/** The first hundred discharges, oldest first. Transfers are asked for with the same, save the kind. */
export function aRecordQuery(changes: Partial<DischargeFilter & PageOf> = {}): DischargeFilter & PageOf {
  return {
    page: 1,
    limit: 100,
    search: undefined,
    type: undefined,
    range: { sinceMs: Number.MIN_SAFE_INTEGER, untilMs: Number.MAX_SAFE_INTEGER },
    sortBy: 'date',
    sortOrder: 'asc',
    ...changes,
  };
}

/**
 * Pairs that a careless collation takes for one another. Ids are compared as they are written, byte by byte.
 * No text occurs twice, so that all pairs may go into one store.
 */
export const LOOKALIKES: readonly (readonly [string, string])[] = [
  ['a', 'A'],
  ['e', 'é'],
  ['ô', 'o\u0302'],
  ['id', 'id '],
  ['key', ' key'],
  ['ss', 'ß'],
  ['i', 'ı'],
  ['1', '１'],
  ['10', '010'],
  ['x', 'x\u200b'],
];

/** The name and code of an error that the domain or a port throws. */
export function domainError(code: string): { name: string; code: string } {
  return { name: 'DomainError', code };
}

export function aSession(changes: Partial<Session> = {}): Session {
  const tokenHash = changes.tokenHash ?? `hash of ${randomUUIDv7()}`;
  return {
    tokenHash,
    user: { chatId: '9001', name: 'Rowan Vale', avatar: 'a1b2c3' },
    guilds: [
      { guildId: '100200300', name: 'Lantern Court', icon: undefined, standing: 'owner', chatRoleIds: [] },
    ],
    sealedTokens: 'sealed',
    tokensExpireAtMs: NOON_MS + 604_800_000,
    createdAtMs: NOON_MS,
    lastSeenAtMs: NOON_MS,
    expiresAtMs: NOON_MS + 43_200_000,
    ...changes,
  };
}

export function anAttempt(changes: Partial<SignInAttempt> = {}): SignInAttempt {
  return {
    stateHash: `state ${randomUUIDv7()}`,
    browserHash: `browser ${randomUUIDv7()}`,
    sealedVerifier: 'sealed',
    returnTo: '/dashboard/',
    createdAtMs: NOON_MS,
    expiresAtMs: NOON_MS + 600_000,
    ...changes,
  };
}

export function aHistoryQuery(changes: Partial<HistoryQuery> = {}): HistoryQuery {
  return {
    limit: 100,
    before: undefined,
    playerId: undefined,
    source: undefined,
    minUnits: undefined,
    maxUnits: undefined,
    sinceMs: undefined,
    untilMs: undefined,
    reference: undefined,
    namePrefix: undefined,
    ...changes,
  };
}

/** A refused request of a key. */
export function aKeyRequest(keyNo: number, changes: Partial<NewKeyRequest> = {}): NewKeyRequest {
  return {
    keyNo,
    requestId: 'r',
    atMs: NOON_MS,
    method: 'POST',
    route: 'postTransaction',
    path: '/guild/ledger',
    status: 400,
    code: 'missing_fields',
    message: 'Bad request - missing required fields',
    durationMs: 3,
    address: '203.0.113.7',
    userAgent: 'bot/1',
    isOfAll: false,
    ...changes,
  };
}

/** The limits of a key that has none. */
export const NO_LIMITS = { amountMaxUnits: null, withdrawnPerDayMaxUnits: null };
