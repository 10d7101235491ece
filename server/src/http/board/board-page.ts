import type { BoardFacts, BoardMove } from '../../domain/board/read-board.ts';
import { isoText } from '../../domain/iso-text.ts';
import { escapeHtml } from '../../escape-html.ts';
import type { Language } from '../../texts/language.ts';
import { drawBars } from './board-chart.ts';
import {
  isolated,
  layoutOf,
  leadersHtml,
  markHtml,
  moneyHtml,
  noteOfDay,
  sumDays,
  totalsHtml,
  unbroken,
} from './board-parts.ts';
import { PICTURE_HEIGHT, PICTURE_WIDTH } from './board-picture.ts';
import { PAGE_STYLE } from './board-style.ts';
import { boardTexts, formatChange, formatDay, formatMoment, formatMoney, languageOf } from './board-texts.ts';

const HOUR_MS = 3_600_000;
const THEME_COLOR = '#1a6a49';

export interface BoardPlace {
  /** The address of the service. */
  origin: string;
  /** The board's name. */
  name: string;
}

export function addressOf({ origin, name }: BoardPlace): string {
  return `${origin}/board/${name}`;
}

/** The full page of a board, with the tags by which chats show a link to it. */
export function boardPage(facts: BoardFacts, place: BoardPlace): string {
  const { guild, madeAtMs, leaderboard, moves, commands, days, totals } = facts;
  const hasNothing = [totals, leaderboard, days, moves, commands].every((part) => part === undefined);
  const texts = boardTexts(guild);
  const columns = `${leadersCard(facts)}${movesCard(facts)}`;
  return documentOf(
    {
      guild,
      title: texts.title(guild.name),
      style: PAGE_STYLE,
      tags: linkTags(facts, place),
    },
    `<main>
<header class="head">${markHtml(facts)}<div><h1>${isolated(guild.name)}</h1>
<p class="muted small">${texts.subtitle} · <time datetime="${isoText(madeAtMs)}">${escapeHtml(texts.asOf(formatMoment(madeAtMs, guild)))}</time></p></div></header>
${totalsHtml(facts, ' card')}${chartCard(facts)}${columns === '' ? '' : `<div class="columns">${columns}</div>`}${commandsCard(facts)}
${hasNothing ? `<p class="card muted">${texts.nothingShown}</p>` : ''}
<footer><a href="/board/${place.name}.json">${texts.asJson}</a><a href="/">${texts.madeWith}</a></footer>
</main>`,
  );
}

/** The page for a name that no published board has. It belongs to no guild, so its language is the visitor's. */
export function notFoundPage(language: Language): string {
  const texts = boardTexts({ language });
  const tags = '<meta name="robots" content="noindex">\n';
  return documentOf(
    { guild: { language }, title: texts.notFoundTitle, style: PAGE_STYLE, tags },
    `<main><div class="card"><h1>${texts.notFoundTitle}</h1><p class="muted">${texts.notFound}</p></div></main>`,
  );
}

