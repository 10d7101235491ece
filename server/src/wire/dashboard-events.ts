import { Type } from './type.ts';

/** The query of the stream of a guild's changes. */
export const EventsQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      description:
        'The last number seen. Browsers send it as Last-Event-ID when they come back by themselves.',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
  ),
});
