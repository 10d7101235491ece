import type { GuildPageName } from './guild-place.ts';

// The code of the pages. This file imports nothing at once, so that a page's code can be requested before the libraries are
// loaded.

export const guildPageImports = {
  overview: async () => (await import('../overview/OverviewPage.tsx')).loadOverview(),
  ledger: async () => (await import('../ledger/LedgerPage.tsx')).LedgerPage,
  people: async () => (await import('../people/PeoplePage.tsx')).PeoplePage,
  person: async () => (await import('../people/PersonPage.tsx')).PersonPage,
  discharges: async () => (await import('../records/RecordsPage.tsx')).DischargesPage,
  transfers: async () => (await import('../records/RecordsPage.tsx')).TransfersPage,
  audit: async () => (await import('../audit/AuditPage.tsx')).AuditPage,
  keys: async () => (await import('../keys/KeysPage.tsx')).KeysPage,
  requests: async () => (await import('../requests/RequestsPage.tsx')).RequestsPage,
  webhooks: async () => (await import('../webhooks/WebhooksPage.tsx')).WebhooksPage,
  webhook: async () => (await import('../webhooks/WebhookPage.tsx')).WebhookPage,
  roles: async () => (await import('../roles/RolesPage.tsx')).RolesPage,
  me: async () => (await import('../people/OwnAccountPage.tsx')).OwnAccountPage,
  settings: async () => (await import('../settings/SettingsPage.tsx')).SettingsPage,
  board: async () => (await import('../settings/BoardPage.tsx')).BoardPage,
} satisfies Record<GuildPageName, unknown>;

export const pageImports = {
  guilds: async () => (await import('../guilds/GuildsPage.tsx')).GuildsPage,
  signIn: async () => (await import('../sign-in/SignInPage.tsx')).SignInPage,
  join: async () => (await import('../roles/JoinPage.tsx')).JoinPage,
  commands: async () => (await import('../commands/CommandsPage.tsx')).CommandsPage,
};
