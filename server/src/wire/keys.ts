import { KEY_ROUTES, ROUTE_LIMIT_MAX, SCOPES } from '../key-terms.ts';
import { amountRules } from './amounts.ts';
import { DATE_TIME_FORMAT } from './dates.ts';
import { enveloped } from './envelope.ts';
import { EXAMPLE_KEY } from './examples.ts';
import { choice } from './text.ts';
import { nullable, Type } from './type.ts';

const time = (description: string, example: string) =>
  Type.String({ format: DATE_TIME_FORMAT, description, examples: [example] });

export const KeyLimits = Type.Object(
  {
    amountMax: nullable<number>({
      type: 'number',
      description: 'The largest total of one transaction, deposit or withdrawal; null for any.',
      ...amountRules({ exclusiveMinimum: 0 }),
    }),
    withdrawnPerDayMax: nullable<number>({
      type: 'number',
      description: 'How much the key may withdraw on one day in UTC; null for any amount.',
      ...amountRules({ minimum: 0 }),
    }),
  },
  { description: 'Scopes that the key may have at most.' },
);

export const RouteLimits = Type.Array(
  Type.Object({
    route: choice(KEY_ROUTES, { description: 'The `operationId` of the route.' }),
    limit: Type.Integer({
      description: 'Requests that are answered.',
      minimum: 1,
      maximum: ROUTE_LIMIT_MAX,
    }),
    per: choice(['second', 'minute'], { description: 'In any second, or in any 60 seconds.' }),
  }),
  {
    maxItems: KEY_ROUTES.length,
    description:
      'Limits of single routes, beside those that a route has for every key. None for no such limits.',
  },
);

export const ApiKey = Type.Object({
  id: Type.String({ description: 'Identifier of the key.', examples: [EXAMPLE_KEY.id] }),
  name: Type.String({ description: 'Name of the key.', examples: [EXAMPLE_KEY.name] }),
  prefix: Type.String({ description: 'First characters of the value.', examples: [EXAMPLE_KEY.prefix] }),
  guildId: Type.String({ description: 'The guild it opens.', examples: [EXAMPLE_KEY.guildId] }),
  scopes: Type.Array(choice(SCOPES), { description: 'Scopes of the key.' }),
  createdAt: time('When it was made.', EXAMPLE_KEY.createdAt),
  expiresAt: time('When it expires.', EXAMPLE_KEY.expiresAt),
  lastUsedAt: nullable<string>({
    type: 'string',
    format: DATE_TIME_FORMAT,
    description: 'When it was last used, exact to some seconds; null for never.',
  }),
  limits: KeyLimits,
  routeLimits: RouteLimits,
});

export const KeyReply = enveloped(Type.Object({ key: ApiKey }));
/** The query of a deletion. */
export const KeyDeletionQuery = Type.Object({
  keepWebhooks: Type.Optional(
    choice(['true', 'false'], {
      description:
        'Whether the webhooks stay enabled that the key made or changed last. They are disabled when absent.',
    }),
  ),
});

export const EmptyReply = enveloped(
  Type.Unsafe<Record<string, never>>({ type: 'object', maxProperties: 0, description: 'Empty.' }),
);
