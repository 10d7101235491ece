import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconUserQuestion } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Loaded } from '../access/Loaded.tsx';
import type { Guild } from '../api/guilds.ts';
import type { Profile } from '../api/members.ts';
import { type AccountFacts, type Person, personQuery } from '../api/people.ts';
import type { OwnAccount } from '../api/players.ts';
import { personAddress } from '../components/addresses.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { Balance } from '../components/Money.tsx';
import { groupCount } from '../components/money.ts';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import { Tag } from '../components/Tag.tsx';
import classes from './AccountTimeline.module.css';
import { accountTimeline, isKnown, type TimelineAccount } from './account-timeline.ts';

interface PersonAccountsProps {
  guild: Guild;
  playerId: string;
  /** Null when the guild does not know the player. */
  query: UseQueryResult<Profile | null>;
}

/** The present and past accounts of the game, with the guild's data about each. */
export function PersonAccounts({ guild, playerId, query }: PersonAccountsProps) {
  return (
    <Loaded query={query} skeleton={<RowsSkeleton />} failure={t`The accounts could not be loaded`}>
      {(profile) => <Timeline guild={guild} playerId={playerId} profile={profile} />}
    </Loaded>
  );
}

interface TimelineProps {
  guild: Guild;
  playerId: string;
  profile: Profile | null;
}

function Timeline({ guild, playerId, profile }: TimelineProps) {
  const isStranger = profile === null;
  // A person whom the guild does not know may be verified nevertheless. Only guilds with a plan see that.
  const lookup = useQuery({
    ...personQuery(guild.guildId, `player:${playerId}`),
    enabled: isStranger && guild.state === 'ready',
  });
  if (lookup.isLoading) return <RowsSkeleton />;
  const person = profile === null ? lookup.data : personOf(profile);
  if (!person) {
    return (
      <EmptyState
        icon={<IconUserQuestion size={28} stroke={1.6} />}
        title={t`Nobody is verified with this player`}
      >
        <p>
          <Trans>The chat bot verifies people. Their names and former accounts appear here then.</Trans>
        </p>
      </EmptyState>
    );
  }
  const timeline = accountTimeline(person);
  return (
    <>
      <p className={classes.lead}>
        {plural(timeline.length, { one: 'One account.', other: '# accounts, newest first.' })}
        {profile?.member.chatId === null &&
          ` ${t`Nobody is verified with it, so former accounts are not known.`}`}
        {guild.state !== 'ready' && ` ${t`Former accounts are shown with an active plan.`}`}
      </p>
      <AccountList guildId={guild.guildId} timeline={timeline} />
    </>
  );
}

function AccountList({ guildId, timeline }: { guildId: string; timeline: readonly TimelineAccount[] }) {
  return (
    <ol className={classes.timeline}>
      {timeline.map((account, index) => (
        // The accounts have no ids of their own and never move; the same name may appear twice.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above.
        <Account key={index} guildId={guildId} account={account} />
      ))}
    </ol>
  );
}

/** The verification of the person themself, without the guild's data about past accounts: somebody else may have them now. */
export function OwnVerification({ guildId, account }: { guildId: string; account: OwnAccount }) {
  return (
    <>
      <p className={classes.lead}>
        {account.pastUsers.length === 0
          ? t`Your chat account is verified with this account of the game.`
          : t`Your chat account is verified with the first of these accounts of the game. Balances of past accounts are not shown: somebody else may have them now.`}
      </p>
      <AccountList guildId={guildId} timeline={accountTimeline({ ...account, accounts: [] })} />
    </>
  );
}

function personOf({ member, accounts }: Profile): Omit<Person, 'chatId'> {
  const { playerId, username, name, pastUsers } = member;
  return { playerId, username: username ?? name ?? playerId, pastUsers, accounts };
}

function Account({ guildId, account }: { guildId: string; account: TimelineAccount }) {
  const { username, playerId, isCurrent, facts } = account;
  return (
    <li className={classes.account} data-current={isCurrent || undefined}>
      <div className={classes.accountHead}>
        <bdi className={classes.accountName}>{username}</bdi>
        {isCurrent ? (
          <Tag tone="good">
            <Trans>Current</Trans>
          </Tag>
        ) : (
          <Tag>
            <Trans>Past</Trans>
          </Tag>
        )}
        <span className={classes.player}>
          <Trans>
            Player <bdi>{playerId}</bdi>
          </Trans>
        </span>
      </div>
      {facts && <AccountFigures guildId={guildId} facts={facts} />}
    </li>
  );
}

function AccountFigures({ guildId, facts }: { guildId: string; facts: AccountFacts }) {
  if (!isKnown(facts))
    return (
      <p className={classes.nothing}>
        <Trans>This guild has nothing under this account.</Trans>
      </p>
    );
  const guild = `/guilds/${encodeURIComponent(guildId)}`;
  const player = encodeURIComponent(facts.playerId);
  const account = personAddress(guildId, facts.playerId);
  return (
    <dl className={classes.figures}>
      <Figure label={t`Balance`} to={account}>
        <Balance value={facts.balance} />
      </Figure>
      <Figure label={t`Transactions`} to={account} isPlain={facts.transactions === 0}>
        {groupCount(facts.transactions)}
      </Figure>
      <Figure
        label={t`Discharges`}
        to={`${guild}/discharges?query=${player}`}
        isPlain={facts.discharges === 0}
      >
        {groupCount(facts.discharges)}
      </Figure>
      <Figure label={t`Transfers`} to={`${guild}/transfers?query=${player}`} isPlain={facts.transfers === 0}>
        {groupCount(facts.transfers)}
      </Figure>
    </dl>
  );
}

interface FigureProps {
  label: string;
  to: string;
  /** Without a link, because there is nothing to show. */
  isPlain?: boolean;
  children: ReactNode;
}

function Figure({ label, to, isPlain = false, children }: FigureProps) {
  return (
    <div className={classes.figure}>
      <dt>{label}</dt>
      <dd>{isPlain ? children : <Link to={to}>{children}</Link>}</dd>
    </div>
  );
}
