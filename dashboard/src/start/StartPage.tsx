import { Button } from '@mantine/core';
import { IconBook2, IconFileCode, IconTerminal2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CodeBlock } from '../components/CodeBlock.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { CommandCatalogue } from './CommandCatalogue.tsx';
import { ServiceStatePill } from './ServiceStatePill.tsx';
import classes from './StartPage.module.css';

const createKey = 'npx guildbook key create --guild <id> --name <name> --scopes guild:read --expires 90d';

export function StartPage() {
  return (
    <>
      <PageHeader>
        <Button
          component="a"
          href="/docs"
          variant="subtle"
          color="gray"
          size="compact-md"
          className={classes.link}
        >
          API reference
        </Button>
      </PageHeader>
      <main id="content" className={classes.main}>
        <ServiceStatePill />
        <h1 className={classes.title}>Guildbook</h1>
        <p className={classes.lead}>
          Guild records and a ledger for bots and game servers, over JSON and HTTP.
        </p>
        <ul className={classes.cards}>
          <LinkCard href="/docs" icon={<IconBook2 size={22} stroke={1.6} />} title="API reference">
            Every operation with its fields, answers and errors. Requests can be sent from the page.
          </LinkCard>
          <LinkCard
            href="/openapi.json"
            icon={<IconFileCode size={22} stroke={1.6} />}
            title="OpenAPI document"
          >
            The same interface for machines, to generate clients and tests from.
          </LinkCard>
          <LinkCard href="#commands" icon={<IconTerminal2 size={22} stroke={1.6} />} title="Bot commands">
            What the chat bot of this community understands.
          </LinkCard>
        </ul>
        <section className={classes.section} aria-labelledby="keys">
          <h2 id="keys">API keys</h2>
          <p>
            A key belongs to one guild, carries scopes and expires. Keys are made on the server, and each is
            shown only once:
          </p>
          <CodeBlock code={createKey} language="shell" copyLabel="Copy the command" />
        </section>
        <section className={classes.section} aria-labelledby="commands">
          <h2 id="commands">Bot commands</h2>
          <CommandCatalogue />
        </section>
      </main>
    </>
  );
}

interface LinkCardProps {
  href: string;
  icon: ReactNode;
  title: string;
  children: ReactNode;
}

function LinkCard({ href, icon, title, children }: LinkCardProps) {
  return (
    <li className={classes.card}>
      <span className={classes.icon}>{icon}</span>
      <a href={href} className={classes.cardTitle}>
        {title}
      </a>
      <p className={classes.cardText}>{children}</p>
    </li>
  );
}
