import { Button, Group } from '@mantine/core';
import { IconUserOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'react-router';
import { Loaded } from '../access/Loaded.tsx';
import { useSession } from '../access/session-context.ts';
import { useHasDraft } from '../access/use-form-draft.ts';
import { useGuild } from '../access/use-guild.ts';
import { useMay } from '../access/use-may.ts';
import { type Member, type Profile, profileQuery } from '../api/members.ts';
import { ApiError } from '../api/request.ts';
import { PersonHistory } from '../audit/PersonHistory.tsx';
import { overviewAddress, personAddress, playerAddress } from '../components/addresses.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { IdTerm } from '../components/IdTerm.tsx';
import { Balance } from '../components/Money.tsx';
import { groupCount } from '../components/money.ts';
import { PageHeading } from '../components/PageHeading.tsx';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import { Tag } from '../components/Tag.tsx';
import { State } from './member-columns.tsx';
import classes from './People.module.css';
import { LinkDialog, linkFormId, UnlinkDialog } from './VerificationDialogs.tsx';

/** One member of the guild: money, records, accounts and changes. */
export function ProfilePage() {
  const guild = useGuild();
  const { playerId = '' } = useParams();
  const query = useQuery(profileQuery(guild.guildId, playerId));
  if (query.error instanceof ApiError && query.error.status === 404) return <Unknown playerId={playerId} />;
  return (
    <Loaded query={query} skeleton={<RowsSkeleton />} failure="The person could not be loaded">
      {(profile) => <Person guildId={guild.guildId} profile={profile} />}
    </Loaded>
  );
}

function Unknown({ playerId }: { playerId: string }) {
  const { guildId } = useGuild();
  return (
    <EmptyState
      icon={<IconUserOff size={28} stroke={1.6} />}
      title="This guild does not know the player"
      isPage
    >
      <p>
        <bdi>{playerId}</bdi> has neither an account nor a record here.
      </p>
      <Button component={Link} to={`${overviewAddress(guildId)}/people`} variant="default" mt="md">
        Show everybody
      </Button>
    </EmptyState>
  );
}

function Person({ guildId, profile }: { guildId: string; profile: Profile }) {
  const { member, accounts, discharges, transfers } = profile;
  const guild = overviewAddress(guildId);
  return (
    <>
      <PageHeading
        title={member.name ?? member.playerId}
        action={
          <Button component={Link} to={playerAddress(guildId, member.playerId)}>
            Open the ledger
          </Button>
        }
      />
      <Identity member={member} />
      <Section title={accounts.length === 1 ? 'Account' : 'Accounts, the present one first'}>
        {accounts.map((account) => (
          <li key={account.playerId} className={classes.item}>
            <span className={classes.grow}>
              <Link to={playerAddress(guildId, account.playerId)}>
                <bdi>{account.username}</bdi>
              </Link>{' '}
              <span className={classes.quiet}>
                Player <bdi>{account.playerId}</bdi>
              </span>
            </span>
            {!account.isCurrent && <Tag>Former</Tag>}
            <span className={classes.sums}>
              <span className={classes.quiet}>
                {groupCount(account.transactions)}{' '}
                {account.transactions === 1 ? 'transaction' : 'transactions'}
              </span>
              <Balance value={account.balance} />
            </span>
          </li>
        ))}
      </Section>
      <Records
        title="Discharges"
        path={`${guild}/discharges`}
        records={discharges}
        textOf={({ type }) => type}
      />
      <Records
        title="Transfers"
        path={`${guild}/transfers`}
        records={transfers}
        textOf={({ from, to }) => `${from} → ${to}`}
      />
      <Changes guildId={guildId} profile={profile} />
    </>
  );
}

function Identity({ member }: { member: Member }) {
  const { editsVerifications } = useSession();
  const { guildId } = useGuild();
  const mayEdit = useMay('people.change') && editsVerifications;
  const hasDraft = useHasDraft(linkFormId(member.playerId));
  const [work, setWork] = useState<'link' | 'unlink' | undefined>(mayEdit && hasDraft ? 'link' : undefined);
  const end = () => setWork(undefined);
  return (
    <div className={classes.head}>
      <State {...member} />
      <dl className={classes.ids}>
        <IdTerm label="Player id" text={member.playerId} />
        {member.chatId !== null && <IdTerm label="Chat id" text={member.chatId} />}
        {member.formerOf !== null && (
          <div>
            <dt>Former account of</dt>
            <dd>
              <Link to={personAddress(guildId, member.formerOf.playerId)}>
                <bdi>{member.formerOf.username}</bdi>
              </Link>
            </dd>
          </div>
        )}
      </dl>
      {mayEdit && (
        <Group gap="xs">
          <Button variant="default" onClick={() => setWork('link')}>
            {member.chatId === null ? 'Verify' : 'Change verification'}
          </Button>
          {member.chatId !== null && (
            <Button variant="default" onClick={() => setWork('unlink')}>
              Unlink
            </Button>
          )}
        </Group>
      )}
      {work === 'link' && <LinkDialog guildId={guildId} member={member} onClose={end} />}
      {work === 'unlink' && <UnlinkDialog guildId={guildId} member={member} onClose={end} />}
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <h2 className={classes.title}>{title}</h2>
      <ul className={classes.list}>{children}</ul>
    </section>
  );
}

interface RecordsProps<Item> {
  title: string;
  path: string;
  records: readonly Item[];
  textOf: (record: Item) => string;
}

function Records<Item extends { id: string; name: string; date: string }>(props: RecordsProps<Item>) {
  const { title, path, records, textOf } = props;
  return (
    <Section title={title}>
      {records.length === 0 && <li className={`${classes.item} ${classes.quiet}`}>None</li>}
      {records.map((record) => (
        <li key={record.id} className={classes.item}>
          <span className={classes.grow}>
            <Link to={`${path}?record=${encodeURIComponent(record.id)}`}>
              <bdi>{record.name}</bdi>
            </Link>{' '}
            <bdi className={classes.quiet}>{textOf(record)}</bdi>
          </span>
          <time className={classes.quiet} dateTime={record.date}>
            {record.date.slice(0, 10)}
          </time>
        </li>
      ))}
    </Section>
  );
}

/** The changes of everything that belongs to the person. */
function Changes({ guildId, profile }: { guildId: string; profile: Profile }) {
  const { member, discharges, transfers } = profile;
  const subjects = [
    { kind: 'account' as const, id: member.playerId },
    ...(member.chatId === null ? [] : [{ kind: 'verification' as const, id: member.chatId }]),
    ...discharges.map(({ id }) => ({ kind: 'discharge' as const, id })),
    ...transfers.map(({ id }) => ({ kind: 'transfer' as const, id })),
  ];
  return (
    <section className={classes.section}>
      <h2 className={classes.title}>Audit history</h2>
      <PersonHistory guildId={guildId} subjects={subjects} />
    </section>
  );
}
