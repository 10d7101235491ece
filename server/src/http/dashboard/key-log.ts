import { csvOf } from '../../import-export/export.ts';
import { DashboardGuildParams, DashboardKeyParams } from '../../wire/dashboard.ts';
import {
  GuildHoursReply,
  GuildRequestsQuery,
  GuildRequestsReply,
  KeyHoursQuery,
  KeyHoursReply,
  RefusalJumpsReply,
  RequestExportQuery,
} from '../../wire/key-log.ts';
import { Type } from '../../wire/type.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { hourBody, requestBody, requestPage, toRequestFilter, toRequestQuery } from '../key-log-body.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';
import { csvName, csvStyle } from './record-changes.ts';

const GUILD = '/dashboard/api/guilds/{guildId}';
const GUILD_ROUTE = { ...SESSION_ROUTE, method: 'GET', params: DashboardGuildParams } as const;

const listRequests = {
  ...GUILD_ROUTE,
  path: `${GUILD}/requests`,
  query: GuildRequestsQuery,
  reply: GuildRequestsReply,
} satisfies Route;

const exportGuildRequests = {
  ...GUILD_ROUTE,
  path: `${GUILD}/requests.csv`,
  query: RequestExportQuery,
  reply: Type.String(),
} satisfies Route;

const showGuildHours = {
  ...GUILD_ROUTE,
  path: `${GUILD}/requests/hours`,
  query: KeyHoursQuery,
  reply: GuildHoursReply,
} satisfies Route;

const listJumps = {
  ...GUILD_ROUTE,
  path: `${GUILD}/requests/jumps`,
  reply: RefusalJumpsReply,
} satisfies Route;

const showKeyHours = {
  ...GUILD_ROUTE,
  path: `${GUILD}/keys/{keyId}/hours`,
  params: DashboardKeyParams,
  query: KeyHoursQuery,
  reply: KeyHoursReply,
} satisfies Route;

/** The requests of a guild's keys. */
export const REQUEST_ENDPOINTS = [
  forSession(listRequests, ({ keys }) => async ({ params, query }) => {
    const found = await keys.requests(params.guildId, toRequestQuery(query, query.keyId));
    const data = requestPage(found, query.limit, (request) => ({
      keyId: request.keyId,
      ...requestBody(request),
    }));
    return answerJson({ success: true, data });
  }),
  forSession(
    exportGuildRequests,
    ({ keys, clock, downloads }) =>
      async ({ params: { guildId }, query, request }) => {
        const { exact, keyId, ...given } = query;
        const readRows = async () => {
          const rows = await keys.exportRequests(guildId, toRequestFilter(given, keyId));
          return csvOf('requests', rows, csvStyle(exact));
        };
        return downloads.answer(request, { guildId, fileName: csvName('requests', clock), readRows });
      },
  ),
  forSession(showGuildHours, ({ keys }) => async ({ params, query }) => {
    const { sinceMs, counts } = await keys.guildUsage(params.guildId, query.days);
    const hours = counts.map((count) => ({ keyId: count.keyId, ...hourBody(count) }));
    return answerJson({ success: true, data: { since: new Date(sinceMs).toISOString(), hours } });
  }),
  forSession(listJumps, ({ keys }) => async ({ params }) => {
    const jumps = await keys.jumps(params.guildId);
    return answerJson({ success: true, data: { jumps } });
  }),
  forSession(showKeyHours, ({ keys }) => async ({ params, query }) => {
    const { sinceMs, counts } = await keys.usage(params.guildId, params.keyId, query.days);
    const data = { since: new Date(sinceMs).toISOString(), hours: counts.map(hourBody) };
    return answerJson({ success: true, data });
  }),
];
