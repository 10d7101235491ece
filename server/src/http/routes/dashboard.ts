import type { FastifyInstance } from 'fastify';
import type { Dashboard, DashboardGuild, DashboardKey } from '../../domain/dashboard.ts';
import { addEndpoint } from '../endpoint.ts';
import { createSessionGuard, type SessionGuardParts, signedInOf } from '../session-guard.ts';
import {
  createKey,
  deleteKey,
  getSession,
  listGuilds,
  listKeys,
  signOut,
  signOutEverywhere,
} from './dashboard-endpoints.ts';

export interface DashboardRouteParts extends SessionGuardParts {
  keyLifetimeDaysMax: number;
}

/** What the dashboard's pages call once somebody is signed in. */
export function addDashboardRoutes(app: FastifyInstance, parts: DashboardRouteParts): void {
  const { sessions, dashboard, cookies } = parts;
  const guard = (route: { method: string }) => createSessionGuard(route, parts);

  addEndpoint(app, getSession, guard(getSession), async (request) => {
    const { session, csrfToken } = signedInOf(request);
    const { chatId, name, avatar } = session.user;
    return {
      success: true,
      data: {
        user: { chatId, name, avatar: avatar ?? null },
        csrfToken,
        expiresAt: isoTime(session.expiresAtMs),
        keyLifetimeDaysMax: parts.keyLifetimeDaysMax,
      },
    };
  });
  addEndpoint(app, signOut, guard(signOut), async (request, reply) => {
    await sessions.end(signedInOf(request).session);
    cookies.clearSession(reply);
    return { success: true, message: 'Signed out' };
  });
  addEndpoint(app, signOutEverywhere, guard(signOutEverywhere), async (request, reply) => {
    await sessions.endAll(signedInOf(request).session);
    cookies.clearSession(reply);
    return { success: true, message: 'Signed out' };
  });
  addEndpoint(app, listGuilds, guard(listGuilds), async (request) => {
    const guilds = await dashboard.guilds(signedInOf(request).session);
    return { success: true, data: guilds.map(toWireGuild) };
  });
  addKeyRoutes(app, dashboard, guard);
}

function addKeyRoutes(
  app: FastifyInstance,
  dashboard: Dashboard,
  guard: (route: { method: string }) => ReturnType<typeof createSessionGuard>,
): void {
  addEndpoint(app, listKeys, guard(listKeys), async ({ params }) => {
    const keys = await dashboard.keys(params.guildId);
    return { success: true, data: keys.map(toWireKey) };
  });
  addEndpoint(app, createKey, guard(createKey), async (request) => {
    const { name, scopes, expiresAt } = request.body;
    const { key, value } = await dashboard.createKey(signedInOf(request).session, {
      guildId: request.params.guildId,
      name,
      scopes,
      expiresAtMs: Date.parse(expiresAt),
    });
    return { success: true, data: { key: value, ...toWireKey(key) } };
  });
  addEndpoint(app, deleteKey, guard(deleteKey), async (request) => {
    await dashboard.deleteKey(signedInOf(request).session, request.params);
    return { success: true, message: 'Key deleted' };
  });
}

function toWireGuild({ planUntilMs, plan, icon, ...guild }: DashboardGuild): object {
  const planUntil = planUntilMs === undefined ? null : isoTime(planUntilMs);
  return { ...guild, icon: icon ?? null, plan: plan ?? null, planUntil };
}

function toWireKey(key: DashboardKey): object {
  const { keyId, createdBy, createdAtMs, expiresAtMs, lastUsedAtMs, ...rest } = key;
  return {
    ...rest,
    id: keyId,
    createdBy: { ...createdBy, name: createdBy.name ?? null },
    createdAt: isoTime(createdAtMs),
    expiresAt: isoTime(expiresAtMs),
    lastUsedAt: lastUsedAtMs === undefined ? null : isoTime(lastUsedAtMs),
  };
}

function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
