import { DetailedTransaction, money, PlayerActivityQuery, sum, time, timeZone } from './dashboard-ledger.ts';
import { enveloped } from './envelope.ts';
import { exact } from './text.ts';
import { nullable, Type } from './type.ts';

// An account at one moment, and its statement for a range of time.

const STATEMENT_ROWS_MAX = 1_000;

export const BalanceQuery = Type.Object({ at: time('The moment, which is included.') });

export const BalanceReply = enveloped(
  Type.Object({
    balance: sum('The balance at that moment. A player without transactions has 0.'),
    transactions: Type.Integer({ description: 'Number of transactions until then, archived ones too.' }),
    lastAt: nullable<string>({ type: 'string', description: 'When the last one of these was made.' }),
  }),
);

export const StatementQuery = PlayerActivityQuery;
export const StatementExportQuery = Type.Object({ ...PlayerActivityQuery.properties, exact, timeZone });

export const StatementReply = enveloped(
  Type.Object({
    opening: sum('The balance before the range.'),
    closing: sum('The balance at its end.'),
    ...money,
    transactions: Type.Array(DetailedTransaction, {
      description: `In order of time, the first ${STATEMENT_ROWS_MAX} of the range.`,
    }),
    total: Type.Integer({ description: 'Number of transactions in the range.' }),
    archivedUntil: Type.Optional(
      time(
        'Only when the range begins in the archived part of the account. Transactions up to this time are missing, and the opening balance is the one after them.',
      ),
    ),
  }),
);
