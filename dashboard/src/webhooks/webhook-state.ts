import type { Webhook } from '../api/webhooks.ts';

export type WebhookState = 'active' | 'failing' | 'unreadable' | 'stopped' | 'disabled';

/**
 * `stopped` was disabled by the service, `disabled` by a person. For `unreadable`, the service can no longer decrypt
 * the secret or the address.
 */
export function stateOf({ status, disabledReason, failingSince, unreadable }: Webhook): WebhookState {
  if (status === 'active' && unreadable !== null) return 'unreadable';
  if (status === 'active') return failingSince === null ? 'active' : 'failing';
  return disabledReason === null ? 'disabled' : 'stopped';
}

export const stateTexts = {
  active: { label: 'Active', tone: 'good' },
  failing: { label: 'Failing', tone: 'warning' },
  unreadable: { label: 'Cannot deliver', tone: 'danger' },
  stopped: { label: 'Disabled after failures', tone: 'danger' },
  disabled: { label: 'Disabled', tone: 'plain' },
} as const satisfies Record<WebhookState, { label: string; tone: string }>;

export const kindTexts = {
  standard: {
    label: 'A program',
    explanation: 'Signed requests to an address of yours, as Standard Webhooks describes them.',
  },
  discord: {
    label: 'A chat channel',
    explanation: 'Messages in a Discord channel, several events in one.',
  },
} as const;

/** The name that people gave the webhook, or else the host of its address. */
export function titleOf({ name, url }: Pick<Webhook, 'name' | 'url'>): string {
  return name ?? hostOf(url);
}

/** "example.org" of an address, for places where the whole address is too long. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
