import { QueryClient } from '@tanstack/react-query';
import { useCommandLine } from '../access/use-command-line.ts';
import { renderPage } from '../components/render-page.tsx';
import { CredentialsProvider } from './credentials.tsx';
import { DocsPage } from './DocsPage.tsx';

function KeyHelp() {
  const commandLine = useCommandLine();
  return (
    <>
      Ask an admin of the guild for one, or make one on the server with{' '}
      <code>{commandLine('key create')}</code>.
    </>
  );
}

renderPage(
  <CredentialsProvider isKept keyHelp={<KeyHelp />}>
    <DocsPage />
  </CredentialsProvider>,
  new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false } } }),
);
