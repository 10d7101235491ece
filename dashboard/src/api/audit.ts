import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { guildPath } from './guild-path.ts';
import { readChoice, readCount, readOptionalText, readRecord, readRecords, readText } from './read.ts';
import { request } from './request.ts';

export const auditKinds = [
  'guild',
  'key',
  'discharge',
  'transfer',
  'transaction',
  'verification',
  'commands',
] as const;
export type AuditKind = (typeof auditKinds)[number];

export const auditActions = ['create', 'update', 'delete'] as const;
export type AuditAction = (typeof auditActions)[number];

const actorKinds = ['key', 'user', 'bot', 'operator'] as const;

export interface Actor {
  kind: (typeof actorKinds)[number];
  id: string;
  /** Null where none is known. */
  name: string | null;
}

export interface AuditEntry {
  entryNo: number;
  createdAt: string;
  actor: Actor;
  action: AuditAction;
  subject: { kind: AuditKind; id: string };
  /** The fields that changed, as they were and as they are. */
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

export interface AuditFilters {
  /** The kind, a colon and the id: `user:4711`. */
  actor: string;
  kind: AuditKind | '';
  action: AuditAction | '';
  /** Days in UTC, both included. */
  since: string;
  until: string;
}

export interface AuditPage {
  entries: AuditEntry[];
  /** Where the older entries begin; null at the end. */
  next: number | null;
  actors: Actor[];
}

const pageSize = 50;

export function auditQuery(guildId: string, filters: AuditFilters, before: number | undefined) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'audit', filters, before],
    queryFn: () => fetchAudit(guildId, filters, before),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

async function fetchAudit(guildId: string, filters: AuditFilters, before: number | undefined) {
  const { data } = await request(guildPath(guildId, ['audit'], { ...filters, before, limit: pageSize }));
  return readPage(readRecord(data));
}

function readPage(data: Record<string, unknown>): AuditPage {
  return {
    entries: readRecords(data.entries).map(readEntry),
    next: readCount(data.next) || null,
    actors: readRecords(data.actors).map(readActor),
  };
}

function readEntry(record: Record<string, unknown>): AuditEntry {
  const subject = readRecord(record.subject);
  const detail = readRecord(record.detail);
  return {
    entryNo: readCount(record.entryNo),
    createdAt: readText(record.createdAt),
    actor: readActor(readRecord(record.actor)),
    action: readChoice(record.action, auditActions, 'update'),
    subject: { kind: readChoice(subject.kind, auditKinds, 'guild'), id: readText(subject.id) },
    before: readRecord(detail.before),
    after: readRecord(detail.after),
  };
}

function readActor(record: Record<string, unknown>): Actor {
  return {
    kind: readChoice(record.kind, actorKinds, 'operator'),
    id: readText(record.id),
    name: readOptionalText(record.name),
  };
}
