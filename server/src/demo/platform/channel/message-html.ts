import { escapeHtml } from '../../../escape-html.ts';
import { markdownToHtml, type NameOf, timeHtml } from './markdown.ts';
import type { DemoAuthor, DemoButton, DemoEmbed, DemoMessage } from './messages.ts';

const BUTTON_LOOKS = ['', 'primary', 'secondary', 'success', 'danger', 'link'] as const;
const LINK_STYLE = 5;
const EYE =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 5C6.5 5 2.7 9.4 1.5 12c1.2 2.6 5 7 10.5 7s9.3-4.4 10.5-7C21.3 9.4 17.5 5 12 5Zm0 11.5a4.5 4.5 0 1 1 0-9 4.5 4.5 0 0 1 0 9Zm0-2.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z"/></svg>';

/** One message as a list item. All texts are escaped here and in `markdownToHtml`. */
export function messageHtml(message: DemoMessage, nameOf: NameOf): string {
  const { id, atMs, revision, author, use, onlyFor, state, content } = message;
  const classes = ['message', ...(onlyFor === undefined ? [] : ['private'])].join(' ');
  return `<li class="${classes}" id="message-${id}" data-revision="${revision}" data-author="${escapeHtml(author?.chatId ?? 'app')}" data-at="${atMs}">
${use === undefined ? '' : useLine(use)}
${author === undefined ? APP_PICTURE : pictureHtml(author, 'picture')}
<div class="said">
<p class="author"><span class="name">${escapeHtml(author?.username ?? 'Guildbook')}</span>${author === undefined ? '<span class="badge">APP</span>' : ''} ${timeHtml(atMs / 1_000, 'C')}</p>
${state === 'waiting' ? WAITING : ''}
${state === 'failed' ? FAILED : ''}
${content === undefined ? '' : `<p class="text">${markdownToHtml(content, nameOf)}</p>`}
${message.embeds.map((embed) => embedHtml(embed, message, nameOf)).join('\n')}
${message.buttons.length === 0 ? '' : `<div class="buttons">${message.buttons.map((button) => buttonHtml(button)).join('')}</div>`}
${onlyFor === undefined ? '' : PRIVATE}
</div>
</li>`;
}

const APP_PICTURE = '<span class="picture app" aria-hidden="true">G</span>';
const WAITING =
  '<p class="waiting">Guildbook is thinking<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span></p>';
const FAILED = '<p class="failed">The application did not respond.</p>';
const PRIVATE = `<p class="only-you">${EYE}<span>Only you can see this</span><span aria-hidden="true">·</span><button type="button" class="dismiss">Dismiss message</button></p>`;

/** A picture of the chat platform, or the first letter. */
export function pictureHtml({ chatId, username, avatar }: DemoAuthor, look: string): string {
  if (avatar !== undefined) {
    const address = `/pictures/avatars/${encodeURIComponent(chatId)}/${encodeURIComponent(avatar)}.png`;
    return `<img class="${look}" src="${address}" alt="" width="40" height="40">`;
  }
  const shade = [...chatId].reduce((sum, digit) => sum + digit.charCodeAt(0), 0) % 5;
  const initial = [...username][0]?.toUpperCase() ?? '';
  return `<span class="${look} shade-${shade}" aria-hidden="true">${escapeHtml(initial)}</span>`;
}

function useLine({ by, command }: { by: DemoAuthor; command: string }): string {
  return `<p class="use">${pictureHtml(by, 'small')}<span class="name">${escapeHtml(by.username)}</span> used <span class="command">/${escapeHtml(command)}</span></p>`;
}

function embedHtml(embed: DemoEmbed, { id, files }: DemoMessage, nameOf: NameOf): string {
  const { title, description, color = 0, fields = [], footer, image, timestamp } = embed;
  const markdown = (text: string) => markdownToHtml(text, nameOf);
  const name = image?.url.replace(/^attachment:\/\//, '') ?? '';
  const foot = [
    ...(footer === undefined ? [] : [markdown(footer.text)]),
    ...(timestamp === undefined || Number.isNaN(Date.parse(timestamp))
      ? []
      : [timeHtml(Date.parse(timestamp) / 1_000, 'C')]),
  ];
  return `<article class="embed">
${barOf(color)}
<div class="inside">
${title === undefined ? '' : `<p class="title">${markdown(title)}</p>`}
${description === undefined || description === '' ? '' : `<p class="text">${markdown(description)}</p>`}
${fields.length === 0 ? '' : `<dl>${fields.map((field) => fieldHtml(field, markdown)).join('')}</dl>`}
${files.has(name) ? `<img class="chart" src="/channel/files/${id}/${encodeURIComponent(name)}" alt="${escapeHtml(`Picture: ${title ?? name}`)}">` : ''}
${foot.length === 0 ? '' : `<p class="foot">${foot.join(' · ')}</p>`}
</div>
</article>`;
}

function fieldHtml(
  { name, value, inline }: { name: string; value: string; inline?: boolean },
  markdown: (text: string) => string,
): string {
  return `<div${inline === false ? ' class="wide"' : ''}><dt>${markdown(name)}</dt><dd>${markdown(value)}</dd></div>`;
}

/** The policy forbids inline styles, but not an SVG attribute with a colour. */
function barOf(color: number): string {
  const fill = `#${(color & 0xffffff).toString(16).padStart(6, '0')}`;
  return `<svg class="bar" aria-hidden="true"><rect width="100%" height="100%" fill="${fill}"/></svg>`;
}

function buttonHtml({ style, label = '', custom_id: customId = '', url, disabled }: DemoButton): string {
  if (style === LINK_STYLE && url !== undefined && /^https?:\/\//.test(url)) {
    return `<a class="button link" href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer">${escapeHtml(label)}</a>`;
  }
  const look = BUTTON_LOOKS[style] ?? 'secondary';
  return `<button type="button" class="button ${look}" data-action="${escapeHtml(customId)}"${disabled === true ? ' disabled' : ''}>${escapeHtml(label)}</button>`;
}
