import { Fragment, type ReactNode } from 'react';
import type { SentenceNames } from './audit-sentences.ts';
import type { AuditSentence } from './audit-words.ts';

interface SentenceTextProps {
  sentence: AuditSentence;
  /** How each name is shown. */
  names: Readonly<Record<keyof SentenceNames, (name: string) => ReactNode>>;
}

/** A sentence in the order of its words, with its names as elements. */
export function SentenceText({ sentence, names }: SentenceTextProps) {
  return sentence.parts.map((part) => (
    <Fragment key={part.name ?? part.text}>
      {part.name === undefined ? part.text : names[part.name](part.text)}
    </Fragment>
  ));
}
