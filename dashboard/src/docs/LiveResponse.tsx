import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Loader } from '@mantine/core';
import { CodeBlock } from '../components/CodeBlock.tsx';
import { CopyAction } from '../components/CopyAction.tsx';
import classes from './ResponsePanel.module.css';
import type { Operation } from './reference/model.ts';
import { isJsonType } from './reference/read-operation.ts';
import { formatJson } from './request/form-values.ts';
import type { LiveAnswer } from './request/send-request.ts';
import { statusPhrase } from './request/status-text.ts';
import { StatusBadge } from './StatusBadge.tsx';
import type { Trial } from './use-trial.ts';

/** The received answer: status, time, headers and body. */
export function LiveResponse({ operation, trial }: { operation: Operation; trial: Trial }) {
  const { isSending, failure, answer } = trial;
  return (
    <>
      <div role="status">
        {isSending && (
          <p className={classes.summary}>
            <Trans>
              <Loader size="xs" /> Waiting for the answer
            </Trans>
          </p>
        )}
        {!isSending && answer && <AnswerSummary answer={answer} />}
      </div>
      {!isSending && failure !== undefined && (
        <p className={classes.failure} role="alert">
          {failure}
        </p>
      )}
      {!isSending && answer && <AnswerContent answer={answer} operation={operation} />}
    </>
  );
}

function AnswerSummary({ answer }: { answer: LiveAnswer }) {
  const status = String(answer.status);
  return (
    <p className={classes.summary}>
      <span className={classes.phrase}>
        <StatusBadge status={status} /> {statusPhrase(status)}
      </span>
      <span>{`${Math.round(answer.durationMs)} ms`}</span>
      <span>{sizeText(answer.bodyBytes)}</span>
    </p>
  );
}

function AnswerContent({ answer, operation }: { answer: LiveAnswer; operation: Operation }) {
  const isJson = isJsonType(answer.contentType);
  return (
    <>
      <AnswerHeaders headers={answer.headers} operation={operation} />
      {answer.body === '' ? (
        <p className={classes.none}>
          <Trans>The body is empty.</Trans>
        </p>
      ) : (
        <CodeBlock
          isBare
          code={isJson ? formatJson(answer.body) : answer.body}
          language={isJson ? 'json' : 'text'}
          copyLabel={t`Copy the response body`}
        />
      )}
    </>
  );
}

type Headers = LiveAnswer['headers'];

/** Shows the documented headers, the request id and the rate limits; the rest is collapsed. */
function AnswerHeaders({ headers, operation }: { headers: Headers; operation: Operation }) {
  const documented = operation.responses.flatMap((response) =>
    response.headers.map(({ name }) => name.toLowerCase()),
  );
  const watched = new Set(['x-request-id', 'retry-after', ...documented]);
  const isWatched = ({ name }: { name: string }) => watched.has(name) || name.includes('ratelimit');
  const shown = headers.filter(isWatched);
  const folded = headers.filter((header) => !isWatched(header));
  const copyText = [...shown, ...folded].map(({ name, value }) => `${name}: ${value}`).join('\n');
  return (
    <div className={classes.headers}>
      <p className={classes.headersTitle}>
        <Trans>Headers</Trans>
      </p>
      <div className={classes.headersCopy}>
        <CopyAction value={copyText} label={t`Copy the headers`} />
      </div>
      <HeaderList headers={shown} />
      {folded.length > 0 && (
        <details>
          <summary>
            <Trans>{folded.length} more</Trans>
          </summary>
          <HeaderList headers={folded} />
        </details>
      )}
    </div>
  );
}

function HeaderList({ headers }: { headers: Headers }) {
  if (headers.length === 0) return null;
  return (
    <dl className={classes.headerList}>
      {headers.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function sizeText(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`;
}
