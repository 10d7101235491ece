import { lazy } from 'react';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { GuildsPage } from '../guilds/GuildsPage.tsx';
import { SignInPage } from '../sign-in/SignInPage.tsx';
import { ErrorPage } from './ErrorPage.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';
import { RequireGuild } from './RequireGuild.tsx';
import { RequireSession } from './RequireSession.tsx';
import { Root } from './Root.tsx';
import { Shell } from './Shell.tsx';
import { SignOutButton } from './SignOutButton.tsx';

// Rooms are loaded when they are entered; the front door stays light.
const OverviewPage = lazy(async () => ({
  default: (await import('../overview/OverviewPage.tsx')).OverviewPage,
}));
const LedgerPage = lazy(async () => ({ default: (await import('../ledger/LedgerPage.tsx')).LedgerPage }));
const PlayerPage = lazy(async () => ({ default: (await import('../ledger/PlayerPage.tsx')).PlayerPage }));
const KeysPage = lazy(async () => ({ default: (await import('../keys/KeysPage.tsx')).KeysPage }));
const RolesPage = lazy(async () => ({ default: (await import('../roles/RolesPage.tsx')).RolesPage }));
const WebhooksPage = lazy(async () => ({
  default: (await import('../webhooks/WebhooksPage.tsx')).WebhooksPage,
}));
const WebhookPage = lazy(async () => ({
  default: (await import('../webhooks/WebhookPage.tsx')).WebhookPage,
}));
const DischargesPage = lazy(async () => ({
  default: (await import('../records/RecordsPage.tsx')).DischargesPage,
}));
const TransfersPage = lazy(async () => ({
  default: (await import('../records/RecordsPage.tsx')).TransfersPage,
}));
const VerificationsPage = lazy(async () => ({
  default: (await import('../verifications/VerificationsPage.tsx')).VerificationsPage,
}));
const PeoplePage = lazy(async () => ({ default: (await import('../people/PeoplePage.tsx')).PeoplePage }));
const ProfilePage = lazy(async () => ({ default: (await import('../people/ProfilePage.tsx')).ProfilePage }));
const SettingsPage = lazy(async () => ({
  default: (await import('../settings/SettingsPage.tsx')).SettingsPage,
}));
const AuditPage = lazy(async () => ({ default: (await import('../audit/AuditPage.tsx')).AuditPage }));
const ApiPage = lazy(async () => ({ default: (await import('../docs/ApiPage.tsx')).ApiPage }));
const CommandsPage = lazy(async () => ({
  default: (await import('../commands/CommandsPage.tsx')).CommandsPage,
}));

const guildRoutes = {
  path: 'guilds/:guildId',
  element: <RequireGuild />,
  children: [
    { index: true, element: <OverviewPage /> },
    { path: 'ledger', element: <LedgerPage /> },
    { path: 'ledger/:playerId', element: <PlayerPage /> },
    { path: 'discharges', element: <DischargesPage /> },
    { path: 'transfers', element: <TransfersPage /> },
    { path: 'verifications', element: <VerificationsPage /> },
    { path: 'people', element: <PeoplePage /> },
    { path: 'people/:playerId', element: <ProfilePage /> },
    { path: 'settings', element: <SettingsPage /> },
    { path: 'audit', element: <AuditPage /> },
    { path: 'keys', element: <KeysPage /> },
    { path: 'webhooks', element: <WebhooksPage /> },
    { path: 'webhooks/:webhookId', element: <WebhookPage /> },
    { path: 'roles', element: <RolesPage /> },
    { path: 'api', element: <ApiPage /> },
    { path: '*', element: <NotFoundPage /> },
  ],
};

const rooms = [
  {
    element: <RequireSession />,
    children: [{ index: true, element: <GuildsPage signOutButton={<SignOutButton />} /> }, guildRoutes],
  },
  { path: 'commands', element: <CommandsPage /> },
  { path: '*', element: <NotFoundPage /> },
];

const router = createBrowserRouter(
  [
    {
      element: <Root />,
      errorElement: <ErrorPage />,
      children: [
        { path: 'sign-in', element: <SignInPage /> },
        // A room that fails leaves the navigation standing.
        { element: <Shell />, children: [{ errorElement: <ErrorPage isInside />, children: rooms }] },
      ],
    },
  ],
  { basename: '/dashboard' },
);

export function App() {
  return <RouterProvider router={router} />;
}
