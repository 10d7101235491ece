// Made from docs/openapi.json by `npm run generate`; do not edit by hand.

export interface Discharge {
  /** Identifier of the discharge. */
  id: string;
  /** Guild that owns the record. */
  guildId: string;
  /** Identifier of the person on the chat platform. */
  chatId: string;
  /** Identifier of the person on the game platform. */
  playerId: string;
  /** Name of the person. */
  name: string;
  /** Reason of the discharge. */
  reason: string;
  /** Date of the discharge, ISO 8601. A plain date stays a plain date. */
  date: string;
  /** Kind of discharge, free text. */
  type: string;
  /** Origin of the discharge, such as the unit left. */
  from: string;
  /** Who signed it. */
  signed: string;
}

export interface Transfer {
  /** Identifier of the transfer. */
  id: string;
  /** Guild that owns the record. */
  guildId: string;
  /** Identifier of the person on the game platform. */
  playerId: string;
  /** Name of the person. */
  name: string;
  /** Time of the transfer, ISO 8601 in UTC. */
  date: string;
  /** Origin of the transfer. */
  from: string;
  /** Target of the transfer. */
  to: string;
  /** Who signed it. */
  signed: string;
}

export interface PastUser {
  /** Identifier of the earlier account on the game platform. */
  playerId: string;
  /** User name of the earlier account. */
  username: string;
}

export interface Verification {
  /** Identifier on the chat platform. */
  chatId: string;
  /** Identifier on the game platform. */
  playerId: string;
  /** Current user name. */
  username: string;
  /** Earlier game accounts, newest first. */
  pastUsers: PastUser[];
}

export interface BotCommand {
  /** Category of the command. */
  category: string;
  /** Command name. */
  name: string;
  /** Short description. */
  description: string;
  /** Long help text. */
  extendedHelp: string;
  /** Conditions for using the command. */
  preconditions: string[];
}

export interface Guild {
  /** The guild's id on the chat platform. */
  guildId: string;
  /** The guild's name. */
  name: string;
  /** Its picture. */
  icon: string | null;
  /** The owner's chatId. */
  ownerChatId: string | null;
  /** The plan. */
  plan: 'none' | 'developer' | 'enterprise';
  /** When the plan ends. */
  planUntil: string | null;
  settings: GuildSettings;
  /** When the service first heard of it. */
  createdAt: string;
}

export interface GuildSettings {
  overdraftAllowed: boolean;
}

export interface NewTransaction {
  /** Identifier of the player on the game platform. */
  playerId: string;
  /** Transaction name, such as the item. */
  name: string;
  /** Number of items. */
  quantity: number;
  /**
   * Amount per item with at most 4 decimal places: positive for a deposit, negative for a withdrawal, never
   * zero.
   */
  amount: number;
  /** Source of the transaction. */
  source: string;
  /** When true, asserts a deposit: a negative amount is then refused. */
  deposit?: boolean | undefined;
  /** When true, asserts a withdrawal: a positive amount is then refused. */
  withdrawal?: boolean | undefined;
}

export interface LedgerTransaction {
  /** Identifier of the transaction. */
  transactionId: string;
  /** Amount per item: positive is a deposit, negative a withdrawal. */
  amount: number;
  /** Number of items. */
  quantity: number;
  /** Transaction name. */
  name: string;
  /** Source of the transaction. */
  source: string;
  /** amount times quantity, signed. */
  total: number;
  /** Creation time, ISO 8601 in UTC. */
  createdAt: string;
}

export interface Pagination {
  /** Current page number. */
  page: number;
  /** Results per page. */
  limit: number;
  /** Number of matches on all pages. */
  total: number;
  /** Number of pages; 0 when nothing matches. */
  totalPages: number;
}

export interface ImportedDischarge {
  /** Identifier of the discharge. */
  id: string;
  /** The guild it belongs to; may be left out when one is named for all. */
  guildId?: string | undefined;
  /** Identifier of the person on the chat platform. */
  chatId: string;
  /** Identifier of the person on the game platform. */
  playerId: string;
  /** Name of the person. */
  name: string;
  /** Reason of the discharge. */
  reason: string;
  /** Date of the discharge, ISO 8601. A plain date stays a plain date. */
  date: string;
  /** Kind of discharge, free text. */
  type: string;
  /** Origin of the discharge, such as the unit left. */
  from: string;
  /** Who signed it. */
  signed: string;
}

export interface ImportedTransfer {
  /** Identifier of the transfer. */
  id: string;
  /** The guild it belongs to; may be left out when one is named for all. */
  guildId?: string | undefined;
  /** Identifier of the person on the game platform. */
  playerId: string;
  /** Name of the person. */
  name: string;
  /** Time of the transfer, ISO 8601 in UTC. */
  date: string;
  /** Origin of the transfer. */
  from: string;
  /** Target of the transfer. */
  to: string;
  /** Who signed it. */
  signed: string;
}

export interface ImportedVerification {
  /** Identifier on the chat platform. */
  chatId: string;
  /** Identifier on the game platform. */
  playerId: string;
  /** Current user name. */
  username: string;
  /** Earlier game accounts, newest first. */
  pastUsers?: PastUser[] | undefined;
}

export interface ImportedTransaction {
  /** The guild it belongs to; may be left out when one is named for all. */
  guildId?: string | undefined;
  /** Player whose account it belongs to. */
  playerId: string;
  transactionId: string;
  /**
   * Amount per item with at most 4 decimal places: positive for a deposit, negative for a withdrawal, never
   * zero.
   */
  amount: number;
  /** Number of items. */
  quantity: number;
  /** Transaction name, such as the item. */
  name: string;
  /** Source of the transaction. */
  source: string;
  /** When given, amount times quantity. */
  total?: number | undefined;
  createdAt: string;
  /** As it was exported; an import gives new numbers. */
  number?: number | undefined;
  /** What the caller knows the transaction by, such as an order. Several transactions may share one. */
  reference?: string | undefined;
  /**
   * Facts of your own, by name: up to 16, with names of 1 to 64 letters, digits, `_`, `.` and `-`, texts of
   * up to 256 characters, and 2 KiB in total.
   */
  metadata?: Record<string, string> | undefined;
  /** The payment that it is one side of. */
  paymentId?: string | undefined;
  /** The transaction that it takes back, which has to come before it. */
  reverses?: string | undefined;
}

export interface ImportLine {
  /** Number of the line, counted from 1. */
  line: number;
  /** Outcome of the record. */
  outcome: 'created' | 'updated' | 'unchanged' | 'rejected';
  /** Why it was rejected. */
  reason?: string | undefined;
}

export interface LedgerEntry {
  /** Identifier of the transaction. */
  transactionId: string;
  /** Amount per item: positive is a deposit, negative a withdrawal. */
  amount: number;
  /** Number of items. */
  quantity: number;
  /** Transaction name. */
  name: string;
  /** Source of the transaction. */
  source: string;
  /** amount times quantity, signed. */
  total: number;
  /** Creation time, ISO 8601 in UTC. */
  createdAt: string;
  /** Player whose account it belongs to. */
  playerId: string;
  /** Its number in the guild: 1, 2, 3, ... without gaps, in the order of commits. */
  number: number;
  /** The balance right after it. */
  balanceAfter: number;
  /** Deposit or withdrawal, from the sign of the amount. */
  type: 'deposit' | 'withdrawal';
  /** The transaction that this one takes back. */
  reverses: string | null;
  /** The transaction that takes this one back. */
  reversedBy: string | null;
  /** The payment that it is one side of. */
  paymentId: string | null;
  /** As it was posted. */
  reference: string | null;
  /** As it was posted, with its names in order. */
  metadata: Record<string, string> | null;
  /** Who posted it. */
  postedBy: LedgerEntryPostedBy;
}

/** Who posted it. */
export interface LedgerEntryPostedBy {
  /** A key, a person in the dashboard, or an import. */
  kind: 'key' | 'user' | 'import';
  /** Id of the key, or chatId of the person. */
  id: string | null;
  /** Name of the key or the person, where known. */
  name: string | null;
}

