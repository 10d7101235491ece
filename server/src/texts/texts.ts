import type { Formats } from './formats.ts';

/** Everything that the service says in a guild's language. A text with values is a function of them. */
export interface Texts {
  formats: Formats;
  chat: ChatTexts;
  channel: ChannelTexts;
  weekly: WeeklyTexts;
  board: BoardTexts;
}

/** Pieces of a text in the order of the language. `Part` is a piece with a form of its own, such as the name of a member. */
type Pieces<Part> = readonly (string | Part)[];

/** Replies to the commands of the chat. Values are formatted for the reader. */
export interface ChatTexts {
  roles: Readonly<Record<'viewer' | 'treasurer' | 'manager', string>>;
  /** The reply in a private conversation with the app, where no command works. */
  onlyInServers: string;
  refusals: ChatRefusals;
  stale: string;
  switchedOff(command: string): string;
  tooQuick: string;
  failed: string;
  roleNeeded(role: string): string;
  roleNeededHint: string;
  notOneLine(option: string): string;
  /** `detail` is one of `details`, or the English detail of another rule that refused the input. */
  doesNotWork(detail: string): string;
  /** Details of refused input, by their English text. */
  details: Readonly<Record<InputDetail, string>>;
  notVerified: string;
  notVerifiedHint: string;
  memberNotVerified<Part>(member: Part): Pieces<Part>;
  ownersOnly: string;
  notYourButton: string;
  cancel: string;
  nothingChanged: string;

  lastChange: string;
  noChangeYet: string;
  transactions: string;
  balance: string;
  transaction: string;

  noTransactionsYet: string;
  page: string;
  newer: string;
  older: string;

  leaderboard: string;
  nobodyYet: string;
  you: string;
  noAccountYet: string;
  afterFirst(count: string): string;
  rank(rank: string): string;

  commands: string;
  noCommands: string;
  moreCommands(count: number): string;

  payTitle(username: string): string;
  payLine<Part>(amount: Part, member: Part): Pieces<Part>;
  pay: string;
  paid: string;
  note: string;
  yourBalance: string;
  yourBalanceAfterwards: string;
  /** The name of a payment without a note. */
  paymentName: string;
  questionTooOld(command: string): string;
  membersDoNotPay: string;
  notYourself: string;
  dayLimit(amount: string): string;

  posted: string;
  reverseTitle: string;
  otherSideToo: string;
  reason: string;
  reverse: string;
  reversed: string;
  nowAt(amount: string): string;

  receipt: string;
  checkReceipt: string;
  noReceiptLink: string;

  dischargeOf(name: string): string;
  transferOf(name: string): string;
  kind: string;
  from: string;
  to: string;
  signed: string;
  player: string;
  date: string;

  memberOrPlayer: string;
  verifiedAs<Part>(member: Part, username: string, playerId: string): Pieces<Part>;
  pastAccounts: string;
  andMore(count: number): string;
  none: string;
}

type InputDetail =
  | 'amount must not be zero'
  | 'amount must be above zero'
  | 'fromPlayerId and toPlayerId must differ'
  | 'amount is out of range'
  | 'amount has more digits than can be kept exactly'
  | 'amount must have at most 4 decimal places'
  | 'amount times quantity is out of range';

/** Replies to commands that break a rule, by error code. */
export interface ChatRefusals {
  guild_not_found: string;
  user_not_found: string;
  transaction_not_found: string;
  not_sealed_yet: string;
  discharge_not_found: string;
  transfer_not_found: string;
  archived: string;
  insufficient_funds: string;
  overdraft: string;
  overdraft_unconfirmed: string;
  balance_out_of_range: string;
  already_reversed: string;
  is_reversal: string;
  idempotency_mismatch: string;
  plan_required: string;
  store_unavailable: string;
  overloaded: string;
}

/** Messages about events in a channel. Names and amounts are escaped for Markdown. */
export interface ChannelTexts {
  payment: string;
  paymentFor(amount: string, name: string): string;
  from: string;
  to: string;
  source: string;
  player: string;
  balance: string;
  overdraft: string;
  balanceBelow(amount: string): string;
  balanceIs(player: string, amount: string): string;
  reversed: string;
  deposit: string;
  withdrawal: string;
  titles: Readonly<Record<TitledEvent, string>>;
  facts: Readonly<Record<ShownFact, string>>;
  /** Why a webhook was disabled. */
  reasons: Readonly<Record<'keyDeleted' | 'gone' | 'failing', string>>;
  refusedBy(status: string): string;
  test: string;
  more(count: number): string;
  /** `sum` is the sum of the other transactions; undefined when there are none. */
  moreExplained(sum: string | undefined): string;
}

type TitledEvent =
  | 'discharge.created'
  | 'discharge.updated'
  | 'discharge.deleted'
  | 'transfer.created'
  | 'transfer.updated'
  | 'transfer.deleted'
  | 'verification.changed'
  | 'key.created'
  | 'key.deleted'
  | 'key.expiring'
  | 'key.refused'
  | 'ledger.sealed'
  | 'webhook.test'
  | 'webhook.disabled';

type ShownFact =
  | 'name'
  | 'username'
  | 'playerId'
  | 'type'
  | 'from'
  | 'to'
  | 'expiresAt'
  | 'refused'
  | 'disabledReason'
  | 'size'
  | 'root';

/** The summary of a week. */
export interface WeeklyTexts {
  title(day: string): string;
  range(first: string, last: string): string;
  in: string;
  out: string;
  transactions: string;
  largestSource: string;
  rootOf(count: number): string;
  /** From Monday on, in letters that `webhooks/week-chart.ts` can draw. */
  weekdays: readonly [string, string, string, string, string, string, string];
}

/** The public page, its small version and its picture. */
export interface BoardTexts {
  title(guild: string): string;
  subtitle: string;
  asOf(time: string): string;
  inCirculation: string;
  accounts: string;
  transactions: string;
  accountsCounted(count: number): string;
  circulating(sum: string): string;
  chart: string;
  chartExplained: string;
  deposits: string;
  withdrawals: string;
  day: string;
  today: string;
  figures: string;
  nothingMoved: string;
  leaderboard: string;
  leaderboardExplained: string;
  noAccounts: string;
  moves: string;
  movesExplained(minimum: string): string;
  noMoves: string;
  deposit: string;
  withdrawal: string;
  commands: string;
  noCommands: string;
  commandsCounted(count: number): string;
  nothingShown: string;
  asJson: string;
  madeWith: string;
  openBoard: string;
  notFoundTitle: string;
  notFound: string;
}
