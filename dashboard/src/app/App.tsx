import { Suspense } from 'react';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { ErrorPage } from './ErrorPage.tsx';
import { MovedToDocs } from './MovedToDocs.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';
import { OldPlayerAddress, OldVerificationsAddress } from './OldAddresses.tsx';
import { commandsPage, guildPages, guildsPage, joinPage, signInPage } from './pages.ts';
import { RequireGuild } from './RequireGuild.tsx';
import { RequireSession } from './RequireSession.tsx';
import { Root } from './Root.tsx';
import { Shell } from './Shell.tsx';
import { SignOutButton } from './SignOutButton.tsx';

const guildRoutes = {
  path: 'guilds/:guildId',
  element: <RequireGuild />,
  children: [
    { index: true, element: <guildPages.overview.Page /> },
    { path: 'ledger', element: <guildPages.ledger.Page /> },
    { path: 'ledger/:playerId', element: <OldPlayerAddress /> },
    { path: 'discharges', element: <guildPages.discharges.Page /> },
    { path: 'transfers', element: <guildPages.transfers.Page /> },
    { path: 'verifications', element: <OldVerificationsAddress /> },
    { path: 'people', element: <guildPages.people.Page /> },
    { path: 'people/:playerId', element: <guildPages.person.Page /> },
    { path: 'me', element: <guildPages.me.Page /> },
    { path: 'settings', element: <guildPages.settings.Page /> },
    { path: 'board', element: <guildPages.board.Page /> },
    { path: 'audit', element: <guildPages.audit.Page /> },
    { path: 'keys', element: <guildPages.keys.Page /> },
    { path: 'requests', element: <guildPages.requests.Page /> },
    { path: 'webhooks', element: <guildPages.webhooks.Page /> },
    { path: 'webhooks/:webhookId', element: <guildPages.webhook.Page /> },
    { path: 'roles', element: <guildPages.roles.Page /> },
    { path: 'api', element: <MovedToDocs /> },
    { path: '*', element: <NotFoundPage /> },
  ],
};

const pageRoutes = [
  {
    element: <RequireSession />,
    children: [{ index: true, element: <guildsPage.Page signOutButton={<SignOutButton />} /> }, guildRoutes],
  },
  { path: 'commands', element: <commandsPage.Page /> },
  { path: 'join', element: <joinPage.Page /> },
  { path: '*', element: <NotFoundPage /> },
];

const router = createBrowserRouter(
  [
    {
      element: <Root />,
      errorElement: <ErrorPage />,
      children: [
        {
          path: 'sign-in',
          element: (
            <Suspense>
              <signInPage.Page />
            </Suspense>
          ),
        },
        // An error in a page keeps the navigation.
        { element: <Shell />, children: [{ errorElement: <ErrorPage isInside />, children: pageRoutes }] },
      ],
    },
  ],
  { basename: '/dashboard' },
);

export function App() {
  return <RouterProvider router={router} />;
}
