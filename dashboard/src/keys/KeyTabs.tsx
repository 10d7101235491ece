import { LinkTabs } from '../components/LinkTabs.tsx';

/** Keys, and the requests that were sent with them. */
export function KeyTabs({ guildId }: { guildId: string }) {
  return (
    <LinkTabs
      label="Keys and requests"
      tabs={[
        { to: `/guilds/${guildId}/keys`, label: 'Keys' },
        { to: `/guilds/${guildId}/requests`, label: 'Requests' },
      ]}
    />
  );
}
