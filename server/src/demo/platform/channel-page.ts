import { hash } from 'node:crypto';

const REFRESH_SECONDS = 4;

export interface DemoEmbed {
  title?: string;
  description?: string;
  color?: number;
  fields?: { name: string; value: string }[];
  timestamp?: string;
  footer?: { text: string };
  image?: { url: string };
}

export interface DemoMessage {
  atMs: number;
  embeds: DemoEmbed[];
  /** Attached pictures, by the names that embeds use. */
  files: Map<string, Blob>;
}

const STYLE = `
:root { color-scheme: light dark; --page: #ffffff; --side: #f2f3f5; --ink: #18191c; --soft: #5c5e66; --line: #e3e5e8;
  --card: #f2f3f5; --accent: #4752c4; }
@media (prefers-color-scheme: dark) { :root { --page: #313338; --side: #2b2d31; --ink: #f2f3f5; --soft: #b5bac1;
  --line: #3f4147; --card: #2b2d31; --accent: #a5aef5; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.45 system-ui, sans-serif; }
header { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: 2px 16px; align-items: baseline; padding: 14px 20px;
  background: var(--page); border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 17px; }
header p { margin: 0; color: var(--soft); font-size: 14px; }
main { max-width: 760px; padding: 8px 20px 32px; }
ol { margin: 0; padding: 0; list-style: none; }
.message { display: grid; grid-template-columns: 40px minmax(0, 1fr); gap: 0 14px; padding: 14px 0; }
.avatar { width: 40px; height: 40px; border-radius: 50%; display: grid; place-items: center; background: #1f7350; color: #fff;
  font-weight: 700; }
.author { margin: 0 0 6px; font-weight: 600; }
.bot { margin: 0 6px; padding: 1px 5px; border-radius: 4px; background: #4752c4; color: #fff; font-size: 11px;
  font-weight: 600; vertical-align: 1px; }
time { color: var(--soft); font-size: 13px; font-weight: 400; }
.embed { position: relative; max-width: 540px; padding-left: 4px; margin-top: 6px; border-radius: 6px; background: var(--card); overflow: hidden; }
.bar { position: absolute; inset: 0 auto 0 0; width: 4px; height: 100%; }
.inside { padding: 12px 16px; overflow-wrap: anywhere; }
h2 { margin: 0; font-size: 15px; }
.inside p { margin: 6px 0 0; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(120px, 1fr)); gap: 8px 16px; margin: 10px 0 0; font-size: 14px; }
dt { font-weight: 600; }
dd { margin: 0; }
img { display: block; width: 100%; height: auto; margin-top: 12px; border-radius: 4px; }
.foot { color: var(--soft); font-size: 13px; }
.empty { margin: 48px 0; color: var(--soft); }
`;

/** No script; only the style and pictures of this page. */
export function channelPolicy(): string {
  const style = hash('sha256', STYLE, 'base64');
  return `default-src 'none'; style-src 'sha256-${style}'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'`;
}

/** The channel as a chat platform would show it, newest message first. */
export function channelPage(messages: readonly DemoMessage[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="${REFRESH_SECONDS}">
<title>#guild-bank - Try-out chat</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1># guild-bank</h1>
<p>A stand-in for a Discord channel. It shows what Guildbook writes there, the newest first, and looks again every ${REFRESH_SECONDS} seconds.</p>
</header>
<main>
${messages.length === 0 ? EMPTY : `<ol>\n${messages.toReversed().map(messageItem).join('\n')}\n</ol>`}
</main>
</body>
</html>
`;
}

const EMPTY = `<p class="empty">Nothing yet. Post a transaction, with the last of the printed lines or as a correction in the
dashboard: it shows here some seconds later.</p>`;

function messageItem(message: DemoMessage): string {
  return `<li class="message">
<span class="avatar" aria-hidden="true">G</span>
<div>
<p class="author">Guildbook<span class="bot">APP</span>${timeElement(message.atMs)}</p>
${message.embeds.map((embed) => embedBlock(embed, message)).join('\n')}
</div>
</li>`;
}

function embedBlock(embed: DemoEmbed, { atMs, files }: DemoMessage): string {
  const { title = '', description, color = 0, fields = [], footer, image } = embed;
  const name = image?.url.replace(/^attachment:\/\//, '') ?? '';
  return `<article class="embed">
${barOf(color)}
<div class="inside">
<h2>${toHtml(title)}</h2>
${description === undefined ? '' : `<p>${toHtml(description)}</p>`}
${fields.length === 0 ? '' : `<dl>${fields.map(fieldItem).join('')}</dl>`}
${files.has(name) ? `<img src="/channel/files/${atMs}/${encodeURIComponent(name)}" alt="${escapeHtml(title)}">` : ''}
${footer === undefined ? '' : `<p class="foot">${toHtml(footer.text)}</p>`}
</div>
</article>`;
}

function fieldItem({ name, value }: { name: string; value: string }): string {
  return `<div><dt>${toHtml(name)}</dt><dd>${toHtml(value)}</dd></div>`;
}

/** The policy forbids inline styles, but not an SVG attribute with a colour. */
function barOf(color: number): string {
  const fill = `#${(color & 0xffffff).toString(16).padStart(6, '0')}`;
  return `<svg class="bar" aria-hidden="true"><rect width="100%" height="100%" fill="${fill}"/></svg>`;
}

function timeElement(atMs: number): string {
  const iso = new Date(atMs).toISOString();
  return `<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** The subset of Discord's markup that is used: bold between double asterisks, and escaped characters. */
function toHtml(text: string): string {
  const parts = text.match(/\\.|\*\*|[^\\*]+|\*|\\/gs) ?? [];
  let isBold = false;
  const html = parts.map((part) => {
    if (part === '**') {
      isBold = !isBold;
      return isBold ? '<strong>' : '</strong>';
    }
    return escapeHtml(part.length === 2 && part.startsWith('\\') ? part.slice(1) : part);
  });
  return html.join('') + (isBold ? '</strong>' : '');
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
