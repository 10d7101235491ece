import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { may } from '../access/guild-texts.ts';
import { Loaded } from '../access/Loaded.tsx';
import { NotAllowed } from '../access/NotAllowed.tsx';
import { UnknownGuild } from '../access/UnknownGuild.tsx';
import { useGuild } from '../access/use-guild.ts';
import { boardQuery } from '../api/board.ts';
import type { Guild } from '../api/guilds.ts';
import { PageHeading } from '../components/PageHeading.tsx';
import { BoardForm } from './BoardForm.tsx';
import { SettingsTabs } from './SettingsTabs.tsx';

const title = () => t`Public board`;

/** The settings of the guild's public page, beside the page as it would be. */
export function BoardPage() {
  const guild = useGuild();
  if (!may(guild, 'settings.change')) return <NotAllowed needed="manager" />;
  if (guild.state === 'unknown') return <UnknownGuild guild={guild} title={title()} />;
  return <OpenBoardPage guild={guild} />;
}

function OpenBoardPage({ guild }: { guild: Guild }) {
  const query = useQuery(boardQuery(guild.guildId));
  return (
    <>
      <PageHeading title={title()}>
        <Trans>
          A page of the guild that everybody can open, without signing in. It shows the parts that you choose,
          and nothing else.
        </Trans>
      </PageHeading>
      <SettingsTabs guildId={guild.guildId} />
      <Loaded
        query={query}
        skeleton={<Skeleton height={480} />}
        failure={t`The settings of the board could not be loaded`}
      >
        {(board) => <BoardForm guildId={guild.guildId} board={board} />}
      </Loaded>
    </>
  );
}
