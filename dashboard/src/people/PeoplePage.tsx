import { Button, Group } from '@mantine/core';
import { IconSearchOff, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { Loaded } from '../access/Loaded.tsx';
import { UnknownGuild } from '../access/UnknownGuild.tsx';
import { useGuild } from '../access/use-guild.ts';
import { type Member, membersQuery } from '../api/members.ts';
import { overviewAddress, personAddress } from '../components/addresses.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import { RecordList } from '../components/RecordList.tsx';
import { SearchInput } from '../components/SearchInput.tsx';
import { useDraft } from '../components/use-draft.ts';
import { ImportVerifications } from './ImportVerifications.tsx';
import { memberColumns } from './member-columns.tsx';
import classes from './People.module.css';

const title = 'People';
const searchLabel = 'Search by any part of a name, a player id or a chat id';

/** All members of the guild: people with an account or a record. */
export function PeoplePage() {
  const guild = useGuild();
  if (guild.state === 'unknown') return <UnknownGuild guild={guild} title={title} />;
  return (
    <>
      <PageHeading
        title={title}
        action={
          <Group gap="xs">
            <ImportVerifications guild={guild} />
            <Button
              component={Link}
              to={`/guilds/${encodeURIComponent(guild.guildId)}/verifications`}
              variant="default"
            >
              Look somebody up
            </Button>
          </Group>
        }
      >
        Everybody with an account or a record in <bdi>{guild.name}</bdi>.
      </PageHeading>
      <Members guildId={guild.guildId} />
    </>
  );
}

function Members({ guildId }: { guildId: string }) {
  const [parameters, setParameters] = useSearchParams();
  const asked = (parameters.get('query') ?? '').trim();
  const cursor = parameters.get('cursor') ?? '';
  const search = (text: string) =>
    setParameters(text.trim() === '' ? {} : { query: text.trim() }, {
      replace: true,
      preventScrollReset: true,
    });
  const draft = useDraft(asked, search);
  const query = useQuery(membersQuery(guildId, { query: asked, cursor }));
  return (
    <>
      <search className={classes.search}>
        <SearchInput label={searchLabel} value={draft.text} onChange={draft.type} onSubmit={draft.commit} />
      </search>
      <Loaded query={query} skeleton={<RowsSkeleton />} failure="The people could not be loaded">
        {({ members, nextCursor }) => (
          <>
            {members.length === 0 ? (
              <Nobody asked={asked} isMore={nextCursor !== null} onClear={() => search('')} />
            ) : (
              <MemberList guildId={guildId} members={members} isStale={query.isPlaceholderData} />
            )}
            <Steps cursor={cursor} nextCursor={nextCursor} asked={asked} />
          </>
        )}
      </Loaded>
    </>
  );
}

interface MemberListProps {
  guildId: string;
  members: Member[];
  isStale: boolean;
}

function MemberList({ guildId, members, isStale }: MemberListProps) {
  const navigate = useNavigate();
  return (
    <RecordList
      caption="People"
      rows={members}
      columns={memberColumns}
      idOf={({ playerId }) => playerId}
      onOpen={({ playerId }) => navigate(personAddress(guildId, playerId))}
      isStale={isStale}
    />
  );
}

interface NobodyProps {
  asked: string;
  isMore: boolean;
  onClear: () => void;
}

function Nobody({ asked, isMore, onClear }: NobodyProps) {
  const guild = overviewAddress(useGuild().guildId);
  if (asked === '') {
    return (
      <EmptyState icon={<IconUsers size={28} stroke={1.6} />} title="Nobody yet">
        <p>
          People appear here with their first transaction or record. Bots post them with a key; you can add
          records yourself.
        </p>
        <Group gap="xs" justify="center" mt="md">
          <Button component={Link} to={`${guild}/keys`} variant="default">
            Make a key
          </Button>
          <Button component={Link} to={`${guild}/discharges`} variant="default">
            Add a record
          </Button>
        </Group>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<IconSearchOff size={28} stroke={1.6} />} title={`Nobody matches “${asked}”`}>
      <p>
        {isMore
          ? 'This guild is large, and only a part of it was searched so far.'
          : 'Names match in any part and in any case, former names too; ids have to match to the letter.'}
      </p>
      <Button variant="default" mt="md" onClick={onClear}>
        Show everybody
      </Button>
    </EmptyState>
  );
}

interface StepsProps {
  cursor: string;
  nextCursor: string | null;
  asked: string;
}

/** Links to the next page and to the first one. For the previous page people use the browser's back button. */
function Steps({ cursor, nextCursor, asked }: StepsProps) {
  if (cursor === '' && nextCursor === null) return null;
  const to = (next: string) => {
    const search = new URLSearchParams(asked === '' ? {} : { query: asked });
    if (next !== '') search.set('cursor', next);
    return { search: search.toString() };
  };
  return (
    <nav className={classes.steps} aria-label="Pages of people">
      {cursor !== '' && (
        <Button component={Link} to={to('')} variant="default">
          First page
        </Button>
      )}
      {nextCursor !== null && (
        <Button component={Link} to={to(nextCursor)} variant="default">
          {asked === '' ? 'Next page' : 'Search further'}
        </Button>
      )}
    </nav>
  );
}
