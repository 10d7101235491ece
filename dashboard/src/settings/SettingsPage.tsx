import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, NativeSelect, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { may } from '../access/guild-texts.ts';
import { LeaveGuard } from '../access/LeaveGuard.tsx';
import { NotAllowed } from '../access/NotAllowed.tsx';
import { RestoredNotice } from '../access/RestoredNotice.tsx';
import { useSession } from '../access/session-context.ts';
import { UnknownGuild } from '../access/UnknownGuild.tsx';
import { useFormDraft } from '../access/use-form-draft.ts';
import { useGuild } from '../access/use-guild.ts';
import { type Guild, type GuildSettings, guildsQuery, saveSettings } from '../api/guilds.ts';
import { formatMoney, withMoneyDisplay } from '../components/money.ts';
import { Notice } from '../components/Notice.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { TimeZoneSelect } from '../components/TimeZoneSelect.tsx';
import { GUILD_LANGUAGES, LANGUAGES } from '../texts/languages.ts';
import { ChatSection } from './ChatSection.tsx';
import classes from './Settings.module.css';
import { SettingsSection } from './SettingsSection.tsx';
import { SettingsTabs } from './SettingsTabs.tsx';

const title = () => t`Guild settings`;
const nameLengthMax = 32;
const symbolLengthMax = 8;

interface FormValues {
  currencyName: string;
  currencySymbol: string;
  decimalsShown: string;
  overdraftAllowed: boolean;
  sealPublic: boolean;
  ownAccounts: boolean;
  timeZone: string;
  language: Guild['language'];
}

export function SettingsPage() {
  const guild = useGuild();
  const [isChatDirty, setIsChatDirty] = useState(false);
  if (!may(guild, 'settings.change')) return <NotAllowed needed="manager" />;
  if (guild.state === 'unknown') return <UnknownGuild guild={guild} title={title()} />;
  return (
    <>
      <PageHeading title={title()}>
        <Trans>
          How amounts look in this dashboard, the calendar of its days, and what withdrawals may do. Every
          change is in the audit log.
        </Trans>
      </PageHeading>
      <SettingsTabs guildId={guild.guildId} />
      <SettingsForm guild={guild} isChatDirty={isChatDirty} />
      <ChatSection guildId={guild.guildId} onDirtyChange={setIsChatDirty} />
    </>
  );
}

const lengthFault = (max: number) => (text: string) =>
  [...text.trim()].length > max ? t`At most ${max} characters` : null;

