import { getAccount } from './api/get-account.ts';
import { getDischarge } from './api/get-discharge.ts';
import { getTransaction } from './api/get-transaction.ts';
import { getTransfer } from './api/get-transfer.ts';
import { getVerification } from './api/get-verification.ts';
import { GUILD_RECORDS } from './api/guild-records.ts';
import { listAccounts } from './api/list-accounts.ts';
import { listCommands } from './api/list-commands.ts';
import { listHistory } from './api/list-history.ts';
import { listTransactions } from './api/list-transactions.ts';
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, putWebhook } from './api/manage-webhooks.ts';
import { deleteOwnKey, getKey } from './api/own-key.ts';
import { postBatch } from './api/post-batch.ts';
import { postPayment } from './api/post-payment.ts';
import { postReversal, postReversals } from './api/post-reversal.ts';
import { postTransaction } from './api/post-transaction.ts';
import { readFeed } from './api/read-feed.ts';
import { replayWebhook, rotateWebhook, testWebhook } from './api/run-webhooks.ts';
import { putCommands, readCommands } from './bot/commands.ts';
import { deleteDischarge, postDischarge, putDischarge } from './bot/discharges.ts';
import { getGuild, listGuilds, putGuild } from './bot/guilds.ts';
import { importLines } from './bot/import.ts';
import { deleteTransfer, postTransfer, putTransfer } from './bot/transfers.ts';
import { deleteVerification, putVerification } from './bot/users.ts';
import type { Endpoint } from './endpoint.ts';

/** The six endpoints of the interface in its order, then the further ones of the ledger and of webhooks, and those of the operator's bot. */
export const ENDPOINTS: readonly Endpoint[] = [
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
  postReversal,
  postReversals,
  postPayment,
  ...GUILD_RECORDS,
  getKey,
  deleteOwnKey,
  listWebhooks,
  createWebhook,
  getWebhook,
  putWebhook,
  deleteWebhook,
  testWebhook,
  replayWebhook,
  rotateWebhook,
  listGuilds,
  getGuild,
  putGuild,
  putDischarge,
  postDischarge,
  deleteDischarge,
  putTransfer,
  postTransfer,
  deleteTransfer,
  putVerification,
  deleteVerification,
  readCommands,
  putCommands,
  importLines,
];
