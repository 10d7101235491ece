import './mantine-styles.ts';
import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { firstTexts } from '../texts/load-texts.ts';
import { cssVariablesResolver, theme } from './theme.ts';

/** Renders a page as soon as its texts are loaded. Every entry point calls this once with its content and its cache. */
export async function renderPage(page: ReactNode, queryClient: QueryClient): Promise<void> {
  const texts = firstTexts();
  if (texts) await texts;
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no element with the id "root"');
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme()}
        cssVariablesResolver={cssVariablesResolver}
        defaultColorScheme="auto"
        deduplicateInlineStyles
      >
        <QueryClientProvider client={queryClient}>{page}</QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
