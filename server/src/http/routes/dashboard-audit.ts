import type { FastifyInstance } from 'fastify';
import type { AuditLog, AuditPage, NamedActor } from '../../domain/audit-log.ts';
import { DashboardGuildParams } from '../../wire/dashboard.ts';
import { AuditQuery, AuditReply } from '../../wire/dashboard-records.ts';
import { addEndpoint, type Route } from '../endpoint.ts';
import { createSessionGuard, type SessionGuardParts } from '../session-guard.ts';

export const listAudit = {
  access: 'session',
  errorShape: 'enveloped',
  method: 'GET',
  path: '/dashboard/api/guilds/{guildId}/audit',
  params: DashboardGuildParams,
  query: AuditQuery,
  reply: AuditReply,
} satisfies Route;

export interface DashboardAuditParts extends SessionGuardParts {
  auditLog: AuditLog;
}

/** Who did what in a guild. */
export function addDashboardAuditRoutes(app: FastifyInstance, parts: DashboardAuditParts): void {
  addEndpoint(app, listAudit, createSessionGuard(listAudit, parts), async ({ params, query }) => {
    const { entries, next, actors } = await parts.auditLog.page(params.guildId, query);
    return {
      success: true,
      data: { entries: entries.map(toWireEntry), next: next ?? null, actors: actors.map(toWireActor) },
    };
  });
}

function toWireEntry(entry: AuditPage['entries'][number]): object {
  const { entryNo, createdAtMs, actor, action, subjectKind, subjectId, detail } = entry;
  return {
    entryNo,
    createdAt: new Date(createdAtMs).toISOString(),
    actor: toWireActor(actor),
    action,
    subject: { kind: subjectKind, id: subjectId },
    detail,
  };
}

function toWireActor({ name, ...actor }: NamedActor): object {
  return { ...actor, name: name ?? null };
}
