import { escapeHtml } from '../../../escape-html.ts';

/** Finds the name of a mentioned person. */
export type NameOf = (chatId: string) => string | undefined;

interface Rule {
  pattern: RegExp;
  toHtml(match: RegExpExecArray, inner: (text: string) => string, nameOf: NameOf): string;
}

const TIME_MAX_SECONDS = 8_640_000_000_000;

/** Each pattern is tried at the current position, in this order. */
const RULES: readonly Rule[] = [
  { pattern: /\\([^\p{L}\p{N}\s])/uy, toHtml: ([, character = '']) => escapeHtml(character) },
  { pattern: /```(?:\w+\n)?\n?(.+?)```/sy, toHtml: ([, code = '']) => `<pre>${escapeHtml(code)}</pre>` },
  { pattern: /`([^`\n]+)`/y, toHtml: ([, code = '']) => `<code>${escapeHtml(code)}</code>` },
  {
    pattern: /\*\*((?:\\.|[^\\])+?)\*\*/sy,
    toHtml: ([, text = ''], inner) => `<strong>${inner(text)}</strong>`,
  },
  {
    pattern: /\*(?![\s*])((?:\\.|[^\\*\n])+?)\*(?!\*)/y,
    toHtml: ([, text = ''], inner) => `<em>${inner(text)}</em>`,
  },
  { pattern: /<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y, toHtml: ([, at = '', form = 'f']) => timeHtml(at, form) },
  {
    pattern: /<@!?(\d{1,20})>/y,
    toHtml: ([, chatId = ''], _inner, nameOf) =>
      `<span class="mention">@${escapeHtml(nameOf(chatId) ?? 'unknown')}</span>`,
  },
  {
    pattern: /\[((?:\\.|[^\\\]\n])+)\]\((https?:\/\/[^\s()<>"]+)\)/y,
    toHtml: ([, label = '', url = ''], inner) =>
      `<a href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer">${inner(label)}</a>`,
  },
  { pattern: /\n/y, toHtml: () => '<br>' },
];

/**
 * The subset of Discord's markup that is used: bold, italics, code, links, times, mentions and escaped characters.
 * Everything else is text.
 */
export function markdownToHtml(text: string, nameOf: NameOf): string {
  const inner = (part: string) => markdownToHtml(part, nameOf);
  let html = '';
  for (let at = 0; at < text.length; ) {
    const found = RULES.map((rule) => ({ rule, match: matchAt(rule, text, at) })).find(({ match }) => match);
    if (found?.match) {
      html += found.rule.toHtml(found.match, inner, nameOf);
      at += found.match[0].length;
    } else {
      const plain = /^[^\\`*<[\n]+/.exec(text.slice(at))?.[0] ?? text.charAt(at);
      html += escapeHtml(plain);
      at += plain.length;
    }
  }
  return html;
}

function matchAt({ pattern }: Rule, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** A time with its form. The page's script writes it in the reader's language and time zone. */
export function timeHtml(seconds: string | number, form: string): string {
  if (Math.abs(Number(seconds)) > TIME_MAX_SECONDS) {
    return escapeHtml(String(seconds));
  }
  const iso = new Date(Number(seconds) * 1_000).toISOString();
  return `<time datetime="${iso}" data-form="${form}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
