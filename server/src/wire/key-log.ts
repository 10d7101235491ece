import { USAGE_DAYS_MAX } from '../key-terms.ts';
import { DATE_TIME_FORMAT } from './dates.ts';
import { enveloped } from './envelope.ts';
import { EXAMPLE_REQUEST } from './examples.ts';
import { choice, exact, idText } from './text.ts';
import { nullable, Type } from './type.ts';

const { path, message, address, userAgent } = EXAMPLE_REQUEST;

export const KeyHoursQuery = Type.Object({
  days: Type.Integer({
    description: 'The last days to count, today included.',
    minimum: 1,
    maximum: USAGE_DAYS_MAX,
    default: 7,
  }),
});

export const KeyHour = Type.Object({
  hour: Type.String({ format: DATE_TIME_FORMAT, description: 'The beginning of the hour.' }),
  route: Type.String({
    description: 'The `operationId` of the route; empty for a whole day that was counted without routes.',
  }),
  code: Type.String({ description: 'The code of the refusal; `ok` for requests that were not refused.' }),
  count: Type.Integer({ description: 'The number of requests.' }),
});

export const KeyHoursReply = enveloped(
  Type.Object({
    since: Type.String({
      format: DATE_TIME_FORMAT,
      description: 'The time from which on requests are counted.',
    }),
    hours: Type.Array(KeyHour, { description: 'Ordered by hour, route and code. Counts above zero only.' }),
  }),
);

const requestFilters = {
  refused: Type.Optional(choice(['true', 'false'], { description: 'Only refused ones, or only others.' })),
  route: Type.Optional(idText('Only requests of the route with this `operationId`.', EXAMPLE_REQUEST.route)),
  code: Type.Optional(idText('Only refusals with this code.', EXAMPLE_REQUEST.code)),
  requestId: Type.Optional(idText('Only the request with this `x-request-id`.', EXAMPLE_REQUEST.requestId)),
};

export const KeyRequestsQuery = Type.Object({
  limit: Type.Integer({ description: 'Requests per page.', minimum: 1, maximum: 100, default: 20 }),
  cursor: Type.Optional(
    Type.String({
      description: 'The `nextCursor` of the page before.',
      minLength: 1,
      maxLength: 256,
      pattern: '^[A-Za-z0-9_-]+$',
    }),
  ),
  ...requestFilters,
});

export const KeyRequest = Type.Object({
  requestId: Type.String({ description: 'The `x-request-id` of its answer.' }),
  at: Type.String({ format: DATE_TIME_FORMAT, description: 'When it was answered.' }),
  method: Type.String({ description: 'The method.' }),
  route: Type.String({ description: 'The `operationId` of its route.' }),
  path: Type.String({
    description:
      'The path, and those parameters of the query that the route has. Texts that may be secret are left out.',
    examples: [path],
  }),
  status: Type.Integer({ description: 'The status of the answer.' }),
  code: nullable<string>({
    type: 'string',
    description: 'The code of the refusal; null when it was not refused.',
  }),
  message: nullable<string>({
    type: 'string',
    description: 'The text of the refusal; null when it was not refused.',
    examples: [message],
  }),
  durationMs: Type.Integer({ description: 'Time until the answer, in milliseconds.' }),
  address: Type.String({ description: 'The address of the client.', examples: [address] }),
  userAgent: Type.String({ description: 'The header `user-agent`.', examples: [userAgent] }),
});

const nextCursor = nullable<string>({
  type: 'string',
  description: 'The `cursor` of the next page; null at the end.',
});

export const KeyRequestsReply = enveloped(Type.Object({ requests: Type.Array(KeyRequest), nextCursor }));

/** The requests of all keys of a guild. */
const keyId = Type.Optional(idText('Only requests of this key.', EXAMPLE_REQUEST.requestId));
export const GuildRequestsQuery = Type.Object({ ...KeyRequestsQuery.properties, keyId });
export const RequestExportQuery = Type.Object({ ...requestFilters, keyId, exact });
export const GuildRequestsReply = enveloped(
  Type.Object({
    requests: Type.Array(
      Type.Object({ keyId: Type.String({ description: 'The key.' }), ...KeyRequest.properties }),
    ),
    nextCursor,
  }),
);
export const GuildHoursReply = enveloped(
  Type.Object({
    since: KeyHoursReply.properties.data.properties.since,
    hours: Type.Array(
      Type.Object({ keyId: Type.String({ description: 'The key.' }), ...KeyHour.properties }),
    ),
  }),
);

/** The keys whose requests are refused much more often than before. */
export const RefusalJumpsReply = enveloped(
  Type.Object({
    jumps: Type.Array(
      Type.Object({
        keyId: Type.String({ description: 'The key.' }),
        refused: Type.Integer({ description: 'Its refused requests of the last 24 hours.' }),
        usual: Type.Number({ description: 'Those of a day in the week before, on average.' }),
        code: Type.String({ description: 'The most frequent code of the last 24 hours.' }),
      }),
    ),
  }),
);
