import { Outlet, ScrollRestoration } from 'react-router';
import { AfterLoading } from './AfterLoading.tsx';
import { IssuedKeyProvider } from './IssuedKeyProvider.tsx';

export function Root() {
  return (
    <IssuedKeyProvider>
      <AfterLoading />
      <Outlet />
      <ScrollRestoration />
    </IssuedKeyProvider>
  );
}
