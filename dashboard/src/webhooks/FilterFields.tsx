import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { AmountInput } from '../components/AmountInput.tsx';
import classes from './Webhooks.module.css';
import type { WebhookValues } from './webhook-form.ts';

/** The filters of the events. Empty fields do not restrict them. */
export function FilterFields({ form }: { form: UseFormReturnType<WebhookValues> }) {
  const hasLine = form.values.events.includes('balance.below');
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>
        <Trans>Only some of them</Trans>
      </legend>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <AmountInput
          label={t`From this amount on`}
          description={t`Transactions and payments, in or out.`}
          {...form.getInputProps('minTotal')}
        />
        <TextInput
          label={t`Source`}
          description={t`Transactions and payments from it.`}
          dir="auto"
          autoComplete="off"
          {...form.getInputProps('source')}
        />
        <TextInput
          label={t`Player id`}
          description={t`Everything about this player.`}
          autoComplete="off"
          {...form.getInputProps('playerId')}
        />
        {hasLine && (
          <AmountInput
            label={t`Low balance`}
            description={t`The event is sent when a balance falls below this; 0 when empty.`}
            {...form.getInputProps('balanceBelow')}
          />
        )}
      </SimpleGrid>
    </fieldset>
  );
}
