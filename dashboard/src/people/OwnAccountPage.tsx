import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Tabs } from '@mantine/core';
import { IconUserQuestion } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { Loaded } from '../access/Loaded.tsx';
import { useSession } from '../access/session-context.ts';
import { useGuild } from '../access/use-guild.ts';
import { ownAvatarAddress } from '../api/avatars.ts';
import type { Guild } from '../api/guilds.ts';
import { type OwnAccount, ownAccountQuery } from '../api/players.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { IdTerm } from '../components/IdTerm.tsx';
import { NameMark } from '../components/NameMark.tsx';
import { PageSkeleton, TableSkeleton } from '../components/PageSkeleton.tsx';
import { Tag } from '../components/Tag.tsx';
import { usePageTitle } from '../components/use-page-title.ts';
import classes from './Person.module.css';
import { PersonAccount } from './PersonAccount.tsx';
import { readView, viewSearch } from './person-tabs.ts';

const OwnVerification = lazy(async () => ({
  default: (await import('./PersonAccounts.tsx')).OwnVerification,
}));
const PersonStatement = lazy(async () => ({
  default: (await import('./PersonStatement.tsx')).PersonStatement,
}));

/** The account of the person themself in the guild, without anything of others. */
export function OwnAccountPage() {
  const guild = useGuild();
  usePageTitle(t`My account`);
  if (!guild.hasOwnAccount) return <NoOwnAccount guild={guild} />;
  return <LoadedAccount guild={guild} />;
}

function LoadedAccount({ guild }: { guild: Guild }) {
  const query = useQuery(ownAccountQuery(guild.guildId));
  return (
    <Loaded
      query={query}
      skeleton={<PageSkeleton label={t`Loading your account`} />}
      failure={t`Your account could not be loaded`}
    >
      {(account) => <Account guild={guild} account={account} />}
    </Loaded>
  );
}

function Account({ guild, account }: { guild: Guild; account: OwnAccount }) {
  const { search } = useLocation();
  const navigate = useNavigate();
  const view = readView(search);
  if (view === 'statement') {
    return (
      <Suspense fallback={<PageSkeleton label={t`Loading the statement`} />}>
        <PersonStatement guild={guild} player={account} name={account.username} />
      </Suspense>
    );
  }
  return (
    <>
      <Header guild={guild} account={account} />
      <Tabs
        value={view === 'accounts' ? view : 'account'}
        onChange={(tab) =>
          navigate(
            { search: viewSearch(search, tab === 'accounts' ? tab : 'account') },
            { preventScrollReset: true },
          )
        }
        keepMounted={false}
      >
        <Tabs.List className={classes.tabs ?? ''} aria-label={t`Views of your account`}>
          <Tabs.Tab value="account">{t`Account`}</Tabs.Tab>
          <Tabs.Tab value="accounts">{t`Verification`}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="account">
          <PersonAccount guild={guild} player={account} isUnknown={false} />
        </Tabs.Panel>
        <Tabs.Panel value="accounts">
          <Suspense fallback={<TableSkeleton rows={3} />}>
            <OwnVerification guildId={guild.guildId} account={account} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Header({ guild, account }: { guild: Guild; account: OwnAccount }) {
  const { user } = useSession();
  const { playerId, chatId, username } = account;
  return (
    <header className={classes.head}>
      <NameMark id={chatId} name={username} size="lg" isRound picture={ownAvatarAddress(user.avatar)} />
      <div className={classes.who}>
        <div className={classes.nameLine}>
          <h1 className={classes.name}>
            <bdi title={username}>{username}</bdi>
          </h1>
          <Tag tone="good">{t`Verified`}</Tag>
        </div>
        <dl className={classes.ids}>
          <IdTerm label={t`Player id`} text={playerId} />
          <IdTerm label={t`Chat id`} text={chatId} />
        </dl>
        <p className={classes.audience}>
          <Trans>
            Your account in <bdi>{guild.name}</bdi>. You and those with a role in the guild can see it.
          </Trans>
        </p>
      </div>
    </header>
  );
}

function NoOwnAccount({ guild }: { guild: Guild }) {
  return (
    <EmptyState icon={<IconUserQuestion size={28} stroke={1.6} />} title={t`You have no account here`} isPage>
      <p>
        {guild.ownAccounts ? (
          <Trans>
            You are not verified with an account of the game yet. Verify with the bot of{' '}
            <bdi>{guild.name}</bdi>, and your account appears here.
          </Trans>
        ) : (
          <Trans>
            <bdi>{guild.name}</bdi> does not show members their accounts. A manager can switch it on in the
            guild’s settings.
          </Trans>
        )}
      </p>
    </EmptyState>
  );
}
