import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconLogin2, IconMailOpened } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { roleTexts } from '../access/guild-texts.ts';
import { guildsQuery } from '../api/guilds.ts';
import { type Acceptance, acceptInvitation } from '../api/roles.ts';
import { type Session, sessionQuery } from '../api/session.ts';
import { overviewAddress } from '../components/addresses.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { Notice } from '../components/Notice.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { PageSkeleton } from '../components/PageSkeleton.tsx';
import { forgetInvitation, takeInvitation } from './invitation-link.ts';
import classes from './Roles.module.css';

/** The page that an invitation link opens. Nothing is accepted before the person says so. */
export function JoinPage() {
  const [invitation] = useState(takeInvitation);
  const session = useQuery(sessionQuery);
  if (session.isPending) return <PageSkeleton label={t`Loading`} />;
  return (
    <>
      <PageHeading title={t`Invitation`} />
      {invitation === undefined ? (
        <EmptyState icon={<IconMailOpened size={28} stroke={1.6} />} title={t`This link is not complete`}>
          <p>
            <Trans>Open the link exactly as you got it, or ask for another one.</Trans>
          </p>
        </EmptyState>
      ) : (
        <Invitation invitation={invitation} session={session.data ?? null} />
      )}
    </>
  );
}

function Invitation({ invitation, session }: { invitation: Acceptance; session: Session | null }) {
  return (
    <EmptyState
      icon={<IconMailOpened size={28} stroke={1.6} />}
      title={t`You are invited to a guild’s books`}
    >
      <p>
        {session
          ? t`You get the role of the invitation as ${session.user.name}.`
          : t`Sign in with your chat account first. The invitation waits for you in this tab.`}
      </p>
      {session ? (
        <Accepting invitation={invitation} session={session} />
      ) : (
        <Button
          component={Link}
          to="/sign-in?returnTo=%2Fdashboard%2Fjoin"
          mt="md"
          leftSection={<IconLogin2 size={17} stroke={1.8} />}
        >
          <Trans>Sign in</Trans>
        </Button>
      )}
    </EmptyState>
  );
}

function Accepting({ invitation, session }: { invitation: Acceptance; session: Session }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const acceptance = useMutation({
    mutationFn: () => acceptInvitation(session, invitation),
    onSuccess: async ({ guildId, isMember }) => {
      forgetInvitation();
      await queryClient.invalidateQueries({ queryKey: guildsQuery.queryKey, exact: true });
      if (isMember) navigate(overviewAddress(guildId), { replace: true });
    },
  });
  const accepted = acceptance.data;
  return (
    <div className={classes.form}>
      {acceptance.isError && (
        <Notice tone="danger" title={t`The invitation was not accepted`} isAnnounced>
          {acceptance.error.message}
        </Notice>
      )}
      {accepted?.isMember === false && (
        <Notice tone="info" title={t`Join the guild on the chat platform, too`} isAnnounced>
          <Trans>
            You have the role {roleTexts()[accepted.role].label}. It counts as soon as you are a member of the
            guild there.
          </Trans>
        </Notice>
      )}
      {accepted === undefined && (
        <div>
          <Button mt="md" loading={acceptance.isPending} onClick={() => acceptance.mutate()}>
            <Trans>Accept the invitation</Trans>
          </Button>
        </div>
      )}
    </div>
  );
}
