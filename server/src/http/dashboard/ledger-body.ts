import { dayText } from '../../domain/calendar.ts';
import { decimalText, sumText } from '../../domain/ledger/amount.ts';
import type { BalanceSpan } from '../../domain/ledger/balance-span.ts';
import type { GuildPage, PlayerView } from '../../domain/ledger/guild-ledger.ts';
import type {
  FilteredSums,
  MoneySums,
  PlayerBalance,
  PlayerTurnover,
  ShownListing,
  ShownTransaction,
  TopPlayers,
} from '../../domain/ledger/ledger-views.ts';
import { notesOrNull } from '../../domain/ledger/notes.ts';
import type { Overview } from '../../domain/ledger/overview.ts';
import type { OwnAccountView } from '../../domain/ledger/own-account.ts';
import type { PlayerActivity } from '../../domain/ledger/player-activity.ts';
import type { PlayerStatement } from '../../domain/ledger/player-statement.ts';
import type { Unusual } from '../../domain/ledger/unusual.ts';
import type { TimeRange } from '../../domain/model.ts';

/** Bodies of the answers for the money pages, as the wire schemas define them. Sums are texts, times are ISO 8601. */

export function overviewBody(overview: Overview): object {
  const { totals, opening, closing, sums, range, previous, days, sources, overdrawn } = overview;
  const both = <Value>(pick: (period: typeof sums.current) => Value) => ({
    current: pick(sums.current),
    previous: pick(sums.previous),
  });
  return {
    accounts: totals.accounts,
    transactions: totals.transactions,
    balance: sumText(totals.balanceUnits),
    opening: sumText(opening.balanceUnits),
    closing: { balance: sumText(closing.balanceUnits), accounts: closing.accounts },
    previous: timesBody(previous),
    figures: {
      accountsOpened: both((period) => period.accountsOpened),
      deposits: both((period) => sumText(period.depositUnits)),
      withdrawals: both((period) => sumText(period.withdrawalUnits)),
      transactions: both((period) => period.depositCount + period.withdrawalCount),
      discharges: both((period) => period.discharges),
      transfers: both((period) => period.transfers),
    },
    timeZone: range.calendar.timeZone,
    range: { since: dayText(range.since), until: dayText(range.until), ...timesBody(range) },
    days: days.map((one) => ({ day: dayText(one.day), ...moneyBody(one) })),
    sources: sources.map(sourceBody),
    largestBalances: overview.largestBalances.map(playerBody),
    overdrawn: { count: overdrawn.count, players: overdrawn.players.map(playerBody) },
    unusual: overview.unusual.map(unusualBody),
  };
}

function timesBody({ sinceMs, untilMs }: TimeRange): object {
  return { sinceAt: isoTime(sinceMs), untilAt: isoTime(untilMs) };
}

function unusualBody(unusual: Unusual): object {
  const { kind, units } = unusual;
  return {
    kind,
    day: 'day' in unusual ? dayText(unusual.day) : null,
    source: 'source' in unusual ? unusual.source : null,
    amount: sumText(units),
    usual: 'usualUnits' in unusual ? sumText(unusual.usualUnits) : null,
  };
}

export function topPlayersBody({ earners, spenders, searchedToMs }: TopPlayers): object {
  const body = ({ playerId, username, units, count }: PlayerTurnover) => ({
    playerId,
    username: username ?? null,
    amount: sumText(units),
    transactions: count,
  });
  return {
    earners: earners.map(body),
    spenders: spenders.map(body),
    searchedTo: searchedToMs === undefined ? null : isoTime(searchedToMs),
  };
}

function sourceBody(sums: MoneySums & { source: string | undefined }): object {
  return { source: sums.source ?? null, ...moneyBody(sums) };
}

function moneyBody({ depositCount, depositUnits, withdrawalCount, withdrawalUnits }: MoneySums): object {
  return {
    deposits: sumText(depositUnits),
    withdrawals: sumText(withdrawalUnits),
    depositCount,
    withdrawalCount,
  };
}

export function playerBody({ playerId, username, balanceUnits, transactions }: PlayerBalance): object {
  return { playerId, username: username ?? null, balance: decimalText(balanceUnits), transactions };
}

export function playerViewBody(view: PlayerView): object {
  const { account, sources } = view;
  return {
    ...playerBody(view),
    chatId: account?.chatId ?? null,
    firstAt: account === undefined ? null : isoTime(account.firstAtMs),
    lastAt: account === undefined ? null : isoTime(account.lastAtMs),
    floor: account?.floorUnits === undefined ? null : decimalText(account.floorUnits),
    sources,
  };
}

