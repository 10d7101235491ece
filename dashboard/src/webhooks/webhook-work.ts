import type { Webhook } from '../api/webhooks.ts';

/** An action on a webhook. */
export type WebhookWork =
  | { what: 'edit' | 'rotate' | 'delete' }
  /** Without an event: everything since a time. */
  | { what: 'replay'; eventId?: string };

export interface WebhookDialogProps {
  guildId: string;
  webhook: Webhook;
  eventId?: string | undefined;
  onClose: () => void;
  onDeleted: () => void;
}
