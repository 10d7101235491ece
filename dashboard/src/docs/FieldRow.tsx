import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { lazily } from '../components/lazily.ts';
import { InlineMarkdown } from '../components/Markdown.tsx';
import classes from './FieldRow.module.css';
import type { SchemaNode } from './reference/model.ts';

const marks = lazily(() => ({ required: t`required`, optional: t`optional` }));

interface FieldRowProps {
  name: string;
  schema: SchemaNode;
  description: string;
  /** "required" marks what a caller must send, "optional" what may be missing in an answer. */
  mark?: 'required' | 'optional' | undefined;
  isDeprecated?: boolean;
  example?: string | undefined;
  /** Fields inside this one. */
  children?: ReactNode;
}

/** One parameter, field or header: name, type, description and allowed values. */
export function FieldRow(props: FieldRowProps) {
  const { name, schema, description, mark, isDeprecated = false, example, children } = props;
  return (
    <li className={classes.row}>
      <p className={classes.line}>
        <code className={classes.name}>{name}</code>
        <span className={classes.type}>{schema.label}</span>
        {mark && <span className={classes[mark]}>{marks()[mark]}</span>}
        {isDeprecated && (
          <span className={classes.deprecated}>
            <Trans>deprecated</Trans>
          </span>
        )}
      </p>
      {description !== '' && (
        <p className={classes.description}>
          <InlineMarkdown text={description} />
        </p>
      )}
      <FieldLimits schema={schema} example={example} />
      {children}
    </li>
  );
}

function FieldLimits({ schema, example }: { schema: SchemaNode; example: string | undefined }) {
  const { allowed, limits, defaultText } = schema;
  if (allowed.length === 0 && limits.length === 0 && defaultText === undefined && !example) return null;
  return (
    <ul className={classes.limits}>
      {allowed.length > 0 && (
        <li>
          {allowed.length === 1 ? (
            <Trans>
              Always <Values values={allowed} />
            </Trans>
          ) : (
            <Trans>
              One of <Values values={allowed} />
            </Trans>
          )}
        </li>
      )}
      {limits.map((limit) => (
        <li key={limit}>
          <InlineMarkdown text={limit.charAt(0).toUpperCase() + limit.slice(1)} />
        </li>
      ))}
      {defaultText !== undefined && (
        <li>
          <Trans>
            Default <code>{defaultText}</code>
          </Trans>
        </li>
      )}
      {example && (
        <li>
          <Trans>
            Example <code>{example}</code>
          </Trans>
        </li>
      )}
    </ul>
  );
}

function Values({ values }: { values: string[] }) {
  return values.map((value, index) => (
    <span key={value}>
      {index > 0 && ' '}
      <code>{value}</code>
    </span>
  ));
}
