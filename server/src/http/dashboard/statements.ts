import { decimalText } from '../../domain/ledger/amount.ts';
import { createTimeWriter } from '../../domain/zoned-time.ts';
import { statementCsv } from '../../import-export/statement-csv.ts';
import { DashboardPlayerParams } from '../../wire/dashboard-ledger.ts';
import {
  BalanceQuery,
  BalanceReply,
  StatementExportQuery,
  StatementQuery,
  StatementReply,
} from '../../wire/dashboard-statements.ts';
import { Type } from '../../wire/type.ts';
import { answerJson, answerText } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';
import { isoTime, statementText } from './ledger-body.ts';
import { csvName, csvStyle } from './record-changes.ts';

const PLAYER = '/dashboard/api/guilds/{guildId}/players/{playerId}';
const PLAYER_ROUTE = { method: 'GET', ...SESSION_ROUTE, params: DashboardPlayerParams } as const;

const getBalance = {
  ...PLAYER_ROUTE,
  path: `${PLAYER}/balance`,
  query: BalanceQuery,
  reply: BalanceReply,
  // The page has to distinguish an archived moment from other refusals.
  errorShape: 'coded',
} satisfies Route;

const getStatement = {
  ...PLAYER_ROUTE,
  path: `${PLAYER}/statement`,
  query: StatementQuery,
  reply: StatementReply,
} satisfies Route;

const exportStatement = {
  ...PLAYER_ROUTE,
  path: `${PLAYER}/statement.csv`,
  query: StatementExportQuery,
  reply: Type.String(),
} satisfies Route;

/** The balance of an account at a moment, and its statement as a page and as a file. */
export const STATEMENT_ENDPOINTS = [
  forSession(getBalance, ({ guildLedger }) => async ({ params: { guildId, playerId }, query }) => {
    const account = await guildLedger.balanceAt(guildId, playerId, query.at);
    const { balanceUnits, transactionCount, lastTransactionAtMs } = account;
    return answerJson({
      success: true,
      data: {
        balance: decimalText(balanceUnits),
        transactions: transactionCount,
        lastAt: lastTransactionAtMs === undefined ? null : isoTime(lastTransactionAtMs),
      },
    });
  }),
  forSession(
    getStatement,
    ({ guildLedger }) =>
      async ({ params: { guildId, playerId }, query }) =>
        answerText(statementText(await guildLedger.statement(guildId, playerId, query))),
  ),
  forSession(
    exportStatement,
    ({ guildLedger, downloads, clock }) =>
      async ({ params: { guildId, playerId }, query: { exact, timeZone, ...times }, request }) => {
        const writeTime = createTimeWriter(timeZone);
        const readRows = async () =>
          statementCsv(
            await guildLedger.exportStatement(guildId, playerId, times),
            csvStyle(exact),
            writeTime,
          );
        const fileName = csvName(`statement-${playerId}`, clock);
        return downloads.answer(request, { guildId, fileName, readRows });
      },
  ),
];
