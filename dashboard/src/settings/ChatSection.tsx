import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Skeleton, Switch } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { roleTexts } from '../access/guild-texts.ts';
import { Loaded } from '../access/Loaded.tsx';
import { RestoredNotice } from '../access/RestoredNotice.tsx';
import { useSession } from '../access/session-context.ts';
import { useFormDraft } from '../access/use-form-draft.ts';
import {
  type ChatSettings,
  type ChatSettingsChange,
  chatSettingsQuery,
  saveChatSettings,
} from '../api/chat.ts';
import { AmountInput } from '../components/AmountInput.tsx';
import { parseMoney } from '../components/money.ts';
import { Notice } from '../components/Notice.tsx';
import { plainAmount, typedAmount } from '../components/typed-amount.ts';
import { language } from '../texts/languages.ts';
import classes from './Settings.module.css';
import { SettingsSection } from './SettingsSection.tsx';

interface FormValues {
  commandsOn: string[];
  membersPay: boolean;
  payDayMax: string;
  balancesShown: boolean;
}

interface ChatSectionProps {
  guildId: string;
  /** Called when entered values differ from the stored ones, and when they no longer do. */
  onDirtyChange: (isDirty: boolean) => void;
}

/** The part of the settings about commands in the chat. */
export function ChatSection({ guildId, onDirtyChange }: ChatSectionProps) {
  const query = useQuery(chatSettingsQuery(guildId));
  return (
    <Loaded
      query={query}
      skeleton={<Skeleton height={320} />}
      failure={t`The settings of the chat could not be loaded`}
    >
      {(settings) => <ChatForm guildId={guildId} settings={settings} onDirtyChange={onDirtyChange} />}
    </Loaded>
  );
}

function amountFault(text: string): string | null {
  const units = text.trim() === '' ? 1n : parseMoney(plainAmount(text.trim()));
  return units === undefined || units < 0n ? t`An amount with at most four decimals, or nothing` : null;
}

function ChatForm({ guildId, settings, onDirtyChange }: ChatSectionProps & { settings: ChatSettings }) {
  const form = useForm<FormValues>({
    initialValues: {
      commandsOn: settings.commands
        .filter(({ isOn }) => isOn)
        .map(({ name }) => name)
        .toSorted(),
      membersPay: settings.membersPay,
      payDayMax: typedAmount(settings.payDayMax ?? ''),
      balancesShown: settings.balancesShown,
    },
    validate: { payDayMax: amountFault },
  });
  const saving = useSaving(guildId, () => form.resetDirty());
  const isRestored = useFormDraft('chat', form);
  const isDirty = form.isDirty();
  useEffect(() => {
    onDirtyChange(isDirty);
    return () => onDirtyChange(false);
  }, [isDirty, onDirtyChange]);
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit((values) => saving.mutate(toChange(settings, values)))}
    >
      {isRestored && isDirty && <RestoredNotice />}
      {saving.isError && (
        <Notice tone="danger" title={t`Nothing was changed`} isAnnounced>
          {saving.error.message}
        </Notice>
      )}
      <SettingsSection
        title={t`Members in the chat`}
        explanation={t`What members may see and do with the commands of this service.`}
      >
        {!settings.isConfigured && (
          <Notice tone="info" title={t`Commands are not set up`}>
            <Trans>
              The operator of this service has not connected an application of the chat yet. These choices
              apply as soon as there is one.
            </Trans>
          </Notice>
        )}
        <Switch
          label={t`Members see balances of others`}
          description={t`With /balance and /history. The leaderboard shows the ten largest balances to everybody while it is on.`}
          {...form.getInputProps('balancesShown', { type: 'checkbox' })}
        />
        <Switch
          label={t`Members pay one another`}
          description={t`With /pay, from their own account, confirmed with a button.`}
          {...form.getInputProps('membersPay', { type: 'checkbox' })}
        />
        <AmountInput
          label={t`Daily limit`}
          description={t`The sum that one member can pay on a day in UTC. Empty for no limit.`}
          classNames={{ wrapper: classes.short ?? '' }}
          disabled={!form.values.membersPay}
          {...form.getInputProps('payDayMax')}
        />
      </SettingsSection>
      <SettingsSection
        title={t`Commands`}
        explanation={t`Those that are off say so when somebody uses them.`}
      >
        {settings.commands.map(({ name, description, descriptions, role }) => (
          <Switch
            key={name}
            label={`/${name}`}
            description={describe(descriptions[language] ?? description, role)}
            checked={form.values.commandsOn.includes(name)}
            onChange={({ currentTarget }) =>
              form.setFieldValue('commandsOn', (on) => withName(on, name, currentTarget.checked))
            }
          />
        ))}
      </SettingsSection>
      <div className={classes.save} data-dirty={isDirty || undefined}>
        <Button type="submit" loading={saving.isPending} disabled={!isDirty}>
          <Trans>Save commands</Trans>
        </Button>
        {isDirty && (
          <p className={classes.unsaved}>
            <Trans>Not saved yet.</Trans>
          </p>
        )}
      </div>
    </form>
  );
}

/** Sorted, so that switching a command off and on again changes nothing. */
function withName(names: readonly string[], name: string, isOn: boolean): string[] {
  const others = names.filter((one) => one !== name);
  return (isOn ? [...others, name] : others).toSorted();
}

function toChange({ commands }: ChatSettings, values: FormValues): ChatSettingsChange {
  const amount = plainAmount(values.payDayMax.trim());
  return {
    commandsOff: commands.map(({ name }) => name).filter((name) => !values.commandsOn.includes(name)),
    membersPay: values.membersPay,
    payDayMax: amount === '' ? null : Number(amount),
    balancesShown: values.balancesShown,
  };
}

function useSaving(guildId: string, onSaved: () => void) {
  const session = useSession();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: ChatSettingsChange) => saveChatSettings(session, guildId, change),
    onSuccess: () => {
      onSaved();
      notifications.show({ title: t`Commands saved`, message: t`They apply to the next command.` });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: chatSettingsQuery(guildId).queryKey }),
  });
}

function describe(description: string, needed: ChatSettings['commands'][number]['role']): string {
  if (needed === null) return description;
  const texts: Readonly<Record<string, { label: string }>> = roleTexts();
  const role = texts[needed]?.label ?? needed;
  return t`${description}. Needs the role ${role}.`;
}
