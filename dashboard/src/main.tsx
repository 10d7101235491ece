import { dropAllDrafts } from './access/form-drafts.ts';
import { createDashboardQueryClient } from './api/query-client.ts';
import { App } from './app/App.tsx';
import { renderPage } from './components/render-page.tsx';

renderPage(<App />, createDashboardQueryClient(dropAllDrafts));
