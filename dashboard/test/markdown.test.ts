import { describe, expect, test } from 'vitest';
import { isSafeLink, parseInline, parseMarkdown } from '../src/components/markdown.ts';

describe('blocks', () => {
  test('headings, paragraphs, lists, tables and code are told apart', () => {
    const text = '# One\n\nTwo\nlines\n\n- a\n- b\n\n| H |\n|---|\n| c |\n\n```json\n{}\n```';
    expect(parseMarkdown(text).map(({ kind }) => kind)).toEqual([
      'heading',
      'paragraph',
      'list',
      'table',
      'code',
    ]);
  });

  test('a list inside a list stays inside its item', () => {
    const [list] = parseMarkdown('1. first\n   - inner\n2. second');
    expect(list).toMatchObject({ kind: 'list', isOrdered: true });
    expect(list?.kind === 'list' && list.items.map((item) => item.map(({ kind }) => kind))).toEqual([
      ['paragraph', 'list'],
      ['paragraph'],
    ]);
  });

  test('an escaped bar does not divide a cell', () => {
    const [table] = parseMarkdown('| a \\| b | c |\n|---|---|\n| 1 | 2 |');
    expect(table?.kind === 'table' && table.head).toEqual([
      [{ kind: 'text', text: 'a | b' }],
      [{ kind: 'text', text: 'c' }],
    ]);
  });

  test('a code block without an end takes the rest and loses nothing', () => {
    expect(parseMarkdown('```\nabc')).toEqual([{ kind: 'code', language: '', text: 'abc' }]);
  });

  test('text of great depth is read without exhausting the stack', () => {
    expect(parseMarkdown('> '.repeat(20_000)).length).toBeGreaterThanOrEqual(0);
  });
});

describe('inline', () => {
  test('code, bold, emphasis and links are recognised', () => {
    const kinds = parseInline('`a` **b** *c* [d](/docs)').map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind !== 'text')).toEqual(['code', 'strong', 'emphasis', 'link']);
  });

  test('HTML is text', () => {
    expect(parseInline('<img src=x>')).toEqual([{ kind: 'text', text: '<img src=x>' }]);
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example', '/\\evil.example', 'JaVaScRiPt:x'])(
    'the address %s makes no link',
    (href) => {
      expect(isSafeLink(href)).toBe(false);
      expect(parseInline(`[x](${href})`).every(({ kind }) => kind === 'text')).toBe(true);
    },
  );
});
