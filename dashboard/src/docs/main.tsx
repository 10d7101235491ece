import { renderPage } from '../components/render-page.tsx';
import { CredentialsProvider } from './credentials.tsx';
import { DocsPage } from './DocsPage.tsx';

renderPage(
  <CredentialsProvider>
    <DocsPage />
  </CredentialsProvider>,
);
