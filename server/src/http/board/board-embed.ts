import type { BoardFacts } from '../../domain/board/read-board.ts';
import { isoText } from '../../domain/iso-text.ts';
import { escapeHtml } from '../../escape-html.ts';
import { drawBars } from './board-chart.ts';
import { addressOf, type BoardPlace, documentOf } from './board-page.ts';
import { isolated, leadersHtml, markHtml, totalsHtml } from './board-parts.ts';
import { EMBED_STYLE } from './board-style.ts';
import { boardTexts, formatMoment } from './board-texts.ts';

const LEADERS_SHOWN = 5;

/** The small version of a board, for a frame in the guild's own site: totals, chart and the first places. */
export function boardEmbed(facts: BoardFacts, place: BoardPlace): string {
  const { guild, madeAtMs, days, leaderboard } = facts;
  const texts = boardTexts(guild);
  const address = escapeHtml(addressOf(place));
  const link = (text: string) => `<a href="${address}" target="_blank" rel="noopener">${text}</a>`;
  const hasMoved = days?.some((day) => day.depositUnits + day.withdrawalUnits > 0n) === true;
  const chart = days === undefined || !hasMoved ? '' : `<h2>${texts.chart}</h2>${drawBars(days)}`;
  const leaders =
    leaderboard === undefined || leaderboard.length === 0
      ? ''
      : `<h2>${texts.leaderboard}</h2>${leadersHtml(leaderboard.slice(0, LEADERS_SHOWN), guild)}`;
  return documentOf(
    {
      title: texts.title(guild.name),
      guild,
      style: EMBED_STYLE,
      tags: `<meta name="robots" content="noindex">\n<link rel="canonical" href="${address}">\n`,
    },
    `<main>
<header class="head">${markHtml(facts)}<h1>${link(isolated(guild.name))}</h1></header>
${totalsHtml(facts)}${chart}${leaders}
<p class="foot"><time datetime="${isoText(madeAtMs)}">${escapeHtml(texts.asOf(formatMoment(madeAtMs, guild)))}</time>${link(texts.openBoard)}</p>
</main>`,
  );
}
