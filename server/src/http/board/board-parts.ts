import type { BoardDay, BoardFacts, BoardLeader } from '../../domain/board/read-board.ts';
import { escapeHtml } from '../../escape-html.ts';
import { boardTexts, formatChange, formatCount, formatDay, formatMoney } from './board-texts.ts';

// The parts that the full page and the small version share, as HTML.

/** A text of people in its own direction. A long name wraps after its underscores instead of inside a word. */
export function isolated(text: string): string {
  return `<bdi>${escapeHtml(text).replaceAll(/_+/g, '$&<wbr>')}</bdi>`;
}

export function markHtml({ guild }: BoardFacts): string {
  const [initial = '?'] = [...new Intl.Segmenter().segment(guild.name.trim())].map(({ segment }) => segment);
  return `<span class="mark" aria-hidden="true">${escapeHtml(initial.toUpperCase())}</span>`;
}

export function moneyHtml(units: number | bigint, guild: BoardFacts['guild'], tag = 'span'): string {
  const below = units < 0 ? ' below' : '';
  return `<${tag} class="number${below}">${unbroken(formatMoney(units, guild))}</${tag}>`;
}

const NUMBERS = /\p{Nd}(?:[\p{Nd}.,'’\s]*\p{Nd})?/gu;
/** A sign, and the mark that isolates the amount. */
const SIGN = /^[+−\u2068]*$/;

/**
 * An amount that breaks before or after its number, at a symbol or the name of the currency, and never inside it.
 * Either may have digits of its own, so the longest number is the amount.
 */
export function unbroken(amount: string): string {
  const numbers = [...amount.matchAll(NUMBERS)];
  const longest = Math.max(0, ...numbers.map(([number]) => number.length));
  const found = numbers.find(([number]) => number.length === longest);
  if (found === undefined) {
    return escapeHtml(amount);
  }
  const before = amount.slice(0, found.index);
  const after = escapeHtml(amount.slice(found.index + found[0].length));
  // The sign of a long symbol stands between it and the number.
  const sign = /[+−]$/.exec(before)?.[0] ?? '';
  const symbol = before.slice(0, before.length - sign.length);
  const number = escapeHtml(`${sign}${found[0]}`);
  return SIGN.test(symbol)
    ? `<span class="digits">${escapeHtml(symbol)}${number}</span>${after}`
    : `${escapeHtml(symbol)}<wbr><span class="digits">${number}</span>${after}`;
}

/** From this number of characters on a total is smaller on a phone, and has a row of its own on a narrow page. */
const LONG_FROM = 18;
/** From this number of characters on the amounts of a list are below the names. */
const BELOW_NAMES_FROM = 16;

/** An attribute for a list of names and amounts. All of its rows have the layout that the longest amount needs. */
export function layoutOf(list: string, amounts: readonly string[]): string {
  return `class="${list}${amounts.some(({ length }) => length >= BELOW_NAMES_FROM) ? ' stacked' : ''}"`;
}

export function totalsHtml({ totals, guild }: BoardFacts, look = ''): string {
  if (totals === undefined) {
    return '';
  }
  const texts = boardTexts(guild);
  const figure = (term: string, value: string, isLong = false) =>
    `<div><dt>${escapeHtml(term)}</dt><dd${isLong ? ' class="long"' : ''}>${value}</dd></div>`;
  const sum = formatMoney(totals.balanceUnits, guild);
  return `<dl class="figures${look}">${[
    figure(texts.inCirculation, unbroken(sum), sum.length >= LONG_FROM),
    figure(texts.accounts, unbroken(formatCount(totals.accounts, guild))),
    figure(texts.transactions, unbroken(formatCount(totals.transactions, guild))),
  ].join('')}</dl>`;
}

/** Bars compare the balances with the largest one. */
export function leadersHtml(leaders: readonly BoardLeader[], guild: BoardFacts['guild']): string {
  const most = Math.max(1, ...leaders.map(({ balanceUnits }) => balanceUnits));
  const rows = leaders.map(({ place, player, balanceUnits }) => {
    const who = player === undefined ? '' : `<span class="who">${isolated(player)}</span>`;
    const share = Math.max(0, Math.round((balanceUnits / most) * 1_000) / 1_000);
    return (
      `<li><span class="place${place === 1 ? ' first' : ''}">${formatCount(place, guild)}</span><span class="row">${who}${moneyHtml(balanceUnits, guild)}</span>` +
      `<meter value="${share}" aria-hidden="true"></meter></li>`
    );
  });
  const amounts = leaders.map(({ balanceUnits }) => formatMoney(balanceUnits, guild));
  return `<ol ${layoutOf('leaders', amounts)}>${rows.join('')}</ol>`;
}

/** The sums of all days of the chart. */
export function sumDays(days: readonly BoardDay[]): { depositUnits: bigint; withdrawalUnits: bigint } {
  return {
    depositUnits: days.reduce((sum, day) => sum + day.depositUnits, 0n),
    withdrawalUnits: days.reduce((sum, day) => sum + day.withdrawalUnits, 0n),
  };
}

export function noteOfDay(
  { day, depositUnits, withdrawalUnits }: BoardDay,
  guild: BoardFacts['guild'],
): string {
  return `${formatDay(day, guild)}: ${formatChange(depositUnits, guild)}, ${formatMoney(-withdrawalUnits, guild)}`;
}