export interface Account {
  /** The player. */
  playerId: string;
  /** The sum of all totals. */
  balance: number;
  /** Number of transactions of the account. */
  transactionCount: number;
  /** Time of the last one; null when there is none. */
  lastTransactionAt: string | null;
}

export interface RankedAccount {
  /** Place in the list, counted from 1; null where players were named. */
  rank: number | null;
  /** The player. */
  playerId: string;
  /** The sum of all totals. */
  balance: number;
  /** Number of transactions of the account. */
  transactionCount: number;
  /** Time of the last one; null when there is none. */
  lastTransactionAt: string | null;
}

export interface BatchItem {
  /** Identifier of the player on the game platform. */
  playerId: string;
  /** Transaction name, such as the item. */
  name: string;
  /** Number of items. */
  quantity: number;
  /**
   * Amount per item with at most 4 decimal places: positive for a deposit, negative for a withdrawal, never
   * zero.
   */
  amount: number;
  /** Source of the transaction. */
  source: string;
  /** When true, asserts a deposit: a negative amount is then refused. */
  deposit?: boolean | undefined;
  /** When true, asserts a withdrawal: a positive amount is then refused. */
  withdrawal?: boolean | undefined;
  /** What the caller knows the transaction by, such as an order. Several transactions may share one. */
  reference?: string | undefined;
  /**
   * Facts of your own, by name: up to 16, with names of 1 to 64 letters, digits, `_`, `.` and `-`, texts of
   * up to 256 characters, and 2 KiB in total.
   */
  metadata?: Record<string, string> | undefined;
  /** Same as the header of that name, for this item alone. */
  idempotencyKey?: string | undefined;
}

export interface BatchResult {
  /** skipped: left out because another item of an atomic batch was refused. */
  status: 'posted' | 'replayed' | 'refused' | 'skipped';
  /** The transaction, where there is one. */
  transactionId: string | null;
  /** The balance right after it. */
  balance: number | null;
  /** Why it was refused, for programs. */
  code: string | null;
  /** Why it was refused, for people. */
  message: string | null;
}

export interface NewPayment {
  /** Who pays. */
  fromPlayerId: string;
  /** Who is paid. */
  toPlayerId: string;
  /** Above zero, with at most 4 decimal places. */
  amount: number;
  /** Transaction name, such as the item. */
  name: string;
  /** Source of the transaction. */
  source: string;
  /** What the caller knows the transaction by, such as an order. Several transactions may share one. */
  reference?: string | undefined;
  /**
   * Facts of your own, by name: up to 16, with names of 1 to 64 letters, digits, `_`, `.` and `-`, texts of
   * up to 256 characters, and 2 KiB in total.
   */
  metadata?: Record<string, string> | undefined;
}

/** The transaction as it was sealed. Its canonical JSON (RFC 8785) is the leaf. */
export interface SealedTransaction {
  /** Amount of one, as a decimal. */
  amount: string;
  /** The balance right after it, as a decimal. */
  balanceAfter: string;
  /** Time in UTC, with milliseconds. */
  createdAt: string;
  /** As it was posted. */
  metadata: Record<string, string> | null;
  /** As it was posted. */
  name: string;
  /** Its number in the guild. */
  number: number;
  /** The payment that it is one side of. */
  paymentId: string | null;
  /** Player whose account it belongs to. */
  playerId: string;
  postedBy: SealedTransactionPostedBy;
  /** As it was posted. */
  quantity: number;
  /** As it was posted. */
  reference: string | null;
  /** The transaction that this one takes back. */
  reverses: string | null;
  /** As it was posted. */
  source: string;
  /** Amount times quantity, as a decimal. */
  total: string;
  /** Its id. */
  transactionId: string;
}

export interface SealedTransactionPostedBy {
  /** Id of the key, or chatId of the person; null for an import. */
  id: string | null;
  /** `key`, `user` or `import`. */
  kind: string;
}

export interface Receipt {
  /** Identifies the log: the first line of its checkpoints and the name of its keys. */
  origin: string;
  /** The place of the leaf in the log, from 0. */
  index: number;
  transaction: SealedTransaction;
  /** The inclusion proof in base64, from the sibling of the leaf to the child of the root. */
  proof: string[];
  /** The signed size and root of the log, as in c2sp.org/tlog-checkpoint. */
  checkpoint: string;
  /** The key that checks the signature. Compare it with the one that you know. */
  verifierKey: string;
}

export interface ApiKey {
  /** Identifier of the key. */
  id: string;
  /** Name of the key. */
  name: string;
  /** First characters of the value. */
  prefix: string;
  /** The guild it opens. */
  guildId: string;
  /** Scopes of the key. */
  scopes: ApiKeyScopesItem[];
  /** When it was made. */
  createdAt: string;
  /** When it expires. */
  expiresAt: string;
  /** When it was last used, exact to some seconds; null for never. */
  lastUsedAt: string | null;
  /** Scopes that the key may have at most. */
  limits: ApiKeyLimits;
  /** Limits of single routes, beside those that a route has for every key. None for no such limits. */
  routeLimits: ApiKeyRouteLimitsItem[];
}

export type ApiKeyScopesItem =
  | 'guild:read'
  | 'guild:write'
  | 'users:read'
  | 'records:write'
  | 'webhooks:manage';

/** Scopes that the key may have at most. */
export interface ApiKeyLimits {
  /** The largest total of one transaction, deposit or withdrawal; null for any. */
  amountMax: number | null;
  /** How much the key may withdraw on one day in UTC; null for any amount. */
  withdrawnPerDayMax: number | null;
}

export interface ApiKeyRouteLimitsItem {
  /** The `operationId` of the route. */
  route: ApiKeyRouteLimitsItemRoute;
  /** Requests that are answered. */
  limit: number;
  /** In any second, or in any 60 seconds. */
  per: 'second' | 'minute';
}

export type ApiKeyRouteLimitsItemRoute =
  | 'getDischarge'
  | 'getTransfer'
  | 'getVerification'
  | 'postTransaction'
  | 'listTransactions'
  | 'getAccount'
  | 'listAccounts'
  | 'listHistory'
  | 'getTransaction'
  | 'readFeed'
  | 'postBatch'
  | 'postReversal'
  | 'postReversals'
  | 'postPayment'
  | 'getSeal'
  | 'getReceipt'
  | 'getConsistency'
  | 'listDischargeRecords'
  | 'postDischargeRecord'
  | 'getDischargeRecord'
  | 'putDischargeRecord'
  | 'deleteDischargeRecord'
  | 'listTransferRecords'
  | 'postTransferRecord'
  | 'getTransferRecord'
  | 'putTransferRecord'
  | 'deleteTransferRecord'
  | 'getKey'
  | 'deleteKey'
  | 'getKeyUsage'
  | 'listKeyRequests'
  | 'listWebhooks'
  | 'createWebhook'
  | 'getWebhook'
  | 'putWebhook'
  | 'deleteWebhook'
  | 'testWebhook'
  | 'replayWebhook'
  | 'rotateWebhook';

export interface KeyHour {
  /** The beginning of the hour. */
  hour: string;
  /** The `operationId` of the route; empty for a whole day that was counted without routes. */
  route: string;
  /** The code of the refusal; `ok` for requests that were not refused. */
  code: string;
  /** The number of requests. */
  count: number;
}

export interface KeyRequest {
  /** The `x-request-id` of its answer. */
  requestId: string;
  /** When it was answered. */
  at: string;
  /** The method. */
  method: string;
  /** The `operationId` of its route. */
  route: string;
  /**
   * The path, and those parameters of the query that the route has. Texts that may be secret are left out.
   */
  path: string;
  /** The status of the answer. */
  status: number;
  /** The code of the refusal; null when it was not refused. */
  code: string | null;
  /** The text of the refusal; null when it was not refused. */
  message: string | null;
  /** Time until the answer, in milliseconds. */
  durationMs: number;
  /** The address of the client. */
  address: string;
  /** The header `user-agent`. */
  userAgent: string;
}

