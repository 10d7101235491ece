import { Trans } from '@lingui/react/macro';
import { QueryClient } from '@tanstack/react-query';
import { useCommandLine } from '../access/use-command-line.ts';
import { overviewAddress } from '../components/addresses.ts';
import { renderPage } from '../components/render-page.tsx';
import { CredentialsProvider } from './credentials.tsx';
import { DocsPage } from './DocsPage.tsx';

const guildId = new URLSearchParams(window.location.search).get('guild') ?? undefined;

function KeyHelp() {
  const commandLine = useCommandLine();
  if (guildId !== undefined) {
    return (
      <Trans>
        Make one under <a href={`/dashboard${overviewAddress(guildId)}/keys`}>API keys</a>.
      </Trans>
    );
  }
  return (
    <Trans>
      Ask an admin of the guild for one, or make one on the server with{' '}
      <code>{commandLine('key create')}</code>.
    </Trans>
  );
}

await renderPage(
  // A key of a guild that the reader manages is easily made again, so that it is not stored.
  <CredentialsProvider isKept={guildId === undefined} keyHelp={<KeyHelp />}>
    <DocsPage guildId={guildId} />
  </CredentialsProvider>,
  new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false } } }),
);
