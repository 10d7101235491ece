import { dayOf, dayText } from '../../domain/calendar.ts';
import { decimalText } from '../../domain/ledger/amount.ts';
import type { ReversalOutcome } from '../../domain/ledger/reversals.ts';
import type { Clock } from '../../domain/ports.ts';
import { createTimeWriter } from '../../domain/zoned-time.ts';
import { ledgerCsv } from '../../import-export/ledger-csv.ts';
import { DashboardGuildParams } from '../../wire/dashboard.ts';
import {
  CorrectionBody,
  CorrectionReply,
  DashboardReversalBody,
  DashboardReversalReply,
  DashboardTransactionParams,
  SelectedReversalsBody,
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
  TransactionSumsQuery,
  TransactionSumsReply,
} from '../../wire/dashboard-ledger.ts';
import { PostHeaders } from '../../wire/ledger.ts';
import { Type } from '../../wire/type.ts';
import { ownAccountOf, type SessionRoute } from '../access/session.ts';
import { type Answer, answerJson, answerText } from '../answer.ts';
import { idempotencyKeyOf } from '../api/idempotency-key.ts';
import type { Route } from '../endpoint.ts';
import { forAccount } from './for-account.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';
import {
  guildTransactionsText,
  playerTransactionsText,
  transactionBody,
  transactionSumsBody,
} from './ledger-body.ts';
import { csvStyle } from './record-changes.ts';

const GUILD = '/dashboard/api/guilds/{guildId}';
const GUILD_ROUTE = {
  method: 'GET',
  ...SESSION_ROUTE,
  params: DashboardGuildParams,
} as const;
const PLAYER_ROUTE = { ...GUILD_ROUTE, params: DashboardPlayerParams } as const;

const listPlayerTransactions = { query: PlayerTransactionsQuery, reply: PlayerTransactionsReply };

const listGuildTransactions = {
  ...GUILD_ROUTE,
  path: `${GUILD}/transactions`,
  query: GuildTransactionsQuery,
  reply: GuildTransactionsReply,
} satisfies Route;

const sumGuildTransactions = {
  ...GUILD_ROUTE,
  path: `${GUILD}/transactions/sums`,
  query: TransactionSumsQuery,
  reply: TransactionSumsReply,
} satisfies Route;

const getTransaction = {
  ...GUILD_ROUTE,
  path: `${GUILD}/transactions/{transactionId}`,
  params: DashboardTransactionParams,
  reply: TransactionDetailsReply,
  nullFor: 'transaction_not_found',
} satisfies SessionRoute;

const getOwnTransaction = {
  ...getTransaction,
  path: `${GUILD}/me/transactions/{transactionId}`,
} satisfies Route;

const exportPlayerTransactions = { query: PlayerExportQuery, reply: Type.String() };

const exportGuildTransactions = {
  ...GUILD_ROUTE,
  path: `${GUILD}/transactions.csv`,
  query: GuildExportQuery,
  reply: Type.String(),
} satisfies Route;

const postCorrection = {
  ...PLAYER_ROUTE,
  method: 'POST',
  path: `${GUILD}/players/{playerId}/transactions`,
  headers: PostHeaders,
  body: CorrectionBody,
  reply: CorrectionReply,
  // The page has to distinguish a balance below zero from other refusals.
  errorShape: 'coded',
} satisfies Route;

const postDashboardReversal = {
  ...GUILD_ROUTE,
  method: 'POST',
  path: `${GUILD}/transactions/{transactionId}/reversal`,
  params: DashboardTransactionParams,
  headers: PostHeaders,
  body: DashboardReversalBody,
  reply: DashboardReversalReply,
  // The page has to distinguish an insufficient balance from other refusals.
  errorShape: 'coded',
} satisfies Route;

const postSelectedReversals = {
  ...GUILD_ROUTE,
  method: 'POST',
  path: `${GUILD}/transactions/reversals`,
  headers: PostHeaders,
  body: SelectedReversalsBody,
  reply: DashboardReversalReply,
  // The page has to distinguish an insufficient balance from other refusals.
  errorShape: 'coded',
} satisfies Route;

