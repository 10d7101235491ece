import { enveloped, envelopedOrNull } from './envelope.ts';
import { ID_LENGTH_MAX } from './text.ts';
import { Type } from './type.ts';
import { Webhook, WebhookAttempt } from './webhooks.ts';

// Schemas that the dashboard shares with the routes for keys.
export {
  DeletedReply,
  NewWebhookReply,
  RotatedReply,
  WebhookReply,
  WebhookTestReply,
} from './webhooks.ts';

const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

export const DashboardWebhookParams = Type.Object({
  guildId: Type.String(),
  webhookId: Type.String({ maxLength: ID_LENGTH_MAX }),
});

export const DashboardAttemptParams = Type.Object({
  ...DashboardWebhookParams.properties,
  attemptId: Type.String({ maxLength: ID_LENGTH_MAX }),
});

const DashboardWebhook = Type.Object({
  ...Webhook.properties,
  disabledReason: nullableText('Why it was disabled.'),
  keyId: nullableText('The key that made it or changed it last; null when a person did.'),
  failingSince: nullableText('Every delivery has failed since then; null when the last one succeeded.'),
});

export const DashboardWebhooksReply = enveloped(
  Type.Object({
    webhooks: Type.Array(DashboardWebhook),
    channelUrl: nullableText('In the try-out: the page that shows its chat channel.'),
  }),
);
export const DashboardWebhookReply = envelopedOrNull(
  Type.Object({ webhook: DashboardWebhook, attempts: Type.Array(WebhookAttempt) }),
);
/** One attempt with the beginnings of both bodies. Null when it is no longer kept. */
export const DashboardAttemptReply = envelopedOrNull(
  Type.Object({
    attempt: Type.Object({
      ...WebhookAttempt.properties,
      payload: nullableText('The beginning of the body that was sent; null when it is not kept.'),
      answer: nullableText('The beginning of the answer; null when there was none or it is not kept.'),
    }),
  }),
);
