import { t } from '@lingui/core/macro';
import { NativeSelect, SimpleGrid } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormModal } from '../access/FormModal.tsx';
import { may } from '../access/guild-texts.ts';
import { useSession } from '../access/session-context.ts';
import type { Guild } from '../api/guilds.ts';
import { createInvitation, type Role, rolesQuery } from '../api/roles.ts';
import { FormButtons } from '../components/FormButtons.tsx';
import { lazily } from '../components/lazily.ts';
import { Notice } from '../components/Notice.tsx';
import { ShownOnce } from '../components/ShownOnce.tsx';
import { useIsPhone } from '../components/use-is-narrow.ts';
import { invitationLink } from './invitation-link.ts';
import { RoleField } from './RoleField.tsx';
import classes from './Roles.module.css';

interface InvitationDialogProps {
  guild: Guild;
  onClose: () => void;
}

interface FormValues {
  role: Role;
  uses: string;
  days: string;
}

const uses = lazily(() => [
  { value: '1', label: t`One person` },
  { value: '5', label: t`5 people` },
  { value: '20', label: t`20 people` },
]);
const days = lazily(() => [
  { value: '1', label: t`One day` },
  { value: '7', label: t`7 days` },
  { value: '30', label: t`30 days` },
]);

/** Makes an invitation link and shows it once. */
export function InvitationDialog({ guild, onClose }: InvitationDialogProps) {
  const isPhone = useIsPhone();
  const [link, setLink] = useState<string | undefined>(undefined);
  const creation = useCreation(guild, setLink);
  const form = useForm<FormValues>({ initialValues: { role: 'viewer', uses: '1', days: '7' } });
  const isClosed = form.values.role === 'manager' && !may(guild, 'roles.appoint');
  if (link !== undefined) {
    return (
      <ShownOnce
        kind="link"
        title={t`The invitation link`}
        name={t`Send it to the person`}
        value={link}
        copyLabel={t`Copy link`}
        explanation={t`Guildbook keeps only a fingerprint of the link. Whoever opens it and signs in gets the role; withdraw it in the list when it was sent to the wrong person.`}
        onStored={onClose}
      />
    );
  }
  return (
    <FormModal
      form={form}
      formId="roles/invitations/new"
      onClose={onClose}
      title={t`Make an invitation link`}
      fullScreen={isPhone}
    >
      {(cancel) => (
        <form
          className={classes.form}
          noValidate
          onSubmit={form.onSubmit((values) => creation.mutate(values))}
        >
          {creation.isError && (
            <Notice tone="danger" title={t`No link was made`} isAnnounced>
              {creation.error.message}
            </Notice>
          )}
          <RoleField
            guild={guild}
            value={form.values.role}
            onChange={(role) => form.setFieldValue('role', role)}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <NativeSelect label={t`For`} data={uses()} {...form.getInputProps('uses')} />
            <NativeSelect label={t`Valid for`} data={days()} {...form.getInputProps('days')} />
          </SimpleGrid>
          <FormButtons
            onCancel={cancel}
            isSaving={creation.isPending}
            isDisabled={isClosed}
            label={t`Make the link`}
          />
        </form>
      )}
    </FormModal>
  );
}

function useCreation(guild: Guild, onDone: (link: string) => void) {
  const session = useSession();
  const queryClient = useQueryClient();
  const { guildId } = guild;
  return useMutation({
    mutationFn: ({ role, ...order }: FormValues) =>
      createInvitation(session, guildId, {
        role,
        uses: Number(order.uses),
        days: Number(order.days),
      }),
    onSuccess: (token) => onDone(invitationLink(window.location.origin, { guildId, token })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: rolesQuery(guildId).queryKey }),
  });
}
