import { IconLock, IconUserQuestion, IconUserSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { setupArguments } from '../access/guild-texts.ts';
import { Loaded } from '../access/Loaded.tsx';
import { UnknownGuild } from '../access/UnknownGuild.tsx';
import { useCommandLine } from '../access/use-command-line.ts';
import { useGuild } from '../access/use-guild.ts';
import { personQuery } from '../api/people.ts';
import { ApiError } from '../api/request.ts';
import { CodeBlock } from '../components/CodeBlock.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import { LookupForm } from './LookupForm.tsx';
import { PersonCard } from './PersonCard.tsx';
import { lookupFault, parseLookup } from './person-query.ts';
import classes from './VerificationsPage.module.css';

const title = 'Verifications';

export function VerificationsPage() {
  const guild = useGuild();
  const [parameters, setParameters] = useSearchParams();
  const asked = (parameters.get('query') ?? '').trim();
  if (guild.state === 'unknown') return <UnknownGuild guild={guild} title={title} />;
  return (
    <>
      <PageHeading title={title}>
        Which chat account is which player, and what <bdi>{guild.name}</bdi> knows of them.
      </PageHeading>
      <LookupForm
        key={asked}
        start={parseLookup(asked)}
        onLookup={(query) => setParameters(query === '' ? {} : { query })}
      />
      <Result query={asked} />
    </>
  );
}

function Result({ query: asked }: { query: string }): ReactNode {
  const guild = useGuild();
  const isAskable = asked !== '' && lookupFault(parseLookup(asked)) === undefined;
  const query = useQuery({ ...personQuery(guild.guildId, asked), enabled: isAskable });
  if (!isAskable) return <Teaching />;
  if (query.error instanceof ApiError && query.error.status === 403) return <Refused error={query.error} />;
  return (
    <Loaded query={query} skeleton={<RowsSkeleton />} failure="The look-up failed">
      {(person) =>
        person === null ? (
          <NotFound query={asked} />
        ) : (
          <PersonCard guildId={guild.guildId} person={person} query={asked} />
        )
      }
    </Loaded>
  );
}

function Teaching() {
  return (
    <EmptyState icon={<IconUserSearch size={28} stroke={1.6} />} title="Look somebody up">
      <p>
        Enter a chat id, a player id or a user name. Past accounts are searched too: an old name leads to the
        person who once had it.
      </p>
    </EmptyState>
  );
}

function NotFound({ query }: { query: string }) {
  const { text } = parseLookup(query);
  return (
    <EmptyState icon={<IconUserQuestion size={28} stroke={1.6} />} title={`Nobody is verified as “${text}”`}>
      <p>
        Ids and names have to be complete; capitals do not matter. A person appears here once the chat bot has
        verified them.
      </p>
    </EmptyState>
  );
}

/** Verifications are shared between guilds, so the service shows them only to guilds with a plan. */
function Refused({ error }: { error: Error }) {
  const guild = useGuild();
  const commandLine = useCommandLine();
  const icon = <IconLock size={28} stroke={1.6} />;
  if (guild.state === 'ready') {
    return (
      <EmptyState icon={icon} title="The service refused the look-up">
        <p>{error.message}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={icon} title="Looking people up needs an active plan">
      <p>This guild has none. Ask the operator of this service to activate a Developer or Enterprise plan:</p>
      <div className={classes.command}>
        <CodeBlock
          code={commandLine(setupArguments(guild))}
          language="shell"
          copyLabel="Copy the command for the operator"
        />
      </div>
    </EmptyState>
  );
}