/** The account of the person who asks, with their verification. */
export function ownAccountBody(view: OwnAccountView): object {
  const { chatId, username, pastUsers } = view;
  return { ...playerViewBody(view), chatId, username, pastUsers };
}

export function activityText({ moves, ...activity }: PlayerActivity): string {
  const rest = JSON.stringify({
    opening: decimalText(activity.openingUnits),
    closing: decimalText(activity.closingUnits),
    ...moneyBody(activity.all),
    sources: activity.sources.map(sourceBody),
    history: activity.history.map(spanBody),
    ...(activity.archivedUntilMs !== undefined && { archivedUntil: isoTime(activity.archivedUntilMs) }),
  });
  return `{"success":true,"data":{"moves":[${moves.map(transactionText).join(',')}],${rest.slice(1)}}`;
}

function spanBody({ fromMs, firstUnits, toMs, lastUnits, lowestUnits, highestUnits }: BalanceSpan): object {
  const isOnePoint = fromMs === toMs && lowestUnits === highestUnits;
  const end = {
    at: isoTime(toMs),
    balance: decimalText(lastUnits),
    lowest: decimalText(lowestUnits),
    highest: decimalText(highestUnits),
  };
  return { at: isoTime(fromMs), balance: decimalText(firstUnits), ...(!isOnePoint && { end }) };
}

/** Serialized by hand, like the interface's own listing: amounts may have more digits than a number prints. */
export function playerTransactionsText(
  playerId: string,
  { page, limit }: { page: number; limit: number },
  { transactions, total }: ShownListing,
): string {
  const pagination = JSON.stringify({ page, limit, total, totalPages: Math.ceil(total / limit) });
  return (
    `{"success":true,"data":{"playerId":${JSON.stringify(playerId)},` +
    `"transactions":[${transactions.map(transactionText).join(',')}]},"pagination":${pagination}}`
  );
}

export function guildTransactionsText({ transactions, ...page }: GuildPage): string {
  const { next = null, searchedToMs, total = null, sources } = page;
  const searchedTo = searchedToMs === undefined ? null : isoTime(searchedToMs);
  const rest = JSON.stringify({ next, searchedTo, total, sources }).slice(1);
  return `{"success":true,"data":{"transactions":[${transactions.map(transactionText).join(',')}],${rest}}`;
}

export function transactionSumsBody({ searchedToMs, ...sums }: FilteredSums): object {
  return {
    ...moneyBody(sums),
    net: sumText(sums.depositUnits - sums.withdrawalUnits),
    searchedTo: searchedToMs === undefined ? null : isoTime(searchedToMs),
  };
}

export function transactionBody(row: ShownTransaction): string {
  return `{"success":true,"data":${transactionText(row)}}`;
}

function transactionText(row: ShownTransaction): string {
  const { transactionId, playerId, username = null, seq, quantity, name, source, postedBy } = row;
  const { kind, id = null, name: posterName = null, prefix = null } = postedBy;
  const numbers = `"amount":${decimalText(row.amountUnits)},"total":${decimalText(row.totalUnits)}`;
  const rest = JSON.stringify({
    transactionId,
    playerId,
    username,
    seq,
    quantity,
    name,
    source,
    balanceAfter: decimalText(row.balanceUnits),
    createdAt: isoTime(row.createdAtMs),
    postedBy: { kind, id, name: posterName, prefix },
    number: row.number ?? null,
    ...notesOrNull(row),
    paymentId: row.paymentId ?? null,
    reverses: row.reverses ?? null,
    reversedBy: row.reversedBy ?? null,
    corrections: (row.corrections ?? []).map(({ transactionId: id, totalUnits }) => ({
      transactionId: id,
      total: decimalText(totalUnits),
    })),
  });
  return `{${numbers},${rest.slice(1)}`;
}

/** The statement of an account, as the wire schema defines it. */
export function statementText({ sums, transactions, total }: PlayerStatement): string {
  const { openingUnits, closingUnits, all, archivedUntilMs } = sums;
  const rest = JSON.stringify({
    opening: decimalText(openingUnits),
    closing: decimalText(closingUnits),
    ...moneyBody(all),
    total,
    ...(archivedUntilMs !== undefined && { archivedUntil: isoTime(archivedUntilMs) }),
  });
  return `{"success":true,"data":{"transactions":[${transactions.map(transactionText).join(',')}],${rest.slice(1)}}`;
}

export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
