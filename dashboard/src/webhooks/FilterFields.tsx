import { SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import classes from './Webhooks.module.css';
import type { WebhookValues } from './webhook-form.ts';

/** The filters of the events. Empty fields do not restrict them. */
export function FilterFields({ form }: { form: UseFormReturnType<WebhookValues> }) {
  const hasLine = form.values.events.includes('balance.below');
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>Only some of them</legend>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="From this amount on"
          description="Transactions and payments, in or out."
          inputMode="decimal"
          autoComplete="off"
          {...form.getInputProps('minTotal')}
        />
        <TextInput
          label="Source"
          description="Transactions and payments from it."
          dir="auto"
          autoComplete="off"
          {...form.getInputProps('source')}
        />
        <TextInput
          label="Player id"
          description="Everything about this player."
          autoComplete="off"
          {...form.getInputProps('playerId')}
        />
        {hasLine && (
          <TextInput
            label="Low balance"
            description="The event is sent when a balance falls below this; 0 when empty."
            inputMode="decimal"
            autoComplete="off"
            {...form.getInputProps('balanceBelow')}
          />
        )}
      </SimpleGrid>
    </fieldset>
  );
}
