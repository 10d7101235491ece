import { t } from '@lingui/core/macro';
import { eventLabels, expandEvents } from '../access/event-labels.ts';
import type { WebhookKind } from '../api/webhooks.ts';
import { listText } from '../components/language-formats.ts';
import { lazily } from '../components/lazily.ts';

export interface EventText {
  event: string;
  label: string;
  explanation: string;
  /** Only endpoints of this kind can select it. */
  only?: WebhookKind;
}

export interface EventGroup {
  title: string;
  events: readonly EventText[];
}

const recordEvents = (): EventText[] => [
  {
    event: 'discharge.created',
    label: eventLabels()['discharge.created'],
    explanation: t`Somebody or a program added a discharge.`,
  },
  {
    event: 'discharge.updated',
    label: eventLabels()['discharge.updated'],
    explanation: t`Fields of a discharge changed.`,
  },
  {
    event: 'discharge.deleted',
    label: eventLabels()['discharge.deleted'],
    explanation: t`A discharge was deleted.`,
  },
  {
    event: 'transfer.created',
    label: eventLabels()['transfer.created'],
    explanation: t`Somebody or a program added a transfer.`,
  },
  {
    event: 'transfer.updated',
    label: eventLabels()['transfer.updated'],
    explanation: t`Fields of a transfer changed.`,
  },
  {
    event: 'transfer.deleted',
    label: eventLabels()['transfer.deleted'],
    explanation: t`A transfer was deleted.`,
  },
];

/** All events that a webhook can select, with descriptions. */
export const eventGroups = lazily((): readonly EventGroup[] => [
  {
    title: t`Money`,
    events: [
      {
        event: 'transaction.posted',
        label: eventLabels()['transaction.posted'],
        explanation: t`Every deposit and withdrawal, corrections and both sides of payments included.`,
      },
      {
        event: 'transaction.reversed',
        label: eventLabels()['transaction.reversed'],
        explanation: t`A transaction was reversed.`,
      },
      {
        event: 'payment.posted',
        label: eventLabels()['payment.posted'],
        explanation: t`One player paid another.`,
      },
      {
        event: 'balance.below',
        label: eventLabels()['balance.below'],
        explanation: t`A transaction took a balance below zero, or below the line you set.`,
      },
      {
        event: 'ledger.sealed',
        label: eventLabels()['ledger.sealed'],
        explanation: t`After each day with transactions, the signed checkpoint of the ledger.`,
      },
      {
        event: 'summary.weekly',
        label: eventLabels()['summary.weekly'],
        explanation: t`On Mondays, with a chart of the week.`,
        only: 'discord',
      },
    ],
  },
  {
    title: t`Records`,
    events: recordEvents(),
  },
  {
    title: t`People and keys`,
    events: [
      {
        event: 'verification.changed',
        label: eventLabels()['verification.changed'],
        explanation: t`Somebody known in this guild was verified with another game account.`,
      },
      {
        event: 'key.created',
        label: eventLabels()['key.created'],
        explanation: t`A new API key can be used.`,
      },
      { event: 'key.deleted', label: eventLabels()['key.deleted'], explanation: t`An API key was deleted.` },
      {
        event: 'key.expiring',
        label: eventLabels()['key.expiring'],
        explanation: t`An API key has 14, 3 or 1 days left.`,
      },
      {
        event: 'key.refused',
        label: eventLabels()['key.refused'],
        explanation: t`100 requests of an API key were refused within an hour.`,
      },
    ],
  },
]);

const allEvents = lazily(() => eventGroups().flatMap(({ events }) => events));

/** The names to save. A group that was saved as a whole stays a group while all of its events are selected. */
export function namesOf(chosen: readonly string[], before: readonly string[]): string[] {
  const groups = before.filter(
    (name) => name.endsWith('.*') && expandEvents([name]).every((event) => chosen.includes(event)),
  );
  const covered = expandEvents(groups);
  return [...groups, ...chosen.filter((event) => !covered.includes(event))];
}

/** The events of an endpoint on one line: "Transactions, Reversals and 3 more". */
export function eventsInWords(names: readonly string[], shownMax = 3): string {
  const labels = expandEvents(names).map((event) => labelOf(event));
  if (labels.length <= shownMax) return listText(labels);
  return listText(labels.slice(0, shownMax - 1), labels.length - shownMax + 1);
}

/** The label of an event in the list of attempts, which also has events that cannot be selected. */
export function labelOf(event: string): string {
  const others: Readonly<Record<string, string>> = {
    'webhook.test': t`Test`,
    'webhook.disabled': t`A webhook was disabled`,
  };
  return allEvents().find((text) => text.event === event)?.label ?? others[event] ?? event;
}
