import type { BoardFacts } from '../../domain/board/read-board.ts';
import { createCache } from '../../domain/cache.ts';
import { countText, type MoneyDisplay, moneyText } from '../../domain/chat/money-text.ts';

/** The language of every board. All texts of boards are in this file, so that they can be translated together. */
export const BOARD_LANGUAGE = 'en';

/** The texts of a board, each as a function of its values. */
export const TEXTS = {
  title: (guild: string) => `${guild} · guild board`,
  description: (parts: readonly string[]) => parts.join(' · '),
  subtitle: () => 'Guild board',
  asOf: (time: string) => `As of ${time}`,
  inCirculation: () => 'In circulation',
  accounts: () => 'Accounts',
  transactions: () => 'Transactions',
  accountsCounted: (count: number) => `${count === 1 ? '1 account' : `${formatCount(count)} accounts`}`,
  circulating: (sum: string) => `${sum} in circulation`,
  chart: () => 'Last 90 days',
  chartExplained: () => 'Deposits and withdrawals of each day, in UTC',
  deposits: () => 'In',
  withdrawals: () => 'Out',
  day: () => 'Day',
  today: () => 'Today',
  figures: () => 'Figures of each day',
  nothingMoved: () => 'No money moved in these days.',
  leaderboard: () => 'Leaderboard',
  leaderboardExplained: () => 'The largest balances',
  noAccounts: () => 'Nobody has an account yet.',
  moves: () => 'Last moves',
  movesExplained: (minimum: string) => `From ${minimum} on`,
  noMoves: () => 'No such move lately.',
  deposit: () => 'Deposit',
  withdrawal: () => 'Withdrawal',
  commands: () => 'Commands of the bot',
  noCommands: () => 'There are no commands yet.',
  commandsCounted: (count: number) => `${count === 1 ? '1 command' : `${formatCount(count)} commands`}`,
  nothingShown: () => 'This guild shows no figures at the moment.',
  asJson: () => 'These figures as JSON',
  madeWith: () => 'Made with Guildbook',
  openBoard: () => 'Open the board',
  notFoundTitle: () => 'There is no such board',
  notFound: () => 'The address may have a typing error, or the guild does not show its board.',
} as const;

export function formatCount(count: number): string {
  return countText(count, BOARD_LANGUAGE);
}

/** The sign stands before the symbol of the currency. The amount is isolated, so that a name in another direction does not move the sign. */
export function formatMoney(units: number | bigint, display: MoneyDisplay): string {
  const isBelowZero = units < 0;
  const size = typeof units === 'bigint' ? (isBelowZero ? -units : units) : Math.abs(units);
  return `${isBelowZero ? '−' : ''}\u2068${moneyText(size, display, BOARD_LANGUAGE)}\u2069`;
}

/** The same with a sign for deposits too. */
export function formatChange(units: number | bigint, display: MoneyDisplay): string {
  return `${units > 0 ? '+' : ''}${formatMoney(units, display)}`;
}

const DAY_FORMAT = new Intl.DateTimeFormat(BOARD_LANGUAGE, {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});
const DAY_MS = 86_400_000;

/** A day of the chart, such as "Nov 3". */
export function formatDay(day: number): string {
  return DAY_FORMAT.format(day * DAY_MS);
}

const MOMENT = {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const;
/** Making a format takes longer than the rest of a page. There are some hundred time zones. */
const momentFormats = createCache<Intl.DateTimeFormat>(200);

/** A moment in the guild's time zone, such as "Nov 3, 14:05 UTC". */
export function formatMoment(
  atMs: number,
  { timeZone = 'UTC' }: Pick<BoardFacts['guild'], 'timeZone'>,
): string {
  let format = momentFormats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(BOARD_LANGUAGE, { ...MOMENT, timeZone });
    momentFormats.set(timeZone, format);
  }
  return format.format(atMs);
}
