import { DashboardGuildParams, DashboardKeyParams } from '../../wire/dashboard.ts';
import {
  GuildHoursReply,
  GuildRequestsQuery,
  GuildRequestsReply,
  KeyHoursQuery,
  KeyHoursReply,
  RefusalJumpsReply,
} from '../../wire/key-log.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { hourBody, requestBody, requestPage, toRequestQuery } from '../key-log-body.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';

const GUILD = '/dashboard/api/guilds/{guildId}';
const GUILD_ROUTE = { ...SESSION_ROUTE, method: 'GET', params: DashboardGuildParams } as const;

const listRequests = {
  ...GUILD_ROUTE,
  path: `${GUILD}/requests`,
  query: GuildRequestsQuery,
  reply: GuildRequestsReply,
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
