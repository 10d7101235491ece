import { DATE_TIME_FORMAT, DAY_FORMAT } from './dates.ts';
import { enveloped, envelopedOrNull } from './envelope.ts';
import { EXAMPLE_PLAYER_ID, EXAMPLE_TRANSACTION } from './examples.ts';
import { ListingQuery, Pagination } from './ledger.ts';
import { SHOWN_NOTES } from './ledger-entries.ts';
import { choice, exact, ID_LENGTH_MAX, idText, LINE_FORMAT, NAME_LENGTH_MAX, NOTE_FORMAT } from './text.ts';
import { Type } from './type.ts';

// Requests and answers of the dashboard's money pages. Amounts of one transaction are numbers, as in the interface.
// Balances and sums are decimal texts, because a sum may need more digits than a number holds.

const RANGE_DAYS_MAX = 3_660;
export const PLAYERS_FOUND_MAX = 20;
export const SOURCES_SHOWN_MAX = 12;
export const BALANCES_SHOWN_MAX = 10;
const OVERDRAWN_COUNTED_MAX = 1_000;

export const time = (description: string) => Type.String({ description, format: DATE_TIME_FORMAT });
export const sum = (description: string) => Type.String({ description, pattern: '^-?\\d+(\\.\\d{1,4})?$' });
const nullable = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });
const day = (description: string) => Type.String({ description, format: DAY_FORMAT });

export const DashboardPlayerParams = Type.Object({
  guildId: Type.String(),
  playerId: idText('The player.', EXAMPLE_PLAYER_ID),
});

/** Days of the calendar of the guild, both included. At most ten years. */
export const OverviewQuery = Type.Object({
  since: Type.Optional(day(`First day. By default 29 days before the last; at most ${RANGE_DAYS_MAX} days.`)),
  until: Type.Optional(day('Last day. By default today.')),
});

export const money = {
  deposits: sum('Sum of the deposits.'),
  /** A positive number. */
  withdrawals: sum('Sum of the withdrawals, without a sign.'),
  depositCount: Type.Integer(),
  withdrawalCount: Type.Integer(),
};

const Player = Type.Object({
  playerId: Type.String(),
  username: nullable('The verified name, when there is one.'),
  balance: sum('The balance.'),
  transactions: Type.Integer({ description: 'Number of transactions of the account.' }),
});

/** A figure of the range, and of the time right before, which is as long. */
const compared = <Schema extends ReturnType<typeof sum> | ReturnType<typeof Type.Integer>>(value: Schema) =>
  Type.Object({ current: value, previous: value });

export const OverviewReply = enveloped(
  Type.Object({
    accounts: Type.Integer({ description: 'Accounts of the guild now.' }),
    transactions: Type.Integer({ description: 'Transactions of the guild up to now.' }),
    balance: sum('All balances together now.'),
    opening: sum('All balances together before the range.'),
    closing: Type.Object({
      balance: sum('All balances together at the end of the range.'),
      accounts: Type.Integer({ description: 'Accounts at the end of the range.' }),
    }),
    previous: Type.Object({
      sinceAt: time('Start of the period before, which is as long as the range.'),
      untilAt: time(
        'When it ends: while the range has not passed yet, as long after its start as it is now.',
      ),
    }),
    figures: Type.Object({
      accountsOpened: compared(Type.Integer()),
      deposits: compared(sum('Sum of the deposits.')),
      withdrawals: compared(sum('Sum of the withdrawals, without a sign.')),
      transactions: compared(Type.Integer()),
      discharges: compared(Type.Integer()),
      transfers: compared(Type.Integer()),
    }),
    timeZone: Type.String({
      description: 'Calendar of the days: the one of the guild, or UTC where its days cannot be added up.',
    }),
    range: Type.Object({
      since: day('First day shown.'),
      until: day('Last day shown.'),
      sinceAt: time('Start of the first day.'),
      untilAt: time('End of the last day.'),
    }),
    days: Type.Array(Type.Object({ day: day('The day.'), ...money }), {
      description: 'Days of the range on which something happened, in order.',
    }),
    sources: Type.Array(Type.Object({ source: nullable('Null for the sum of all others.'), ...money }), {
      description: `The sources with the largest turnover in the range, at most ${SOURCES_SHOWN_MAX}, and the rest.`,
    }),
    largestBalances: Type.Array(Player, { maxItems: BALANCES_SHOWN_MAX }),
    overdrawn: Type.Object({
      count: Type.Integer({ description: `Accounts below zero, counted up to ${OVERDRAWN_COUNTED_MAX}.` }),
      players: Type.Array(Player, { maxItems: BALANCES_SHOWN_MAX }),
    }),
    unusual: Type.Array(
      Type.Object({
        kind: choice(['money-in', 'money-out', 'new-source']),
        day: nullable('The day on which far more moved than usual.'),
        source: nullable('The source that was not seen in the 90 days before the range.'),
        amount: sum('What moved, without a sign.'),
        usual: nullable('The median of the 28 days before, of those on which money moved this way.'),
      }),
    ),
  }),
);

const PlayerTurnover = Type.Object({
  playerId: Type.String(),
  username: nullable('The verified name, when there is one.'),
  amount: sum('What was earned or spent, without a sign.'),
  transactions: Type.Integer(),
});

export const TopPlayersReply = enveloped(
  Type.Object({
    earners: Type.Array(PlayerTurnover),
    spenders: Type.Array(PlayerTurnover),
    searchedTo: nullable(
      'Set when the range has too many transactions, or archived ones: only those from here on were added up.',
    ),
  }),
);