export interface WebhookFilter {
  /** Only money from this source. */
  source?: string | undefined;
  /** Only money that moves at least this much, in or out. */
  minTotal?: number | undefined;
  /** Only what is about this player. */
  playerId?: string | undefined;
  /** `balance.below` is sent when a balance falls below this; 0 when absent. */
  balanceBelow?: number | undefined;
}

export interface Webhook {
  /** Identifier of the webhook. */
  id: string;
  /** The address; that of a chat channel without its token. */
  url: string;
  /** Its name; null for none. */
  name?: string | null | undefined;
  /**
   * `standard` is signed as Standard Webhooks say; `discord` writes messages into a channel of the chat
   * platform.
   */
  kind: 'standard' | 'discord';
  /** Events that are sent. */
  events: string[];
  filter: WebhookFilter;
  /**
   * A disabled endpoint gets nothing: it answered 410, failed for five days, or was switched off. Set it to
   * `active` to begin again from then on.
   */
  status: 'active' | 'disabled';
  /**
   * Null while the service can read what it needs for a delivery. `secret`: it cannot read the secret any
   * more, and delivers nothing until the secret is rotated. `url`: the same for the address of a chat
   * channel; save the address again.
   */
  unreadable: 'secret' | 'url' | null;
  /** When it was made. */
  createdAt: string;
}

export interface WebhookAttempt {
  /** Identifier of the attempt. */
  id: string;
  /** Identifier of the event, as in the header `webhook-id`. */
  eventId: string;
  /** Type of the event. */
  type: string;
  /** When it was made. */
  at: string;
  /** Status of the answer; null when there was none. */
  status: number | null;
  /** Duration of the attempt. */
  durationMs: number;
  /** What went wrong, with the beginning of the answer; null for a success. */
  error: string | null;
}

export interface NewWebhook {
  /** A name for people, such as the program that listens; null for none. */
  name?: string | null | undefined;
  /**
   * Where events are delivered. It begins with https:// and must resolve to an address on the public
   * Internet.
   */
  url: string;
  /**
   * `standard` is signed as Standard Webhooks say; `discord` writes messages into a channel of the chat
   * platform.
   */
  kind: 'standard' | 'discord';
  /** Events to send; a name that ends in `.*` means all events of its group. */
  events: NewWebhookEventsItem[];
  filter?: NewWebhookFilter | undefined;
}

export type NewWebhookEventsItem =
  | 'transaction.posted'
  | 'transaction.reversed'
  | 'payment.posted'
  | 'balance.below'
  | 'discharge.created'
  | 'discharge.updated'
  | 'discharge.deleted'
  | 'transfer.created'
  | 'transfer.updated'
  | 'transfer.deleted'
  | 'verification.changed'
  | 'key.created'
  | 'key.deleted'
  | 'key.expiring'
  | 'key.refused'
  | 'ledger.sealed'
  | 'summary.weekly'
  | 'transaction.*'
  | 'discharge.*'
  | 'transfer.*'
  | 'key.*';

export interface NewWebhookFilter {
  /** Only money from this source. */
  source?: string | undefined;
  /** Only money that moves at least this much, in or out. */
  minTotal?: number | undefined;
  /** Only what is about this player. */
  playerId?: string | undefined;
  /** `balance.below` is sent when a balance falls below this; 0 when absent. */
  balanceBelow?: number | undefined;
}

export interface PaymentData {
  /** The payment. */
  paymentId: string;
  from: LedgerEntry;
  to: LedgerEntry;
}

export interface BalanceData {
  /** The player. */
  playerId: string;
  /** The balance right after the transaction. */
  balance: number;
  /** The limit that it fell below, as the webhook has it. */
  balanceBelow: number;
  transaction: LedgerEntry;
}

export interface VerificationData {
  /** The person. */
  chatId: string;
  /** Null when the verification was deleted. */
  playerId: string | null;
  /** Null when the verification was deleted. */
  username: string | null;
  /** Earlier game accounts, newest first. */
  pastUsers: PastUser[];
}

export interface KeyData {
  /** Identifier of the key. */
  id: string;
  /** Name of the key. */
  name: string;
  /** First characters of the value. */
  prefix: string;
  /** Scopes of the key. */
  scopes: KeyDataScopesItem[];
  /** When it expires. */
  expiresAt: string;
}

export type KeyDataScopesItem =
  | 'guild:read'
  | 'guild:write'
  | 'users:read'
  | 'records:write'
  | 'webhooks:manage';

export interface SealedData {
  /** Identifies the log. */
  origin: string;
  /** The number of sealed transactions. */
  size: number;
  /** The root hash in base64. */
  root: string;
  /** The signed size and root, as in c2sp.org/tlog-checkpoint. Keep it. */
  checkpoint: string;
}

export interface TestData {
  /** A sentence for people. */
  message: string;
  /** The webhook under test. */
  webhookId: string;
}

export interface TruncatedTransaction {
  /** The transaction. */
  transactionId: string;
  /** The rest was left out: read it by its id. */
  truncated: true;
}

export interface TruncatedPayment {
  /** The payment. */
  paymentId: string;
  /** The rest was left out: read it by its id. */
  truncated: true;
}

export interface TruncatedBalance {
  /** The player. */
  playerId: string;
  /** The balance right after the transaction. */
  balance: number;
  /** The rest was left out: read it by its id. */
  truncated: true;
}

export interface TruncatedRecord {
  /** The record. */
  id: string;
  /** The person, where the record has one. */
  chatId?: string | undefined;
  /** The rest was left out: read it by its id. */
  truncated: true;
}

export interface TruncatedVerification {
  /** The person. */
  chatId: string;
  /** The rest was left out: read it by its id. */
  truncated: true;
}

export interface TransactionEvent {
  /** Kind of the change. */
  type: 'transaction.posted' | 'transaction.reversed';
  /** When it happened. */
  timestamp: string;
  data: LedgerEntry | TruncatedTransaction;
}

export interface PaymentEvent {
  /** Kind of the change. */
  type: 'payment.posted';
  /** When it happened. */
  timestamp: string;
  data: PaymentData | TruncatedPayment;
}

export interface BalanceEvent {
  /** Kind of the change. */
  type: 'balance.below';
  /** When it happened. */
  timestamp: string;
  data: BalanceData | TruncatedBalance;
}

export interface DischargeEvent {
  /** Kind of the change. */
  type: DischargeEventType;
  /** When it happened. */
  timestamp: string;
  data: Discharge | TruncatedRecord;
}

export type DischargeEventType = 'discharge.created' | 'discharge.updated' | 'discharge.deleted';

export interface TransferEvent {
  /** Kind of the change. */
  type: 'transfer.created' | 'transfer.updated' | 'transfer.deleted';
  /** When it happened. */
  timestamp: string;
  data: Transfer | TruncatedRecord;
}

export interface VerificationEvent {
  /** Kind of the change. */
  type: 'verification.changed';
  /** When it happened. */
  timestamp: string;
  data: VerificationData | TruncatedVerification;
}

export interface KeyEvent {
  /** Kind of the change. */
  type: 'key.created' | 'key.deleted' | 'key.expiring';
  /** When it happened. */
  timestamp: string;
  data: KeyData | TruncatedRecord;
}

export interface RefusalEvent {
  /** Kind of the change. */
  type: 'key.refused';
  /** When it happened. */
  timestamp: string;
  data: RefusalEventData;
}

export interface RefusalEventData {
  /** Identifier of the key. */
  id: string;
  /** Name of the key. */
  name: string;
  /** Its refused requests in this hour so far. */
  refused: number;
  /** The beginning of the hour. */
  hour: string;
}

export interface SealedEvent {
  /** Kind of the change. */
  type: 'ledger.sealed';
  /** When it happened. */
  timestamp: string;
  data: SealedData;
}

export interface TestEvent {
  /** Kind of the change. */
  type: 'webhook.test';
  /** When it happened. */
  timestamp: string;
  data: TestData;
}

