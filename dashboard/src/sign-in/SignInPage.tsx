import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconBook2, IconLogin2, IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useLocation } from 'react-router';
import { sessionQuery } from '../api/session.ts';
import { Notice } from '../components/Notice.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { usePageTitle } from '../components/use-page-title.ts';
import { readReturnPath, signInStart } from './return-path.ts';
import classes from './SignInPage.module.css';
import { readSignInMessage } from './sign-in-message.ts';

export function SignInPage() {
  usePageTitle(t`Sign in`);
  const location = useLocation();
  const { data: session } = useQuery(sessionQuery);
  const returnPath = readReturnPath(location.search);
  const message = readSignInMessage(location.search, location.state);
  if (session) return <Navigate to={returnPath.slice('/dashboard'.length)} replace />;
  return (
    <>
      <PageHeader />
      <main id="content" className={classes.main}>
        <div className={classes.panel}>
          <h1 className={classes.title}>
            <Trans>Sign in to Guildbook</Trans>
          </h1>
          <p className={classes.lead}>
            <Trans>Records, ledger and API keys of the guilds you manage.</Trans>
          </p>
          {message && (
            <Notice tone={message.tone} title={message.title} isAnnounced={message.tone !== 'info'}>
              {message.text}
            </Notice>
          )}
          <Button
            component="a"
            href={signInStart(returnPath)}
            size="md"
            px="sm"
            fullWidth
            className={classes.button ?? ''}
            leftSection={<IconLogin2 size={19} stroke={1.8} />}
          >
            <Trans>Sign in with your chat account</Trans>
          </Button>
          <p className={classes.small}>
            <Trans>
              Guildbook learns your name and which guilds you manage. It cannot read or write messages.
            </Trans>
          </p>
        </div>
        <ul className={classes.links}>
          <li>
            <Link to="/commands">
              <IconTerminal2 size={17} stroke={1.7} aria-hidden="true" />
              <Trans>Commands of the bot</Trans>
            </Link>
          </li>
          <li>
            <a href="/docs">
              <IconBook2 size={17} stroke={1.7} aria-hidden="true" />
              <Trans>API reference</Trans>
            </a>
          </li>
        </ul>
      </main>
    </>
  );
}
