import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { roleTexts, unknownMember } from '../access/guild-texts.ts';
import { useSession } from '../access/session-context.ts';
import type { Guild } from '../api/guilds.ts';
import { type Roles, revokeInvitation, rolesQuery } from '../api/roles.ts';
import { Moment } from '../components/Moment.tsx';
import { Tag } from '../components/Tag.tsx';
import { useNow } from '../components/use-now.ts';
import classes from './Roles.module.css';

interface InvitationSectionProps {
  guild: Guild;
  invitations: Roles['invitations'];
  addButton: ReactNode;
}

/** The links that still give a role. */
export function InvitationSection({ guild, invitations, addButton }: InvitationSectionProps) {
  const nowMs = useNow();
  const revocation = useRevocation(guild);
  return (
    <section className={classes.section} aria-label={t`Invitation links`}>
      <div className={classes.head}>
        <div>
          <h2 className={classes.title}>
            <Trans>Invitation links</Trans>
          </h2>
          <p className={classes.quiet}>
            <Trans>For people whom the guild does not know yet. They sign in and accept.</Trans>
          </p>
        </div>
        {addButton}
      </div>
      {invitations.length === 0 ? (
        <p className={classes.empty}>
          <Trans>No link is open.</Trans>
        </p>
      ) : (
        <ul className={classes.list}>
          {invitations.map(({ id, role, usesLeft, createdBy, createdAt, expiresAt }) => (
            <li key={id} className={classes.row}>
              <span className={classes.name}>
                {plural(usesLeft, { one: 'For one person', other: 'For # people' })}
                <span className={classes.since}>
                  <Trans>
                    Made <Moment at={createdAt} nowMs={nowMs} /> by{' '}
                    <bdi title={t`Chat id ${createdBy.id}`}>{createdBy.name ?? unknownMember()}</bdi>, expires{' '}
                    <Moment at={expiresAt} nowMs={nowMs} />
                  </Trans>
                </span>
              </span>
              <Tag>{roleTexts()[role].label}</Tag>
              <Button
                variant="subtle"
                size="compact-sm"
                color="gray"
                loading={revocation.isPending && revocation.variables === id}
                onClick={() => revocation.mutate(id)}
              >
                <Trans>Withdraw</Trans>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function useRevocation({ guildId }: Guild) {
  const session = useSession();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => revokeInvitation(session, guildId, id),
    onSuccess: () =>
      notifications.show({ title: t`Link withdrawn`, message: t`It gives nobody a role any more.` }),
    onError: ({ message }) =>
      notifications.show({ title: t`The link was not withdrawn`, message, color: 'red' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: rolesQuery(guildId).queryKey }),
  });
}
