import { IconTool } from '@tabler/icons-react';
import type { Guild } from '../api/guilds.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { GuildSetup } from './GuildSetup.tsx';

interface UnknownGuildProps {
  guild: Guild;
  /** The page's own title. */
  title: string;
}

/** A page of a guild that the service does not know yet, with what to do about it. */
export function UnknownGuild({ guild, title }: UnknownGuildProps) {
  return (
    <>
      <PageHeading title={title} />
      <EmptyState icon={<IconTool size={28} stroke={1.6} />} title="This guild is not set up yet">
        <GuildSetup guild={guild} />
      </EmptyState>
    </>
  );
}
