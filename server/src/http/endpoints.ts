import { getAccount } from './api/get-account.ts';
import { getDischarge } from './api/get-discharge.ts';
import { getTransaction } from './api/get-transaction.ts';
import { getTransfer } from './api/get-transfer.ts';
import { getVerification } from './api/get-verification.ts';
import { RECORD_ENDPOINTS } from './api/guild-records.ts';
import { listAccounts } from './api/list-accounts.ts';
import { listCommands } from './api/list-commands.ts';
import { listHistory } from './api/list-history.ts';
import { listTransactions } from './api/list-transactions.ts';
import { WEBHOOK_ENDPOINTS } from './api/manage-webhooks.ts';
import { OWN_KEY_ENDPOINTS } from './api/own-key.ts';
import { KEY_LOG_ENDPOINTS } from './api/own-key-log.ts';
import { postBatch } from './api/post-batch.ts';
import { postPayment } from './api/post-payment.ts';
import { REVERSAL_ENDPOINTS } from './api/post-reversal.ts';
import { postTransaction } from './api/post-transaction.ts';
import { readFeed } from './api/read-feed.ts';
import { WEBHOOK_RUN_ENDPOINTS } from './api/run-webhooks.ts';
import { PUBLIC_SEAL_ENDPOINTS, SEAL_ENDPOINTS } from './api/seal.ts';
import { BOARD_ENDPOINTS } from './board/board-routes.ts';
import { BOT_COMMAND_ENDPOINTS } from './bot/commands.ts';
import { BOT_DISCHARGE_ENDPOINTS } from './bot/discharges.ts';
import { BOT_GUILD_ENDPOINTS } from './bot/guilds.ts';
import { BOT_IMPORT_ENDPOINTS } from './bot/import.ts';
import { BOT_TRANSFER_ENDPOINTS } from './bot/transfers.ts';
import { BOT_USER_ENDPOINTS } from './bot/users.ts';
import { CHAT_ENDPOINTS } from './chat/interactions.ts';
import { ABOUT_ENDPOINTS } from './dashboard/about.ts';
import { AUDIT_ENDPOINTS } from './dashboard/audit.ts';
import { BOARD_SETTINGS_ENDPOINTS } from './dashboard/board.ts';
import { CHAT_SETTINGS_ENDPOINTS } from './dashboard/chat.ts';
import { EVENT_ENDPOINTS } from './dashboard/events.ts';
import { INVITATION_ENDPOINTS } from './dashboard/invitations.ts';
import { REQUEST_ENDPOINTS } from './dashboard/key-log.ts';
import { KEY_ENDPOINTS } from './dashboard/keys.ts';
import { MEMBER_ENDPOINTS } from './dashboard/members.ts';
import { PERSON_ENDPOINTS } from './dashboard/people.ts';
import { PICTURE_ENDPOINTS } from './dashboard/pictures.ts';
import { PLAYER_ENDPOINTS } from './dashboard/players.ts';
import { POST_ENDPOINTS } from './dashboard/posts.ts';
import { PREFERENCES_ENDPOINTS } from './dashboard/preferences.ts';
import { RECEIPT_ENDPOINTS } from './dashboard/receipts.ts';
import { GUILD_RECORD_ENDPOINTS } from './dashboard/records.ts';
import { ROLE_ENDPOINTS } from './dashboard/roles.ts';
import { SESSION_ENDPOINTS } from './dashboard/session.ts';
import { SETTINGS_ENDPOINTS } from './dashboard/settings.ts';
import { SIGN_IN_ENDPOINTS } from './dashboard/sign-in.ts';
import { STATEMENT_ENDPOINTS } from './dashboard/statements.ts';
import { TRANSACTION_ENDPOINTS } from './dashboard/transactions.ts';
import { GUILD_WEBHOOK_ENDPOINTS } from './dashboard/webhooks.ts';
import type { Endpoint, Route } from './endpoint.ts';
import { buildOpenApi } from './openapi/document.ts';
import { HEALTH_ENDPOINTS, openApiEndpoint } from './pages/operations.ts';
import { PAGE_ENDPOINTS } from './pages/pages.ts';
import type { Served } from './served.ts';

/** The six endpoints of the interface in its order, then the further ones of the ledger and of webhooks, and those of the operator's bot. */
const PUBLISHED: readonly Served<Endpoint>[] = [
  getDischarge,
  getTransfer,
  getVerification,
  listCommands,
  postTransaction,
  listTransactions,
  getAccount,
  listAccounts,
  listHistory,
  getTransaction,
  readFeed,
  postBatch,
  ...REVERSAL_ENDPOINTS,
  postPayment,
  ...SEAL_ENDPOINTS,
  ...RECORD_ENDPOINTS,
  ...OWN_KEY_ENDPOINTS,
  ...KEY_LOG_ENDPOINTS,
  ...WEBHOOK_ENDPOINTS,
  ...WEBHOOK_RUN_ENDPOINTS,
  ...BOT_GUILD_ENDPOINTS,
  ...BOT_DISCHARGE_ENDPOINTS,
  ...BOT_TRANSFER_ENDPOINTS,
  ...BOT_USER_ENDPOINTS,
  ...BOT_COMMAND_ENDPOINTS,
  ...BOT_IMPORT_ENDPOINTS,
];

/** The endpoints of our own pages. They are not in the OpenAPI document. */
const DASHBOARD: readonly Served[] = [
  ...ABOUT_ENDPOINTS,
  ...SIGN_IN_ENDPOINTS,
  ...SESSION_ENDPOINTS,
  ...KEY_ENDPOINTS,
  ...REQUEST_ENDPOINTS,
  ...ROLE_ENDPOINTS,
  ...INVITATION_ENDPOINTS,
  ...PREFERENCES_ENDPOINTS,
  ...PLAYER_ENDPOINTS,
  ...STATEMENT_ENDPOINTS,
  ...TRANSACTION_ENDPOINTS,
  ...RECEIPT_ENDPOINTS,
  ...POST_ENDPOINTS,
  ...GUILD_RECORD_ENDPOINTS,
  ...PERSON_ENDPOINTS,
  ...MEMBER_ENDPOINTS,
  ...PICTURE_ENDPOINTS,
  ...SETTINGS_ENDPOINTS,
  ...CHAT_SETTINGS_ENDPOINTS,
  ...BOARD_SETTINGS_ENDPOINTS,
  ...AUDIT_ENDPOINTS,
  ...GUILD_WEBHOOK_ENDPOINTS,
  ...EVENT_ENDPOINTS,
];

/** The endpoints that the OpenAPI document describes. */
export const ENDPOINTS: readonly Endpoint[] = PUBLISHED.map(({ route }) => route);
export const DASHBOARD_ROUTES: readonly Route[] = DASHBOARD.map(({ route }) => route);

/** Every route of the service. The server registers these. Requests of the chat platform are not in the OpenAPI document. */
export const SERVED: readonly Served[] = [
  ...PAGE_ENDPOINTS,
  ...PUBLISHED,
  ...DASHBOARD,
  ...CHAT_ENDPOINTS,
  ...PUBLIC_SEAL_ENDPOINTS,
  ...BOARD_ENDPOINTS,
  ...HEALTH_ENDPOINTS,
  openApiEndpoint(() => buildOpenApi(ENDPOINTS)),
];
