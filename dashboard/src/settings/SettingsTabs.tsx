import { t } from '@lingui/core/macro';
import { LinkTabs } from '../components/LinkTabs.tsx';

/** The settings of a guild, and its public page. */
export function SettingsTabs({ guildId }: { guildId: string }) {
  return (
    <LinkTabs
      label={t`Settings and board`}
      tabs={[
        { to: `/guilds/${guildId}/settings`, label: t`General` },
        { to: `/guilds/${guildId}/board`, label: t`Public board` },
      ]}
    />
  );
}
