import { AMOUNT_MAX, amountRules } from './amounts.ts';
import { DATE_TIME_FORMAT } from './dates.ts';
import { enveloped } from './envelope.ts';
import {
  EXAMPLE_ATTEMPT,
  EXAMPLE_EVENT_ID,
  EXAMPLE_PLAYER_ID,
  EXAMPLE_WEBHOOK,
  EXAMPLE_WEBHOOK_SECRET,
} from './examples.ts';
import { choice, idText, LINE_FORMAT, lineText } from './text.ts';
import { Type } from './type.ts';
import { DOCUMENTED_RULES } from './validation.ts';
import { SELECTABLE_EVENTS } from './webhook-events.ts';

const nullable = <Value>(schema: { type: string } & Record<string, unknown>) =>
  Type.Unsafe<Value | null>({ ...schema, type: [schema.type, 'null'] });
const time = (description: string) => Type.String({ description, format: DATE_TIME_FORMAT });

/**
 * The names that a webhook can select: every event with a schema, the summary, which only chat channels get, and groups. A test
 * compares them with those of the domain, which this folder must not import.
 */
export const WEBHOOK_EVENTS = [
  ...SELECTABLE_EVENTS,
  'summary.weekly',
  'transaction.*',
  'discharge.*',
  'transfer.*',
  'key.*',
] as const;

/** An address without a user or a fragment. The operator's settings decide which http addresses are allowed. */
const URL_PATTERN = '^https?://[^\\s/?#@\\u0000-\\u001F\\u007F-\\u009F]+(?:[/?][!-"$-~]*)?$';

const url = Type.String({
  description:
    'Where events are delivered. It begins with https:// and must resolve to an address on the public Internet.',
  minLength: 1,
  maxLength: 2_048,
  format: 'text-line',
  [DOCUMENTED_RULES]: { format: undefined, pattern: URL_PATTERN },
  examples: [EXAMPLE_WEBHOOK.url],
});

const NAME_LENGTH_MAX = 80;

const name = Type.Optional(
  nullable<string>({
    type: 'string',
    description: 'A name for people, such as the program that listens; null for none.',
    minLength: 1,
    maxLength: NAME_LENGTH_MAX,
    format: LINE_FORMAT,
    examples: [EXAMPLE_WEBHOOK.name],
  }),
);

const kind = choice(['standard', 'discord'], {
  description:
    '`standard` is signed as Standard Webhooks say; `discord` writes messages into a channel of the chat platform.',
});

const events = Type.Array(choice(WEBHOOK_EVENTS), {
  description: 'Events to send; a name that ends in `.*` means all events of its group.',
  minItems: 1,
  maxItems: WEBHOOK_EVENTS.length,
  examples: [EXAMPLE_WEBHOOK.events],
});

export const WebhookFilter = Type.Object(
  {
    source: Type.Optional(lineText('Only money from this source.', 'shop')),
    minTotal: Type.Optional(
      Type.Number({
        description: 'Only money that moves at least this much, in or out.',
        minimum: 0,
        ...amountRules(),
        examples: [100],
      }),
    ),
    playerId: Type.Optional(idText('Only what is about this player.', EXAMPLE_PLAYER_ID)),
    balanceBelow: Type.Optional(
      Type.Number({
        description: '`balance.below` is sent when a balance falls below this; 0 when absent.',
        ...amountRules({ minimum: -AMOUNT_MAX }),
        examples: [0],
      }),
    ),
  },
  { additionalProperties: false, 'x-rule': 'an object of source, minTotal, playerId and balanceBelow' },
);

const status = choice(['active', 'disabled'], {
  description:
    'A disabled endpoint gets nothing: it answered 410, failed for five days, or was switched off. Set it to `active` to ' +
    'begin again from then on.',
});

export const Webhook = Type.Object({
  id: Type.String({ description: 'Identifier of the webhook.', examples: [EXAMPLE_WEBHOOK.id] }),
  url: Type.String({
    description: 'The address; that of a chat channel without its token.',
    examples: [EXAMPLE_WEBHOOK.url],
  }),
  name: Type.Optional(
    nullable<string>({
      type: 'string',
      description: 'Its name; null for none.',
      examples: [EXAMPLE_WEBHOOK.name],
    }),
  ),
  kind,
  events: Type.Array(Type.String(), { description: 'Events that are sent.' }),
  filter: WebhookFilter,
  status,
  unreadable: Type.Unsafe<'secret' | 'url' | null>({
    type: ['string', 'null'],
    enum: ['secret', 'url', null],
    description:
      'Null while the service can read what it needs for a delivery. `secret`: it cannot read the secret any more, and delivers ' +
      'nothing until the secret is rotated. `url`: the same for the address of a chat channel; save the address again.',
  }),
  createdAt: time('When it was made.'),
});

export const WebhookAttempt = Type.Object({
  id: Type.String({ description: 'Identifier of the attempt.', examples: [EXAMPLE_ATTEMPT.id] }),
  eventId: Type.String({
    description: 'Identifier of the event, as in the header `webhook-id`.',
    examples: [EXAMPLE_EVENT_ID],
  }),
  type: Type.String({ description: 'Type of the event.', examples: [EXAMPLE_ATTEMPT.type] }),
  at: time('When it was made.'),
  status: nullable<number>({
    type: 'integer',
    description: 'Status of the answer; null when there was none.',
    examples: [200],
  }),
  durationMs: Type.Integer({
    description: 'Duration of the attempt.',
    examples: [EXAMPLE_ATTEMPT.durationMs],
  }),
  error: nullable<string>({
    type: 'string',
    description: 'What went wrong, with the beginning of the answer; null for a success.',
  }),
});

const secret = (description: string) => Type.String({ description, examples: [EXAMPLE_WEBHOOK_SECRET] });

export const NewWebhook = Type.Object({ name, url, kind, events, filter: Type.Optional(WebhookFilter) });
export const ChangedWebhook = Type.Object({
  name,
  url: Type.Optional(url),
  kind: Type.Optional(kind),
  events: Type.Optional(events),
  filter: Type.Optional(WebhookFilter),
  status: Type.Optional(status),
});
export const WebhookParams = Type.Object({
  webhookId: idText('Identifier of the webhook.', EXAMPLE_WEBHOOK.id),
});
export const Replay = Type.Object(
  {
    since: Type.Optional(time('Everything from this time on, at most 30 days back.')),
    eventId: Type.Optional(idText('One event, by its `webhook-id`.', EXAMPLE_EVENT_ID)),
  },
  { [DOCUMENTED_RULES]: { oneOf: [{ required: ['since'] }, { required: ['eventId'] }] } },
);

export const WebhooksReply = enveloped(Type.Object({ webhooks: Type.Array(Webhook) }));
export const NewWebhookReply = enveloped(
  Type.Object({
    webhook: Webhook,
    secret: nullable<string>({
      type: 'string',
      description: 'Verifies deliveries. It is shown this once; null for a chat channel.',
      examples: [EXAMPLE_WEBHOOK_SECRET],
    }),
  }),
);
export const WebhookReply = enveloped(Type.Object({ webhook: Webhook }));
export const WebhookDetailReply = enveloped(
  Type.Object({ webhook: Webhook, attempts: Type.Array(WebhookAttempt) }),
);
export const WebhookTestReply = enveloped(Type.Object({ attempt: WebhookAttempt }));
export const RotatedReply = enveloped(
  Type.Object({ webhook: Webhook, secret: secret('The new secret, shown this once.') }),
);
export const DeletedReply = enveloped(
  Type.Object({ id: Type.String({ description: 'Identifier of what was deleted.' }) }),
);
