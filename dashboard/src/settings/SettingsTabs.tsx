import { LinkTabs } from '../components/LinkTabs.tsx';

/** The settings of a guild, and its public page. */
export function SettingsTabs({ guildId }: { guildId: string }) {
  return (
    <LinkTabs
      label="Settings and board"
      tabs={[
        { to: `/guilds/${guildId}/settings`, label: 'General' },
        { to: `/guilds/${guildId}/board`, label: 'Public board' },
      ]}
    />
  );
}
