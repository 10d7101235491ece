import { EXAMPLE_REQUEST } from '../../wire/examples.ts';
import { KeyHoursQuery, KeyHoursReply, KeyRequestsQuery, KeyRequestsReply } from '../../wire/key-log.ts';
import { answerJson } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { hourBody, requestBody, requestPage, toRequestQuery } from '../key-log-body.ts';
import { forKey } from './for-key.ts';
import { tenPerSecond } from './ledger-route.ts';

const getKeyUsage = {
  operationId: 'getKeyUsage',
  method: 'GET',
  path: '/guild/key/usage',
  tag: 'Key',
  summary: 'Count the requests of the calling key',
  description:
    'The number of requests of the calling key by hour, route and result, of the last 90 days at most. Counts appear some seconds ' +
    'after the requests. Any valid key will do.',
  access: 'key',
  bucket: tenPerSecond('key-usage'),
  errorShape: 'coded',
  query: KeyHoursQuery,
  reply: KeyHoursReply,
  examples: {
    usage: {
      success: true,
      data: {
        since: '2026-11-08T00:00:00.000Z',
        hours: [
          { hour: '2026-11-14T20:00:00.000Z', route: 'postTransaction', code: 'deposit_conflict', count: 2 },
          { hour: '2026-11-14T20:00:00.000Z', route: 'postTransaction', code: 'ok', count: 117 },
        ],
      },
    },
  },
  errors: [{ code: 'invalid_input', detail: 'days must be from 1 to 90' }],
} satisfies Endpoint;

const listKeyRequests = {
  operationId: 'listKeyRequests',
  method: 'GET',
  path: '/guild/key/requests',
  tag: 'Key',
  summary: 'List the refused requests of the calling key',
  description:
    'The last 200 refused requests of the calling key, newest first, with the reason of each. While the guild keeps all requests of the ' +
    'key, the last 2,000 of all. Bodies, keys and other secrets are never kept. Requests appear some seconds after they were answered. ' +
    'Any valid key will do.',
  access: 'key',
  bucket: tenPerSecond('key-requests'),
  errorShape: 'coded',
  query: KeyRequestsQuery,
  reply: KeyRequestsReply,
  examples: { requests: { success: true, data: { requests: [EXAMPLE_REQUEST], nextCursor: null } } },
  errors: [{ code: 'invalid_input', detail: 'cursor must be the nextCursor of an earlier page' }],
} satisfies Endpoint;

/** The endpoints with which a key reads how it was used. */
export const KEY_LOG_ENDPOINTS = [
  forKey(getKeyUsage, ({ keys }) => async ({ who, query }) => {
    const { sinceMs, counts } = await keys.usage(who.guild.guildId, who.keyId, query.days);
    const data = { since: new Date(sinceMs).toISOString(), hours: counts.map(hourBody) };
    return answerJson({ success: true, data });
  }),
  forKey(listKeyRequests, ({ keys }) => async ({ who, query }) => {
    const found = await keys.requests(who.guild.guildId, toRequestQuery(query, who.keyId));
    return answerJson({ success: true, data: requestPage(found, query.limit, requestBody) });
  }),
];
