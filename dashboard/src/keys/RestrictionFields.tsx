import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { SimpleGrid, Textarea } from '@mantine/core';
import type { GetInputProps } from '@mantine/form';
import type { ReactNode } from 'react';
import { useSession } from '../access/session-context.ts';
import { AmountInput } from '../components/AmountInput.tsx';
import { Notice } from '../components/Notice.tsx';
import { networksOf, type SettingsValues } from './key-settings-form.ts';
import { RouteLimitsField } from './RouteLimitsField.tsx';

type Restrictions = Omit<SettingsValues, 'name' | 'note'>;

interface RestrictionFieldsProps {
  form: {
    values: Restrictions;
    errors: Readonly<Record<string, ReactNode>>;
    getInputProps: GetInputProps<Restrictions>;
  };
  onRouteLimits: (limits: SettingsValues['routeLimits']) => void;
}

/** The limits of a key and the addresses that it may be used from. */
export function RestrictionFields({ form, onRouteLimits }: RestrictionFieldsProps) {
  const { trustsProxy } = useSession();
  const hasNetworks = networksOf(form.values.networks).length > 0;
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <AmountInput
          label={t`Largest amount`}
          description={t`Of one transaction, deposit or withdrawal. Empty for any.`}
          {...form.getInputProps('amountMax')}
        />
        <AmountInput
          label={t`Most withdrawn per day`}
          description={t`All together, from midnight to midnight in UTC. Empty for any.`}
          {...form.getInputProps('withdrawnPerDayMax')}
        />
      </SimpleGrid>
      <Textarea
        label={t`Allowed addresses`}
        description={t`Up to 32 addresses or networks, one to a line, such as 203.0.113.7 or 2001:db8::/32. From elsewhere the key is refused as unknown. Empty for anywhere.`}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        {...form.getInputProps('networks')}
      />
      <RouteLimitsField
        value={form.values.routeLimits}
        onChange={onRouteLimits}
        error={form.errors.routeLimits}
      />
      {hasNetworks && !trustsProxy && (
        <Notice tone="warning" title={t`No proxy is trusted`}>
          <Trans>
            If this service stands behind a proxy, all requests seem to come from that proxy, and the key will
            be refused. Ask the operator to set TRUST_PROXY first.
          </Trans>
        </Notice>
      )}
    </>
  );
}
