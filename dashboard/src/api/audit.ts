import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { lastChangesPath } from './first-paths.ts';
import { guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';

type AuditReply = Reply<'AuditReply'>['data'];
type WireEntry = AuditReply['entries'][number];

export type AuditKind = WireEntry['subject']['kind'];
export type AuditAction = WireEntry['action'];
export type Actor = WireEntry['actor'];

export const auditActions = ['create', 'update', 'delete'] as const satisfies readonly AuditAction[];

export interface AuditEntry extends Omit<WireEntry, 'detail'> {
  /** The changed fields before and after the change. */
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

export interface AuditFilters {
  /** The kind, a colon and the id: `user:4711`. */
  actor: string;
  kind: AuditKind | '';
  /** The id of one subject of the kind. */
  subject?: string;
  action: AuditAction | '';
  /** Days in UTC, both included. */
  since: string;
  until: string;
}

/** `next` is the `before` of the next page; null at the end. */
export interface AuditPage extends Omit<AuditReply, 'entries'> {
  entries: AuditEntry[];
}

const pageSize = 50;

/** The changes of one record, newest first. */
export function historyQuery(guildId: string, kind: AuditKind, subject: string) {
  const filters: AuditFilters = { actor: '', kind, subject, action: '', since: '', until: '' };
  return queryOptions({
    queryKey: ['guilds', guildId, 'audit', 'history', kind, subject],
    queryFn: () => fetchAudit(guildId, filters, undefined),
    refetchOnWindowFocus: true,
  });
}

export function auditQuery(guildId: string, filters: AuditFilters, before: number | undefined) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'audit', filters, before],
    queryFn: () => fetchAudit(guildId, filters, before),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

/** The newest changes of any kind, a few. */
export function lastChangesQuery(guildId: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'audit', 'last'],
    queryFn: () => readAudit(lastChangesPath(guildId)),
    refetchOnWindowFocus: true,
  });
}

async function fetchAudit(
  guildId: string,
  filters: AuditFilters,
  before: number | undefined,
): Promise<AuditPage> {
  return readAudit(guildPath(guildId, ['audit'], { ...filters, before, limit: pageSize }));
}

async function readAudit(path: string): Promise<AuditPage> {
  const { data } = await request('AuditReply', path);
  return { ...data, entries: data.entries.map(readEntry) };
}

/** A created record has no fields before, a deleted one has none after. */
export function readEntry({ detail: { before = {}, after = {} }, ...entry }: WireEntry): AuditEntry {
  return { ...entry, before, after };
}
