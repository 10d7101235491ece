export {
  type CommandCatalogue,
  createBotClient,
  type GuildbookBot,
  type ImportKind,
  type ImportOptions,
  type ReplaceCommandsOptions,
} from './bot.ts';
export type { CallOptions, PostOptions } from './calls.ts';
export { createClient, type GuildbookClient, type PostedTransaction, type WalkQuery } from './client.ts';
export type { CursorPage } from './cursor-pages.ts';
export { type ErrorFacts, type ErrorKind, GuildbookError } from './errors.ts';
export type {
  GuardedOptions,
  GuildRecordCalls,
  Tagged,
  WalkDischargesQuery,
  WalkTransfersQuery,
} from './guild-records.ts';
export type {
  BatchOptions,
  LedgerCalls,
  Payment,
  Reversal,
  ReversalOptions,
  WalkAccountsQuery,
  WalkHistoryQuery,
} from './ledger.ts';
export type { BotOptions, ClientOptions, Clock, Fetch, SendOptions } from './options.ts';
export type { TransactionPage } from './pages.ts';
export type {
  Account,
  ApiKey,
  BatchItem,
  BatchResult,
  BotCommand,
  Discharge,
  GetAccountQuery,
  Guild,
  ImportedDischarge,
  ImportedTransaction,
  ImportedTransfer,
  ImportedVerification,
  ImportLine,
  LedgerEntry,
  LedgerTransaction,
  ListAccountsQuery,
  ListCommandsQuery,
  ListDischargeRecordsQuery,
  ListHistoryQuery,
  ListTransactionsQuery,
  ListTransferRecordsQuery,
  NewPayment,
  NewTransaction,
  NewWebhook,
  Pagination,
  PastUser,
  PutDischargeBody,
  PutDischargeRecordBody,
  PutGuildBody,
  PutTransferBody,
  PutTransferRecordBody,
  PutVerificationBody,
  PutWebhookBody,
  RankedAccount,
  ReadFeedQuery,
  ReplayWebhookBody,
  Transfer,
  Verification,
  Webhook,
  WebhookAttempt,
  WebhookFilter,
} from './schema.ts';
export type { WebhookCalls } from './webhooks.ts';
