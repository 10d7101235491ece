import type { Sealer } from '../access/sealing.ts';
import { labelOf } from './sending.ts';
import type { SealedField, SealedWebhook, Webhook } from './webhook.ts';

/** The part of an endpoint that is needed for each delivery and cannot be decrypted. */
export type UnreadablePart = 'secret' | 'url';

/** An endpoint with what its owners have to know of it. */
export interface ShownWebhook extends Webhook {
  /** Given when `SECRET_KEY` does not read what a delivery needs: then nothing is delivered. */
  unreadable: UnreadablePart | undefined;
}

/** The label that a sealed value of an endpoint was sealed under. */
export function labelOfField(field: SealedField, { webhookId }: Pick<Webhook, 'webhookId'>): string {
  return labelOf(field === 'sealedUrl' ? 'url' : 'secret', webhookId);
}

/** Undefined when everything that a delivery needs can be read. A former secret does not count: it is left out then. */
export function unreadablePart(
  webhook: Omit<SealedWebhook, 'guildNo'>,
  { open }: Pick<Sealer, 'open'>,
): UnreadablePart | undefined {
  const field = webhook.kind === 'standard' ? 'sealedSecret' : 'sealedUrl';
  const sealed = webhook[field];
  const isReadable = sealed !== undefined && open(sealed, labelOfField(field, webhook)) !== undefined;
  return isReadable ? undefined : field === 'sealedSecret' ? 'secret' : 'url';
}
