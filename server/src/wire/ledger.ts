import { AMOUNT_MAX, amountRules } from './amounts.ts';
import { EXAMPLE_PLAYER_ID, EXAMPLE_TRANSACTION } from './examples.ts';
import { choice, idText, lineText } from './text.ts';
import { Type } from './type.ts';

export const NewTransaction = Type.Object({
  playerId: idText('Identifier of the player on the game platform.', EXAMPLE_PLAYER_ID),
  name: lineText('Transaction name, such as the item.', EXAMPLE_TRANSACTION.name),
  quantity: Type.Integer({
    description: 'Number of items.',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    examples: [EXAMPLE_TRANSACTION.quantity],
  }),
  amount: Type.Number({
    description:
      'Amount per item with at most 4 decimal places: positive for a deposit, negative for a withdrawal, never zero.',
    ...amountRules({ minimum: -AMOUNT_MAX, not: { const: 0 } }),
    examples: [EXAMPLE_TRANSACTION.amount],
  }),
  source: lineText('Source of the transaction.', EXAMPLE_TRANSACTION.source),
  deposit: Type.Optional(
    Type.Boolean({ description: 'When true, asserts a deposit: a negative amount is then refused.' }),
  ),
  withdrawal: Type.Optional(
    Type.Boolean({ description: 'When true, asserts a withdrawal: a positive amount is then refused.' }),
  ),
});

export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;

export const PostHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        'Makes the post safe to repeat: a repeat with the same key and body posts nothing and gets the first answer again. ' +
        'Printable ASCII, unique within the guild. It is remembered for 400 days unless the operator sets another time; ' +
        'after that the request counts as a new one.',
      // Spaces around the value of a header are not part of it.
      pattern: '^[!-~](?:[ -~]*[!-~])?$',
      minLength: 1,
      maxLength: IDEMPOTENCY_KEY_LENGTH_MAX,
      examples: ['order-2026-0001'],
    }),
  ),
});

export const PostReply = Type.Object({
  success: Type.Literal(true),
  message: choice(['Transaction Posted (deposit)', 'Transaction Posted (withdrawal)']),
  type: choice(['deposit', 'withdrawal']),
});

export const LedgerTransaction = Type.Object({
  transactionId: Type.String({
    format: 'uuid',
    description: 'Identifier of the transaction.',
    examples: [EXAMPLE_TRANSACTION.transactionId],
  }),
  amount: Type.Number({
    description: 'Amount per item: positive is a deposit, negative a withdrawal.',
    examples: [EXAMPLE_TRANSACTION.amount],
  }),
  quantity: Type.Integer({ description: 'Number of items.', examples: [EXAMPLE_TRANSACTION.quantity] }),
  name: Type.String({ description: 'Transaction name.', examples: [EXAMPLE_TRANSACTION.name] }),
  source: Type.String({ description: 'Source of the transaction.', examples: [EXAMPLE_TRANSACTION.source] }),
  total: Type.Number({
    description: 'amount times quantity, signed.',
    examples: [EXAMPLE_TRANSACTION.total],
  }),
  createdAt: Type.String({
    format: 'date-time',
    description: 'Creation time, ISO 8601 in UTC.',
    examples: [EXAMPLE_TRANSACTION.createdAt],
  }),
});

export const Pagination = Type.Object({
  page: Type.Integer({ description: 'Current page number.', examples: [1] }),
  limit: Type.Integer({ description: 'Results per page.', examples: [20] }),
  total: Type.Integer({ description: 'Number of matches on all pages.', examples: [1] }),
  totalPages: Type.Integer({ description: 'Number of pages; 0 when nothing matches.', examples: [1] }),
});

export const ListingParams = Type.Object({
  playerId: idText('Identifier of the player on the game platform.', EXAMPLE_PLAYER_ID),
});

export const ListingQuery = Type.Object({
  page: Type.Integer({
    description: 'Page number. A page past the end is empty.',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 1,
  }),
  limit: Type.Integer({ description: 'Results per page.', minimum: 1, maximum: 100, default: 20 }),
  from: Type.Optional(lineText('Only transactions of this source.', EXAMPLE_TRANSACTION.source)),
  minAmount: Type.Optional(
    Type.Number({
      description: 'Only amounts from this one up, compared with the sign: 0 lists the deposits.',
      minimum: 0,
      ...amountRules(),
    }),
  ),
  maxAmount: Type.Optional(
    Type.Number({
      description: 'Only amounts up to this one, compared with the sign: 0 lists the withdrawals.',
      minimum: 0,
      ...amountRules(),
    }),
  ),
  sortBy: choice(['amount', 'quantity', 'total', 'createdAt'], {
    description: 'Field to sort by. Transactions with equal values keep the order of posting.',
    default: 'createdAt',
  }),
  sortOrder: choice(['asc', 'desc'], { description: 'Direction of the order.', default: 'desc' }),
});

export const ListingReply = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    playerId: Type.String({ description: 'The player asked for.', examples: [EXAMPLE_PLAYER_ID] }),
    transactions: Type.Array(LedgerTransaction),
  }),
  pagination: Pagination,
});
