import { dayOf, dayText } from '../../domain/calendar.ts';
import { decimalText } from '../../domain/ledger/amount.ts';
import { createTimeWriter } from '../../domain/zoned-time.ts';
import { ledgerCsv } from '../../import-export/ledger-csv.ts';
import { DashboardGuildParams } from '../../wire/dashboard.ts';
import {
  CorrectionBody,
  CorrectionReply,
  DashboardReversalBody,
  DashboardReversalReply,
  DashboardTransactionParams,
} from '../../wire/dashboard-corrections.ts';
import {
  DashboardPlayerParams,
  GuildExportQuery,
  GuildTransactionsQuery,
  GuildTransactionsReply,
  PlayerExportQuery,
  PlayerTransactionsQuery,
  PlayerTransactionsReply,
  TransactionDetailsReply,
} from '../../wire/dashboard-ledger.ts';
import { PostHeaders } from '../../wire/ledger.ts';
import { Type } from '../../wire/type.ts';
import { createSessionAccess } from '../access/session.ts';
import { answerJson, answerText } from '../answer.ts';
import { idempotencyKeyOf } from '../api/idempotency-key.ts';
import type { Route } from '../endpoint.ts';
import { guildTransactionsText, playerTransactionsText, transactionBody } from './ledger-body.ts';
import { csvStyle } from './record-changes.ts';
import { type DashboardScope, SESSION_ROUTE } from './scope.ts';

const GUILD = '/dashboard/api/guilds/{guildId}';
const GUILD_ROUTE = {
  method: 'GET',
  ...SESSION_ROUTE,
  params: DashboardGuildParams,
} as const;
const PLAYER_ROUTE = { ...GUILD_ROUTE, params: DashboardPlayerParams } as const;

export const listPlayerTransactions = {
  ...PLAYER_ROUTE,
  path: `${GUILD}/players/{playerId}/transactions`,
  query: PlayerTransactionsQuery,
  reply: PlayerTransactionsReply,
} satisfies Route;

export const listGuildTransactions = {
  ...GUILD_ROUTE,
  path: `${GUILD}/transactions`,
  query: GuildTransactionsQuery,
  reply: GuildTransactionsReply,
} satisfies Route;

export const getTransaction = {
  ...GUILD_ROUTE,
  path: `${GUILD}/transactions/{transactionId}`,
  params: DashboardTransactionParams,
  reply: TransactionDetailsReply,
  // The page has to know a transaction that is not there from a guild that is not.
  errorShape: 'coded',
} satisfies Route;

export const exportPlayerTransactions = {
  ...PLAYER_ROUTE,
  path: `${GUILD}/players/{playerId}/transactions.csv`,
  query: PlayerExportQuery,
  reply: Type.String(),
} satisfies Route;

export const exportGuildTransactions = {
  ...GUILD_ROUTE,
  path: `${GUILD}/transactions.csv`,
  query: GuildExportQuery,
  reply: Type.String(),
} satisfies Route;

export const postCorrection = {
  ...PLAYER_ROUTE,
  method: 'POST',
  path: `${GUILD}/players/{playerId}/transactions`,
  headers: PostHeaders,
  body: CorrectionBody,
  reply: CorrectionReply,
  // The page has to know a balance that would fall below zero from other refusals.
  errorShape: 'coded',
} satisfies Route;

export const postDashboardReversal = {
  ...GUILD_ROUTE,
  method: 'POST',
  path: `${GUILD}/transactions/{transactionId}/reversal`,
  params: DashboardTransactionParams,
  headers: PostHeaders,
  body: DashboardReversalBody,
  reply: DashboardReversalReply,
  // The page has to know an insufficient balance from other refusals.
  errorShape: 'coded',
} satisfies Route;

/** Transactions of one player or of the whole guild, as pages and as files, and corrections by people. */
export function addTransactions(scope: DashboardScope): void {
  const { add, parts } = scope;
  const { guildLedger } = parts;
  add(
    listPlayerTransactions,
    createSessionAccess(listPlayerTransactions, parts),
    async ({ params, query }) => {
      const listing = await guildLedger.list(params.guildId, params.playerId, query);
      return answerText(playerTransactionsText(params.playerId, query, listing));
    },
  );
  add(listGuildTransactions, createSessionAccess(listGuildTransactions, parts), async ({ params, query }) =>
    answerText(guildTransactionsText(await guildLedger.listGuild(params.guildId, query))),
  );
  add(getTransaction, createSessionAccess(getTransaction, parts), async ({ params }) =>
    answerText(transactionBody(await guildLedger.transaction(params.guildId, params.transactionId))),
  );
  addExports(scope);
  addCorrections(scope);
}

function addExports({ add, parts }: DashboardScope): void {
  const { guildLedger, downloads, clock } = parts;
  const fileName = (name: string) => `${name}-${dayText(dayOf(clock.nowMs()))}.csv`;

  add(
    exportPlayerTransactions,
    createSessionAccess(exportPlayerTransactions, parts),
    async ({ params, query: { exact, timeZone, ...query }, request }) => {
      const { guildId, playerId } = params;
      const writeTime = createTimeWriter(timeZone);
      const rows = ledgerCsv(await guildLedger.export(guildId, playerId, query), csvStyle(exact), writeTime);
      return downloads.answer(request, { guildId, fileName: fileName(`transactions-${playerId}`), rows });
    },
  );
  add(
    exportGuildTransactions,
    createSessionAccess(exportGuildTransactions, parts),
    async ({ params: { guildId }, query: { exact, timeZone, ...filter }, request }) => {
      const writeTime = createTimeWriter(timeZone);
      const rows = ledgerCsv(await guildLedger.exportGuild(guildId, filter), csvStyle(exact), writeTime);
      return downloads.answer(request, { guildId, fileName: fileName('transactions'), rows });
    },
  );
}

function addCorrections({ add, parts }: DashboardScope): void {
  const { guildLedger } = parts;
  add(postCorrection, createSessionAccess(postCorrection, parts), async ({ who, params, body, request }) => {
    const { guildId, playerId } = params;
    const idempotencyKey = idempotencyKeyOf(request);
    await who.confirm();
    const { overdraft, ...order } = body;
    const input = { ...order, playerId, isOverdraftWanted: overdraft };
    const outcome = await guildLedger.correct(who.session, guildId, input, idempotencyKey);
    return answerJson(
      {
        success: true,
        message: `Transaction Posted (${outcome.type})`,
        type: outcome.type,
        data: { transactionId: outcome.transactionId, balance: decimalText(outcome.balanceUnits) },
      },
      outcome.replayed ? ['idempotency-replayed', 'true'] : [],
    );
  });
  add(
    postDashboardReversal,
    createSessionAccess(postDashboardReversal, parts),
    async ({ who, params: { guildId, transactionId }, body, request }) => {
      const idempotencyKey = idempotencyKeyOf(request);
      await who.confirm();
      const input = { transactionId, reason: body.reason, isForced: body.force };
      const { reversals, replayed } = await guildLedger.reverse(who.session, guildId, input, idempotencyKey);
      const transactionIds = reversals.map((reversal) => reversal.transactionId);
      return answerJson(
        { success: true, data: { transactionIds } },
        replayed ? ['idempotency-replayed', 'true'] : [],
      );
    },
  );
}
