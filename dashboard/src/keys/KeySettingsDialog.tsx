import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Textarea, TextInput } from '@mantine/core';
import { type FormRulesRecord, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FormModal } from '../access/FormModal.tsx';
import { may } from '../access/guild-texts.ts';
import { useSession } from '../access/session-context.ts';
import type { Guild } from '../api/guilds.ts';
import { type ApiKey, type KeySettings, keysQuery, saveKey } from '../api/keys.ts';
import { FormButtons } from '../components/FormButtons.tsx';
import { Notice } from '../components/Notice.tsx';
import { useIsPhone } from '../components/use-is-narrow.ts';
import classes from './Dialogs.module.css';
import { keySettingsFormId, nameFault } from './key-form.ts';
import {
  amountFault,
  networksFault,
  noteFault,
  raisedFault,
  type SettingsValues,
  settingsValues,
  toSettings,
  unboundFault,
} from './key-settings-form.ts';
import { RestrictionFields } from './RestrictionFields.tsx';
import { routeLimitsFault, routeLimitsLoosening } from './route-limits.ts';

interface KeySettingsDialogProps {
  guild: Guild;
  apiKey: ApiKey;
  onClose: () => void;
}

/** Changes the name and the restrictions of a key. Its value stays. */
export function KeySettingsDialog({ guild, apiKey, onClose }: KeySettingsDialogProps) {
  const isPhone = useIsPhone();
  const saving = useSaving(guild, apiKey, onClose);
  const mayLoosen = may(guild, 'keys.loosen');
  const form = useForm<SettingsValues>({
    initialValues: settingsValues(apiKey),
    validate: validation(apiKey, mayLoosen),
  });
  return (
    <FormModal
      form={form}
      formId={keySettingsFormId(apiKey.id)}
      onClose={onClose}
      title={t`Key settings`}
      size="lg"
      fullScreen={isPhone}
    >
      {(cancel) => (
        <form
          className={classes.form}
          noValidate
          onSubmit={form.onSubmit((values) => saving.mutate(toSettings(values)))}
        >
          {saving.isError && (
            <Notice tone="danger" title={t`Nothing was changed`} isAnnounced>
              {saving.error.message}
            </Notice>
          )}
          {!mayLoosen && (
            <Notice tone="info" title={t`You can tighten this key, not loosen it`}>
              <Trans>
                Higher limits and more addresses need the right to manage the guild on the chat platform, as a
                new key does. Ask an owner or administrator.
              </Trans>
            </Notice>
          )}
          <TextInput
            label={t`Name`}
            dir="auto"
            autoComplete="off"
            required
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Textarea
            label={t`Note`}
            description={t`For the people who manage this guild, for example where its program runs.`}
            dir="auto"
            autosize
            minRows={2}
            maxRows={8}
            {...form.getInputProps('note')}
          />
          <RestrictionFields
            form={form}
            onRouteLimits={(limits) => form.setFieldValue('routeLimits', limits)}
          />
          <FormButtons onCancel={cancel} isSaving={saving.isPending} />
        </form>
      )}
    </FormModal>
  );
}

function validation(apiKey: ApiKey, mayLoosen: boolean): FormRulesRecord<SettingsValues> {
  const { networks, limits, routeLimits } = apiKey;
  const unlessLoosened = (fault: string | null, loosened: () => string | null) =>
    fault ?? (mayLoosen ? null : loosened());
  return {
    name: nameFault,
    note: noteFault,
    networks: (text) => unlessLoosened(networksFault(text), () => unboundFault(text, networks)),
    amountMax: (text) =>
      unlessLoosened(amountFault(text, { isZeroAllowed: false }), () => raisedFault(text, limits.amountMax)),
    withdrawnPerDayMax: (text) =>
      unlessLoosened(amountFault(text, { isZeroAllowed: true }), () =>
        raisedFault(text, limits.withdrawnPerDayMax),
      ),
    routeLimits: (values) =>
      unlessLoosened(routeLimitsFault(values), () => routeLimitsLoosening(values, routeLimits)),
  };
}

function useSaving(guild: Guild, apiKey: ApiKey, onDone: () => void) {
  const session = useSession();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (settings: KeySettings) => saveKey(session, guild.guildId, { keyId: apiKey.id, settings }),
    onSuccess: (_, { name }) => {
      notifications.show({ title: t`Key saved`, message: name });
      onDone();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: keysQuery(guild.guildId).queryKey }),
  });
}