export interface ErrorBody {
  success: false;
  /** What went wrong, for people. */
  message: string;
}

export interface CodedError {
  success: false;
  /** What went wrong, for people. */
  message: string;
  /** What went wrong, for programs: one of a closed list. */
  code: string;
  /** Details of the error, such as the transaction that conflicts. */
  data?: unknown | undefined;
}

export interface BareError {
  /** What went wrong, for people. */
  message: string;
}

/** The body of a delivery. Later versions may add types: ignore those that you do not know. */
export type WebhookEvent =
  | TransactionEvent
  | PaymentEvent
  | BalanceEvent
  | DischargeEvent
  | TransferEvent
  | VerificationEvent
  | KeyEvent
  | RefusalEvent
  | SealedEvent
  | TestEvent;

/** Path parameters of getDischarge: `GET /guild/discharges/{dischargeId}`. */
export interface GetDischargePath {
  /** Identifier of the discharge. */
  dischargeId: string;
}

/** Answer of getDischarge: `GET /guild/discharges/{dischargeId}`. */
export interface GetDischargeReply {
  success: true;
  data: Discharge;
}

/** Path parameters of getTransfer: `GET /guild/transfers/{transferId}`. */
export interface GetTransferPath {
  /** Identifier of the transfer. */
  transferId: string;
}

/** Answer of getTransfer: `GET /guild/transfers/{transferId}`. */
export type GetTransferReply = Transfer;

/** Path parameters of getVerification: `GET /users/{query}`. */
export interface GetVerificationPath {
  /**
   * A chatId, a playerId or a user name, tried in this order, then the same among past accounts. Begin with
   * `chat:`, `player:` or `name:` to name the kind. User names match without regard to case.
   */
  query: string;
}

/** Answer of getVerification: `GET /users/{query}`. */
export interface GetVerificationReply {
  success: true;
  data: Verification;
}

/** Query parameters of listCommands: `GET /commands`. */
export interface ListCommandsQuery {
  /** Lists one category only, without regard to case. An unknown one gives an empty list. */
  category?: string | undefined;
}

/** Answer of listCommands: `GET /commands`. */
export interface ListCommandsReply {
  success: true;
  data: BotCommand[];
}

/** Headers of postTransaction: `POST /guild/ledger`. */
export interface PostTransactionHeaders {
  /**
   * Makes the post safe to repeat: a repeat with the same key and body posts nothing and gets the first
   * answer again. Printable ASCII, unique within the guild. It is remembered for 400 days unless the operator
   * sets another time; after that the request counts as a new one.
   */
  'Idempotency-Key'?: string | undefined;
}

/** Body of postTransaction: `POST /guild/ledger`. */
export type PostTransactionBody = NewTransaction;

/** Answer of postTransaction: `POST /guild/ledger`. */
export interface PostTransactionReply {
  success: true;
  message: PostTransactionReplyMessage;
  type: 'deposit' | 'withdrawal';
}

export type PostTransactionReplyMessage = 'Transaction Posted (deposit)' | 'Transaction Posted (withdrawal)';

/** Path parameters of listTransactions: `GET /guild/ledger/{playerId}/transactions`. */
export interface ListTransactionsPath {
  /** Identifier of the player on the game platform. */
  playerId: string;
}

/** Query parameters of listTransactions: `GET /guild/ledger/{playerId}/transactions`. */
export interface ListTransactionsQuery {
  /** Page number. A page past the end is empty. Default: 1. */
  page?: number | undefined;
  /** Results per page. Default: 20. */
  limit?: number | undefined;
  /** Only transactions of this source. */
  from?: string | undefined;
  /** Only amounts from this one up, compared with the sign: 0 lists the deposits. */
  minAmount?: number | undefined;
  /** Only amounts up to this one, compared with the sign: 0 lists the withdrawals. */
  maxAmount?: number | undefined;
  /** Field to sort by. Transactions with equal values keep the order of posting. Default: createdAt. */
  sortBy?: 'amount' | 'quantity' | 'total' | 'createdAt' | undefined;
  /** Direction of the order. Default: desc. */
  sortOrder?: 'asc' | 'desc' | undefined;
}

/** Answer of listTransactions: `GET /guild/ledger/{playerId}/transactions`. */
export interface ListTransactionsReply {
  success: true;
  data: ListTransactionsReplyData;
  pagination: Pagination;
}

export interface ListTransactionsReplyData {
  /** The player asked for. */
  playerId: string;
  transactions: LedgerTransaction[];
}

/** Path parameters of getAccount: `GET /guild/accounts/{playerId}`. */
export interface GetAccountPath {
  /** Identifier of the player on the game platform. */
  playerId: string;
}

/** Query parameters of getAccount: `GET /guild/accounts/{playerId}`. */
export interface GetAccountQuery {
  /** The account as it was at this time, which belongs to it. */
  at?: string | undefined;
}

/** Answer of getAccount: `GET /guild/accounts/{playerId}`. */
export interface GetAccountReply {
  success: true;
  data: Account;
}

/** Query parameters of listAccounts: `GET /guild/accounts`. */
export interface ListAccountsQuery {
  /** By balance, largest first or smallest first. Default: desc. */
  sortOrder?: 'asc' | 'desc' | undefined;
  /** Accounts per page. Default: 20. */
  limit?: number | undefined;
  /** The `nextCursor` of the page before. It belongs to the same filters. */
  cursor?: string | undefined;
  /**
   * Only the accounts of these players, in this order: up to 100, separated by commas. A comma within an id
   * is written as %2C.
   */
  playerIds?: string[] | undefined;
}

/** Answer of listAccounts: `GET /guild/accounts`. */
export interface ListAccountsReply {
  success: true;
  data: ListAccountsReplyData;
}

export interface ListAccountsReplyData {
  accounts: RankedAccount[];
  /** The `cursor` of the next page; null at the end. */
  nextCursor: string | null;
}

/** Query parameters of listHistory: `GET /guild/transactions`. */
export interface ListHistoryQuery {
  /** Transactions per page. Default: 20. */
  limit?: number | undefined;
  /** The `nextCursor` of the page before. It belongs to the same filters. */
  cursor?: string | undefined;
  /** Only transactions of this player. */
  playerId?: string | undefined;
  /** Only transactions of this source. */
  from?: string | undefined;
  /** Only amounts from this one up, compared with the sign: 0 lists the deposits. */
  minAmount?: number | undefined;
  /** Only amounts up to this one, compared with the sign: 0 lists the withdrawals. */
  maxAmount?: number | undefined;
  /** Only transactions from this time on. */
  since?: string | undefined;
  /** Only transactions before this time. */
  until?: string | undefined;
  /** What the caller knows the transaction by, such as an order. Several transactions may share one. */
  reference?: string | undefined;
  /** What the name begins with; the letters A to Z without regard to case. */
  search?: string | undefined;
}

/** Answer of listHistory: `GET /guild/transactions`. */
export interface ListHistoryReply {
  success: true;
  data: ListHistoryReplyData;
}

export interface ListHistoryReplyData {
  transactions: LedgerEntry[];
  /** The `cursor` of the next page; null at the end. */
  nextCursor: string | null;
}

/** Headers of postBatch: `POST /guild/transactions`. */
export interface PostBatchHeaders {
  /**
   * Gives items without a key of their own this one with a slash and their index, counted from 0, so that the
   * batch is safe to repeat. It belongs to the batch as a whole: with other items it is refused.
   */
  'Idempotency-Key'?: string | undefined;
}

/** Body of postBatch: `POST /guild/transactions`. */
export interface PostBatchBody {
  /** All items or none; false lets each succeed or fail on its own. Default: true. */
  atomic?: boolean | undefined;
  /** Posted in this order. */
  transactions: BatchItem[];
}

/** Answer of postBatch: `POST /guild/transactions`. */
export interface PostBatchReply {
  success: true;
  data: PostBatchReplyData;
}

export interface PostBatchReplyData {
  results: BatchResult[];
}

