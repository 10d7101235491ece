import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { guildPath } from './guild-path.ts';
import { readCount, readRecord, readRecords, readText, readTexts } from './read.ts';
import { ApiError, request } from './request.ts';
import type { Session } from './session.ts';

export type RecordPath = 'discharges' | 'transfers';

/** A discharge or a transfer. The two differ in a few fields; those that one does not have are empty. */
export interface GuildRecord {
  id: string;
  playerId: string;
  name: string;
  /** A plain date, or a date with a time and its offset. Transfers always have a time. */
  date: string;
  from: string;
  signed: string;
  /** Of discharges only. */
  chatId: string;
  type: string;
  reason: string;
  /** Of transfers only. */
  to: string;
}

export interface RecordQuery {
  query: string;
  /** Days in UTC, both included. */
  since: string;
  until: string;
  type: string;
  sortBy: 'date' | 'name';
  sortOrder: 'asc' | 'desc';
  page: number;
  limit: number;
}

export interface RecordPage {
  records: GuildRecord[];
  /** The guild's kinds of discharge. */
  types: string[];
  total: number;
  totalPages: number;
}

/** Everything of one guild's records of one kind, to be refreshed together. */
export function recordsKey(guildId: string, path: RecordPath) {
  return ['guilds', guildId, path] as const;
}

export function recordListQuery(guildId: string, path: RecordPath, query: RecordQuery) {
  return queryOptions({
    queryKey: [...recordsKey(guildId, path), 'list', query],
    queryFn: () => fetchRecords(guildId, path, query),
    // The list stays while the next page is on its way.
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

export function recordQuery(guildId: string, path: RecordPath, id: string) {
  return queryOptions({
    queryKey: [...recordsKey(guildId, path), 'one', id],
    queryFn: async () => readGuildRecord(readRecord((await request(guildPath(guildId, [path, id]))).data)),
  });
}

export type RecordBody = Partial<GuildRecord>;

interface RecordTarget {
  session: Session;
  guildId: string;
  path: RecordPath;
}

export async function createRecord({ session, guildId, path }: RecordTarget, body: RecordBody) {
  const { csrfToken } = session;
  const { data } = await request(guildPath(guildId, [path]), { method: 'POST', body, csrfToken });
  return readGuildRecord(readRecord(data));
}

export async function changeRecord(
  { session, guildId, path }: RecordTarget,
  id: string,
  body: RecordBody,
): Promise<GuildRecord> {
  const { csrfToken } = session;
  const { data } = await request(guildPath(guildId, [path, id]), { method: 'PUT', body, csrfToken });
  return readGuildRecord(readRecord(data));
}

/** What is gone already, by another hand, counts as deleted. */
export async function deleteRecord({ session, guildId, path }: RecordTarget, id: string): Promise<void> {
  const { csrfToken } = session;
  await request(guildPath(guildId, [path, id]), { method: 'DELETE', csrfToken }).catch((error) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  });
}

async function fetchRecords(guildId: string, path: RecordPath, query: RecordQuery): Promise<RecordPage> {
  const answer = await request(guildPath(guildId, [path], { ...query }));
  const data = readRecord(answer.data);
  const pagination = readRecord(answer.pagination);
  return {
    records: readRecords(data[path]).map(readGuildRecord),
    types: readTexts(data.types),
    total: readCount(pagination.total),
    totalPages: readCount(pagination.totalPages),
  };
}

function readGuildRecord(record: Record<string, unknown>): GuildRecord {
  return {
    id: readText(record.id),
    playerId: readText(record.playerId),
    name: readText(record.name),
    date: readText(record.date),
    from: readText(record.from),
    signed: readText(record.signed),
    chatId: readText(record.chatId),
    type: readText(record.type),
    reason: readText(record.reason),
    to: readText(record.to),
  };
}
