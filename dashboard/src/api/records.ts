import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { ApiError, type RequestOptions, request } from './request.ts';
import type { Session } from './session.ts';

export type RecordPath = 'discharges' | 'transfers';

type Discharge = Reply<'DashboardDischargeReply'>['data'];
type Transfer = Reply<'DashboardTransferReply'>['data'];

/**
 * A discharge or a transfer. The two differ in a few fields; those that one does not have are empty. The date is a plain
 * one, or has a time and its offset; that of a transfer always has a time.
 */
export type GuildRecord = Omit<Discharge & Transfer, 'guildId'>;

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
    queryFn: () => requestRecord(path, guildPath(guildId, [path, id])),
  });
}

export type RecordBody = Partial<GuildRecord>;

interface RecordTarget {
  session: Session;
  guildId: string;
  path: RecordPath;
}

export function createRecord({ session, guildId, path }: RecordTarget, body: RecordBody) {
  const { csrfToken } = session;
  return requestRecord(path, guildPath(guildId, [path]), { method: 'POST', body, csrfToken });
}

export function changeRecord({ session, guildId, path }: RecordTarget, id: string, body: RecordBody) {
  const { csrfToken } = session;
  return requestRecord(path, guildPath(guildId, [path, id]), { method: 'PUT', body, csrfToken });
}

/** What is gone already, by another hand, counts as deleted. */
export async function deleteRecord({ session, guildId, path }: RecordTarget, id: string): Promise<void> {
  const { csrfToken } = session;
  await request('DoneReply', guildPath(guildId, [path, id]), { method: 'DELETE', csrfToken }).catch(
    (error) => {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    },
  );
}

async function fetchRecords(guildId: string, path: RecordPath, query: RecordQuery): Promise<RecordPage> {
  const address = guildPath(guildId, [path], { ...query });
  if (path === 'discharges') {
    const { data, pagination } = await request('DischargeListReply', address);
    return { records: data.discharges.map(toGuildRecord), types: data.types, ...pagination };
  }
  const { data, pagination } = await request('TransferListReply', address);
  return { records: data.transfers.map(toGuildRecord), types: [], ...pagination };
}

async function requestRecord(
  path: RecordPath,
  address: string,
  options?: RequestOptions,
): Promise<GuildRecord> {
  const reply = path === 'discharges' ? 'DashboardDischargeReply' : 'DashboardTransferReply';
  return toGuildRecord((await request(reply, address, options)).data);
}

function toGuildRecord({ guildId: _guildId, ...fields }: Discharge | Transfer): GuildRecord {
  return { chatId: '', type: '', reason: '', to: '', ...fields };
}
