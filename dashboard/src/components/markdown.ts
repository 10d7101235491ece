// The small subset of Markdown that API descriptions use. The parser returns plain data, so that rendering never
// involves HTML text.

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong'; children: Inline[] }
  | { kind: 'emphasis'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] };

export type Block =
  | { kind: 'heading'; level: number; id: string; text: string; children: Inline[] }
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'quote'; children: Block[] }
  | { kind: 'list'; isOrdered: boolean; start: number; items: Block[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] };

// A limit of nesting, so that hostile or broken text cannot exhaust the stack.
const depthMax = 6;

const itemStart = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
const fence = /^\s*(`{3,}|~{3,})\s*(\S*)/;
const heading = /^(#{1,6})\s+(.*?)\s*#*$/;
const tableRule = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;
const quote = /^\s*>\s?/;

type Step = { block: Block; next: number };

export function parseMarkdown(text: string): Block[] {
  return parseBlocks(text.replace(/\r\n?/g, '\n').split('\n'), 0);
}

function parseBlocks(lines: string[], depth: number): Block[] {
  const blocks: Block[] = [];
  let index = 0;
  while (index < lines.length) {
    if (lineAt(lines, index).trim() === '') {
      index += 1;
      continue;
    }
    const step = readBlock(lines, index, depth);
    blocks.push(step.block);
    index = step.next;
  }
  return blocks;
}

function readBlock(lines: string[], index: number, depth: number): Step {
  const line = lineAt(lines, index);
  if (fence.test(line)) return readCode(lines, index);
  const title = heading.exec(line);
  if (title) return { block: headingOf(title[1] ?? '#', title[2] ?? ''), next: index + 1 };
  if (line.includes('|') && tableRule.test(lineAt(lines, index + 1))) return readTable(lines, index);
  if (depth < depthMax && itemStart.test(line)) return readList(lines, index, depth);
  if (depth < depthMax && quote.test(line)) return readQuote(lines, index, depth);
  return readParagraph(lines, index);
}

function headingOf(marks: string, text: string): Block {
  const slug = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');
  const id = `about-${slug.replace(/^-|-$/g, '')}`;
  return { kind: 'heading', level: marks.length, id, text: plainText(text), children: parseInline(text) };
}

function readCode(lines: string[], index: number): Step {
  const [, marks = '```', language = ''] = fence.exec(lineAt(lines, index)) ?? [];
  let end = index + 1;
  while (end < lines.length && !lineAt(lines, end).trim().startsWith(marks)) end += 1;
  return { block: { kind: 'code', language, text: lines.slice(index + 1, end).join('\n') }, next: end + 1 };
}

function readTable(lines: string[], index: number): Step {
  const head = cellsOf(lineAt(lines, index));
  let end = index + 2;
  while (end < lines.length && lineAt(lines, end).includes('|')) end += 1;
  const rows = lines.slice(index + 2, end).map(cellsOf);
  return { block: { kind: 'table', head, rows }, next: end };
}

function cellsOf(line: string): Inline[][] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => parseInline(cell.trim().replaceAll('\\|', '|')));
}

function readList(lines: string[], index: number, depth: number): Step {
  const first = itemStart.exec(lineAt(lines, index));
  const isOrdered = first?.[2] !== undefined;
  const indent = first?.[1]?.length ?? 0;
  const items: string[][] = [];
  let end = index;
  while (end < lines.length) {
    const line = lineAt(lines, end);
    const match = itemStart.exec(line);
    const isSibling = match !== null && (match[1]?.length ?? 0) <= indent;
    const isInside = line.trim() === '' || indentOf(line) > indent;
    if (isSibling && (match[2] !== undefined) === isOrdered) items.push([match[3] ?? '']);
    else if (isSibling || !(isInside || isContinuation(lines, end))) break;
    else items.at(-1)?.push(line.slice(Math.min(indentOf(line), indent + 2)));
    end += 1;
  }
  const start = Number(first?.[2] ?? 1);
  const children = items.map((item) => parseBlocks(item, depth + 1));
  return { block: { kind: 'list', isOrdered, start, items: children }, next: end };
}

// A line right after text that starts no block of its own is part of that text.
function isContinuation(lines: string[], index: number): boolean {
  return index > 0 && lineAt(lines, index - 1).trim() !== '' && !opensBlock(lineAt(lines, index));
}

function readQuote(lines: string[], index: number, depth: number): Step {
  let end = index;
  while (end < lines.length && quote.test(lineAt(lines, end))) end += 1;
  const inner = lines.slice(index, end).map((line) => line.replace(quote, ''));
  return { block: { kind: 'quote', children: parseBlocks(inner, depth + 1) }, next: end };
}

function readParagraph(lines: string[], index: number): Step {
  let end = index + 1;
  while (end < lines.length && lineAt(lines, end).trim() !== '' && !opensBlock(lineAt(lines, end))) end += 1;
  const text = lines.slice(index, end).map((line) => line.trim());
  return { block: { kind: 'paragraph', children: parseInline(text.join(' ')) }, next: end };
}

function opensBlock(line: string): boolean {
  return fence.test(line) || heading.test(line) || itemStart.test(line) || quote.test(line);
}

const inlinePattern =
  /\\(?<escaped>[\\`*_{}[\]()#+\-.!|<>])|(?<ticks>`+)(?<code>.+?)\k<ticks>(?!`)|\*\*(?<strong>.+?)\*\*|\*(?<emphasis>\S(?:[^*]*\S)?)\*|\[(?<label>[^\]]+)\]\((?<href>[^)\s]+)\)|<(?<bare>https?:\/\/[^\s>]+)>/gs;

export function parseInline(text: string, depth = 0): Inline[] {
  if (depth > depthMax) return [{ kind: 'text', text }];
  const parts: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(inlinePattern)) {
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) });
    parts.push(inlineOf(match[0], match.groups ?? {}, depth + 1));
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}

function inlineOf(source: string, groups: Record<string, string | undefined>, depth: number): Inline {
  const { escaped, code, strong, emphasis, label, href, bare } = groups;
  if (escaped !== undefined) return { kind: 'text', text: escaped };
  if (code !== undefined) return { kind: 'code', text: code };
  if (strong !== undefined) return { kind: 'strong', children: parseInline(strong, depth) };
  if (emphasis !== undefined) return { kind: 'emphasis', children: parseInline(emphasis, depth) };
  if (bare !== undefined) return { kind: 'link', href: bare, children: [{ kind: 'text', text: bare }] };
  if (label !== undefined && href !== undefined && isSafeLink(href)) {
    return { kind: 'link', href, children: parseInline(label, depth) };
  }
  return { kind: 'text', text: source };
}

/** Only web, mail and same-site addresses: nothing that could run a script. */
export function isSafeLink(href: string): boolean {
  return /^(https?:\/\/|mailto:|#|\/(?![/\\]))/i.test(href);
}

function plainText(text: string): string {
  return text.replace(/[`*]/g, '');
}

function lineAt(lines: string[], index: number): string {
  return lines[index] ?? '';
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
