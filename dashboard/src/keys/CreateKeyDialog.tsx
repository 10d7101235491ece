import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMediaQuery } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormModal } from '../access/FormModal.tsx';
import { useSession } from '../access/session-context.ts';
import { type Guild, guildsQuery } from '../api/guilds.ts';
import { createKey, type KeyOrder, keysQuery } from '../api/keys.ts';
import { isUndecided } from '../api/request.ts';
import { samplesQuery } from '../api/samples.ts';
import { FormButtons } from '../components/FormButtons.tsx';
import { Notice } from '../components/Notice.tsx';
import classes from './Dialogs.module.css';
import { ExpiryField } from './ExpiryField.tsx';
import { allowedPresets, expiryFault, fromCalendarValue, presetDaysDefault, presetValue } from './expiry.ts';
import { useShowIssuedKey } from './issued-key-context.ts';
import { createKeyFormId, nameFault, scopesFault } from './key-form.ts';
import {
  amountFault,
  networksFault,
  noSettings,
  restrictionNames,
  type SettingsValues,
  toSettings,
} from './key-settings-form.ts';
import { RestrictionFields } from './RestrictionFields.tsx';
import { routeLimitsFault } from './route-limits.ts';
import { ScopeField } from './ScopeField.tsx';

interface CreateKeyDialogProps {
  guild: Guild;
  onClose: () => void;
}

interface FormValues extends SettingsValues {
  scopes: string[];
  expiresAt: string | null;
}

// In the order of the form: the first field with an error gets the focus.
const fields = [
  { name: 'name', id: 'key-name' },
  { name: 'scopes', id: 'key-scopes' },
  { name: 'expiresAt', id: 'key-expiry' },
] as const;

export function CreateKeyDialog({ guild, onClose }: CreateKeyDialogProps) {
  const { keyLifetimeDaysMax: daysMax } = useSession();
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const creation = useCreation(guild, onClose);
  const [isRestricting, setRestricting] = useState(false);
  const form = useForm<FormValues>({
    initialValues: {
      ...noSettings,
      scopes: ['guild:read'],
      expiresAt: presetValue(startDays(daysMax), Date.now()),
    },
    validate: {
      name: nameFault,
      scopes: scopesFault,
      expiresAt: (value) => expiryFault(value, Date.now(), daysMax) ?? null,
      networks: networksFault,
      amountMax: (text) => amountFault(text, { isZeroAllowed: false }),
      withdrawnPerDayMax: (text) => amountFault(text, { isZeroAllowed: true }),
      routeLimits: routeLimitsFault,
    },
  });
  const submit = form.onSubmit(
    ({ scopes, expiresAt, ...settings }) => {
      const momentMs = fromCalendarValue(expiresAt);
      if (momentMs === undefined) return;
      const order = { scopes, expiresAt: new Date(momentMs).toISOString() };
      creation.mutate({ ...toSettings(settings), ...order });
    },
    (errors) => {
      const first = fields.find(({ name }) => errors[name] !== undefined);
      if (first) document.getElementById(first.id)?.focus();
      else if (restrictionNames.some((name) => errors[name] !== undefined)) setRestricting(true);
    },
  );
  return (
    <FormModal
      form={form}
      formId={createKeyFormId}
      onClose={onClose}
      title={t`Create key`}
      size="lg"
      fullScreen={isPhone}
    >
      {(cancel) => (
        <form className={classes.form} onSubmit={submit} noValidate>
          {creation.isError && <CreationFault error={creation.error} />}
          <TextInput
            id="key-name"
            label={t`Name`}
            description={t`Says which program uses the key, for example “Payout bot”.`}
            autoComplete="off"
            dir="auto"
            required
            data-autofocus
            {...form.getInputProps('name')}
          />
          <ScopeField
            id="key-scopes"
            value={form.values.scopes}
            onChange={(scopes) => form.setFieldValue('scopes', scopes)}
            error={form.errors.scopes}
          />
          <ExpiryField
            id="key-expiry"
            daysMax={daysMax}
            value={form.values.expiresAt}
            onChange={(expiresAt) => form.setFieldValue('expiresAt', expiresAt)}
            error={form.errors.expiresAt}
          />
          <details
            className={classes.more}
            open={isRestricting}
            onToggle={(event) => setRestricting(event.currentTarget.open)}
          >
            <summary className={classes.moreTitle}>
              <Trans>Limits and allowed addresses</Trans>
              <span className={classes.moreNote}>{restrictionText(form.values)}</span>
            </summary>
            <div className={classes.form}>
              <RestrictionFields
                form={form}
                onRouteLimits={(limits) => form.setFieldValue('routeLimits', limits)}
              />
            </div>
          </details>
          <FormButtons onCancel={cancel} isSaving={creation.isPending} label={t`Create key`} />
        </form>
      )}
    </FormModal>
  );
}

/** Says whether the key will be restricted, while the fields are hidden. */
function restrictionText(values: SettingsValues): string {
  const count = restrictionNames.filter((name) => values[name].length > 0).length;
  return count === 0 ? t({ message: 'None', context: 'restrictions' }) : t`${count} set`;
}

function startDays(daysMax: number): number {
  const allowed = allowedPresets(daysMax);
  return allowed.includes(presetDaysDefault) ? presetDaysDefault : (allowed.at(-1) ?? 1);
}

function useCreation(guild: Guild, onDone: () => void) {
  const session = useSession();
  const queryClient = useQueryClient();
  const showIssuedKey = useShowIssuedKey();
  // The example beside the new key uses a player of the guild.
  const samples = useQuery(samplesQuery(guild.guildId));
  return useMutation({
    mutationFn: (order: KeyOrder) => createKey(session, guild.guildId, order),
    onSuccess: (value, { name, scopes }) => {
      const { playerId, username } = samples.data ?? {};
      showIssuedKey({
        name,
        value,
        scopes,
        ...(playerId ? { playerId } : {}),
        ...(username ? { username } : {}),
      });
      onDone();
    },
    // The list may have changed in either case, and a refusal may mean that the plan or the right has ended.
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: keysQuery(guild.guildId).queryKey }),
        queryClient.invalidateQueries({ queryKey: guildsQuery.queryKey, exact: true }),
      ]),
  });
}

function CreationFault({ error }: { error: Error }) {
  const isOpen = isUndecided(error);
  return (
    <Notice tone="danger" title={isOpen ? t`No clear answer` : t`No key was created`} isAnnounced>
      {isOpen
        ? t`${error.message} The key may or may not have been created. If it appears in the list, rotate it to get a value that you can copy.`
        : error.message}
    </Notice>
  );
}
