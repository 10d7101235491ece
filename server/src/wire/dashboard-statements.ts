import {
  DetailedTransaction,
  money,
  SOURCES_SHOWN_MAX,
  sum,
  time,
  times,
  timeZone,
} from './dashboard-ledger.ts';
import { enveloped } from './envelope.ts';
import { exact } from './text.ts';
import { nullable, Type } from './type.ts';

// An account at one moment and in a range of time, and its statement.

const STATEMENT_ROWS_MAX = 1_000;
const HISTORY_SPANS_MAX = 400;

/** One transaction, or all transactions of one column of a chart. */
const BalanceSpan = Type.Object({
  at: time('When the first transaction was made.'),
  balance: sum('The balance right after it.'),
  end: Type.Optional(
    Type.Object(
      {
        at: time('When the last one was made.'),
        balance: sum('The balance right after it.'),
        lowest: sum('The lowest balance after any of them.'),
        highest: sum('The highest one.'),
      },
      { description: 'Only with several transactions.' },
    ),
  ),
});

export const PlayerActivityQuery = Type.Object({ ...times });

/** The sums of an account in a range of time. */
export const PlayerActivityReply = enveloped(
  Type.Object({
    opening: sum('The balance before the range.'),
    closing: sum('The balance at its end.'),
    ...money,
    sources: Type.Array(
      Type.Object({
        source: nullable<string>({ type: 'string', description: 'Null for the sum of all others.' }),
        ...money,
      }),
      {
        description: `The sources with the largest turnover in the range, at most ${SOURCES_SHOWN_MAX}, and the rest.`,
      },
    ),
    history: Type.Array(BalanceSpan, {
      description: `The balance over time, in at most ${HISTORY_SPANS_MAX} spans. Between two spans it does not change.`,
    }),
    moves: Type.Array(DetailedTransaction, { description: 'The largest deposits and withdrawals.' }),
    archivedUntil: Type.Optional(
      time(
        'Only when the range begins in the archived part of the account. Transactions up to this time are in no sum, and the opening balance is the one after them.',
      ),
    ),
  }),
);

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
