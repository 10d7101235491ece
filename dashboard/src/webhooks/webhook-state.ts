import { t } from '@lingui/core/macro';
import type { Webhook } from '../api/webhooks.ts';
import { lazily } from '../components/lazily.ts';

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

export const stateTexts = lazily(
  () =>
    ({
      active: { label: t({ message: 'Active', context: 'webhook' }), tone: 'good' },
      failing: { label: t`Failing`, tone: 'warning' },
      unreadable: { label: t`Cannot deliver`, tone: 'danger' },
      stopped: { label: t`Disabled after failures`, tone: 'danger' },
      disabled: { label: t`Disabled`, tone: 'plain' },
    }) as const satisfies Record<WebhookState, { label: string; tone: string }>,
);

export const kindTexts = lazily(
  () =>
    ({
      standard: {
        label: t`A program`,
        explanation: t`Signed requests to an address of yours, as Standard Webhooks describes them.`,
      },
      discord: {
        label: t`A chat channel`,
        explanation: t`Messages in a Discord channel, several events in one.`,
      },
    }) as const,
);

/** The name that people gave the webhook, or else the host of its address. */
export function titleOf({ name, url }: Pick<Webhook, 'name' | 'url'>): string {
  return name ?? hostOf(url);
}

/** "example.org" of an address, for places where the whole address is too long. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
