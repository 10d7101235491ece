import { dropAllDrafts } from './access/form-drafts.ts';
import { createDashboardQueryClient } from './api/query-client.ts';
import { App } from './app/App.tsx';
import { preload } from './app/preload.ts';
import { renderPage } from './components/render-page.tsx';

const queryClient = createDashboardQueryClient(dropAllDrafts);
await preload(queryClient, window.location);
renderPage(<App />, queryClient);
