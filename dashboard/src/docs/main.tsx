import { QueryClient } from '@tanstack/react-query';
import { renderPage } from '../components/render-page.tsx';
import { CredentialsProvider } from './credentials.tsx';
import { DocsPage } from './DocsPage.tsx';

renderPage(
  <CredentialsProvider>
    <DocsPage />
  </CredentialsProvider>,
  new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false } } }),
);
