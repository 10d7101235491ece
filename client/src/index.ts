export {
  type CommandCatalogue,
  createBotClient,
  type GuildbookBot,
  type ImportKind,
  type ImportOptions,
  type ReplaceCommandsOptions,
} from './bot.ts';
export {
  type CallOptions,
  createClient,
  type GuildbookClient,
  type PostedTransaction,
  type PostOptions,
  type WalkQuery,
} from './client.ts';
export { type ErrorFacts, type ErrorKind, GuildbookError } from './errors.ts';
export type { BotOptions, ClientOptions, Clock, Fetch, SendOptions } from './options.ts';
export type { TransactionPage } from './pages.ts';
export type {
  BotCommand,
  Discharge,
  Guild,
  ImportedDischarge,
  ImportedTransaction,
  ImportedTransfer,
  ImportedVerification,
  ImportLine,
  LedgerTransaction,
  ListCommandsQuery,
  ListTransactionsQuery,
  NewTransaction,
  Pagination,
  PastUser,
  PutDischargeBody,
  PutGuildBody,
  PutTransferBody,
  PutVerificationBody,
  Transfer,
  Verification,
} from './schema.ts';
