import { Suspense } from 'react';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { ErrorPage } from './ErrorPage.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';
import { commandsRoom, guildRooms, guildsRoom, signInRoom } from './pages.ts';
import { RequireGuild } from './RequireGuild.tsx';
import { RequireSession } from './RequireSession.tsx';
import { Root } from './Root.tsx';
import { Shell } from './Shell.tsx';
import { SignOutButton } from './SignOutButton.tsx';

const guildRoutes = {
  path: 'guilds/:guildId',
  element: <RequireGuild />,
  children: [
    { index: true, element: <guildRooms.overview.Page /> },
    { path: 'ledger', element: <guildRooms.ledger.Page /> },
    { path: 'ledger/:playerId', element: <guildRooms.player.Page /> },
    { path: 'discharges', element: <guildRooms.discharges.Page /> },
    { path: 'transfers', element: <guildRooms.transfers.Page /> },
    { path: 'verifications', element: <guildRooms.verifications.Page /> },
    { path: 'people', element: <guildRooms.people.Page /> },
    { path: 'people/:playerId', element: <guildRooms.profile.Page /> },
    { path: 'settings', element: <guildRooms.settings.Page /> },
    { path: 'audit', element: <guildRooms.audit.Page /> },
    { path: 'keys', element: <guildRooms.keys.Page /> },
    { path: 'webhooks', element: <guildRooms.webhooks.Page /> },
    { path: 'webhooks/:webhookId', element: <guildRooms.webhook.Page /> },
    { path: 'roles', element: <guildRooms.roles.Page /> },
    { path: 'api', element: <guildRooms.api.Page /> },
    { path: '*', element: <NotFoundPage /> },
  ],
};

const rooms = [
  {
    element: <RequireSession />,
    children: [{ index: true, element: <guildsRoom.Page signOutButton={<SignOutButton />} /> }, guildRoutes],
  },
  { path: 'commands', element: <commandsRoom.Page /> },
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
              <signInRoom.Page />
            </Suspense>
          ),
        },
        // An error in a page keeps the navigation.
        { element: <Shell />, children: [{ errorElement: <ErrorPage isInside />, children: rooms }] },
      ],
    },
  ],
  { basename: '/dashboard' },
);

export function App() {
  return <RouterProvider router={router} />;
}