export const PlayerSearchQuery = Type.Object({
  query: Type.String({
    description: 'The beginning of an id or of a verified name.',
    maxLength: NAME_LENGTH_MAX,
    format: NOTE_FORMAT,
    default: '',
  }),
  limit: Type.Integer({ minimum: 1, maximum: PLAYERS_FOUND_MAX, default: 10 }),
});

/** With an empty query: the players with the largest balances. */
export const PlayersReply = enveloped(Type.Array(Player));

/** A player without an account has a balance of 0 and no history, which is no error. */
export const PlayerReply = enveloped(
  Type.Object({
    ...Player.properties,
    chatId: nullable('The chat account, when verified.'),
    firstAt: nullable('When the first transaction was made.'),
    lastAt: nullable('When the last one was made.'),
    floor: nullable('Lowest balance that withdrawals may lead to; null applies the setting of the guild.'),
    sources: Type.Array(Type.String(), { description: 'Sources seen lately in the guild, for filters.' }),
  }),
);

export const DetailedTransaction = Type.Object({
  transactionId: Type.String(),
  playerId: Type.String(),
  username: nullable('The verified name, when there is one.'),
  seq: Type.Integer({ description: 'Its number within the account: 1, 2, 3, ...' }),
  amount: Type.Number(),
  quantity: Type.Integer(),
  name: Type.String(),
  source: Type.String(),
  total: Type.Number(),
  balanceAfter: sum('The balance right after it.'),
  createdAt: time('When.'),
  /** People who see only their own account get their own id and name here, and no others. */
  postedBy: Type.Object({
    kind: choice(['key', 'user', 'import'], {
      description: 'By a key, by a person in the dashboard, or brought in by the operator.',
    }),
    id: nullable('Id of the key, or chat account of the person.'),
    name: nullable('Name of the key or of the person.'),
    prefix: nullable("The key's first characters."),
  }),
  number: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Its number in the guild; null for those who see only their own account.',
  }),
  ...SHOWN_NOTES,
  paymentId: nullable('The payment that it is one side of.'),
  reverses: nullable('The transaction that this one takes back.'),
  reversedBy: nullable('The transaction that takes this one back.'),
  corrections: Type.Array(
    Type.Object({ transactionId: Type.String(), total: sum('What it added to the account.') }),
    { description: 'Corrections of this one that were not reversed, newest first.' },
  ),
});

export const PlayerTransactionsReply = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({ playerId: Type.String(), transactions: Type.Array(DetailedTransaction) }),
  pagination: Pagination,
});

const { page: _page, limit, ...listed } = ListingQuery.properties;

export const times = {
  since: Type.Optional(time('Only transactions from this time on.')),
  until: Type.Optional(time('Only transactions before this time.')),
};
/** Times in a file are in this zone, with their offset from UTC; without a zone they are in UTC. */
export const timeZone = Type.Optional(Type.String({ minLength: 1, maxLength: 64, format: LINE_FORMAT }));
const search = Type.Optional(
  Type.String({
    description:
      'Found in name or source, the letters A to Z without regard to case; or the beginning of a verified name, or exactly the id of a player or transaction.',
    maxLength: NAME_LENGTH_MAX,
    format: NOTE_FORMAT,
  }),
);

export const PlayerTransactionsQuery = Type.Object({ ...ListingQuery.properties, ...times });

/** The query of a listing without page and limit. */
export const PlayerExportQuery = Type.Object({
  ...listed,
  ...times,
  exact,
  timeZone,
});

const { from, minAmount, maxAmount, sortBy, sortOrder } = listed;
const guildFilters = { from, minAmount, maxAmount, sortBy, sortOrder, ...times, search };

/** `before` is the `next` of the previous page, in the same order. */
export const GuildTransactionsQuery = Type.Object({
  limit,
  before: Type.Optional(Type.String({ maxLength: ID_LENGTH_MAX })),
  ...guildFilters,
});
/** With `ids` exactly these transactions, whatever the filters. */
const ids = Type.Optional(
  Type.Array(idText('A transaction.', EXAMPLE_TRANSACTION.transactionId), {
    description: 'Only these transactions, in this order: up to 100, separated by commas.',
    minItems: 1,
    maxItems: 100,
  }),
);
export const GuildExportQuery = Type.Object({ ...guildFilters, ids, exact, timeZone });
const { sortBy: _sortBy, sortOrder: _sortOrder, ...sumFilters } = guildFilters;
export const TransactionSumsQuery = Type.Object(sumFilters);

/** The sums of what is filtered. */
export const TransactionSumsReply = enveloped(
  Type.Object({
    ...money,
    net: sum('Deposits less withdrawals.'),
    searchedTo: nullable(
      'Set when the range has too many transactions, or archived ones: only those from here on were added up.',
    ),
  }),
);
export const TransactionDetailsReply = envelopedOrNull(DetailedTransaction);

export const GuildTransactionsReply = enveloped(
  Type.Object({
    transactions: Type.Array(DetailedTransaction),
    next: nullable('Cursor of the next page; null at the end.'),
    searchedTo: nullable(
      'When the search stopped before the page was full: everything up to this was looked at. Null otherwise.',
    ),
    total: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Number of matches on all pages; null where counting would take too long.',
    }),
    sources: Type.Array(Type.String(), { description: 'Sources seen lately in the guild, for filters.' }),
  }),
);

/** The changes since the number of the previous event. The event's `id` is its own number. */
export const LedgerNewsReply = Type.Object({
  count: Type.Integer({ description: 'Number of further transactions.' }),
  playerIds: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
    description: 'Player of the transactions; null for several players.',
  }),
});
