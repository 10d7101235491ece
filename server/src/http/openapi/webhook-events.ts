import { EXAMPLE_EVENT_ID } from '../../wire/examples.ts';
import { typesOf, WEBHOOK_EVENT_SCHEMAS } from '../../wire/webhook-events.ts';
import { describe, exampleOf } from './schemas.ts';

type Json = Record<string, unknown>;

const HEADERS = [
  {
    name: 'webhook-id',
    description: 'Identifies the event. It is the same at every delivery of the event.',
    example: EXAMPLE_EVENT_ID,
  },
  { name: 'webhook-timestamp', description: 'Time of the attempt in seconds.', example: '1794687330' },
  {
    name: 'webhook-signature',
    description: 'One or two signatures by Standard Webhooks, separated by a space.',
    example: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
].map((header) => ({ ...header, in: 'header', required: true, schema: { type: 'string' } }));

const EVENTS = Object.entries(WEBHOOK_EVENT_SCHEMAS).flatMap(([name, schema]) =>
  typesOf(schema).map((type) => ({ type, name, schema })),
);

/** The union of all events. `type` is the discriminator. */
export function describeAnyEvent(): Json {
  const refOf = (name: string) => `#/components/schemas/${name}`;
  return {
    description: 'The body of a delivery. Later versions may add types: ignore those that you do not know.',
    oneOf: Object.keys(WEBHOOK_EVENT_SCHEMAS).map((name) => ({ $ref: refOf(name) })),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(EVENTS.map(({ type, name }) => [type, refOf(name)])),
    },
  };
}

/** The requests that the service sends to webhooks of the kind `standard`, by the type of the event. */
export function describeWebhooks(): Json {
  return Object.fromEntries(
    EVENTS.map(({ type, schema }) => [
      type,
      {
        post: {
          tags: ['Webhooks'],
          summary: `Delivery of ${type}`,
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: describe(schema),
                example: { ...(exampleOf(schema) as Json), type },
              },
            },
          },
          responses: {
            '2XX': {
              description:
                'The event was received. Every other answer is a failure, and the delivery is repeated.',
            },
            410: { description: 'Disables the webhook.' },
          },
        },
      },
    ]),
  );
}
