import { queryOptions } from '@tanstack/react-query';
import { readChoice, readOptionalText, readRecord, readRecords, readText, readTexts } from './read.ts';
import { ApiError, request } from './request.ts';
import type { Session } from './session.ts';

const keyStates = ['active', 'expiring', 'expired'] as const;
export type KeyState = (typeof keyStates)[number];

export interface ApiKey {
  id: string;
  name: string;
  prefix: string;
  scopes: string[];
  /** The creator as people know them; `detail` tells two of one name apart. */
  creator: { name: string; detail: string };
  createdAt: string;
  expiresAt: string;
  lastUsedAt: string | null;
  state: KeyState;
}

export interface KeyOrder {
  name: string;
  scopes: string[];
  expiresAt: string;
}

const refreshMs = 10_000;

export function keysQuery(guildId: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'keys'],
    queryFn: () => fetchKeys(guildId),
    // "Last used" is what people watch after they have put a key to work.
    refetchInterval: refreshMs,
    refetchOnWindowFocus: true,
  });
}

/** Makes a key and returns its value, which the service gives only this once. */
export async function createKey(session: Session, guildId: string, order: KeyOrder): Promise<string> {
  const { data } = await request(`/guilds/${encodeURIComponent(guildId)}/keys`, {
    method: 'POST',
    body: order,
    csrfToken: session.csrfToken,
  });
  const value = readText(readRecord(data).key);
  if (value === '') throw new ApiError(0, 'The answer holds no key.');
  return value;
}

export async function deleteKey(session: Session, guildId: string, keyId: string): Promise<void> {
  const path = `/guilds/${encodeURIComponent(guildId)}/keys/${encodeURIComponent(keyId)}`;
  await request(path, { method: 'DELETE', csrfToken: session.csrfToken });
}

async function fetchKeys(guildId: string): Promise<ApiKey[]> {
  const { data } = await request(`/guilds/${encodeURIComponent(guildId)}/keys`);
  return readRecords(data).map(readKey);
}

function readKey(record: Record<string, unknown>): ApiKey {
  return {
    id: readText(record.id),
    name: readText(record.name),
    prefix: readText(record.prefix),
    scopes: readTexts(record.scopes),
    creator: readCreator(readRecord(record.createdBy)),
    createdAt: readText(record.createdAt),
    expiresAt: readText(record.expiresAt),
    lastUsedAt: readOptionalText(record.lastUsedAt),
    state: readChoice(record.state, keyStates, 'active'),
  };
}

function readCreator(record: Record<string, unknown>): ApiKey['creator'] {
  const kind = readText(record.kind);
  const id = readText(record.id);
  const name = readOptionalText(record.name);
  if (kind === 'user') return { name: name ?? id, detail: `Chat account ${id}` };
  const label = kind === 'bot' ? 'Bot' : 'Operator';
  return { name: name ?? label, detail: 'Made outside the dashboard, by the operator of this service' };
}
