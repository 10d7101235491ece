import { DomainError } from '../../domain/errors.ts';
import { DashboardGuildParams } from '../../wire/dashboard.ts';
import { EventsQuery } from '../../wire/dashboard-events.ts';
import type { Route } from '../endpoint.ts';
import type { HttpRequest } from '../request.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';

const watchLedger = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: '/dashboard/api/guilds/{guildId}/events',
  params: DashboardGuildParams,
  query: EventsQuery,
} satisfies Route;

/** Its events have the number of a transaction within the account as their ids, because one of the ledger counts those of others. */
const watchOwnAccount = {
  ...watchLedger,
  path: '/dashboard/api/guilds/{guildId}/me/events',
} satisfies Route;

/**
 * Sends an event each time the guild's ledger grows, whose id is a number of the ledger, and one without an id when something else was
 * changed. A stream of the person's own account has nothing but its transactions.
 */
export const EVENT_ENDPOINTS = [watchLedger, watchOwnAccount].map((route) =>
  forSession(route, ({ liveLedger, guilds }) => async ({ who, params, query, request }) => {
    const guild = await guilds.find(params.guildId);
    const stream = await liveLedger.watch(request, {
      guild,
      chatId: who.session.user.chatId,
      playerId: who.own?.playerId,
      after: lastEventId(request) ?? query.after,
      recheck: who.recheck,
    });
    return {
      body: stream,
      contentType: 'text/event-stream; charset=utf-8',
      // Without it nginx buffers the stream.
      headers: ['x-accel-buffering', 'no'],
      isEndless: true,
    };
  }),
);

/** Browsers send this header when they reconnect by themselves. */
function lastEventId({ raw }: HttpRequest): number | undefined {
  const text = raw.headers['last-event-id'];
  if (text === undefined || text === '') {
    return undefined;
  }
  const number = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(number)) {
    throw new DomainError('invalid_input', { detail: 'last-event-id must be a number of the ledger' });
  }
  return number;
}
