import { ANY_REQUEST } from '../domain/access/key-requests.ts';
import { type ExportedRequest, readRequests } from '../domain/access/request-export.ts';
import type { ExportedKind } from './kinds.ts';

/** The requests of keys that are kept, guild by guild, newest first. They are written by the service only. */
export const REQUESTS: ExportedKind<ExportedRequest> = {
  columns: {
    guildId: 'text',
    at: 'text',
    keyId: 'text',
    keyName: 'text',
    method: 'text',
    path: 'text',
    route: 'text',
    status: 'number',
    code: 'text?',
    message: 'text?',
    requestId: 'text',
    durationMs: 'number',
    address: 'text',
    userAgent: 'text',
  },
  async *read(store, guild) {
    for (const one of guild === undefined ? await store.guilds.list() : [guild]) {
      yield* readRequests(store, one, ANY_REQUEST);
    }
  },
  toFields: ({ atMs, ...request }) => ({ ...request, at: new Date(atMs).toISOString() }),
};
