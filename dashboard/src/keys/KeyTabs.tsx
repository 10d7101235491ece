import { t } from '@lingui/core/macro';
import { LinkTabs } from '../components/LinkTabs.tsx';

/** Keys, and the requests that were sent with them. */
export function KeyTabs({ guildId }: { guildId: string }) {
  return (
    <LinkTabs
      label={t`Keys and requests`}
      tabs={[
        { to: `/guilds/${guildId}/keys`, label: t`Keys` },
        { to: `/guilds/${guildId}/requests`, label: t`Requests` },
      ]}
    />
  );
}
