import { t } from '@lingui/core/macro';
import { IconTool } from '@tabler/icons-react';
import type { Guild } from '../api/guilds.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { GuildSetup } from './GuildSetup.tsx';

interface UnknownGuildProps {
  guild: Guild;
  /** The title of the page. */
  title: string;
}

/** Shown instead of a page when the service does not know the guild yet, with instructions. */
export function UnknownGuild({ guild, title }: UnknownGuildProps) {
  return (
    <>
      <PageHeading title={title} />
      <EmptyState icon={<IconTool size={28} stroke={1.6} />} title={t`This guild is not set up yet`}>
        <GuildSetup guild={guild} />
      </EmptyState>
    </>
  );
}
