import type { AuditPage, NamedActor } from '../../domain/audit-log.ts';
import { DashboardGuildParams } from '../../wire/dashboard.ts';
import { AuditQuery, AuditReply } from '../../wire/dashboard-records.ts';
import { createSessionAccess } from '../access/session.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { type DashboardScope, SESSION_ROUTE } from './scope.ts';

export const listAudit = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: '/dashboard/api/guilds/{guildId}/audit',
  params: DashboardGuildParams,
  query: AuditQuery,
  reply: AuditReply,
} satisfies Route;

/** Who did what in a guild. */
export function addAudit({ add, parts }: DashboardScope): void {
  add(listAudit, createSessionAccess(listAudit, parts), async ({ params, query }) => {
    const { entries, next, actors } = await parts.auditLog.page(params.guildId, query);
    return answerJson({
      success: true,
      data: { entries: entries.map(toWireEntry), next: next ?? null, actors: actors.map(toWireActor) },
    });
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
