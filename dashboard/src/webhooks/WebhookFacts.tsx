import { t } from '@lingui/core/macro';
import { filterInWords } from '../access/webhook-texts.ts';
import type { Webhook } from '../api/webhooks.ts';
import { Breakable } from '../components/Breakable.tsx';
import { Facts } from '../components/Facts.tsx';
import { Moment } from '../components/Moment.tsx';
import { useNow } from '../components/use-now.ts';
import { eventsInWords } from './event-texts.ts';
import { StateTag } from './StateTag.tsx';
import classes from './Webhooks.module.css';
import { kindTexts } from './webhook-state.ts';

const allEvents = 99;

export function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const nowMs = useNow();
  const { url, kind, events, filter, createdAt } = webhook;
  const only = filterInWords(filter);
  return (
    <div className={classes.facts}>
      <Facts
        facts={[
          { label: t`State`, value: <StateTag webhook={webhook} /> },
          { label: t`Goes to`, value: kindTexts()[kind].label },
          {
            label: t`Address`,
            value: (
              <code>
                <Breakable>{url}</Breakable>
              </code>
            ),
          },
          { label: t`Events`, value: eventsInWords(events, allEvents) },
          {
            label: t`Filter`,
            value:
              only.length === 0 ? (
                t`No filter`
              ) : (
                <ul className={classes.plain}>
                  {only.map((line) => (
                    <li key={line} dir="auto">
                      {line}
                    </li>
                  ))}
                </ul>
              ),
          },
          { label: t`Added`, value: <Moment at={createdAt} nowMs={nowMs} /> },
        ]}
      />
    </div>
  );
}
