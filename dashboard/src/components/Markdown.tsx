import { type ReactNode, useMemo } from 'react';
import { CodeBlock } from './CodeBlock.tsx';
import type { Language } from './highlight.ts';
import classes from './Markdown.module.css';
import { type Block, type Inline, parseInline, parseMarkdown } from './markdown.ts';

interface MarkdownProps {
  text: string;
  /** The heading level on the page for a first-level heading of the text. */
  topLevel?: 2 | 3 | 4;
}

export function Markdown({ text, topLevel = 2 }: MarkdownProps) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  if (blocks.length === 0) return null;
  return <div className={classes.markdown}>{renderBlocks(blocks, topLevel)}</div>;
}

/** One line of text, without paragraphs: for descriptions inside lists and tables. */
export function InlineMarkdown({ text }: { text: string }) {
  return <span className={classes.inline}>{renderInline(parseInline(text.replace(/\s*\n\s*/g, ' ')))}</span>;
}

// Blocks and inlines have no identity and never move, so their index is the key.
function renderBlocks(blocks: Block[], topLevel: number): ReactNode[] {
  return blocks.map((block, index) => renderBlock(block, String(index), topLevel));
}

function renderBlock(block: Block, key: string, topLevel: number): ReactNode {
  switch (block.kind) {
    case 'heading': {
      // Descriptions usually start at the second level, below the title.
      const level = Math.min(Math.max(block.level - 2, 0) + topLevel, 6);
      const Heading = `h${level}` as 'h2' | 'h3' | 'h4' | 'h5' | 'h6';
      return (
        <Heading key={key} id={block.id}>
          {renderInline(block.children)}
        </Heading>
      );
    }
    case 'paragraph':
      return <p key={key}>{renderInline(block.children)}</p>;
    case 'code':
      return <CodeBlock key={key} code={block.text} language={languageOf(block.language)} />;
    case 'quote':
      return <blockquote key={key}>{renderBlocks(block.children, topLevel)}</blockquote>;
    case 'list':
      return renderList(block, key, topLevel);
    case 'table':
      return renderTable(block, key);
  }
}

function renderList(block: Extract<Block, { kind: 'list' }>, key: string, topLevel: number): ReactNode {
  const items = block.items.map((item, index) => {
    const [first] = item;
    const isOneLine = item.length === 1 && first?.kind === 'paragraph';
    const content = isOneLine ? renderInline(first.children) : renderBlocks(item, topLevel);
    return <li key={String(index)}>{content}</li>;
  });
  if (!block.isOrdered) return <ul key={key}>{items}</ul>;
  return (
    <ol key={key} start={block.start}>
      {items}
    </ol>
  );
}

function renderTable(block: Extract<Block, { kind: 'table' }>, key: string): ReactNode {
  return (
    <table key={key}>
      <thead>
        <tr>
          {block.head.map((cell, column) => (
            <th key={String(column)} scope="col">
              {renderInline(cell)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {block.rows.map((row, index) => (
          <tr key={String(index)}>
            {row.map((cell, column) => (
              <td key={String(column)}>{renderInline(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function renderInline(parts: Inline[]): ReactNode[] {
  return parts.map((part, index) => renderPart(part, String(index)));
}

function renderPart(part: Inline, key: string): ReactNode {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'code':
      return <code key={key}>{part.text}</code>;
    case 'strong':
      return <strong key={key}>{renderInline(part.children)}</strong>;
    case 'emphasis':
      return <em key={key}>{renderInline(part.children)}</em>;
    case 'link':
      return (
        <a key={key} href={part.href} rel="noreferrer">
          {renderInline(part.children)}
        </a>
      );
  }
}

function languageOf(name: string): Language {
  if (name === 'json') return 'json';
  if (['sh', 'bash', 'shell', 'console'].includes(name)) return 'shell';
  if (['ts', 'typescript', 'js', 'javascript'].includes(name)) return 'typescript';
  return 'text';
}
