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
    { index: true, element: <guildPages.overview.Content /> },
    { path: 'ledger', element: <guildPages.ledger.Content /> },
    { path: 'ledger/:playerId', element: <OldPlayerAddress /> },
    { path: 'discharges', element: <guildPages.discharges.Content /> },
    { path: 'transfers', element: <guildPages.transfers.Content /> },
    { path: 'verifications', element: <OldVerificationsAddress /> },
    { path: 'people', element: <guildPages.people.Content /> },
    { path: 'people/:playerId', element: <guildPages.person.Content /> },
    { path: 'me', element: <guildPages.me.Content /> },
    { path: 'settings', element: <guildPages.settings.Content /> },
    { path: 'board', element: <guildPages.board.Content /> },
    { path: 'audit', element: <guildPages.audit.Content /> },
    { path: 'keys', element: <guildPages.keys.Content /> },
    { path: 'requests', element: <guildPages.requests.Content /> },
    { path: 'webhooks', element: <guildPages.webhooks.Content /> },
    { path: 'webhooks/:webhookId', element: <guildPages.webhook.Content /> },
    { path: 'roles', element: <guildPages.roles.Content /> },
    { path: 'api', element: <MovedToDocs /> },
    { path: '*', element: <NotFoundPage /> },
  ],
};

const pageRoutes = [
  {
    element: <RequireSession />,
    children: [
      { index: true, element: <guildsPage.Content signOutButton={<SignOutButton />} /> },
      guildRoutes,
    ],
  },
  { path: 'commands', element: <commandsPage.Content /> },
  { path: 'join', element: <joinPage.Content /> },
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
              <signInPage.Content />
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
