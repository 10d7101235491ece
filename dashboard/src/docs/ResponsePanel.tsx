import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { NativeSelect, Tabs } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { CodeBlock } from '../components/CodeBlock.tsx';
import { LiveResponse } from './LiveResponse.tsx';
import panelClasses from './Panel.module.css';
import classes from './ResponsePanel.module.css';
import type { Operation, ResponseDoc } from './reference/model.ts';
import { isJsonType } from './reference/read-operation.ts';
import { StatusBadge } from './StatusBadge.tsx';
import type { Trial } from './use-trial.ts';

/** The name of the view with the received answer, beside the documented statuses. */
export const liveView = 'live';

interface ResponsePanelProps {
  operation: Operation;
  trial: Trial;
  view: string;
  onView: (view: string) => void;
}

/** Examples of every documented status, and the received answer once a request was sent. */
export function ResponsePanel({ operation, trial, view, onView }: ResponsePanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  // Scrolls the answer into view: after Send it may be below the visible part of the page.
  useEffect(() => {
    if (trial.answer ?? trial.failure) panel.current?.scrollIntoView({ block: 'nearest' });
  }, [trial.answer, trial.failure]);
  const hasLive = trial.answer !== undefined || trial.failure !== undefined || trial.isSending;
  return (
    <div className={panelClasses.panel} ref={panel}>
      <Tabs
        variant="pills"
        value={view}
        onChange={(next) => next !== null && onView(next)}
        keepMounted={false}
        classNames={{ list: panelClasses.tabs, tab: panelClasses.tab }}
      >
        <Tabs.List aria-label={t`Responses`}>
          {hasLive && (
            <Tabs.Tab value={liveView}>
              <Trans>Your request</Trans>
            </Tabs.Tab>
          )}
          {operation.responses.map(({ status }) => (
            <Tabs.Tab key={status} value={status}>
              <StatusBadge status={status} />
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {hasLive && (
          <Tabs.Panel value={liveView}>
            <LiveResponse operation={operation} trial={trial} />
          </Tabs.Panel>
        )}
        {operation.responses.map((response) => (
          <Tabs.Panel key={response.status} value={response.status}>
            <ResponseExample response={response} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  );
}

function ResponseExample({ response }: { response: ResponseDoc }) {
  const [index, setIndex] = useState(0);
  const example = response.examples[index];
  if (!example)
    return (
      <p className={classes.none}>
        <Trans>This answer has no body.</Trans>
      </p>
    );
  return (
    <>
      {response.examples.length > 1 && (
        <div className={classes.choice}>
          <NativeSelect
            size="xs"
            aria-label={t`Example`}
            value={String(index)}
            data={response.examples.map(({ name }, position) => ({ value: String(position), label: name }))}
            onChange={(event) => setIndex(Number(event.currentTarget.value))}
          />
        </div>
      )}
      <CodeBlock
        isBare
        code={example.text}
        language={isJsonType(response.contentType ?? '') ? 'json' : 'text'}
        copyLabel={t`Copy the example`}
      />
    </>
  );
}
