import { Trans } from '@lingui/react/macro';
import { type SyntheticEvent, startTransition } from 'react';
import { InlineMarkdown } from '../components/Markdown.tsx';
import fieldClasses from './FieldList.module.css';
import { FieldRow } from './FieldRow.tsx';
import classes from './ResponseList.module.css';
import type { ResponseDoc } from './reference/model.ts';
import { SchemaTree } from './SchemaTree.tsx';
import { StatusBadge } from './StatusBadge.tsx';

interface ResponseListProps {
  responses: ResponseDoc[];
  /** Called with the status whose details were opened. */
  onOpen: (status: string) => void;
}

export function ResponseList({ responses, onOpen }: ResponseListProps) {
  if (responses.length === 0) return null;
  return (
    <section className={classes.responses}>
      <h4>
        <Trans>Responses</Trans>
      </h4>
      <div className={classes.list}>
        {responses.map((response) => (
          <ResponseItem key={response.status} response={response} onOpen={() => onOpen(response.status)} />
        ))}
      </div>
    </section>
  );
}

function ResponseItem({ response, onOpen }: { response: ResponseDoc; onOpen: () => void }) {
  const { status, description, schema, headers } = response;
  // A transition: the browser's search or a script may open many at once, and otherwise each event would render the
  // page again.
  const onToggle = (event: SyntheticEvent<HTMLDetailsElement>) => {
    if (event.currentTarget.open) startTransition(onOpen);
  };
  const line = (
    <>
      <StatusBadge status={status} />
      <span className={classes.description}>
        <InlineMarkdown text={description} />
      </span>
    </>
  );
  if (!schema && headers.length === 0) return <p className={classes.line}>{line}</p>;
  return (
    <details className={classes.item} onToggle={onToggle}>
      <summary className={classes.line}>{line}</summary>
      <div className={classes.content}>
        {schema && <SchemaTree schema={schema} isAnswer />}
        {headers.length > 0 && (
          <>
            <h5>
              <Trans>Headers</Trans>
            </h5>
            <ul className={fieldClasses.list}>
              {headers.map((header) => (
                <FieldRow key={header.name} {...header} />
              ))}
            </ul>
          </>
        )}
      </div>
    </details>
  );
}