function SettingsForm({ guild, isChatDirty }: { guild: Guild; isChatDirty: boolean }) {
  const { display } = guild;
  const form = useForm<FormValues>({
    initialValues: {
      currencyName: display.currencyName ?? '',
      currencySymbol: display.currencySymbol ?? '',
      decimalsShown: String(display.decimalsShown ?? ''),
      overdraftAllowed: guild.overdraftAllowed,
      sealPublic: guild.sealPublic,
      ownAccounts: guild.ownAccounts,
      timeZone: guild.timeZone,
      language: guild.language,
    },
    validate: { currencyName: lengthFault(nameLengthMax), currencySymbol: lengthFault(symbolLengthMax) },
  });
  const isRestored = useFormDraft('settings', form);
  const saving = useSaving(guild.guildId, () => form.resetDirty());
  const wanted = toSettings(form.values);
  const sample = withMoneyDisplay(wanted, () => formatMoney('-1234.5'));
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit((values) => saving.mutate(toSettings(values)))}
    >
      {/* One for both forms: a router has one blocker at a time. */}
      <LeaveGuard isDirty={form.isDirty() || isChatDirty} />
      {isRestored && form.isDirty() && <RestoredNotice />}
      {saving.isError && (
        <Notice tone="danger" title={t`Nothing was changed`} isAnnounced>
          {saving.error.message}
        </Notice>
      )}
      <SettingsSection
        title={t`Amounts`}
        explanation={t`How they look on the pages, in files and in channel messages.`}
      >
        <TextInput
          label={t`Name of the currency`}
          description={t`Such as gold or credits. Stands behind every amount, unless there is a symbol.`}
          autoComplete="off"
          dir="auto"
          {...form.getInputProps('currencyName')}
        />
        <TextInput
          label={t`Symbol`}
          description={t`Stands before every amount.`}
          autoComplete="off"
          classNames={{ wrapper: classes.short ?? '' }}
          {...form.getInputProps('currencySymbol')}
        />
        <NativeSelect
          label={t`Decimals shown`}
          description={t`The minimum. Amounts with more decimals show all of them: nothing is rounded.`}
          data={[
            { value: '', label: t`As many as there are` },
            ...['0', '1', '2', '3', '4'].map((value) => ({ value, label: value })),
          ]}
          classNames={{ wrapper: classes.short ?? '' }}
          {...form.getInputProps('decimalsShown')}
        />
        <p className={classes.sample}>
          <Trans>
            An amount looks like this: <strong>{sample}</strong>
          </Trans>
        </p>
      </SettingsSection>
      <SettingsSection
        title={t`Days and months`}
        explanation={t`One calendar for everybody who looks at the guild.`}
      >
        <TimeZoneSelect
          label={t`Calendar`}
          explanation={t`Filters, sums, comparisons and files count days and months in this time zone, for everybody.`}
          stored={guild.timeZone}
          usual="UTC"
          allowDeselect={false}
          {...form.getInputProps('timeZone')}
          value={form.values.timeZone}
        />
      </SettingsSection>
      <SettingsSection title={t`Language`} explanation={t`These pages are in the language of each reader.`}>
        <NativeSelect
          label={t`Language of messages`}
          description={t`Channel messages, the weekly summary, the public board and replies to chat commands are in this language.`}
          data={GUILD_LANGUAGES.map((value) => ({ value, label: LANGUAGES[value] }))}
          classNames={{ wrapper: classes.short ?? '' }}
          {...form.getInputProps('language')}
        />
      </SettingsSection>
      <SettingsSection title={t`Withdrawals`} explanation={t`What the ledger refuses.`}>
        <Switch
          label={t`Balances may fall below zero`}
          description={t`Otherwise a withdrawal that a balance does not cover is refused. The floor of a single account takes precedence.`}
          {...form.getInputProps('overdraftAllowed', { type: 'checkbox' })}
        />
      </SettingsSection>
      <SettingsSection title={t`Members`} explanation={t`What members without a role see in this dashboard.`}>
        <Switch
          label={t`Verified members see their own account`}
          description={t`Their balance, transactions, statements and receipts, and nothing of others. Switched off, the page closes at once.`}
          {...form.getInputProps('ownAccounts', { type: 'checkbox' })}
        />
      </SettingsSection>
      <SettingsSection
        title={t`Proof of the ledger`}
        explanation={t`Transactions are sealed, so that nobody can change the past unnoticed.`}
      >
        <Switch
          label={t`Everybody may read the checkpoints`}
          description={t`They hold hashes and the number of transactions, nothing else. Address: /seal/${encodeURIComponent(guild.guildId)}/checkpoint`}
          {...form.getInputProps('sealPublic', { type: 'checkbox' })}
        />
      </SettingsSection>
      <div className={classes.save} data-dirty={form.isDirty() || undefined}>
        <Button type="submit" loading={saving.isPending} disabled={!form.isDirty()}>
          <Trans>Save settings</Trans>
        </Button>
        {form.isDirty() && (
          <p className={classes.unsaved}>
            <Trans>Not saved yet.</Trans>
          </p>
        )}
      </div>
    </form>
  );
}

function toSettings({
  currencyName,
  currencySymbol,
  decimalsShown,
  overdraftAllowed,
  sealPublic,
  ownAccounts,
  timeZone,
  language,
}: FormValues): GuildSettings {
  return {
    currencyName: currencyName.trim() === '' ? null : currencyName.trim(),
    currencySymbol: currencySymbol.trim() === '' ? null : currencySymbol.trim(),
    decimalsShown: decimalsShown === '' ? null : Number(decimalsShown),
    overdraftAllowed,
    sealPublic,
    ownAccounts,
    timeZone,
    language,
  };
}

function useSaving(guildId: string, onSaved: () => void) {
  const session = useSession();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (settings: GuildSettings) => saveSettings(session, guildId, settings),
    onSuccess: () => {
      onSaved();
      notifications.show({
        title: t`Settings saved`,
        message: t`All amounts and days are shown this way now.`,
      });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: guildsQuery.queryKey }),
  });
}