const fileName = (name: string, clock: Clock) => `${name}-${dayText(dayOf(clock.nowMs()))}.csv`;

/** Transactions of one player or of the whole guild, as pages and as files, and corrections by people. */
export const TRANSACTION_ENDPOINTS = [
  ...forAccount(
    'transactions',
    listPlayerTransactions,
    () =>
      async ({ guildId, playerId, ledger }, { query }) =>
        answerText(playerTransactionsText(playerId, query, await ledger.list(guildId, playerId, query))),
  ),
  forSession(
    listGuildTransactions,
    ({ guildLedger }) =>
      async ({ params, query }) =>
        answerText(guildTransactionsText(await guildLedger.listGuild(params.guildId, query))),
  ),
  forSession(
    sumGuildTransactions,
    ({ guildLedger }) =>
      async ({ params, query }) =>
        answerJson({
          success: true,
          data: transactionSumsBody(await guildLedger.sumGuild(params.guildId, query)),
        }),
  ),
  forSession(
    getTransaction,
    ({ guildLedger }) =>
      async ({ params }) =>
        answerText(transactionBody(await guildLedger.transaction(params.guildId, params.transactionId))),
  ),
  forSession(getOwnTransaction, ({ ownLedgers }) => async ({ who, params }) => {
    const own = ownLedgers(ownAccountOf(who));
    return answerText(transactionBody(await own.transaction(params.guildId, params.transactionId)));
  }),
  ...forAccount(
    'transactions.csv',
    exportPlayerTransactions,
    ({ clock }) =>
      async ({ guildId, playerId, ledger, answerFile }, { query, request }) => {
        const { exact, timeZone, ...filters } = query;
        const writeTime = createTimeWriter(timeZone);
        const readRows = async () =>
          ledgerCsv(await ledger.export(guildId, playerId, filters), csvStyle(exact), writeTime);
        return answerFile(request, { fileName: fileName(`transactions-${playerId}`, clock), readRows });
      },
  ),
  forSession(
    exportGuildTransactions,
    ({ guildLedger, downloads, clock }) =>
      async ({ params: { guildId }, query: { exact, timeZone, ids, ...filter }, request }) => {
        const writeTime = createTimeWriter(timeZone);
        const readRows = async () => {
          const rows =
            ids === undefined
              ? await guildLedger.exportGuild(guildId, filter)
              : await guildLedger.exportSelected(guildId, ids);
          return ledgerCsv(rows, csvStyle(exact), writeTime);
        };
        return downloads.answer(request, { guildId, fileName: fileName('transactions', clock), readRows });
      },
  ),
  forSession(postCorrection, ({ guildLedger }) => async ({ who, params, body, request }) => {
    const { guildId, playerId } = params;
    const idempotencyKey = idempotencyKeyOf(request);
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
  }),
  forSession(postDashboardReversal, ({ guildLedger }) => async ({ who, params, body, request }) => {
    const { guildId, transactionId } = params;
    const idempotencyKey = idempotencyKeyOf(request);
    const input = { transactionIds: [transactionId], reason: body.reason, isForced: body.force };
    return answerReversal(await guildLedger.reverse(who.session, guildId, input, idempotencyKey));
  }),
  forSession(postSelectedReversals, ({ guildLedger }) => async ({ who, params, body, request }) => {
    const { transactionIds, reason, force } = body;
    const input = { transactionIds, reason, isForced: force };
    const idempotencyKey = idempotencyKeyOf(request);
    return answerReversal(await guildLedger.reverse(who.session, params.guildId, input, idempotencyKey));
  }),
];

function answerReversal({ reversals, replayed }: ReversalOutcome): Answer {
  const transactionIds = reversals.map((reversal) => reversal.transactionId);
  return answerJson(
    { success: true, data: { transactionIds } },
    replayed ? ['idempotency-replayed', 'true'] : [],
  );
}