/** Path parameters of getTransaction: `GET /guild/transactions/{transactionId}`. */
export interface GetTransactionPath {
  /** Identifier of the transaction. */
  transactionId: string;
}

/** Answer of getTransaction: `GET /guild/transactions/{transactionId}`. */
export interface GetTransactionReply {
  success: true;
  data: GetTransactionReplyData;
}

export interface GetTransactionReplyData {
  transaction: LedgerEntry;
}

/** Query parameters of readFeed: `GET /guild/feed`. */
export interface ReadFeedQuery {
  /** The last number seen; 0 begins with the first transaction. Default: 0. */
  after?: number | undefined;
  /** Transactions at most. Default: 100. */
  limit?: number | undefined;
}

/** Answer of readFeed: `GET /guild/feed`. */
export interface ReadFeedReply {
  success: true;
  data: ReadFeedReplyData;
}

export interface ReadFeedReplyData {
  transactions: LedgerEntry[];
}

/** Path parameters of postReversal: `POST /guild/transactions/{transactionId}/reversal`. */
export interface PostReversalPath {
  /** Identifier of the transaction. */
  transactionId: string;
}

/** Headers of postReversal: `POST /guild/transactions/{transactionId}/reversal`. */
export interface PostReversalHeaders {
  /**
   * Makes the post safe to repeat: a repeat with the same key and body posts nothing and gets the first
   * answer again. Printable ASCII, unique within the guild. It is remembered for 400 days unless the operator
   * sets another time; after that the request counts as a new one.
   */
  'Idempotency-Key'?: string | undefined;
}

/** Body of postReversal: `POST /guild/transactions/{transactionId}/reversal`. */
export interface PostReversalBody {
  /** Why it is taken back; kept in the metadata of the reversal. */
  reason?: string | undefined;
}

/** Answer of postReversal: `POST /guild/transactions/{transactionId}/reversal`. */
export interface PostReversalReply {
  success: true;
  data: PostReversalReplyData;
}

export interface PostReversalReplyData {
  transaction: LedgerEntry;
  reversed: LedgerEntry;
}

/** Headers of postReversals: `POST /guild/reversals`. */
export interface PostReversalsHeaders {
  /**
   * Makes the post safe to repeat: a repeat with the same key and body posts nothing and gets the first
   * answer again. Printable ASCII, unique within the guild. It is remembered for 400 days unless the operator
   * sets another time; after that the request counts as a new one.
   */
  'Idempotency-Key'?: string | undefined;
}

/** Body of postReversals: `POST /guild/reversals`. */
export interface PostReversalsBody {
  /** All of them are reversed, or none. */
  transactionIds: string[];
  /** Why it is taken back; kept in the metadata of the reversal. */
  reason?: string | undefined;
}

/** Answer of postReversals: `POST /guild/reversals`. */
export interface PostReversalsReply {
  success: true;
  data: PostReversalsReplyData;
}

export interface PostReversalsReplyData {
  transactions: LedgerEntry[];
}

/** Headers of postPayment: `POST /guild/payments`. */
export interface PostPaymentHeaders {
  /**
   * Makes the post safe to repeat: a repeat with the same key and body posts nothing and gets the first
   * answer again. Printable ASCII, unique within the guild. It is remembered for 400 days unless the operator
   * sets another time; after that the request counts as a new one.
   */
  'Idempotency-Key'?: string | undefined;
}

/** Body of postPayment: `POST /guild/payments`. */
export type PostPaymentBody = NewPayment;

/** Answer of postPayment: `POST /guild/payments`. */
export interface PostPaymentReply {
  success: true;
  data: PostPaymentReplyData;
}

export interface PostPaymentReplyData {
  /** Identifier of the payment. */
  paymentId: string;
  from: PostPaymentReplyDataFrom;
  to: PostPaymentReplyDataTo;
}

export interface PostPaymentReplyDataFrom {
  /** The transaction of this side. */
  transactionId: string;
  /** The balance right after it. */
  balance: number;
}

export interface PostPaymentReplyDataTo {
  /** The transaction of this side. */
  transactionId: string;
  /** The balance right after it. */
  balance: number;
}

/** Answer of getSeal: `GET /guild/seal`. */
export interface GetSealReply {
  success: true;
  data: GetSealReplyData;
}

export interface GetSealReplyData {
  /** Identifies the log: the first line of its checkpoints and the name of its keys. */
  origin: string;
  /** The keys that check the signatures, the newest first. Keep them somewhere else. */
  verifierKeys: string[];
  /** The number of the transaction that is the first leaf. */
  firstNumber: number;
  /** The number of sealed transactions. */
  size: number;
  /** Transactions that are not sealed yet. */
  behind: number;
  /** When it was last sealed; null before the first time. */
  sealedAt: string | null;
  /** The signed size and root of the log, as in c2sp.org/tlog-checkpoint. */
  checkpoint: string | null;
}

/** Path parameters of getReceipt: `GET /guild/transactions/{transactionId}/receipt`. */
export interface GetReceiptPath {
  /** Identifier of the transaction. */
  transactionId: string;
}

/** Answer of getReceipt: `GET /guild/transactions/{transactionId}/receipt`. */
export interface GetReceiptReply {
  success: true;
  data: GetReceiptReplyData;
}

export interface GetReceiptReplyData {
  receipt: Receipt;
}

/** Query parameters of getConsistency: `GET /guild/seal/consistency`. */
export interface GetConsistencyQuery {
  /** The size of an older checkpoint. */
  from: number;
}

/** Answer of getConsistency: `GET /guild/seal/consistency`. */
export interface GetConsistencyReply {
  success: true;
  data: GetConsistencyReplyData;
}

export interface GetConsistencyReplyData {
  /** The size of the older checkpoint. */
  from: number;
  /** The size of the present one. */
  size: number;
  /** The consistency proof in base64, as in RFC 6962. */
  proof: string[];
  /** The signed size and root of the log, as in c2sp.org/tlog-checkpoint. */
  checkpoint: string;
}

/** Query parameters of listDischargeRecords: `GET /guild/records/discharges`. */
export interface ListDischargeRecordsQuery {
  /** Part of the name, the id, the playerId or the chatId, whatever the case. */
  search?: string | undefined;
  /** Only records of this player. */
  playerId?: string | undefined;
  /** Only records from this time on. A plain date is its midnight in UTC. */
  since?: string | undefined;
  /** Only records before this time. */
  until?: string | undefined;
  /** The `nextCursor` of the page before. It belongs to the same filters. */
  cursor?: string | undefined;
  /** Records per page. Default: 20. */
  limit?: number | undefined;
  /** Only discharges of exactly this kind. */
  type?: string | undefined;
}

/** Answer of listDischargeRecords: `GET /guild/records/discharges`. */
export interface ListDischargeRecordsReply {
  success: true;
  data: ListDischargeRecordsReplyData;
}

export interface ListDischargeRecordsReplyData {
  records: Discharge[];
  /** The `cursor` of the next page; null at the end. */
  nextCursor: string | null;
}

/** Body of postDischargeRecord: `POST /guild/records/discharges`. */
export interface PostDischargeRecordBody {
  /** When given, the same as in the address. */
  id?: string | undefined;
  /** When given, the same as in the address. */
  guildId?: string | undefined;
  /** Identifier of the person on the chat platform. */
  chatId: string;
  /** Identifier of the person on the game platform. */
  playerId: string;
  /** Name of the person. */
  name: string;
  /** Reason of the discharge. */
  reason: string;
  /** Date of the discharge, ISO 8601. A plain date stays a plain date. */
  date: string;
  /** Kind of discharge, free text. */
  type: string;
  /** Origin of the discharge, such as the unit left. */
  from: string;
  /** Who signed it. */
  signed: string;
}

/** Answer of postDischargeRecord: `POST /guild/records/discharges`. */
export interface PostDischargeRecordReply {
  success: true;
  data: PostDischargeRecordReplyData;
}

export interface PostDischargeRecordReplyData {
  record: Discharge;
}

