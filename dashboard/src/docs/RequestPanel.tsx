import { t } from '@lingui/core/macro';
import { Button, Tabs } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { CodeBlock } from '../components/CodeBlock.tsx';
import type { Language } from '../components/highlight.ts';
import { useCredentials } from './credentials.tsx';
import { MethodBadge } from './MethodBadge.tsx';
import classes from './Panel.module.css';
import { RequestForm } from './RequestForm.tsx';
import type { Operation, Reference } from './reference/model.ts';
import { clientSnippet } from './request/client-snippet.ts';
import { luauSnippet } from './request/luau-snippet.ts';
import { pythonSnippet } from './request/python-snippet.ts';
import { curlSnippet, fetchSnippet, maskRequest } from './request/snippets.ts';
import type { Trial } from './use-trial.ts';

interface RequestPanelProps {
  operation: Operation;
  reference: Reference;
  trial: Trial;
  onSend: () => void;
}

/** The request in several languages. It follows the form, which opens inside the panel. */
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
          {isOpen ? t`Close` : t`Try it`}
        </Button>
      </div>
      <div id={formId} hidden={!isOpen}>
        {isOpen && <RequestForm operation={operation} reference={reference} trial={trial} onSend={onSend} />}
      </div>
      <Snippets operation={operation} trial={trial} />
    </div>
  );
}

interface Snippet {
  id: string;
  title: string;
  language: Language;
  shown: string;
  /** The copied text, with the secrets. */
  whole: string;
}

function Snippets({ operation, trial }: { operation: Operation; trial: Trial }) {
  const { isRevealed } = useCredentials();
  const whole = trial.shownRequest;
  const shown = isRevealed ? whole : maskRequest(whole);
  const { values } = trial;
  const { origin } = window.location;
  const snippets: Snippet[] = [
    { id: 'curl', title: t`cURL`, language: 'shell', shown: curlSnippet(shown), whole: curlSnippet(whole) },
    ...clientTabs({
      typescript: clientSnippet(origin, operation, values),
      python: pythonSnippet(origin, operation, values),
      luau: luauSnippet(origin, operation, { values, request: whole }),
    }),
    {
      id: 'fetch',
      title: t`fetch`,
      language: 'typescript',
      shown: fetchSnippet(shown),
      whole: fetchSnippet(whole),
    },
  ];
  return (
    <Tabs
      variant="pills"
      defaultValue="curl"
      keepMounted={false}
      classNames={{ list: classes.tabs, tab: classes.tab }}
    >
      <Tabs.List aria-label={t`Language of the snippet`}>
        {snippets.map(({ id, title }) => (
          <Tabs.Tab key={id} value={id}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map((snippet) => (
        <Tabs.Panel key={snippet.id} value={snippet.id}>
          <CodeBlock
            isBare
            code={snippet.shown}
            copyText={snippet.whole}
            copyLabel={t`Copy the ${snippet.title} snippet`}
            language={snippet.language}
          />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

const titles = { typescript: 'TypeScript', python: 'Python', luau: 'Luau' } as const;

/** Tabs of the languages that have a snippet. They read the key from elsewhere, so there is no secret to mask. */
function clientTabs(codes: Record<keyof typeof titles, string | undefined>): Snippet[] {
  return (['typescript', 'python', 'luau'] as const).flatMap((language) => {
    const code = codes[language];
    return code === undefined
      ? []
      : [{ id: language, title: titles[language], language, shown: code, whole: code }];
  });
}
