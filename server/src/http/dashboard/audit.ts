import type { EntryWithPerson, NamedActor, NamedEntry } from '../../domain/audit-log.ts';
import { type CsvStyle, csvRow, csvStart, csvTextCell } from '../../import-export/csv.ts';
import { DashboardGuildParams } from '../../wire/dashboard.ts';
import { AuditExportQuery, AuditQuery, AuditReply } from '../../wire/dashboard-records.ts';
import { Type } from '../../wire/type.ts';
import { roleOf } from '../access/session.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';
import { csvName, csvStyle } from './record-changes.ts';

const listAudit = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: '/dashboard/api/guilds/{guildId}/audit',
  params: DashboardGuildParams,
  query: AuditQuery,
  reply: AuditReply,
} satisfies Route;

const exportAudit = {
  ...listAudit,
  path: '/dashboard/api/guilds/{guildId}/audit.csv',
  query: AuditExportQuery,
  reply: Type.String(),
} satisfies Route;

/** The audit log of a guild. */
export const AUDIT_ENDPOINTS = [
  forSession(listAudit, ({ auditLog }) => async ({ who, params: { guildId }, query }) => {
    const reading = { guildId, role: roleOf(who) };
    const { entries, next, actors, kinds } = await auditLog.page(reading, query);
    return answerJson({
      success: true,
      data: {
        entries: entries.map(auditEntryBody),
        next: next ?? null,
        actors: actors.map(toWireActor),
        kinds,
      },
    });
  }),
  forSession(
    exportAudit,
    ({ auditLog, clock, downloads }) =>
      async ({ who, params: { guildId }, query, request }) => {
        const { exact, ...filters } = query;
        const readRows = async () =>
          auditCsv(await auditLog.read({ guildId, role: roleOf(who) }, filters), csvStyle(exact));
        return downloads.answer(request, { guildId, fileName: csvName('audit-log', clock), readRows });
      },
  ),
];

const COLUMNS = ['entryNo', 'createdAt', 'who', 'whoId', 'action', 'kind', 'subject', 'before', 'after'];

async function* auditCsv(entries: AsyncIterable<NamedEntry>, style: CsvStyle): AsyncGenerator<string> {
  yield csvStart(style) + csvRow(COLUMNS);
  const text = (value: string) => csvTextCell(value, style);
  const fields = (value: object | undefined) => (value === undefined ? '' : text(JSON.stringify(value)));
  for await (const { entryNo, createdAtMs, actor, action, subjectKind, subjectId, detail } of entries) {
    yield csvRow([
      String(entryNo),
      new Date(createdAtMs).toISOString(),
      text(actor.name ?? ''),
      text(`${actor.kind}:${actor.id}`),
      action,
      subjectKind,
      text(subjectId),
      fields(detail.before),
      fields(detail.after),
    ]);
  }
}

/** An entry as the wire schemas define it. */
export function auditEntryBody(entry: EntryWithPerson): object {
  const { entryNo, createdAtMs, actor, action, subjectKind, subjectId, person, detail } = entry;
  return {
    entryNo,
    createdAt: new Date(createdAtMs).toISOString(),
    actor: toWireActor(actor),
    action,
    subject: { kind: subjectKind, id: subjectId, person: person ?? null },
    detail,
  };
}

function toWireActor({ name, ...actor }: NamedActor): object {
  return { ...actor, name: name ?? null };
}