/** Path parameters of getDischargeRecord: `GET /guild/records/discharges/{id}`. */
export interface GetDischargeRecordPath {
  /** Identifier of the record. */
  id: string;
}

/** Answer of getDischargeRecord: `GET /guild/records/discharges/{id}`. */
export interface GetDischargeRecordReply {
  success: true;
  data: GetDischargeRecordReplyData;
}

export interface GetDischargeRecordReplyData {
  record: Discharge;
}

/** Path parameters of putDischargeRecord: `PUT /guild/records/discharges/{id}`. */
export interface PutDischargeRecordPath {
  /** Identifier of the record. */
  id: string;
}

/** Headers of putDischargeRecord: `PUT /guild/records/discharges/{id}`. */
export interface PutDischargeRecordHeaders {
  /**
   * The `ETag` that the record must still have, or `*` for any. A record that has another one is not touched.
   */
  'If-Match'?: string | undefined;
}

/** Body of putDischargeRecord: `PUT /guild/records/discharges/{id}`. */
export interface PutDischargeRecordBody {
  /** When given, the same as in the address. */
  id?: string | undefined;
  /** When given, the same as in the address. */
  guildId?: string | undefined;
  /** Identifier of the person on the chat platform. */
  chatId: string;
  /** Identifier of the person on the game platform. */
  playerId: string;
  /** Name of the person. */
  name: string;
  /** Reason of the discharge. */
  reason: string;
  /** Date of the discharge, ISO 8601. A plain date stays a plain date. */
  date: string;
  /** Kind of discharge, free text. */
  type: string;
  /** Origin of the discharge, such as the unit left. */
  from: string;
  /** Who signed it. */
  signed: string;
}

/** Answer of putDischargeRecord: `PUT /guild/records/discharges/{id}`. */
export interface PutDischargeRecordReply {
  success: true;
  data: PutDischargeRecordReplyData;
}

export interface PutDischargeRecordReplyData {
  record: Discharge;
}

/** Path parameters of deleteDischargeRecord: `DELETE /guild/records/discharges/{id}`. */
export interface DeleteDischargeRecordPath {
  /** Identifier of the record. */
  id: string;
}

/** Headers of deleteDischargeRecord: `DELETE /guild/records/discharges/{id}`. */
export interface DeleteDischargeRecordHeaders {
  /**
   * The `ETag` that the record must still have, or `*` for any. A record that has another one is not touched.
   */
  'If-Match'?: string | undefined;
}

/** Answer of deleteDischargeRecord: `DELETE /guild/records/discharges/{id}`. */
export interface DeleteDischargeRecordReply {
  success: true;
  /** Empty. */
  data: Record<string, unknown>;
}

/** Query parameters of listTransferRecords: `GET /guild/records/transfers`. */
export interface ListTransferRecordsQuery {
  /** Part of the name, the id, the playerId or the chatId, whatever the case. */
  search?: string | undefined;
  /** Only records of this player. */
  playerId?: string | undefined;
  /** Only records from this time on. A plain date is its midnight in UTC. */
  since?: string | undefined;
  /** Only records before this time. */
  until?: string | undefined;
  /** The `nextCursor` of the page before. It belongs to the same filters. */
  cursor?: string | undefined;
  /** Records per page. Default: 20. */
  limit?: number | undefined;
}

/** Answer of listTransferRecords: `GET /guild/records/transfers`. */
export interface ListTransferRecordsReply {
  success: true;
  data: ListTransferRecordsReplyData;
}

export interface ListTransferRecordsReplyData {
  records: Transfer[];
  /** The `cursor` of the next page; null at the end. */
  nextCursor: string | null;
}

/** Body of postTransferRecord: `POST /guild/records/transfers`. */
export interface PostTransferRecordBody {
  /** When given, the same as in the address. */
  id?: string | undefined;
  /** When given, the same as in the address. */
  guildId?: string | undefined;
  /** Identifier of the person on the game platform. */
  playerId: string;
  /** Name of the person. */
  name: string;
  /** Time of the transfer, ISO 8601 in UTC. */
  date: string;
  /** Origin of the transfer. */
  from: string;
  /** Target of the transfer. */
  to: string;
  /** Who signed it. */
  signed: string;
  type?: never | undefined;
}

/** Answer of postTransferRecord: `POST /guild/records/transfers`. */
export interface PostTransferRecordReply {
  success: true;
  data: PostTransferRecordReplyData;
}

export interface PostTransferRecordReplyData {
  record: Transfer;
}

/** Path parameters of getTransferRecord: `GET /guild/records/transfers/{id}`. */
export interface GetTransferRecordPath {
  /** Identifier of the record. */
  id: string;
}

/** Answer of getTransferRecord: `GET /guild/records/transfers/{id}`. */
export interface GetTransferRecordReply {
  success: true;
  data: GetTransferRecordReplyData;
}

export interface GetTransferRecordReplyData {
  record: Transfer;
}

/** Path parameters of putTransferRecord: `PUT /guild/records/transfers/{id}`. */
export interface PutTransferRecordPath {
  /** Identifier of the record. */
  id: string;
}

/** Headers of putTransferRecord: `PUT /guild/records/transfers/{id}`. */
export interface PutTransferRecordHeaders {
  /**
   * The `ETag` that the record must still have, or `*` for any. A record that has another one is not touched.
   */
  'If-Match'?: string | undefined;
}

/** Body of putTransferRecord: `PUT /guild/records/transfers/{id}`. */
export interface PutTransferRecordBody {
  /** When given, the same as in the address. */
  id?: string | undefined;
  /** When given, the same as in the address. */
  guildId?: string | undefined;
  /** Identifier of the person on the game platform. */
  playerId: string;
  /** Name of the person. */
  name: string;
  /** Time of the transfer, ISO 8601 in UTC. */
  date: string;
  /** Origin of the transfer. */
  from: string;
  /** Target of the transfer. */
  to: string;
  /** Who signed it. */
  signed: string;
  type?: never | undefined;
}

/** Answer of putTransferRecord: `PUT /guild/records/transfers/{id}`. */
export interface PutTransferRecordReply {
  success: true;
  data: PutTransferRecordReplyData;
}

export interface PutTransferRecordReplyData {
  record: Transfer;
}

/** Path parameters of deleteTransferRecord: `DELETE /guild/records/transfers/{id}`. */
export interface DeleteTransferRecordPath {
  /** Identifier of the record. */
  id: string;
}

/** Headers of deleteTransferRecord: `DELETE /guild/records/transfers/{id}`. */
export interface DeleteTransferRecordHeaders {
  /**
   * The `ETag` that the record must still have, or `*` for any. A record that has another one is not touched.
   */
  'If-Match'?: string | undefined;
}

/** Answer of deleteTransferRecord: `DELETE /guild/records/transfers/{id}`. */
export interface DeleteTransferRecordReply {
  success: true;
  /** Empty. */
  data: Record<string, unknown>;
}

/** Answer of getKey: `GET /guild/key`. */
export interface GetKeyReply {
  success: true;
  data: GetKeyReplyData;
}

export interface GetKeyReplyData {
  key: ApiKey;
}

/** Query parameters of deleteKey: `DELETE /guild/key`. */
export interface DeleteKeyQuery {
  /** Whether the webhooks stay enabled that the key made or changed last. They are disabled when absent. */
  keepWebhooks?: 'true' | 'false' | undefined;
}

/** Answer of deleteKey: `DELETE /guild/key`. */
export interface DeleteKeyReply {
  success: true;
  /** Empty. */
  data: Record<string, unknown>;
}

/** Query parameters of getKeyUsage: `GET /guild/key/usage`. */
export interface GetKeyUsageQuery {
  /** The last days to count, today included. Default: 7. */
  days?: number | undefined;
}

/** Answer of getKeyUsage: `GET /guild/key/usage`. */
export interface GetKeyUsageReply {
  success: true;
  data: GetKeyUsageReplyData;
}

