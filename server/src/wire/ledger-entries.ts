import type { TSchema } from 'typebox';
import { amountRules } from './amounts.ts';
import { DATE_TIME_FORMAT } from './dates.ts';
import { enveloped } from './envelope.ts';
import {
  EXAMPLE_ACCOUNT,
  EXAMPLE_ENTRY,
  EXAMPLE_PAYMENT_ID,
  EXAMPLE_PLAYER_ID,
  EXAMPLE_REVERSAL_ID,
} from './examples.ts';
import { LedgerTransaction, ListingQuery, NewTransaction, PostHeaders } from './ledger.ts';
import { choice, idText, lineText, NAME_LENGTH_MAX, NOTE_FORMAT } from './text.ts';
import { nullable, Type } from './type.ts';
import { DOCUMENTED_AS, DOCUMENTED_RULES } from './validation.ts';

const uuid = (description: string, example: string) =>
  Type.String({ format: 'uuid', description, examples: [example] });
const nullableUuid = (description: string) =>
  nullable<string>({ type: 'string', format: 'uuid', description });

export const REFERENCE_LENGTH_MAX = 128;
export const METADATA_KEYS_MAX = 16;

const reference = idText(
  'What the caller knows the transaction by, such as an order. Several transactions may share one.',
  EXAMPLE_ENTRY.reference,
);

const metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  description:
    'Facts of your own, by name: up to 16, with names of 1 to 64 letters, digits, `_`, `.` and `-`, texts of up to 256 ' +
    'characters, and 2 KiB in total.',
  maxProperties: METADATA_KEYS_MAX,
  propertyNames: { pattern: '^[A-Za-z0-9_.-]{1,64}$' },
  additionalProperties: { type: 'string', maxLength: NAME_LENGTH_MAX, format: NOTE_FORMAT },
  examples: [EXAMPLE_ENTRY.metadata],
  'x-rule':
    'an object of at most 16 texts, with names of 1 to 64 letters, digits, underscores, points and hyphens',
});

/** The notes that a caller may add to a transaction. */
export const NOTES = { reference: Type.Optional(reference), metadata: Type.Optional(metadata) };

/** The same in answers. */
export const SHOWN_NOTES = {
  reference: nullable<string>({ type: 'string', description: 'As it was posted.' }),
  metadata: nullable<Record<string, string>>({
    type: 'object',
    description: 'As it was posted, with its names in order.',
    additionalProperties: { type: 'string' },
  }),
};

const PostedBy = Type.Object(
  {
    kind: choice(['key', 'user', 'import'], {
      description: 'A key, a person in the dashboard, or an import.',
    }),
    id: nullable<string>({ type: 'string', description: 'Id of the key, or chatId of the person.' }),
    name: nullable<string>({ type: 'string', description: 'Name of the key or the person, where known.' }),
  },
  { description: 'Who posted it.' },
);

export const LedgerEntry = Type.Object({
  ...LedgerTransaction.properties,
  playerId: Type.String({
    description: 'Player whose account it belongs to.',
    examples: [EXAMPLE_PLAYER_ID],
  }),
  number: Type.Integer({
    description: 'Its number in the guild: 1, 2, 3, ... without gaps, in the order of commits.',
    examples: [EXAMPLE_ENTRY.number],
  }),
  balanceAfter: Type.Number({
    description: 'The balance right after it.',
    examples: [EXAMPLE_ENTRY.balanceAfter],
  }),
  type: choice(['deposit', 'withdrawal'], {
    description: 'Deposit or withdrawal, from the sign of the amount.',
  }),
  reverses: nullableUuid('The transaction that this one takes back.'),
  reversedBy: nullableUuid('The transaction that takes this one back.'),
  paymentId: nullableUuid('The payment that it is one side of.'),
  ...SHOWN_NOTES,
  postedBy: PostedBy,
});

export const Account = Type.Object({
  playerId: Type.String({ description: 'The player.', examples: [EXAMPLE_PLAYER_ID] }),
  balance: Type.Number({ description: 'The sum of all totals.', examples: [EXAMPLE_ACCOUNT.balance] }),
  transactionCount: Type.Integer({
    description: 'Number of transactions of the account.',
    examples: [EXAMPLE_ACCOUNT.transactionCount],
  }),
  lastTransactionAt: nullable<string>({
    type: 'string',
    format: DATE_TIME_FORMAT,
    description: 'Time of the last one; null when there is none.',
  }),
});

export const RankedAccount = Type.Object({
  rank: nullable<number>({
    type: 'integer',
    description: 'Place in the list, counted from 1; null where players were named.',
  }),
  ...Account.properties,
});

const nextCursor = nullable<string>({
  type: 'string',
  description: 'The `cursor` of the next page; null at the end.',
});

const cursor = Type.Optional(
  Type.String({
    description: 'The `nextCursor` of the page before. It belongs to the same filters.',
    minLength: 1,
    maxLength: 256,
    pattern: '^[A-Za-z0-9_-]+$',
  }),
);

const time = (description: string) => Type.Optional(Type.String({ format: DATE_TIME_FORMAT, description }));

export const AccountParams = Type.Object({
  playerId: idText('Identifier of the player on the game platform.', EXAMPLE_PLAYER_ID),
});
export const AccountQuery = Type.Object({
  at: time('The account as it was at this time, which belongs to it.'),
});
export const AccountReply = enveloped(Account);

