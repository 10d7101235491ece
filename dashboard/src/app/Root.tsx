import { Notifications } from '@mantine/notifications';
import { Outlet, ScrollRestoration } from 'react-router';
import { IssuedKeyProvider } from './IssuedKeyProvider.tsx';

export function Root() {
  return (
    <IssuedKeyProvider>
      <Notifications position="bottom-right" />
      <Outlet />
      <ScrollRestoration />
    </IssuedKeyProvider>
  );
}
