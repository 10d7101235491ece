import { decimalText } from '../../domain/ledger/amount.ts';
import { createTimeWriter } from '../../domain/zoned-time.ts';
import { statementCsv } from '../../import-export/statement-csv.ts';
import {
  BalanceQuery,
  BalanceReply,
  StatementExportQuery,
  StatementQuery,
  StatementReply,
} from '../../wire/dashboard-statements.ts';
import { Type } from '../../wire/type.ts';
import { answerJson, answerText } from '../answer.ts';
import { forAccount } from './for-account.ts';
import { isoTime, statementText } from './ledger-body.ts';
import { csvName, csvStyle } from './record-changes.ts';

const getBalance = { query: BalanceQuery, reply: BalanceReply };
const getStatement = { query: StatementQuery, reply: StatementReply };
const exportStatement = { query: StatementExportQuery, reply: Type.String() };

/** The balance of an account at a moment, and its statement as a page and as a file. */
export const STATEMENT_ENDPOINTS = [
  ...forAccount('balance', getBalance, () => async ({ guildId, playerId, ledger }, { query }) => {
    const account = await ledger.balanceAt(guildId, playerId, query.at);
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
  ...forAccount(
    'statement',
    getStatement,
    () =>
      async ({ guildId, playerId, ledger }, { query }) =>
        answerText(statementText(await ledger.statement(guildId, playerId, query))),
  ),
  ...forAccount(
    'statement.csv',
    exportStatement,
    ({ clock }) =>
      async ({ guildId, playerId, ledger, answerFile }, { query, request }) => {
        const { exact, timeZone, ...times } = query;
        const writeTime = createTimeWriter(timeZone);
        const readRows = async () =>
          statementCsv(await ledger.exportStatement(guildId, playerId, times), csvStyle(exact), writeTime);
        return answerFile(request, { fileName: csvName(`statement-${playerId}`, clock), readRows });
      },
  ),
];
