import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button, Input } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import {
  type ChatRole,
  chatRolesQuery,
  fetchRolePeople,
  type Recipient,
  type RolePeople,
} from '../api/posts.ts';
import { listText } from '../components/language-formats.ts';
import { Notice } from '../components/Notice.tsx';
import classes from './Acting.module.css';

interface ChatRoleChoiceProps {
  guildId: string;
  onAdd: (playerIds: readonly string[], known: readonly Recipient[]) => void;
  error: ReactNode;
}

/** Adds the members of a role on the chat platform. */
export function ChatRoleChoice({ guildId, onAdd, error }: ChatRoleChoiceProps) {
  const roles = useQuery(chatRolesQuery(guildId));
  const adding = useMutation({
    mutationFn: ({ chatRoleId }: ChatRole) => fetchRolePeople(guildId, chatRoleId),
    onSuccess: ({ people }) =>
      onAdd(
        people.map(({ playerId }) => playerId),
        people,
      ),
  });
  if (roles.isError || adding.isError) {
    return (
      <Notice tone="danger" title={t`The members could not be read from the chat platform`} isAnnounced>
        <p>{(roles.error ?? adding.error)?.message}</p>
        <Button
          variant="default"
          size="compact-sm"
          mt="xs"
          onClick={() => {
            adding.reset();
            if (roles.isError) roles.refetch();
          }}
        >
          <Trans>Try again</Trans>
        </Button>
      </Notice>
    );
  }
  if (roles.isPending)
    return (
      <p className={classes.text}>
        <Trans>Reading the roles …</Trans>
      </p>
    );
  if (roles.data === null) {
    return (
      <Notice tone="info" title={t`Not available here`}>
        <Trans>
          This service cannot read who has a role on the chat platform. Its operator has to give it the token
          of a bot, with the setting <code>CHAT_BOT_TOKEN</code>.
        </Trans>
      </Notice>
    );
  }
  if (roles.data.length === 0)
    return (
      <p className={classes.text}>
        <Trans>The guild has no roles on the chat platform.</Trans>
      </p>
    );
  return (
    <Input.Wrapper label={t`Add everybody with the role`} labelElement="div" error={error}>
      <div className={classes.roles} id="payout-playerIds" tabIndex={-1}>
        {roles.data.map((role) => (
          <Button
            key={role.chatRoleId}
            variant="default"
            size="compact-md"
            loading={adding.isPending && adding.variables.chatRoleId === role.chatRoleId}
            onClick={() => adding.mutate(role)}
          >
            <bdi>{role.name}</bdi>
          </Button>
        ))}
      </div>
      {adding.isSuccess && <AddedText role={adding.variables.name} found={adding.data} />}
    </Input.Wrapper>
  );
}

function AddedText({ role, found: { people, unverified } }: { role: string; found: RolePeople }) {
  return (
    <p className={classes.text} role="status">
      {people.length === 0 ? (
        <Trans>
          Nobody added with the role <bdi>{role}</bdi>.
        </Trans>
      ) : (
        <Trans>
          <Plural value={people.length} one="#" other="#" /> added with the role <bdi>{role}</bdi>.
        </Trans>
      )}
      {unverified.count > 0 && (
        <>
          {' '}
          <LeftOut {...unverified} />
        </>
      )}
    </p>
  );
}

function LeftOut({ names, count }: RolePeople['unverified']) {
  const named = <bdi>{listText(names, count - names.length)}</bdi>;
  return <Trans>Not verified, so left out: {named}.</Trans>;
}
