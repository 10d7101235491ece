import { t } from '@lingui/core/macro';
import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WebhookKind } from '../api/webhooks.ts';
import { eventGroups } from './event-texts.ts';
import classes from './Webhooks.module.css';

interface EventFieldProps {
  kind: WebhookKind;
  value: string[];
  onChange: (value: string[]) => void;
  error: ReactNode;
}

/** Selects the events of a webhook, in groups. */
export function EventField({ kind, value, onChange, error }: EventFieldProps) {
  return (
    <Checkbox.Group
      label={t`Events`}
      description={t`The events that are delivered.`}
      value={value}
      onChange={onChange}
      error={error}
      required
    >
      <div className={classes.groups}>
        {eventGroups().map(({ title, events }) => {
          const offered = events.filter(({ only }) => only === undefined || only === kind);
          return (
            <fieldset key={title} className={classes.group}>
              <legend className={classes.legend}>{title}</legend>
              <div className={classes.events}>
                {offered.map(({ event, label, explanation }) => (
                  <Checkbox
                    key={event}
                    value={event}
                    label={
                      <>
                        {label} <code className={classes.code}>{event}</code>
                      </>
                    }
                    description={explanation}
                  />
                ))}
              </div>
            </fieldset>
          );
        })}
      </div>
    </Checkbox.Group>
  );
}
