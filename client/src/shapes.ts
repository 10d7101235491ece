import type {
  Account,
  ApiKey,
  BatchResult,
  BotCommand,
  Discharge,
  Guild,
  ImportLine,
  LedgerEntry,
  LedgerTransaction,
  Pagination,
  PastUser,
  PostPaymentReplyData,
  PostTransactionReply,
  RankedAccount,
  Transfer,
  Verification,
  Webhook,
  WebhookAttempt,
} from './schema.ts';

/** The kind of each field. The generated type makes the compiler check that none is missing. */
type Fields<Shape> = {
  readonly [Name in keyof Shape]-?: Shape[Name] extends string
    ? 'string'
    : Shape[Name] extends number
      ? 'number'
      : Shape[Name] extends boolean
        ? 'boolean'
        : 'object';
};

const DISCHARGE: Fields<Discharge> = {
  id: 'string',
  guildId: 'string',
  chatId: 'string',
  playerId: 'string',
  name: 'string',
  reason: 'string',
  date: 'string',
  type: 'string',
  from: 'string',
  signed: 'string',
};

const TRANSFER: Fields<Transfer> = {
  id: 'string',
  guildId: 'string',
  playerId: 'string',
  name: 'string',
  date: 'string',
  from: 'string',
  to: 'string',
  signed: 'string',
};

const PAST_USER: Fields<PastUser> = { playerId: 'string', username: 'string' };

const VERIFICATION: Fields<Verification> = {
  chatId: 'string',
  playerId: 'string',
  username: 'string',
  pastUsers: 'object',
};

const BOT_COMMAND: Fields<BotCommand> = {
  category: 'string',
  name: 'string',
  description: 'string',
  extendedHelp: 'string',
  preconditions: 'object',
};

/** Nullable fields are checked separately. */
const GUILD: Fields<Omit<Guild, 'icon' | 'ownerChatId' | 'planUntil'>> = {
  guildId: 'string',
  name: 'string',
  plan: 'string',
  settings: 'object',
  createdAt: 'string',
};

const IMPORT_LINE: Fields<Omit<ImportLine, 'reason'>> = { line: 'number', outcome: 'string' };

const POST_REPLY: Fields<PostTransactionReply> = { success: 'boolean', message: 'string', type: 'string' };

const LEDGER_TRANSACTION: Fields<LedgerTransaction> = {
  transactionId: 'string',
  amount: 'number',
  quantity: 'number',
  name: 'string',
  source: 'string',
  total: 'number',
  createdAt: 'string',
};

const API_KEY: Fields<Omit<ApiKey, 'lastUsedAt'>> = {
  id: 'string',
  name: 'string',
  prefix: 'string',
  guildId: 'string',
  scopes: 'object',
  createdAt: 'string',
  expiresAt: 'string',
  limits: 'object',
  routeLimits: 'object',
};

/** Nullable fields are not checked. */
const LEDGER_ENTRY = {
  ...LEDGER_TRANSACTION,
  playerId: 'string',
  number: 'number',
  balanceAfter: 'number',
  type: 'string',
  postedBy: 'object',
} as const;

const ACCOUNT = { playerId: 'string', balance: 'number', transactionCount: 'number' } as const;

const PAGINATION: Fields<Pagination> = {
  page: 'number',
  limit: 'number',
  total: 'number',
  totalPages: 'number',
};

/** `unreadable` may be null, and older versions of the service do not send it. */
const WEBHOOK: Omit<Fields<Webhook>, 'unreadable'> = {
  id: 'string',
  url: 'string',
  kind: 'string',
  events: 'object',
  filter: 'object',
  status: 'string',
  createdAt: 'string',
};

const WEBHOOK_ATTEMPT = {
  id: 'string',
  eventId: 'string',
  type: 'string',
  at: 'string',
  durationMs: 'number',
} as const;

export function isWebhook(value: unknown): value is Webhook {
  return hasKinds(value, WEBHOOK);
}

