import { Button, Tabs } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { CodeBlock } from '../components/CodeBlock.tsx';
import { useCredentials } from './credentials.tsx';
import { MethodBadge } from './MethodBadge.tsx';
import classes from './Panel.module.css';
import { RequestForm } from './RequestForm.tsx';
import type { Operation, Reference } from './reference/model.ts';
import type { BuiltRequest } from './request/build-request.ts';
import { curlSnippet, fetchSnippet, maskRequest } from './request/snippets.ts';
import type { Trial } from './use-trial.ts';

interface RequestPanelProps {
  operation: Operation;
  reference: Reference;
  trial: Trial;
  onSend: () => void;
}

/** The request in two languages, following the form, which opens inside the panel. */
export function RequestPanel({ operation, reference, trial, onSend }: RequestPanelProps) {
  const [isOpen, setOpen] = useState(false);
  const formId = useId();
  return (
    <div className={classes.panel}>
      <div className={classes.head}>
        <MethodBadge method={operation.method} />
        <code className={classes.path}>{operation.path}</code>
        <Button
          size="compact-sm"
          variant={isOpen ? 'default' : 'filled'}
          leftSection={isOpen ? undefined : <IconPlayerPlay size={14} />}
          aria-expanded={isOpen}
          aria-controls={formId}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Close' : 'Try it'}
        </Button>
      </div>
      <div id={formId} hidden={!isOpen}>
        {isOpen && <RequestForm operation={operation} reference={reference} trial={trial} onSend={onSend} />}
      </div>
      <Snippets request={trial.shownRequest} />
    </div>
  );
}

const languages = [
  { id: 'curl', title: 'cURL', language: 'shell', write: curlSnippet },
  { id: 'fetch', title: 'TypeScript', language: 'typescript', write: fetchSnippet },
] as const;

function Snippets({ request }: { request: BuiltRequest }) {
  const { isRevealed } = useCredentials();
  const shown = isRevealed ? request : maskRequest(request);
  return (
    <Tabs
      variant="pills"
      defaultValue="curl"
      keepMounted={false}
      classNames={{ list: classes.tabs, tab: classes.tab }}
    >
      <Tabs.List aria-label="Language of the snippet">
        {languages.map(({ id, title }) => (
          <Tabs.Tab key={id} value={id}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {languages.map(({ id, title, language, write }) => (
        <Tabs.Panel key={id} value={id}>
          <CodeBlock
            isBare
            code={write(shown)}
            copyText={write(request)}
            copyLabel={`Copy the ${title} snippet`}
            language={language}
          />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
