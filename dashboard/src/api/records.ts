import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { ApiError, type RequestOptions, request, requestTagged } from './request.ts';
import type { Session } from './session.ts';

export type RecordPath = 'discharges' | 'transfers';

type Discharge = Reply<'DashboardDischargeReply'>['data'];
type Transfer = Reply<'DashboardTransferReply'>['data'];

type Shared = Omit<Discharge | Transfer, 'guildId'>;

/**
 * A discharge or a transfer, without the fields that only the other kind has. The date may have no time; with a time it
 * has an offset. The date of a transfer always has a time.
 */
export type GuildRecord = Shared & Partial<Omit<Discharge & Transfer, 'guildId'>>;

/** A record with the tag of the version that was read. A change must send it. */
export interface TaggedRecord extends GuildRecord {
  tag: string;
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
  /** The guild's types of discharge. */
  types: string[];
  total: number;
  totalPages: number;
}

/** The query key of a guild's records of one kind, for refreshing them together. */
export function recordsKey(guildId: string, path: RecordPath) {
  return ['guilds', guildId, path] as const;
}

export function recordListQuery(guildId: string, path: RecordPath, query: RecordQuery) {
  return queryOptions({
    queryKey: [...recordsKey(guildId, path), 'list', query],
    queryFn: () => fetchRecords(guildId, path, query),
    // The list stays visible while the next page is loading.
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: true,
  });
}

export function recordQuery(guildId: string, path: RecordPath, id: string) {
  return queryOptions({
    queryKey: [...recordsKey(guildId, path), 'one', id],
    queryFn: () => findRecord(guildId, path, id),
    refetchOnWindowFocus: true,
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

/**
 * Adds many records in one commit and returns what happened to each. With `overwrite` records that are there already are
 * replaced. With `check` nothing is written.
 */
export async function importRecords(
  { session, guildId, path }: RecordTarget,
  records: RecordBody[],
  how: { overwrite?: boolean; check?: boolean },
) {
  const { csrfToken } = session;
  const address = guildPath(guildId, [path, 'import']);
  const options = { method: 'POST', body: { records, ...how }, csrfToken } as const;
  return (await request('RecordImportReply', address, options)).data.outcomes;
}

/** Replaces exactly the version that was read; fails with `isChangedMeanwhile` when there is another one. */
export function changeRecord(
  { session, guildId, path }: RecordTarget,
  { id, tag }: TaggedRecord,
  body: RecordBody,
) {
  const { csrfToken } = session;
  return requestRecord(path, guildPath(guildId, [path, id]), { method: 'PUT', body, csrfToken, tag });
}

/** Deletes exactly the version that was read. A record that is already gone counts as deleted. */
export async function deleteRecord(
  { session, guildId, path }: RecordTarget,
  { id, tag }: TaggedRecord,
): Promise<void> {
  const { csrfToken } = session;
  const address = guildPath(guildId, [path, id]);
  await request('DoneReply', address, { method: 'DELETE', csrfToken, tag }).catch((error) => {
    if (!isGone(error)) throw error;
  });
}

/** Null when there is no such record: it may have been deleted. */
export async function findRecord(
  guildId: string,
  path: RecordPath,
  id: string,
): Promise<TaggedRecord | null> {
  const reply = path === 'discharges' ? 'ShownDischargeReply' : 'ShownTransferReply';
  const { answer, tag } = await requestTagged(reply, guildPath(guildId, [path, id]));
  return answer.data && { ...toGuildRecord(answer.data), tag };
}

/** True when a change failed because the record was changed after it was read. */
export function isChangedMeanwhile(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}

export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
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
  options: RequestOptions,
): Promise<TaggedRecord> {
  const reply = path === 'discharges' ? 'DashboardDischargeReply' : 'DashboardTransferReply';
  const { answer, tag } = await requestTagged(reply, address, options);
  return { ...toGuildRecord(answer.data), tag };
}

function toGuildRecord({ guildId: _guildId, ...fields }: Discharge | Transfer): GuildRecord {
  return fields;
}
