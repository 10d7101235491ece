export {
  type CallOptions,
  createClient,
  type GuildbookClient,
  type PostedTransaction,
  type PostOptions,
  type WalkQuery,
} from './client.ts';
export { type ErrorFacts, type ErrorKind, GuildbookError } from './errors.ts';
export type { ClientOptions, Clock, Fetch } from './options.ts';
export type { TransactionPage } from './pages.ts';
export type {
  BotCommand,
  Discharge,
  LedgerTransaction,
  ListCommandsQuery,
  ListTransactionsQuery,
  NewTransaction,
  Pagination,
  PastUser,
  Transfer,
  Verification,
} from './schema.ts';
