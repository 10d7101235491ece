// Made from docs/openapi.json by `npm run generate`; do not edit by hand.

import { listOf, shape } from './check-shape.ts';
import type {
  Account,
  ApiKey,
  BatchResult,
  BotCommand,
  Discharge,
  GetConsistencyReplyData,
  GetSealReplyData,
  Guild,
  ImportLine,
  KeyHour,
  KeyRequest,
  LedgerEntry,
  LedgerTransaction,
  Pagination,
  PastUser,
  PostPaymentReplyData,
  PostTransactionReply,
  RankedAccount,
  Receipt,
  Transfer,
  Verification,
  Webhook,
  WebhookAttempt,
} from './schema.ts';

export const isDischarge = shape<Discharge>({
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
});

export const isTransfer = shape<Transfer>({
  id: 'string',
  guildId: 'string',
  playerId: 'string',
  name: 'string',
  date: 'string',
  from: 'string',
  to: 'string',
  signed: 'string',
});

export const isPastUser = shape<PastUser>({
  playerId: 'string',
  username: 'string',
});

export const isVerification = shape<Verification>({
  chatId: 'string',
  playerId: 'string',
  username: 'string',
  pastUsers: listOf(isPastUser),
});

export const isBotCommand = shape<BotCommand>({
  category: 'string',
  name: 'string',
  description: 'string',
  extendedHelp: 'string',
  preconditions: 'string[]',
});

export const isGuild = shape<Guild>({
  guildId: 'string',
  name: 'string',
  icon: 'string?',
  ownerChatId: 'string?',
  plan: 'string',
  planUntil: 'string?',
  settings: 'object',
  createdAt: 'string',
});

export const isImportLine = shape<ImportLine>({
  line: 'number',
  outcome: 'string',
});

export const isPostTransactionReply = shape<PostTransactionReply>({
  success: 'boolean',
  message: 'string',
  type: 'string',
});

export const isLedgerTransaction = shape<LedgerTransaction>({
  transactionId: 'string',
  amount: 'number',
  quantity: 'number',
  name: 'string',
  source: 'string',
  total: 'number',
  createdAt: 'string',
});

export const isPagination = shape<Pagination>({
  page: 'number',
  limit: 'number',
  total: 'number',
  totalPages: 'number',
});

export const isLedgerEntry = shape<LedgerEntry>({
  transactionId: 'string',
  amount: 'number',
  quantity: 'number',
  name: 'string',
  source: 'string',
  total: 'number',
  createdAt: 'string',
  playerId: 'string',
  number: 'number',
  balanceAfter: 'number',
  type: 'string',
  reverses: 'string?',
  reversedBy: 'string?',
  paymentId: 'string?',
  reference: 'string?',
  metadata: 'object?',
  postedBy: 'object',
});

export const isAccount = shape<Account>({
  playerId: 'string',
  balance: 'number',
  transactionCount: 'number',
  lastTransactionAt: 'string?',
});

export const isRankedAccount = shape<RankedAccount>({
  rank: 'number?',
  playerId: 'string',
  balance: 'number',
  transactionCount: 'number',
  lastTransactionAt: 'string?',
});

export const isBatchResult = shape<BatchResult>({
  status: 'string',
  transactionId: 'string?',
  balance: 'number?',
  code: 'string?',
  message: 'string?',
});

export const isPostPaymentReplyData = shape<PostPaymentReplyData>({
  paymentId: 'string',
  from: 'object',
  to: 'object',
});

export const isGetSealReplyData = shape<GetSealReplyData>({
  origin: 'string',
  verifierKeys: 'string[]',
  firstNumber: 'number',
  size: 'number',
  behind: 'number',
  sealedAt: 'string?',
  checkpoint: 'string?',
});

export const isReceipt = shape<Receipt>({
  origin: 'string',
  index: 'number',
  transaction: 'object',
  proof: 'string[]',
  checkpoint: 'string',
  verifierKey: 'string',
});

export const isGetConsistencyReplyData = shape<GetConsistencyReplyData>({
  from: 'number',
  size: 'number',
  proof: 'string[]',
  checkpoint: 'string',
});

export const isApiKey = shape<ApiKey>({
  id: 'string',
  name: 'string',
  prefix: 'string',
  guildId: 'string',
  scopes: 'string[]',
  createdAt: 'string',
  expiresAt: 'string',
  lastUsedAt: 'string?',
  limits: 'object',
  routeLimits: 'object[]',
});

export const isKeyHour = shape<KeyHour>({
  hour: 'string',
  route: 'string',
  code: 'string',
  count: 'number',
});

export const isKeyRequest = shape<KeyRequest>({
  requestId: 'string',
  at: 'string',
  method: 'string',
  route: 'string',
  path: 'string',
  status: 'number',
  code: 'string?',
  message: 'string?',
  durationMs: 'number',
  address: 'string',
  userAgent: 'string',
});

export const isWebhook = shape<Webhook>({
  id: 'string',
  url: 'string',
  kind: 'string',
  events: 'string[]',
  filter: 'object',
  status: 'string',
  unreadable: 'string?',
  createdAt: 'string',
});

export const isWebhookAttempt = shape<WebhookAttempt>({
  id: 'string',
  eventId: 'string',
  type: 'string',
  at: 'string',
  status: 'number?',
  durationMs: 'number',
  error: 'string?',
});
