import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo } from 'react';
import { Link } from 'react-router';
import { useGuild } from '../access/use-guild.ts';
import { type Samples, samplesQuery } from '../api/samples.ts';
import { CopyAction } from '../components/CopyAction.tsx';
import { ErrorState } from '../components/ErrorState.tsx';
import { Facts } from '../components/Facts.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import classes from './ApiPage.module.css';
import { CredentialFields } from './CredentialFields.tsx';
import { CredentialsProvider } from './credentials.tsx';
import { GroupSection } from './GroupSection.tsx';
import { MethodBadge } from './MethodBadge.tsx';
import { referenceForGuild } from './reference/for-guild.ts';
import type { Reference } from './reference/model.ts';
import { referenceQuery } from './reference-query.ts';
import { scrollToAddress } from './scroll-to-address.ts';

/** The API reference with this guild's data. A key entered here is neither stored nor put into an address. */
export function ApiPage() {
  const guild = useGuild();
  const keysLink = useMemo(() => <Link to={`/guilds/${guild.guildId}/keys`}>API keys</Link>, [guild.guildId]);
  const keyHelp = useMemo(() => <>Make one under {keysLink}.</>, [keysLink]);
  return (
    <>
      <PageHeading
        title="API"
        action={
          <Button
            component={Link}
            to={`/guilds/${guild.guildId}/keys`}
            variant="default"
            leftSection={<IconKey size={17} stroke={1.7} />}
          >
            API keys
          </Button>
        }
      >
        What bots and game servers can do with a key of <bdi>{guild.name}</bdi>. The examples hold ids of this
        guild, ready to be copied or tried here.
      </PageHeading>
      <CredentialsProvider isKept={false} keyHelp={keyHelp}>
        <GuildReference guildId={guild.guildId} />
      </CredentialsProvider>
    </>
  );
}

function GuildReference({ guildId }: { guildId: string }) {
  const document = useQuery(referenceQuery);
  const samples = useQuery(samplesQuery(guildId));
  const ids = samples.data ?? noSamples;
  const reference = useMemo(() => {
    // Without samples the document's own examples are shown.
    if (document.data === undefined || samples.isPending) return undefined;
    return referenceForGuild(document.data, { guildId, ...ids });
  }, [document.data, samples.isPending, ids, guildId]);
  if (document.isError) {
    return (
      <ErrorState
        title="The reference could not be loaded"
        detail={document.error.message}
        onRetry={() => document.refetch()}
        isRetrying={document.isFetching}
      />
    );
  }
  if (!reference) return <RowsSkeleton />;
  const note = samples.error ? <SamplesFault error={samples.error} /> : <MissingNote samples={ids} />;
  return <ReferenceContent reference={reference} guildId={guildId} note={note} />;
}

const noSamples: Samples = { playerId: null, dischargeId: null, transferId: null, username: null };

interface ReferenceContentProps {
  reference: Reference;
  guildId: string;
  /** Explains which examples are missing. */
  note: ReactNode;
}

function ReferenceContent({ reference, guildId, note }: ReferenceContentProps) {
  useEffect(scrollToAddress, []);
  return (
    <>
      <div className={classes.start}>
        <div>
          <div className={classes.facts}>
            <Facts
              facts={[
                {
                  label: 'Address',
                  value: <Copied text={window.location.origin} label="Copy the address" />,
                },
                { label: 'Guild id', value: <Copied text={guildId} label="Copy the guild’s id" /> },
              ]}
            />
          </div>
          <OperationLinks reference={reference} />
          {note}
          <p className={classes.note}>
            The <a href="/docs">whole reference</a> also holds the operator’s own paths; as a file, it is the{' '}
            <a href="/openapi.json">OpenAPI document</a>.
          </p>
        </div>
        <CredentialFields schemes={reference.credentials} />
      </div>
      {reference.groups.map((group) => (
        <GroupSection key={group.name} group={group} reference={reference} />
      ))}
    </>
  );
}

function Copied({ text, label }: { text: string; label: string }): ReactNode {
  return (
    <span className={classes.copied}>
      <code>{text}</code>
      <CopyAction value={text} label={label} />
    </span>
  );
}

function OperationLinks({ reference }: { reference: Reference }) {
  return (
    <nav aria-label="Operations">
      <ul className={classes.operations}>
        {reference.groups
          .flatMap(({ operations }) => operations)
          .map(({ id, method, path, summary }) => (
            <li key={id}>
              <a href={`#${encodeURI(id)}`} className={classes.operation}>
                <MethodBadge method={method} isSmall />
                {summary}
                <code>{path}</code>
              </a>
            </li>
          ))}
      </ul>
    </nav>
  );
}

function SamplesFault({ error }: { error: Error }) {
  return (
    <p className={classes.note} role="alert">
      The ids of this guild could not be loaded, so the examples hold ids that only show the form.{' '}
      {error.message}
    </p>
  );
}

/** Lists the kinds of data for which the guild has no example, so that a 404 is no surprise. */
function MissingNote({ samples }: { samples: Samples }) {
  const missing = [
    ...(samples.dischargeId === null ? ['discharge'] : []),
    ...(samples.transferId === null ? ['transfer'] : []),
    ...(samples.playerId === null ? ['player with an account'] : []),
    ...(samples.username === null ? ['verified player'] : []),
  ];
  if (missing.length === 0) return null;
  const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(missing);
  return (
    <p className={classes.note}>
      This guild has no {list} yet. Until it has, those examples hold ids that only show the form.
    </p>
  );
}
