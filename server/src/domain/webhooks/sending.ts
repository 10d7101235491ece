import type { Sealer } from '../access/sealing.ts';
import type { GuildRef } from '../guild-ref.ts';
import { toChatMessage } from './discord.ts';
import { eventBody, type WebhookEvent } from './event.ts';
import { signatureOf } from './signature.ts';
import type { Webhook } from './webhook.ts';

/** A request to an endpoint. */
export interface Outgoing {
  /** The guild that it is sent for: each has a share of what is resolved at once. */
  guildNo: number;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
}

/** What came of a request. Only a status of 2xx is a success. */
export interface SendOutcome {
  /** Undefined when there was no answer. */
  status: number | undefined;
  durationMs: number;
  /** What went wrong, in words; undefined for a success. */
  error: string | undefined;
  /** How long the receiver asks to be left alone. */
  retryAfterMs: number | undefined;
}

export interface WebhookSender {
  /** Refuses an address that nothing may be delivered to, by the same rules as `send`, with `invalid_input`. */
  check(url: string, guild: GuildRef): Promise<void>;
  /**
   * Sends one request and never rejects. The address of the name is checked each time, and the connection goes to the checked
   * address. Redirects are not followed.
   */
  send(outgoing: Outgoing): Promise<SendOutcome>;
}

/** What is sealed for an endpoint opens for no other. */
export const labelOf = (part: 'secret' | 'url', webhookId: string) => `webhook ${part} ${webhookId}`;

export interface RequestContext {
  sealer: Sealer;
  nowMs: number;
  userAgent: string;
}

/** What is sent to an endpoint. Undefined when what it needs was sealed with another `SECRET_KEY`. */
export function toRequest(
  webhook: Webhook,
  message: { id: string; body: string },
  context: RequestContext,
): Outgoing | undefined {
  return webhook.kind === 'standard'
    ? toStandardRequest(webhook, message, context)
    : toChatRequest(webhook, { body: message.body, contentType: 'application/json' }, context);
}

/** To a chat channel, whose address is its secret. It answers once it has the message. */
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

/** A delivery by Standard Webhooks. */
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

/** One event as the endpoint's kind has it. */
export function bodyFor({ kind }: Pick<Webhook, 'kind'>, event: WebhookEvent): string {
  return kind === 'standard' ? eventBody(event) : JSON.stringify(toChatMessage([event]));
}