export function documentOf(
  {
    guild,
    title,
    style,
    tags,
  }: { guild: Partial<BoardFacts['guild']>; title: string; style: string; tags: string },
  body: string,
): string {
  return `<!doctype html>
<html lang="${languageOf(guild)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
${tags}<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

/** The tags that Discord, Slack and X read. The address of the picture changes every hour, because they keep pictures by address. */
function linkTags(facts: BoardFacts, place: BoardPlace): string {
  const address = addressOf(place);
  const title = boardTexts(facts.guild).title(facts.guild.name);
  const description = describe(facts);
  const picture = `${address}.png?hour=${Math.floor(facts.madeAtMs / HOUR_MS)}`;
  const tags: [kind: 'name' | 'property', name: string, content: string][] = [
    ['name', 'description', description],
    ['name', 'theme-color', THEME_COLOR],
    ['property', 'og:type', 'website'],
    ['property', 'og:site_name', 'Guildbook'],
    ['property', 'og:title', title],
    ['property', 'og:description', description],
    ['property', 'og:url', address],
    ['property', 'og:image', picture],
    ['property', 'og:image:type', 'image/png'],
    ['property', 'og:image:width', String(PICTURE_WIDTH)],
    ['property', 'og:image:height', String(PICTURE_HEIGHT)],
    ['property', 'og:image:alt', description],
    ['name', 'twitter:card', 'summary_large_image'],
    ['name', 'twitter:title', title],
    ['name', 'twitter:description', description],
    ['name', 'twitter:image', picture],
  ];
  return `${tags
    .map(([kind, name, content]) => `<meta ${kind}="${name}" content="${escapeHtml(content)}">`)
    .join('\n')}\n<link rel="canonical" href="${escapeHtml(address)}">\n`;
}

/** One line of the parts that are shown. */
function describe({ totals, guild, days, commands }: BoardFacts): string {
  const texts = boardTexts(guild);
  const sums = days && sumDays(days);
  const parts = [
    ...(totals === undefined
      ? []
      : [texts.circulating(formatMoney(totals.balanceUnits, guild)), texts.accountsCounted(totals.accounts)]),
    ...(sums === undefined
      ? []
      : [
          `${texts.chart}: ${formatChange(sums.depositUnits, guild)}, ${formatMoney(-sums.withdrawalUnits, guild)}`,
        ]),
    ...(commands === undefined ? [] : [texts.commandsCounted(commands.length)]),
  ];
  return parts.length === 0 ? texts.subtitle : parts.join(' · ');
}

function titleHtml(title: string, explanation: string): string {
  return `<div class="title"><h2>${escapeHtml(title)}</h2><p class="muted small">${explanation}</p></div>`;
}

function chartCard({ days, guild }: BoardFacts): string {
  if (days === undefined) {
    return '';
  }
  const texts = boardTexts(guild);
  const { depositUnits, withdrawalUnits } = sumDays(days);
  const moved = days.filter((day) => day.depositUnits + day.withdrawalUnits > 0n);
  const rows = moved
    .map(
      (day) =>
        `<tr><td>${escapeHtml(formatDay(day.day, guild))}</td>${moneyHtml(day.depositUnits, guild, 'td')}${moneyHtml(-day.withdrawalUnits, guild, 'td')}</tr>`,
    )
    .join('');
  const [first, middle] = [days[0], days[Math.floor(days.length / 2)]];
  const picture = `<figure>${drawBars(days, { noteOf: (day) => noteOfDay(day, guild) })}
<div class="axis muted small" aria-hidden="true"><span>${first ? formatDay(first.day, guild) : ''}</span><span>${middle ? formatDay(middle.day, guild) : ''}</span><span>${texts.today}</span></div></figure>
<details><summary>${texts.figures}</summary><table><thead><tr><th scope="col">${texts.day}</th><th scope="col">${texts.deposits}</th><th scope="col">${texts.withdrawals}</th></tr></thead><tbody>${rows}</tbody></table></details>`;
  const sums = `<p class="sums small"><span class="key">${texts.deposits} ${moneyHtml(depositUnits, guild, 'strong')}</span><span class="key outs">${texts.withdrawals} ${moneyHtml(-withdrawalUnits, guild, 'strong')}</span></p>`;
  const content = moved.length === 0 ? `<p class="muted">${texts.nothingMoved}</p>` : `${sums}\n${picture}`;
  return `<section class="card">${titleHtml(texts.chart, texts.chartExplained)}
${content}</section>
`;
}

function leadersCard({ leaderboard, guild }: BoardFacts): string {
  if (leaderboard === undefined) {
    return '';
  }
  const texts = boardTexts(guild);
  const list =
    leaderboard.length === 0 ? `<p class="muted">${texts.noAccounts}</p>` : leadersHtml(leaderboard, guild);
  return `<section class="card">${titleHtml(texts.leaderboard, texts.leaderboardExplained)}${list}</section>`;
}

function movesCard({ moves, guild }: BoardFacts): string {
  if (moves === undefined) {
    return '';
  }
  const texts = boardTexts(guild);
  const amounts = moves.list.map(({ totalUnits }) => formatChange(totalUnits, guild));
  const list =
    moves.list.length === 0
      ? `<p class="muted">${texts.noMoves}</p>`
      : `<ol ${layoutOf('moves', amounts)}>${moves.list.map((move) => moveRow(move, guild)).join('')}</ol>`;
  const explanation = escapeHtml(texts.movesExplained(formatMoney(moves.minUnits, guild)));
  return `<section class="card">${titleHtml(texts.moves, explanation)}${list}</section>`;
}

function moveRow({ atMs, totalUnits, player, text }: BoardMove, guild: BoardFacts['guild']): string {
  const texts = boardTexts(guild);
  const kind = totalUnits < 0 ? texts.withdrawal : texts.deposit;
  const who = player === undefined ? kind : isolated(player);
  const about = text === undefined ? '' : `<span class="text muted small">${isolated(text)}</span>`;
  return (
    `<li><span class="row"><span class="who">${who}</span><span class="number${totalUnits < 0 ? ' below' : ''}">${unbroken(formatChange(totalUnits, guild))}</span></span>` +
    `${about}<time class="muted small" datetime="${isoText(atMs)}">${escapeHtml(formatMoment(atMs, guild))}</time></li>`
  );
}

function commandsCard({ commands, guild }: BoardFacts): string {
  if (commands === undefined) {
    return '';
  }
  const texts = boardTexts(guild);
  const groups = Map.groupBy(commands, ({ category }) => category);
  const lists = [...groups].map(
    ([category, group]) =>
      `<div class="group"><h3>${isolated(category)}</h3><ul>${group
        .map(
          ({ name, shownDescription }) =>
            `<li><code>${isolated(name)}</code><span>${isolated(shownDescription)}</span></li>`,
        )
        .join('')}</ul></div>`,
  );
  const content =
    commands.length === 0
      ? `<p class="muted">${texts.noCommands}</p>`
      : `<div class="groups">${lists.join('')}</div>`;
  return `<section class="card commands"><h2>${texts.commands}</h2>${content}</section>`;
}
