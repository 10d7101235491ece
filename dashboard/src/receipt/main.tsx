import { QueryClient } from '@tanstack/react-query';
import { renderPage } from '../components/render-page.tsx';
import { ReceiptPage } from './ReceiptPage.tsx';

await renderPage(<ReceiptPage />, new QueryClient());
