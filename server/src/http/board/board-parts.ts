import type { BoardDay, BoardFacts, BoardLeader } from '../../domain/board/read-board.ts';
import { escapeHtml } from '../../escape-html.ts';
import { boardTexts, formatChange, formatCount, formatDay, formatMoney } from './board-texts.ts';

// The parts that the full page and the small version share, as HTML.

/** A text of people in its own direction. */
export function isolated(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`;
}

export function markHtml({ guild }: BoardFacts): string {
  const [initial = '?'] = [...new Intl.Segmenter().segment(guild.name.trim())].map(({ segment }) => segment);
  return `<span class="mark" aria-hidden="true">${escapeHtml(initial.toUpperCase())}</span>`;
}

export function moneyHtml(units: number | bigint, guild: BoardFacts['guild'], tag = 'span'): string {
  const below = units < 0 ? ' below' : '';
  return `<${tag} class="number${below}">${escapeHtml(formatMoney(units, guild))}</${tag}>`;
}

export function totalsHtml({ totals, guild }: BoardFacts, look = ''): string {
  if (totals === undefined) {
    return '';
  }
  const texts = boardTexts(guild);
  const figure = (term: string, value: string) => `<div><dt>${escapeHtml(term)}</dt><dd>${value}</dd></div>`;
  return `<dl class="figures${look}">${[
    figure(texts.inCirculation, escapeHtml(formatMoney(totals.balanceUnits, guild))),
    figure(texts.accounts, formatCount(totals.accounts, guild)),
    figure(texts.transactions, formatCount(totals.transactions, guild)),
  ].join('')}</dl>`;
}

/** Bars compare the balances with the largest one. */
export function leadersHtml(leaders: readonly BoardLeader[], guild: BoardFacts['guild']): string {
  const most = Math.max(1, ...leaders.map(({ balanceUnits }) => balanceUnits));
  const rows = leaders.map(({ place, player, balanceUnits }) => {
    const who = player === undefined ? '' : `<span class="who">${isolated(player)}</span>`;
    const share = Math.max(0, Math.round((balanceUnits / most) * 1_000) / 1_000);
    return (
      `<li><span class="place">${formatCount(place, guild)}</span><span class="row">${who}${moneyHtml(balanceUnits, guild)}</span>` +
      `<meter value="${share}" aria-hidden="true"></meter></li>`
    );
  });
  return `<ol class="leaders">${rows.join('')}</ol>`;
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
