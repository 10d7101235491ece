import { t } from '@lingui/core/macro';
import { useMemo } from 'react';
import classes from './CodeBlock.module.css';
import { CopyAction } from './CopyAction.tsx';
import { highlight, type Language } from './highlight.ts';

interface CodeBlockProps {
  code: string;
  language: Language;
  /** The text that is copied when it differs from the shown one (for a masked key, for example). */
  copyText?: string;
  copyLabel?: string;
  /** Without a frame of its own, for use inside a panel that has one. */
  isBare?: boolean;
}

export function CodeBlock({ code, language, copyText, copyLabel, isBare = false }: CodeBlockProps) {
  return (
    <div className={isBare ? classes.bare : classes.framed}>
      <pre className={classes.pre} data-language={language}>
        <ColoredCode code={code} language={language} />
      </pre>
      <div className={classes.copy}>
        <CopyAction value={copyText ?? code} label={copyLabel ?? t`Copy`} />
      </div>
    </div>
  );
}

function ColoredCode({ code, language }: { code: string; language: Language }) {
  const tokens = useMemo(() => highlight(code, language), [code, language]);
  let offset = 0;
  return (
    <code>
      {tokens.map((token) => {
        const key = offset;
        offset += token.text.length;
        return token.kind === 'plain' ? (
          token.text
        ) : (
          <span key={key} className={classes[token.kind]}>
            {token.text}
          </span>
        );
      })}
    </code>
  );
}
