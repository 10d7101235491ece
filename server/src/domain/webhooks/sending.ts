import type { Sealer } from '../access/sealing.ts';
import type { GuildRef } from '../guild-ref.ts';
import { toChatMessage } from './discord.ts';
import { eventBody, type WebhookEvent } from './event.ts';
import type { EventSource } from './event-source.ts';
import { signatureOf } from './signature.ts';
import type { Webhook } from './webhook.ts';

/** A request to an endpoint. */
export interface Outgoing {
  /** The guild that it is sent for. Each guild has a share of the concurrent DNS look-ups. */
  guildNo: number;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
}

/** The result of a request. Only a status of 2xx is a success. */
export interface SendOutcome {
  /** Undefined when there was no answer. */
  status: number | undefined;
  durationMs: number;
  /** The error message; undefined for a success. */
  error: string | undefined;
  /** The pause that the receiver asked for. */
  retryAfterMs: number | undefined;
  /** The beginning of the answer's body. */
  answer?: string | undefined;
}

export interface WebhookSender {
  /** Rejects with `invalid_input` for an address that `send` would refuse. */
  check(url: string, guild: GuildRef): Promise<void>;
  /**
   * Sends one request and never rejects. It checks the resolved address each time and connects to the checked
   * address. It does not follow redirects.
   */
  send(outgoing: Outgoing): Promise<SendOutcome>;
}

/**
 * The label with which values of an endpoint are sealed. A value sealed for one endpoint cannot be opened for
 * another.
 */
export const labelOf = (part: 'secret' | 'url', webhookId: string) => `webhook ${part} ${webhookId}`;

export interface RequestContext {
  sealer: Sealer;
  nowMs: number;
  userAgent: string;
}

/** The request to an endpoint. Undefined when a value that it needs was sealed with another `SECRET_KEY`. */
export function toRequest(
  webhook: Webhook,
  message: { id: string; body: string },
  context: RequestContext,
): Outgoing | undefined {
  return webhook.kind === 'standard'
    ? toStandardRequest(webhook, message, context)
    : toChatRequest(webhook, { body: message.body, contentType: 'application/json' }, context);
}

/** The request to a chat channel, whose address is its secret. The channel answers after it has stored the message. */
export function toChatRequest(
  { guild, webhookId, sealedUrl }: Webhook,
  { body, contentType }: { body: string | Uint8Array; contentType: string },
  { sealer, userAgent }: RequestContext,
): Outgoing | undefined {
  const address = sealedUrl === undefined ? undefined : sealer.open(sealedUrl, labelOf('url', webhookId));
  if (address === undefined) {
    return undefined;
  }
  const url = new URL(address);
  url.searchParams.set('wait', 'true');
  const headers = { 'content-type': contentType, 'user-agent': userAgent };
  return { guildNo: guild.guildNo, url: url.href, headers, body };
}

/** A delivery according to Standard Webhooks. */
function toStandardRequest(
  webhook: Webhook,
  message: { id: string; body: string },
  { sealer, nowMs, userAgent }: RequestContext,
): Outgoing | undefined {
  const open = (sealed: string | undefined) =>
    sealed === undefined ? undefined : sealer.open(sealed, labelOf('secret', webhook.webhookId));
  const secret = open(webhook.sealedSecret);
  if (secret === undefined) {
    return undefined;
  }
  const isRotating = webhook.oldSecretUntilMs !== undefined && webhook.oldSecretUntilMs > nowMs;
  const old = isRotating ? open(webhook.sealedOldSecret) : undefined;
  const timestamp = Math.floor(nowMs / 1_000);
  return {
    guildNo: webhook.guild.guildNo,
    url: webhook.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'webhook-id': message.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf(old === undefined ? [secret] : [secret, old], {
        ...message,
        timestamp,
      }),
    },
    body: message.body,
  };
}

export const UNREADABLE: SendOutcome = {
  status: undefined,
  durationMs: 0,
  error: 'the secret cannot be read: SECRET_KEY has changed, rotate the secret or save the address again',
  retryAfterMs: undefined,
};

/** The body of one event for the endpoint's kind. */
export async function bodyFor(
  { kind, guild }: Pick<Webhook, 'kind' | 'guild'>,
  event: WebhookEvent,
  source: Pick<EventSource, 'playerNames' | 'texts'>,
): Promise<string> {
  if (kind === 'standard') {
    return eventBody(event);
  }
  const named = { names: await source.playerNames([event]), texts: await source.texts(guild) };
  return JSON.stringify(toChatMessage([event], named));
}