export function isWebhooks(value: unknown): value is Webhook[] {
  return isListOf(value, isWebhook);
}

export function isWebhookAttempt(value: unknown): value is WebhookAttempt {
  return hasKinds(value, WEBHOOK_ATTEMPT);
}

export function isWebhookAttempts(value: unknown): value is WebhookAttempt[] {
  return isListOf(value, isWebhookAttempt);
}

export function isDischarge(value: unknown): value is Discharge {
  return hasFields(value, DISCHARGE);
}

export function isTransfer(value: unknown): value is Transfer {
  return hasFields(value, TRANSFER);
}

export function isDischarges(value: unknown): value is Discharge[] {
  return isListOf(value, isDischarge);
}

export function isTransfers(value: unknown): value is Transfer[] {
  return isListOf(value, isTransfer);
}

export function isApiKey(value: unknown): value is ApiKey {
  return hasFields(value, API_KEY) && isTextOrNull(fieldOf(value, 'lastUsedAt'));
}

export function isVerification(value: unknown): value is Verification {
  return hasFields(value, VERIFICATION) && isListOf(value.pastUsers, isPastUser);
}

export function isBotCommands(value: unknown): value is BotCommand[] {
  return isListOf(value, isBotCommand);
}

export function isGuild(value: unknown): value is Guild {
  return (
    hasFields(value, GUILD) &&
    ['icon', 'ownerChatId', 'planUntil'].every((name) => isTextOrNull(fieldOf(value, name)))
  );
}

export function isGuilds(value: unknown): value is Guild[] {
  return isListOf(value, isGuild);
}

export function isImportLines(value: unknown): value is ImportLine[] {
  return isListOf(value, isImportLine);
}

export function isPostReply(value: unknown): value is PostTransactionReply {
  return hasFields(value, POST_REPLY);
}

export function isLedgerTransactions(value: unknown): value is LedgerTransaction[] {
  return isListOf(value, isLedgerTransaction);
}

export function isLedgerEntry(value: unknown): value is LedgerEntry {
  return hasKinds(value, LEDGER_ENTRY);
}

export function isLedgerEntries(value: unknown): value is LedgerEntry[] {
  return isListOf(value, isLedgerEntry);
}

export function isAccount(value: unknown): value is Account {
  return hasKinds(value, ACCOUNT);
}

export function isRankedAccounts(value: unknown): value is RankedAccount[] {
  return isListOf(value, (item): item is RankedAccount => isAccount(item));
}

export function isBatchResults(value: unknown): value is BatchResult[] {
  return isListOf(value, (item): item is BatchResult => hasKinds(item, { status: 'string' }));
}

export function isPayment(value: unknown): value is PostPaymentReplyData {
  return hasKinds(value, { paymentId: 'string', from: 'object', to: 'object' });
}

/** The cursor of a next page, or null at the end. */
export function isNextCursor(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

export function isPagination(value: unknown): value is Pagination {
  return hasFields(value, PAGINATION);
}

/** A field of a value; undefined when the value is no object or has no such field. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function isPastUser(value: unknown): value is PastUser {
  return hasFields(value, PAST_USER);
}

function isBotCommand(value: unknown): value is BotCommand {
  return hasFields(value, BOT_COMMAND) && isListOf(value.preconditions, isText);
}

function isLedgerTransaction(value: unknown): value is LedgerTransaction {
  return hasFields(value, LEDGER_TRANSACTION);
}

function isImportLine(value: unknown): value is ImportLine {
  return hasFields(value, IMPORT_LINE);
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || isText(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isListOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Item[] {
  return Array.isArray(value) && value.every(isItem);
}

/** Further fields are accepted: the interface grows by additions. */
function hasFields<Shape>(value: unknown, fields: Fields<Shape>): value is Shape {
  return hasKinds(value, fields);
}

function hasKinds(value: unknown, fields: object): boolean {
  return Object.entries(fields).every(([name, kind]) => typeof fieldOf(value, name) === kind);
}