export interface GetKeyUsageReplyData {
  /** The time from which on requests are counted. */
  since: string;
  /** Ordered by hour, route and code. Counts above zero only. */
  hours: KeyHour[];
}

/** Query parameters of listKeyRequests: `GET /guild/key/requests`. */
export interface ListKeyRequestsQuery {
  /** Requests per page. Default: 20. */
  limit?: number | undefined;
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined;
  /** Only refused ones, or only others. */
  refused?: 'true' | 'false' | undefined;
  /** Only requests of the route with this `operationId`. */
  route?: string | undefined;
  /** Only refusals with this code. */
  code?: string | undefined;
  /** Only the request with this `x-request-id`. */
  requestId?: string | undefined;
}

/** Answer of listKeyRequests: `GET /guild/key/requests`. */
export interface ListKeyRequestsReply {
  success: true;
  data: ListKeyRequestsReplyData;
}

export interface ListKeyRequestsReplyData {
  requests: KeyRequest[];
  /** The `cursor` of the next page; null at the end. */
  nextCursor: string | null;
}

/** Answer of listWebhooks: `GET /guild/webhooks`. */
export interface ListWebhooksReply {
  success: true;
  data: ListWebhooksReplyData;
}

export interface ListWebhooksReplyData {
  webhooks: Webhook[];
}

/** Body of createWebhook: `POST /guild/webhooks`. */
export type CreateWebhookBody = NewWebhook;

/** Answer of createWebhook: `POST /guild/webhooks`. */
export interface CreateWebhookReply {
  success: true;
  data: CreateWebhookReplyData;
}

export interface CreateWebhookReplyData {
  webhook: Webhook;
  /** Verifies deliveries. It is shown this once; null for a chat channel. */
  secret: string | null;
}

/** Path parameters of getWebhook: `GET /guild/webhooks/{webhookId}`. */
export interface GetWebhookPath {
  /** Identifier of the webhook. */
  webhookId: string;
}

/** Answer of getWebhook: `GET /guild/webhooks/{webhookId}`. */
export interface GetWebhookReply {
  success: true;
  data: GetWebhookReplyData;
}

export interface GetWebhookReplyData {
  webhook: Webhook;
  attempts: WebhookAttempt[];
}

/** Path parameters of putWebhook: `PUT /guild/webhooks/{webhookId}`. */
export interface PutWebhookPath {
  /** Identifier of the webhook. */
  webhookId: string;
}

/** Body of putWebhook: `PUT /guild/webhooks/{webhookId}`. */
export interface PutWebhookBody {
  /** A name for people, such as the program that listens; null for none. */
  name?: string | null | undefined;
  /**
   * Where events are delivered. It begins with https:// and must resolve to an address on the public
   * Internet.
   */
  url?: string | undefined;
  /**
   * `standard` is signed as Standard Webhooks say; `discord` writes messages into a channel of the chat
   * platform.
   */
  kind?: 'standard' | 'discord' | undefined;
  /** Events to send; a name that ends in `.*` means all events of its group. */
  events?: PutWebhookBodyEventsItem[] | undefined;
  filter?: PutWebhookBodyFilter | undefined;
  /**
   * A disabled endpoint gets nothing: it answered 410, failed for five days, or was switched off. Set it to
   * `active` to begin again from then on.
   */
  status?: 'active' | 'disabled' | undefined;
}

export type PutWebhookBodyEventsItem =
  | 'transaction.posted'
  | 'transaction.reversed'
  | 'payment.posted'
  | 'balance.below'
  | 'discharge.created'
  | 'discharge.updated'
  | 'discharge.deleted'
  | 'transfer.created'
  | 'transfer.updated'
  | 'transfer.deleted'
  | 'verification.changed'
  | 'key.created'
  | 'key.deleted'
  | 'key.expiring'
  | 'key.refused'
  | 'ledger.sealed'
  | 'summary.weekly'
  | 'transaction.*'
  | 'discharge.*'
  | 'transfer.*'
  | 'key.*';

export interface PutWebhookBodyFilter {
  /** Only money from this source. */
  source?: string | undefined;
  /** Only money that moves at least this much, in or out. */
  minTotal?: number | undefined;
  /** Only what is about this player. */
  playerId?: string | undefined;
  /** `balance.below` is sent when a balance falls below this; 0 when absent. */
  balanceBelow?: number | undefined;
}

/** Answer of putWebhook: `PUT /guild/webhooks/{webhookId}`. */
export interface PutWebhookReply {
  success: true;
  data: PutWebhookReplyData;
}

export interface PutWebhookReplyData {
  webhook: Webhook;
}

/** Path parameters of deleteWebhook: `DELETE /guild/webhooks/{webhookId}`. */
export interface DeleteWebhookPath {
  /** Identifier of the webhook. */
  webhookId: string;
}

/** Answer of deleteWebhook: `DELETE /guild/webhooks/{webhookId}`. */
export interface DeleteWebhookReply {
  success: true;
  data: DeleteWebhookReplyData;
}

export interface DeleteWebhookReplyData {
  /** Identifier of what was deleted. */
  id: string;
}

/** Path parameters of testWebhook: `POST /guild/webhooks/{webhookId}/test`. */
export interface TestWebhookPath {
  /** Identifier of the webhook. */
  webhookId: string;
}

/** Answer of testWebhook: `POST /guild/webhooks/{webhookId}/test`. */
export interface TestWebhookReply {
  success: true;
  data: TestWebhookReplyData;
}

export interface TestWebhookReplyData {
  attempt: WebhookAttempt;
}

/** Path parameters of replayWebhook: `POST /guild/webhooks/{webhookId}/replay`. */
export interface ReplayWebhookPath {
  /** Identifier of the webhook. */
  webhookId: string;
}

/** Body of replayWebhook: `POST /guild/webhooks/{webhookId}/replay`. */
export interface ReplayWebhookBody {
  /** Everything from this time on, at most 30 days back. */
  since?: string | undefined;
  /** One event, by its `webhook-id`. */
  eventId?: string | undefined;
}

/** Answer of replayWebhook: `POST /guild/webhooks/{webhookId}/replay`. */
export interface ReplayWebhookReply {
  success: true;
  data: ReplayWebhookReplyData;
}

export interface ReplayWebhookReplyData {
  webhook: Webhook;
}

/** Path parameters of rotateWebhook: `POST /guild/webhooks/{webhookId}/rotate`. */
export interface RotateWebhookPath {
  /** Identifier of the webhook. */
  webhookId: string;
}

/** Answer of rotateWebhook: `POST /guild/webhooks/{webhookId}/rotate`. */
export interface RotateWebhookReply {
  success: true;
  data: RotateWebhookReplyData;
}

export interface RotateWebhookReplyData {
  webhook: Webhook;
  /** The new secret, shown this once. */
  secret: string;
}

/** Answer of listGuilds: `GET /bot/guilds`. */
export interface ListGuildsReply {
  success: true;
  data: Guild[];
}

/** Path parameters of getGuild: `GET /bot/guilds/{guildId}`. */
export interface GetGuildPath {
  /** The guild's id on the chat platform. */
  guildId: string;
}

/** Answer of getGuild: `GET /bot/guilds/{guildId}`. */
export interface GetGuildReply {
  success: true;
  data: Guild;
}

/** Path parameters of putGuild: `PUT /bot/guilds/{guildId}`. */
export interface PutGuildPath {
  /** The guild's id on the chat platform. */
  guildId: string;
}

/** Body of putGuild: `PUT /bot/guilds/{guildId}`. */
export interface PutGuildBody {
  /** When given, the same as in the address. */
  guildId?: string | undefined;
  /** The guild's name. */
  name: string;
  /** Its picture, as the chat platform names it; null for none. */
  icon?: string | null | undefined;
  /** The owner's chatId; null when unknown. */
  ownerChatId?: string | null | undefined;
  /** Keys need one of the latter two. */
  plan?: 'none' | 'developer' | 'enterprise' | undefined;
  /** When the plan ends; null for never. Left out together with a new plan, it has no end. */
  planUntil?: string | null | undefined;
  settings?: PutGuildBodySettings | undefined;
}

