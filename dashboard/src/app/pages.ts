import { createLazyPage } from './create-lazy-page.tsx';
import type { GuildPageName } from './guild-place.ts';

// The pages. The code of each is loaded when it is opened, or while the browser is idle.

export const guildPages = {
  overview: createLazyPage(async () => (await import('../overview/OverviewPage.tsx')).OverviewPage),
  ledger: createLazyPage(async () => (await import('../ledger/LedgerPage.tsx')).LedgerPage),
  people: createLazyPage(async () => (await import('../people/PeoplePage.tsx')).PeoplePage),
  person: createLazyPage(async () => (await import('../people/PersonPage.tsx')).PersonPage),
  discharges: createLazyPage(async () => (await import('../records/RecordsPage.tsx')).DischargesPage),
  transfers: createLazyPage(async () => (await import('../records/RecordsPage.tsx')).TransfersPage),
  audit: createLazyPage(async () => (await import('../audit/AuditPage.tsx')).AuditPage),
  keys: createLazyPage(async () => (await import('../keys/KeysPage.tsx')).KeysPage),
  requests: createLazyPage(async () => (await import('../requests/RequestsPage.tsx')).RequestsPage),
  webhooks: createLazyPage(async () => (await import('../webhooks/WebhooksPage.tsx')).WebhooksPage),
  webhook: createLazyPage(async () => (await import('../webhooks/WebhookPage.tsx')).WebhookPage),
  roles: createLazyPage(async () => (await import('../roles/RolesPage.tsx')).RolesPage),
  settings: createLazyPage(async () => (await import('../settings/SettingsPage.tsx')).SettingsPage),
} satisfies Record<GuildPageName, unknown>;

export const guildsPage = createLazyPage(async () => (await import('../guilds/GuildsPage.tsx')).GuildsPage);
export const signInPage = createLazyPage(async () => (await import('../sign-in/SignInPage.tsx')).SignInPage);
export const joinPage = createLazyPage(async () => (await import('../roles/JoinPage.tsx')).JoinPage);
export const commandsPage = createLazyPage(
  async () => (await import('../commands/CommandsPage.tsx')).CommandsPage,
);
