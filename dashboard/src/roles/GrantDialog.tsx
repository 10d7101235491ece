import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FormModal } from '../access/FormModal.tsx';
import { may } from '../access/guild-texts.ts';
import { PersonPicker } from '../access/PersonPicker.tsx';
import { useSession } from '../access/session-context.ts';
import type { Guild } from '../api/guilds.ts';
import { type Grantee, type Role, rolesQuery, saveRole } from '../api/roles.ts';
import { FormButtons } from '../components/FormButtons.tsx';
import { lazily } from '../components/lazily.ts';
import { isolated } from '../components/money.ts';
import { Notice } from '../components/Notice.tsx';
import { useIsPhone } from '../components/use-is-narrow.ts';
import type { Grant } from './grant-form.ts';
import { grantFormId, idFault, roleNameFault } from './grant-form.ts';
import { RoleField } from './RoleField.tsx';
import classes from './Roles.module.css';

interface GrantDialogProps {
  guild: Guild;
  kind: Grantee['kind'];
  /** The grant to change; undefined for a new one. */
  grant?: Grant;
  onClose: () => void;
}

interface FormValues {
  id: string;
  name: string;
  role: Role;
}

const texts = lazily(() => ({
  people: {
    title: t`Invite somebody`,
    id: t`Chat id`,
    idNote: t`Or type their id on the chat platform, a long number.`,
  },
  'chat-roles': {
    title: t`Add a chat role`,
    id: t`Id of the chat role`,
    idNote: t`Its id on the chat platform, a long number.`,
  },
}));

/** Gives a role to a person, or to everybody with a chat role. */
export function GrantDialog({ guild, kind, grant, onClose }: GrantDialogProps) {
  const isPhone = useIsPhone();
  const saving = useSaving(guild, kind, onClose);
  const form = useForm<FormValues>({
    initialValues: { id: grant?.id ?? '', name: grant?.name ?? '', role: grant?.role ?? 'viewer' },
    validate: { id: (id) => idFault(id, kind), name: (name) => roleNameFault(name, kind) },
  });
  const { title, id, idNote } = texts()[kind];
  const mayAppoint = may(guild, 'roles.appoint');
  return (
    <FormModal
      form={form}
      formId={grantFormId(kind, grant?.id)}
      onClose={onClose}
      title={grant ? t`Change the role of ${isolated(grant.label)}` : title}
      fullScreen={isPhone}
    >
      {(cancel) => (
        <form
          className={classes.form}
          noValidate
          onSubmit={form.onSubmit((values) =>
            saving.mutate({ ...values, id: values.id.trim(), name: values.name.trim() }),
          )}
        >
          {saving.isError && (
            <Notice tone="danger" title={t`Nothing was changed`} isAnnounced>
              {saving.error.message}
            </Notice>
          )}
          {grant === undefined && kind === 'people' && (
            <PersonPicker
              guildId={guild.guildId}
              description={t`People whom this guild knows, by any part of a name or an id.`}
              isOfferingAtOnce
              hasFocus
              needsChatId
              onPick={({ chatId }) => form.setFieldValue('id', chatId)}
            />
          )}
          {grant === undefined && (
            <TextInput
              label={id}
              description={idNote}
              autoComplete="off"
              required
              {...(kind === 'chat-roles' && { 'data-autofocus': true })}
              {...form.getInputProps('id')}
            />
          )}
          {kind === 'chat-roles' && (
            <TextInput
              label={t`Name`}
              description={t`What the role is called on the chat platform.`}
              dir="auto"
              autoComplete="off"
              required
              {...form.getInputProps('name')}
            />
          )}
          <RoleField
            guild={guild}
            value={form.values.role}
            onChange={(role) => form.setFieldValue('role', role)}
          />
          <FormButtons
            onCancel={cancel}
            isSaving={saving.isPending}
            {...(grant === undefined && { label: t`Give the role` })}
            isDisabled={form.values.role === 'manager' && !mayAppoint}
          />
        </form>
      )}
    </FormModal>
  );
}

function useSaving(guild: Guild, kind: Grantee['kind'], onDone: () => void) {
  const session = useSession();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, name, role }: FormValues) =>
      saveRole(session, guild.guildId, { kind, id, role, ...(kind === 'chat-roles' && { name }) }),
    onSuccess: () => {
      notifications.show({ title: t`Role saved`, message: t`It counts within five minutes.` });
      onDone();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: rolesQuery(guild.guildId).queryKey }),
  });
}
