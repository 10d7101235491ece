import { readFileSync } from 'node:fs';
import { escapeHtml } from '../../../escape-html.ts';
import type { DemoCaller } from './application.ts';
import { pictureHtml } from './message-html.ts';
import type { DemoPeople } from './people.ts';

/** Scripts, style and pictures of this page only, and no inline ones. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const STYLES = ['theme.css', 'layout.css', 'messages.css', 'embeds.css', 'line.css'];
const SCRIPTS = [
  'channel.js',
  'chips.js',
  'composer.js',
  'messages.js',
  'option-choices.js',
  'option-values.js',
  'page-times.js',
  'requests.js',
  'suggestion-list.js',
];
const BROWSER = new URL('../browser/', import.meta.url);
const fileOf = (name: string, type: string) =>
  [
    `/channel/page/${name}`,
    { type: `${type}; charset=utf-8`, read: () => readFileSync(new URL(name, BROWSER)) },
  ] as const;

/** The page's own files, by their paths. */
export const PAGE_FILES: ReadonlyMap<string, { type: string; read: () => Buffer }> = new Map([
  ...STYLES.map((name) => fileOf(name, 'text/css')),
  ...SCRIPTS.map((name) => fileOf(name, 'text/javascript')),
]);

const ICONS = {
  send: '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3.4 20.4 21.5 12 3.4 3.6 3.4 10.1 15.5 12 3.4 13.9Z"/></svg>',
  hash: '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M9.5 3 7.7 21M16.3 3l-1.8 18M4 8.5h17M3 15.5h17" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"/></svg>',
} as const;

interface ChannelPage {
  /** The messages, oldest first. */
  items: readonly string[];
  people: DemoPeople;
  viewer: DemoCaller | undefined;
}

/** The channel as a chat platform would show it. */
export function channelPage({ items, people, viewer }: ChannelPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<title>#guild-bank - Try-out chat</title>
${STYLES.map((name) => `<link rel="stylesheet" href="/channel/page/${name}">`).join('\n')}
<script type="module" src="/channel/page/channel.js"></script>
</head>
<body>
<div class="layout">
${sidePart(people)}
<main>
<header>
<h1>${ICONS.hash}guild-bank</h1>
<p class="topic">A stand-in for a Discord channel</p>
<button type="button" id="people-button" aria-expanded="false" aria-controls="people"><span id="people-now"></span></button>
</header>
<div class="log" id="log" role="log" aria-label="Messages" tabindex="0">
<div class="start">
<div class="start-mark">${ICONS.hash}</div>
<h2>Welcome to #guild-bank</h2>
<p>Type <kbd>/</kbd> below to use a command of Guildbook. Each one is signed and sent to <code>POST /chat/interactions</code>, as Discord would do it. What Guildbook's webhooks report shows here too.</p>
</div>
<ol id="messages">
${items.join('\n')}
</ol>
</div>
${FOOT}
</main>
${peoplePart(people, viewer)}
</div>
</body>
</html>
`;
}

const FOOT = `<div class="foot-part">
<div class="ideas" id="ideas" role="group" aria-label="Commands to try" hidden></div>
<div class="line-part">
<div class="popup" id="popup" hidden>
<p class="popup-head" id="popup-head"></p>
<div id="list" role="listbox" aria-labelledby="popup-head"></div>
</div>
<form class="line" id="line" autocomplete="off">
<div class="fields" id="fields">
<input id="text" type="text" role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="list" aria-label="Message or command" placeholder="Message, or / for commands" maxlength="2000" enterkeyhint="send" spellcheck="false" autocapitalize="off" autocomplete="off">
</div>
<button type="submit" class="send" aria-label="Send">${ICONS.send}</button>
</form>
</div>
<div class="under">
<p class="hint" id="hint" role="status"></p>
<p class="keys"><kbd>Enter</kbd> sends <kbd>Tab</kbd> takes a suggestion <kbd>Esc</kbd> cancels</p>
</div>
</div>`;

function sidePart({ guild }: DemoPeople): string {
  const { guildId: chatId, name: username, icon } = guild;
  const picture =
    icon === undefined
      ? pictureHtml({ chatId, username }, 'guild-picture')
      : `<img class="guild-picture" src="/pictures/icons/${encodeURIComponent(chatId)}/${encodeURIComponent(icon)}.png" alt="" width="40" height="40">`;
  return `<nav class="side" aria-label="Channels">
<p class="guild">${picture}<span>${escapeHtml(username)}</span></p>
<ul><li><a href="/channel" aria-current="page">${ICONS.hash}guild-bank</a></li></ul>
<p class="about">This page is a part of the try-out and shows sample data. In production the same commands work in Discord.</p>
</nav>`;
}

function peoplePart({ callers }: DemoPeople, viewer: DemoCaller | undefined): string {
  return `<aside class="people" id="people" aria-label="People">
<fieldset>
<legend>Write as</legend>
${callers
  .map(
    (caller) => `<label class="person">
<input type="radio" name="as" value="${escapeHtml(caller.chatId)}"${caller.chatId === viewer?.chatId ? ' checked' : ''}>
${pictureHtml(caller, 'picture')}
<span class="who"><span class="name">${escapeHtml(caller.username)}</span><span class="rights">${escapeHtml(caller.about)}</span></span>
</label>`,
  )
  .join('\n')}
</fieldset>
</aside>`;
}
