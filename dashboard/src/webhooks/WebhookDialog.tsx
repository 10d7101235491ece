import { t } from '@lingui/core/macro';
import { Radio, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FormModal } from '../access/FormModal.tsx';
import { useSession } from '../access/session-context.ts';
import { isUndecided } from '../api/request.ts';
import { createWebhook, saveWebhook, type Webhook, webhooksQuery } from '../api/webhooks.ts';
import { FormButtons } from '../components/FormButtons.tsx';
import { Notice } from '../components/Notice.tsx';
import { useIsPhone } from '../components/use-is-narrow.ts';
import { EventField } from './EventField.tsx';
import { FilterFields } from './FilterFields.tsx';
import classes from './Webhooks.module.css';
import {
  draftOf,
  eventsFault,
  lineFault,
  toChange,
  toOrder,
  totalFault,
  urlFault,
  type WebhookValues,
  webhookFormId,
  webhookValues,
} from './webhook-form.ts';
import { kindTexts } from './webhook-state.ts';

export interface Created {
  webhookId: string;
  /** Null for a chat channel. */
  secret: string | null;
}

interface WebhookDialogProps {
  guildId: string;
  /** The webhook to change; undefined for a new one. */
  webhook?: Webhook | undefined;
  onClose: () => void;
  onCreated?: ((created: Created) => void) | undefined;
}

const nameLengthMax = 80;
const kinds = ['standard', 'discord'] as const;

/** Adds a webhook, or changes its address, events and filters. */
export function WebhookDialog({ guildId, webhook, onClose, onCreated }: WebhookDialogProps) {
  const isPhone = useIsPhone();
  const saving = useSaving({ guildId, webhook, onClose, onCreated });
  const isOptional = webhook?.kind === 'discord' && webhook.unreadable === null;
  const form = useForm<WebhookValues>({
    initialValues: webhookValues(webhook),
    validate: {
      url: (url) => urlFault(url, { isOptional }),
      events: eventsFault,
      minTotal: totalFault,
      balanceBelow: lineFault,
    },
  });
  const { kind } = form.values;
  return (
    <FormModal
      form={{ ...form, getValues: () => draftOf(form.getValues()) }}
      formId={webhookFormId(webhook?.id)}
      onClose={onClose}
      title={webhook ? t`Change the webhook` : t`Add a webhook`}
      size="lg"
      fullScreen={isPhone}
    >
      {(cancel) => (
        <form
          className={classes.form}
          noValidate
          onSubmit={form.onSubmit(
            (values) => saving.mutate(values),
            (errors) => errors.url && document.getElementById('webhook-url')?.focus(),
          )}
        >
          {saving.isError && <SavingFault error={saving.error} isNew={webhook === undefined} />}
          {webhook === undefined && (
            <Radio.Group label={t`Where it goes`} {...form.getInputProps('kind')}>
              <div className={classes.choices}>
                {kinds.map((value) => (
                  <Radio
                    key={value}
                    value={value}
                    label={kindTexts()[value].label}
                    description={kindTexts()[value].explanation}
                  />
                ))}
              </div>
            </Radio.Group>
          )}
          <TextInput
            label={t`Name`}
            description={t`Helps people tell webhooks apart. Optional.`}
            placeholder={t`Shop bot`}
            maxLength={nameLengthMax}
            autoComplete="off"
            {...form.getInputProps('name')}
          />
          <TextInput
            id="webhook-url"
            label={t`Address`}
            description={addressNote(kind, webhook)}
            placeholder={webhook && isOptional ? webhook.url : t`https://`}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            required={!isOptional}
            data-autofocus
            {...form.getInputProps('url')}
          />
          <EventField
            kind={kind}
            value={form.values.events}
            onChange={(events) => form.setFieldValue('events', events)}
            error={form.errors.events}
          />
          <FilterFields form={form} />
          <FormButtons
            onCancel={cancel}
            isSaving={saving.isPending}
            label={webhook ? t`Save` : t`Add webhook`}
          />
        </form>
      )}
    </FormModal>
  );
}

function addressNote(kind: Webhook['kind'], webhook: Webhook | undefined): string {
  if (kind === 'standard')
    return t`Requests go there with POST. It must be reachable over https from the Internet.`;
  return webhook?.unreadable === null
    ? t`It is kept encrypted. Leave this empty to keep it.`
    : t`On Discord: Channel settings, Integrations, Webhooks, Copy webhook URL. It is kept encrypted.`;
}

function useSaving({ guildId, webhook, onClose, onCreated }: WebhookDialogProps) {
  const session = useSession();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (values: WebhookValues): Promise<Created | undefined> => {
      if (webhook === undefined) return createWebhook(session, guildId, toOrder(values));
      await saveWebhook(session, { guildId, webhookId: webhook.id }, toChange(values, webhook));
      return undefined;
    },
    onSuccess: (created) => {
      onClose();
      if (created) onCreated?.(created);
      else notifications.show({ title: t`Webhook saved`, message: t`It counts from the next event on.` });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: webhooksQuery(guildId).queryKey }),
  });
}

function SavingFault({ error, isNew }: { error: Error; isNew: boolean }) {
  const isOpen = isUndecided(error);
  const title = isNew ? t`No webhook was added` : t`Nothing was changed`;
  return (
    <Notice tone="danger" title={isOpen ? t`No clear answer` : title} isAnnounced>
      {isOpen ? t`${error.message} Look at the list before you try again.` : error.message}
    </Notice>
  );
}
