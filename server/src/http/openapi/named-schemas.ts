import type { TSchema } from 'typebox';
import { Guild } from '../../wire/bot.ts';
import { BotCommand } from '../../wire/commands.ts';
import { BareError, CodedError, EnvelopedError } from '../../wire/envelope.ts';
import {
  ImportedDischarge,
  ImportedTransaction,
  ImportedTransfer,
  ImportedVerification,
} from '../../wire/import-export.ts';
import { ImportLine } from '../../wire/import-export-http.ts';
import { KeyHour, KeyRequest } from '../../wire/key-log.ts';
import { ApiKey } from '../../wire/keys.ts';
import { LedgerTransaction, NewTransaction, Pagination } from '../../wire/ledger.ts';
import {
  Account,
  BatchItem,
  BatchResult,
  LedgerEntry,
  NewPayment,
  RankedAccount,
} from '../../wire/ledger-entries.ts';
import { Discharge, Transfer } from '../../wire/records.ts';
import { Receipt, SealedTransaction } from '../../wire/seal.ts';
import { PastUser, Verification } from '../../wire/users.ts';
import {
  BalanceData,
  KeyData,
  PaymentData,
  SealedData,
  TestData,
  TruncatedBalance,
  TruncatedPayment,
  TruncatedRecord,
  TruncatedTransaction,
  TruncatedVerification,
  VerificationData,
  WEBHOOK_EVENT_SCHEMAS,
} from '../../wire/webhook-events.ts';
import { NewWebhook, Webhook, WebhookAttempt, WebhookFilter } from '../../wire/webhooks.ts';

/** Schemas that get a name of their own in the document. All others are inlined where they are used. */
export const NAMED_SCHEMAS: Record<string, TSchema> = {
  Discharge,
  Transfer,
  PastUser,
  Verification,
  BotCommand,
  Guild,
  NewTransaction,
  LedgerTransaction,
  Pagination,
  ImportedDischarge,
  ImportedTransfer,
  ImportedVerification,
  ImportedTransaction,
  ImportLine,
  LedgerEntry,
  Account,
  RankedAccount,
  BatchItem,
  BatchResult,
  NewPayment,
  SealedTransaction,
  Receipt,
  ApiKey,
  KeyHour,
  KeyRequest,
  WebhookFilter,
  Webhook,
  WebhookAttempt,
  NewWebhook,
  PaymentData,
  BalanceData,
  VerificationData,
  KeyData,
  SealedData,
  TestData,
  TruncatedTransaction,
  TruncatedPayment,
  TruncatedBalance,
  TruncatedRecord,
  TruncatedVerification,
  ...WEBHOOK_EVENT_SCHEMAS,
  Error: EnvelopedError,
  CodedError,
  BareError,
};
export const NAMES = new Map(Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [schema, name]));
