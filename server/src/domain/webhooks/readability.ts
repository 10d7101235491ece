import type { Sealer } from '../access/sealing.ts';
import { labelOf } from './sending.ts';
import type { SealedField, SealedWebhook, Webhook } from './webhook.ts';

/** The part of an endpoint that is needed for each delivery and cannot be decrypted. */
export type UnreadablePart = 'secret' | 'url';

/** An endpoint with the state that its owners have to know about. */
export interface ShownWebhook extends Webhook {
  /** Set when `SECRET_KEY` does not open a value that deliveries need: then nothing is delivered. */
  unreadable: UnreadablePart | undefined;
}

/** The label with which a value of an endpoint was sealed. */
export function labelOfField(field: SealedField, { webhookId }: Pick<Webhook, 'webhookId'>): string {
  return labelOf(field === 'sealedUrl' ? 'url' : 'secret', webhookId);
}

/**
 * Undefined when every value that a delivery needs can be opened. An old secret that cannot be opened is left out of
 * the signature.
 */
export function unreadablePart(
  webhook: Omit<SealedWebhook, 'guildNo'>,
  { open }: Pick<Sealer, 'open'>,
): UnreadablePart | undefined {
  const field = webhook.kind === 'standard' ? 'sealedSecret' : 'sealedUrl';
  const sealed = webhook[field];
  const isReadable = sealed !== undefined && open(sealed, labelOfField(field, webhook)) !== undefined;
  return isReadable ? undefined : field === 'sealedSecret' ? 'secret' : 'url';
}
