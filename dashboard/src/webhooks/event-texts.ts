import type { WebhookKind } from '../api/webhooks.ts';

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

const recordEvents = (noun: string, plural: string): EventText[] => [
  {
    event: `${noun}.created`,
    label: `${plural} added`,
    explanation: `Somebody or a program added a ${noun}.`,
  },
  { event: `${noun}.updated`, label: `${plural} changed`, explanation: `Fields of a ${noun} changed.` },
  { event: `${noun}.deleted`, label: `${plural} deleted`, explanation: `A ${noun} was deleted.` },
];

/** All events that a webhook can select, with descriptions. */
export const eventGroups: readonly EventGroup[] = [
  {
    title: 'Money',
    events: [
      {
        event: 'transaction.posted',
        label: 'Transactions',
        explanation: 'Every deposit and withdrawal, corrections and both sides of payments included.',
      },
      {
        event: 'transaction.reversed',
        label: 'Reversals',
        explanation: 'A transaction was taken back.',
      },
      { event: 'payment.posted', label: 'Payments', explanation: 'One player paid another.' },
      {
        event: 'balance.below',
        label: 'Low balances',
        explanation: 'A transaction took a balance below zero, or below the line you set.',
      },
      {
        event: 'ledger.sealed',
        label: 'Sealed ledger',
        explanation: 'After each day with transactions, the signed checkpoint of the ledger.',
      },
      {
        event: 'summary.weekly',
        label: 'Weekly summary',
        explanation: 'On Mondays, with a chart of the week.',
        only: 'discord',
      },
    ],
  },
  {
    title: 'Records',
    events: [...recordEvents('discharge', 'Discharges'), ...recordEvents('transfer', 'Transfers')],
  },
  {
    title: 'People and keys',
    events: [
      {
        event: 'verification.changed',
        label: 'Verifications',
        explanation: 'Somebody known in this guild was verified with another game account.',
      },
      { event: 'key.created', label: 'Keys made', explanation: 'A new API key can be used.' },
      { event: 'key.deleted', label: 'Keys deleted', explanation: 'An API key was deleted.' },
      {
        event: 'key.expiring',
        label: 'Keys about to expire',
        explanation: 'An API key has 14, 3 or 1 days left.',
      },
      {
        event: 'key.refused',
        label: 'Keys refused often',
        explanation: '100 requests of an API key were refused within an hour.',
      },
    ],
  },
];

const allEvents = eventGroups.flatMap(({ events }) => events);

/** The single events of a list of names: `key.*` stands for all that begin with `key.`. */
export function expandEvents(names: readonly string[]): string[] {
  const isNamed = (event: string) =>
    names.some((name) => name === event || (name.endsWith('.*') && event.startsWith(name.slice(0, -1))));
  return allEvents.map(({ event }) => event).filter(isNamed);
}

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
  if (labels.length <= shownMax) return labels.join(', ');
  const rest = labels.length - shownMax + 1;
  return `${labels.slice(0, shownMax - 1).join(', ')} and ${rest} more`;
}

/** The label of an event in the list of attempts, which also has events that cannot be selected. */
export function labelOf(event: string): string {
  const others: Readonly<Record<string, string>> = {
    'webhook.test': 'Test',
    'webhook.disabled': 'A webhook was disabled',
  };
  return allEvents.find((text) => text.event === event)?.label ?? others[event] ?? event;
}
