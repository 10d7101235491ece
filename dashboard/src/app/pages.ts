import { createRoom } from './create-room.tsx';
import type { GuildPageName } from './guild-place.ts';

// The pages. The code of each is loaded when it is opened, or while the browser is idle.

export const guildRooms = {
  overview: createRoom(async () => (await import('../overview/OverviewPage.tsx')).OverviewPage),
  ledger: createRoom(async () => (await import('../ledger/LedgerPage.tsx')).LedgerPage),
  player: createRoom(async () => (await import('../ledger/PlayerPage.tsx')).PlayerPage),
  people: createRoom(async () => (await import('../people/PeoplePage.tsx')).PeoplePage),
  profile: createRoom(async () => (await import('../people/ProfilePage.tsx')).ProfilePage),
  discharges: createRoom(async () => (await import('../records/RecordsPage.tsx')).DischargesPage),
  transfers: createRoom(async () => (await import('../records/RecordsPage.tsx')).TransfersPage),
  verifications: createRoom(
    async () => (await import('../verifications/VerificationsPage.tsx')).VerificationsPage,
  ),
  audit: createRoom(async () => (await import('../audit/AuditPage.tsx')).AuditPage),
  keys: createRoom(async () => (await import('../keys/KeysPage.tsx')).KeysPage),
  webhooks: createRoom(async () => (await import('../webhooks/WebhooksPage.tsx')).WebhooksPage),
  webhook: createRoom(async () => (await import('../webhooks/WebhookPage.tsx')).WebhookPage),
  roles: createRoom(async () => (await import('../roles/RolesPage.tsx')).RolesPage),
  settings: createRoom(async () => (await import('../settings/SettingsPage.tsx')).SettingsPage),
  api: createRoom(async () => (await import('../docs/ApiPage.tsx')).ApiPage),
} satisfies Record<GuildPageName, unknown>;

export const guildsRoom = createRoom(async () => (await import('../guilds/GuildsPage.tsx')).GuildsPage);
export const signInRoom = createRoom(async () => (await import('../sign-in/SignInPage.tsx')).SignInPage);
export const commandsRoom = createRoom(
  async () => (await import('../commands/CommandsPage.tsx')).CommandsPage,
);
