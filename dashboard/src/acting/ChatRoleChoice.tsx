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
import { groupCount } from '../components/money.ts';
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
      <Notice tone="danger" title="The members could not be read from the chat platform" isAnnounced>
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
          Try again
        </Button>
      </Notice>
    );
  }
  if (roles.isPending) return <p className={classes.text}>Reading the roles …</p>;
  if (roles.data === null) {
    return (
      <Notice tone="info" title="Not available here">
        This service cannot read who has a role on the chat platform. Its operator has to give it the token of
        a bot, with the setting <code>CHAT_BOT_TOKEN</code>.
      </Notice>
    );
  }
  if (roles.data.length === 0)
    return <p className={classes.text}>The guild has no roles on the chat platform.</p>;
  return (
    <Input.Wrapper label="Add everybody with the role" labelElement="div" error={error}>
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
      {people.length === 0 ? 'Nobody' : groupCount(people.length)} added with the role <bdi>{role}</bdi>.
      {unverified.count > 0 && (
        <>
          {' '}
          Not verified, so left out: <bdi>{unverified.names.join(', ')}</bdi>
          {unverified.count > unverified.names.length &&
            ` and ${groupCount(unverified.count - unverified.names.length)} more`}
          .
        </>
      )}
    </p>
  );
}