export interface PutGuildBodySettings {
  /** Whether withdrawals may take a balance below zero. */
  overdraftAllowed?: boolean | undefined;
}

/** Answer of putGuild: `PUT /bot/guilds/{guildId}`. */
export interface PutGuildReply {
  success: true;
  data: Guild;
}

/** Path parameters of putDischarge: `PUT /bot/guilds/{guildId}/discharges/{dischargeId}`. */
export interface PutDischargePath {
  /** The guild's id on the chat platform. */
  guildId: string;
  /** Identifier of the discharge. */
  dischargeId: string;
}

/** Body of putDischarge: `PUT /bot/guilds/{guildId}/discharges/{dischargeId}`. */
export interface PutDischargeBody {
  /** When given, the same as in the address. */
  id?: string | undefined;
  /** When given, the same as in the address. */
  guildId?: string | undefined;
  /** Identifier of the person on the chat platform. */
  chatId: string;
  /** Identifier of the person on the game platform. */
  playerId: string;
  /** Name of the person. */
  name: string;
  /** Reason of the discharge. */
  reason: string;
  /** Date of the discharge, ISO 8601. A plain date stays a plain date. */
  date: string;
  /** Kind of discharge, free text. */
  type: string;
  /** Origin of the discharge, such as the unit left. */
  from: string;
  /** Who signed it. */
  signed: string;
}

/** Answer of putDischarge: `PUT /bot/guilds/{guildId}/discharges/{dischargeId}`. */
export interface PutDischargeReply {
  success: true;
  data: Discharge;
}

/** Path parameters of deleteDischarge: `DELETE /bot/guilds/{guildId}/discharges/{dischargeId}`. */
export interface DeleteDischargePath {
  /** The guild's id on the chat platform. */
  guildId: string;
  /** Identifier of the discharge. */
  dischargeId: string;
}

/** Answer of deleteDischarge: `DELETE /bot/guilds/{guildId}/discharges/{dischargeId}`. */
export interface DeleteDischargeReply {
  success: true;
  message: string;
}

/** Path parameters of postDischarge: `POST /bot/guilds/{guildId}/discharges`. */
export interface PostDischargePath {
  /** The guild's id on the chat platform. */
  guildId: string;
}

/** Body of postDischarge: `POST /bot/guilds/{guildId}/discharges`. */
export interface PostDischargeBody {
  /** When given, the same as in the address. */
  id?: string | undefined;
  /** When given, the same as in the address. */
  guildId?: string | undefined;
  /** Identifier of the person on the chat platform. */
  chatId: string;
  /** Identifier of the person on the game platform. */
  playerId: string;
  /** Name of the person. */
  name: string;
  /** Reason of the discharge. */
  reason: string;
  /** Date of the discharge, ISO 8601. A plain date stays a plain date. */
  date: string;
  /** Kind of discharge, free text. */
  type: string;
  /** Origin of the discharge, such as the unit left. */
  from: string;
  /** Who signed it. */
  signed: string;
}

/** Answer of postDischarge: `POST /bot/guilds/{guildId}/discharges`. */
export interface PostDischargeReply {
  success: true;
  data: Discharge;
}

/** Path parameters of putTransfer: `PUT /bot/guilds/{guildId}/transfers/{transferId}`. */
export interface PutTransferPath {
  /** The guild's id on the chat platform. */
  guildId: string;
  /** Identifier of the transfer. */
  transferId: string;
}

/** Body of putTransfer: `PUT /bot/guilds/{guildId}/transfers/{transferId}`. */
export interface PutTransferBody {
  /** When given, the same as in the address. */
  id?: string | undefined;
  /** When given, the same as in the address. */
  guildId?: string | undefined;
  /** Identifier of the person on the game platform. */
  playerId: string;
  /** Name of the person. */
  name: string;
  /** Time of the transfer, ISO 8601 in UTC. */
  date: string;
  /** Origin of the transfer. */
  from: string;
  /** Target of the transfer. */
  to: string;
  /** Who signed it. */
  signed: string;
}

/** Answer of putTransfer: `PUT /bot/guilds/{guildId}/transfers/{transferId}`. */
export interface PutTransferReply {
  success: true;
  data: Transfer;
}

/** Path parameters of deleteTransfer: `DELETE /bot/guilds/{guildId}/transfers/{transferId}`. */
export interface DeleteTransferPath {
  /** The guild's id on the chat platform. */
  guildId: string;
  /** Identifier of the transfer. */
  transferId: string;
}

/** Answer of deleteTransfer: `DELETE /bot/guilds/{guildId}/transfers/{transferId}`. */
export interface DeleteTransferReply {
  success: true;
  message: string;
}

/** Path parameters of postTransfer: `POST /bot/guilds/{guildId}/transfers`. */
export interface PostTransferPath {
  /** The guild's id on the chat platform. */
  guildId: string;
}

/** Body of postTransfer: `POST /bot/guilds/{guildId}/transfers`. */
export interface PostTransferBody {
  /** When given, the same as in the address. */
  id?: string | undefined;
  /** When given, the same as in the address. */
  guildId?: string | undefined;
  /** Identifier of the person on the game platform. */
  playerId: string;
  /** Name of the person. */
  name: string;
  /** Time of the transfer, ISO 8601 in UTC. */
  date: string;
  /** Origin of the transfer. */
  from: string;
  /** Target of the transfer. */
  to: string;
  /** Who signed it. */
  signed: string;
}

/** Answer of postTransfer: `POST /bot/guilds/{guildId}/transfers`. */
export interface PostTransferReply {
  success: true;
  data: Transfer;
}

/** Path parameters of putVerification: `PUT /bot/users/{chatId}`. */
export interface PutVerificationPath {
  /** Identifier on the chat platform. */
  chatId: string;
}

/** Body of putVerification: `PUT /bot/users/{chatId}`. */
export interface PutVerificationBody {
  /** When given, the same as in the address. */
  chatId?: string | undefined;
  /** Identifier on the game platform. */
  playerId: string;
  /** Current user name. */
  username: string;
  /** Sets the past accounts. Left out, they follow from what was known before. */
  pastUsers?: PastUser[] | undefined;
}

/** Answer of putVerification: `PUT /bot/users/{chatId}`. */
export interface PutVerificationReply {
  success: true;
  data: Verification;
}

/** Path parameters of deleteVerification: `DELETE /bot/users/{chatId}`. */
export interface DeleteVerificationPath {
  /** Identifier on the chat platform. */
  chatId: string;
}

/** Answer of deleteVerification: `DELETE /bot/users/{chatId}`. */
export interface DeleteVerificationReply {
  success: true;
  message: string;
}

/** Answer of readCommands: `GET /bot/commands`. */
export interface ReadCommandsReply {
  success: true;
  data: BotCommand[];
}

/** Headers of putCommands: `PUT /bot/commands`. */
export interface PutCommandsHeaders {
  /** The tag the catalogue must still have. */
  'If-Match'?: string | undefined;
}

/** Body of putCommands: `PUT /bot/commands`. */
export type PutCommandsBody = BotCommand[];

/** Answer of putCommands: `PUT /bot/commands`. */
export interface PutCommandsReply {
  success: true;
  data: BotCommand[];
}

/** Path parameters of importRecords: `POST /bot/import/{kind}`. */
export interface ImportRecordsPath {
  /** Kind of the records. */
  kind: ImportRecordsPathKind;
}

export type ImportRecordsPathKind =
  | 'discharges'
  | 'transfers'
  | 'verifications'
  | 'commands'
  | 'transactions';

/** Query parameters of importRecords: `POST /bot/import/{kind}`. */
export interface ImportRecordsQuery {
  /** The guild of all records that do not name theirs. */
  guild?: string | undefined;
}

/** Body of importRecords: `POST /bot/import/{kind}`. */
export type ImportRecordsBody = undefined;

/** Answer of importRecords: `POST /bot/import/{kind}`. */
export type ImportRecordsReply = undefined;
