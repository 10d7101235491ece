import { QueryClient } from '@tanstack/react-query';
import { renderPage } from '../components/render-page.tsx';
import { CredentialsProvider } from './credentials.tsx';
import { DocsPage } from './DocsPage.tsx';

const keyHelp = (
  <>
    Ask an admin of the guild for one, or make one on the server with <code>npx guildbook key create</code>.
  </>
);

renderPage(
  <CredentialsProvider isKept keyHelp={keyHelp}>
    <DocsPage />
  </CredentialsProvider>,
  new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false } } }),
);
