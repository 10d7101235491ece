import { AMOUNT_MAX, amountRules } from './amounts.ts';
import { sum } from './dashboard-ledger.ts';
import { enveloped } from './envelope.ts';
import { EXAMPLE_TRANSACTION } from './examples.ts';
import { NewTransaction } from './ledger.ts';
import { NewReversals } from './ledger-entries.ts';
import { choice, idText, lineText } from './text.ts';
import { Type } from './type.ts';

// Changes of the ledger by people in the dashboard.

const { name, quantity, amount, deposit, withdrawal } = NewTransaction.properties;

/** A post from the dashboard: its source is `dashboard`, and its player is in the path. */
export const CorrectionBody = Type.Object({
  name,
  quantity,
  amount,
  deposit,
  withdrawal,
  overdraft: Type.Optional(
    Type.Boolean({
      description: 'Allows a balance below zero; without it such a post is refused.',
    }),
  ),
  corrects: Type.Optional(
    idText('The transaction of the guild that it corrects.', EXAMPLE_TRANSACTION.transactionId),
  ),
});

export const CorrectionReply = Type.Object({
  success: Type.Literal(true),
  message: choice(['Transaction Posted (deposit)', 'Transaction Posted (withdrawal)']),
  type: choice(['deposit', 'withdrawal']),
  data: Type.Object({
    transactionId: Type.String({ examples: [EXAMPLE_TRANSACTION.transactionId] }),
    balance: sum('The balance right after it.'),
  }),
});

export const DashboardTransactionParams = Type.Object({
  guildId: Type.String(),
  transactionId: idText('The transaction.', EXAMPLE_TRANSACTION.transactionId),
});

/** Reverses a transaction, together with the other side of its payment. */
export const DashboardReversalBody = Type.Object({
  reason: Type.Optional(lineText('Why it is taken back.', 'Paid twice')),
  force: Type.Optional(
    Type.Boolean({
      description: 'Reverses it even if the balance does not cover it.',
    }),
  ),
});

/** Reverses transactions, together with the other sides of their payments. */
export const SelectedReversalsBody = Type.Object({
  transactionIds: NewReversals.properties.transactionIds,
  ...DashboardReversalBody.properties,
});

export const DashboardReversalReply = enveloped(
  Type.Object({
    transactionIds: Type.Array(Type.String(), { description: 'The reversals that were posted.' }),
  }),
);

export const FloorBody = Type.Object({
  floor: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: 'Lowest balance that withdrawals may lead to; null applies the setting of the guild.',
    ...amountRules({ minimum: -AMOUNT_MAX }),
  }),
});
export const FloorReply = Type.Object({ success: Type.Literal(true) });
