import './app/first-load.ts';
import { dropAllDrafts } from './access/form-drafts.ts';
import { createDashboardQueryClient } from './api/query-client.ts';
import { App } from './app/App.tsx';
import { preload } from './app/preload.ts';
import { renderPage } from './components/render-page.tsx';

const queryClient = createDashboardQueryClient({
  onSignOut: dropAllDrafts,
  async onRateLimited(waitMs) {
    // Most people never see it, so it is not part of the first page's code.
    const { showRateLimit } = await import('./app/rate-limit-notice.ts');
    showRateLimit(waitMs);
  },
});
await preload(queryClient, window.location);
await renderPage(<App />, queryClient);