export const AccountsQuery = Type.Object({
  sortOrder: choice(['asc', 'desc'], {
    description: 'By balance, largest first or smallest first.',
    default: 'desc',
  }),
  limit: Type.Integer({ description: 'Accounts per page.', minimum: 1, maximum: 100, default: 20 }),
  cursor,
  playerIds: Type.Optional(
    Type.Array(idText('Identifier of a player.', EXAMPLE_PLAYER_ID), {
      description:
        'Only the accounts of these players, in this order: up to 100, separated by commas. A comma within an id is ' +
        'written as %2C.',
      minItems: 1,
      maxItems: 100,
    }),
  ),
});
export const AccountsReply = enveloped(Type.Object({ accounts: Type.Array(RankedAccount), nextCursor }));

export const HistoryQuery = Type.Object({
  limit: Type.Integer({ description: 'Transactions per page.', minimum: 1, maximum: 100, default: 20 }),
  cursor,
  playerId: Type.Optional(idText('Only transactions of this player.', EXAMPLE_PLAYER_ID)),
  from: ListingQuery.properties.from,
  minAmount: ListingQuery.properties.minAmount,
  maxAmount: ListingQuery.properties.maxAmount,
  since: time('Only transactions from this time on.'),
  until: time('Only transactions before this time.'),
  reference: Type.Optional(reference),
  search: Type.Optional(
    lineText('What the name begins with; the letters A to Z without regard to case.', 'Iron'),
  ),
});
export const HistoryReply = enveloped(Type.Object({ transactions: Type.Array(LedgerEntry), nextCursor }));

export const TransactionParams = Type.Object({
  transactionId: idText('Identifier of the transaction.', EXAMPLE_ENTRY.transactionId),
});
export const TransactionReply = enveloped(Type.Object({ transaction: LedgerEntry }));

export const FeedQuery = Type.Object({
  after: Type.Integer({
    description: 'The last number seen; 0 begins with the first transaction.',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
  }),
  limit: Type.Integer({ description: 'Transactions at most.', minimum: 1, maximum: 1_000, default: 100 }),
});
export const FeedReply = enveloped(Type.Object({ transactions: Type.Array(LedgerEntry) }));

export const BATCH_KEY_LENGTH_MAX = 252;

const idempotencyKey = PostHeaders.properties['idempotency-key'];

export const BatchItem = Type.Object({
  ...NewTransaction.properties,
  ...NOTES,
  idempotencyKey: Type.Optional(
    Type.String({
      ...idempotencyKey,
      pattern: '^[ -~]+$',
      description: 'Same as the header of that name, for this item alone.',
    }),
  ),
});

/** Checked item by item afterwards: an invalid item is a refused item, not a refused request. */
const item = Type.Unsafe<unknown>({ [DOCUMENTED_AS]: BatchItem satisfies TSchema });

export const NewBatch = Type.Object({
  atomic: Type.Optional(
    Type.Boolean({
      description: 'All items or none; false lets each succeed or fail on its own.',
      default: true,
    }),
  ),
  transactions: Type.Array(item, { minItems: 1, maxItems: 100, description: 'Posted in this order.' }),
});

export const BatchHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      ...idempotencyKey,
      description:
        'Gives items without a key of their own this one with a slash and their index, counted from 0, so that the batch ' +
        'is safe to repeat. It belongs to the batch as a whole: with other items it is refused.',
      maxLength: BATCH_KEY_LENGTH_MAX,
    }),
  ),
});

export const BatchResult = Type.Object({
  status: choice(['posted', 'replayed', 'refused', 'skipped'], {
    description: 'skipped: left out because another item of an atomic batch was refused.',
  }),
  transactionId: nullableUuid('The transaction, where there is one.'),
  balance: nullable<number>({ type: 'number', description: 'The balance right after it.' }),
  code: nullable<string>({ type: 'string', description: 'Why it was refused, for programs.' }),
  message: nullable<string>({ type: 'string', description: 'Why it was refused, for people.' }),
});
export const BatchReply = enveloped(Type.Object({ results: Type.Array(BatchResult) }));

const reason = Type.Optional(
  lineText('Why it is taken back; kept in the metadata of the reversal.', 'Paid twice'),
);

export const NewReversal = Type.Object({ reason });
export const NewReversals = Type.Object({
  transactionIds: Type.Array(idText('Identifier of a transaction.', EXAMPLE_ENTRY.transactionId), {
    minItems: 1,
    maxItems: 100,
    description: 'All of them are reversed, or none.',
    [DOCUMENTED_RULES]: { uniqueItems: true },
  }),
  reason,
});
export const ReversalReply = enveloped(Type.Object({ transaction: LedgerEntry, reversed: LedgerEntry }));
export const ReversalsReply = enveloped(Type.Object({ transactions: Type.Array(LedgerEntry) }));

export const NewPayment = Type.Object({
  fromPlayerId: idText('Who pays.', EXAMPLE_PLAYER_ID),
  toPlayerId: idText('Who is paid.', '8206034154'),
  amount: Type.Number({
    description: 'Above zero, with at most 4 decimal places.',
    exclusiveMinimum: 0,
    ...amountRules(),
    examples: [25],
  }),
  name: NewTransaction.properties.name,
  source: NewTransaction.properties.source,
  ...NOTES,
});

const side = Type.Object({
  transactionId: uuid('The transaction of this side.', EXAMPLE_REVERSAL_ID),
  balance: Type.Number({ description: 'The balance right after it.', examples: [1255.75] }),
});
export const PaymentReply = enveloped(
  Type.Object({ paymentId: uuid('Identifier of the payment.', EXAMPLE_PAYMENT_ID), from: side, to: side }),
);
