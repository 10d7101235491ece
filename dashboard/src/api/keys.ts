import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { keysPath } from './first-paths.ts';
import { guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { request } from './request.ts';
import type { Session } from './session.ts';

type WireKey = Reply<'KeysReply'>['data'][number];

export type KeyState = WireKey['state'];

export interface ApiKey extends Omit<WireKey, 'createdBy'> {
  /** The creator as people know them; `detail` distinguishes two creators with the same name. */
  creator: { name: string; detail: string };
}

export type KeyLimits = WireKey['limits'];
export type KeyDay = Reply<'KeyUsageReply'>['data'][number];

/** A change of a key. */
export interface KeySettings {
  name: string;
  note: string | null;
  networks: string[];
  limits: KeyLimits;
  routeLimits: WireKey['routeLimits'];
}

export interface KeyOrder extends KeySettings {
  scopes: string[];
  expiresAt: string;
}

const refreshMs = 10_000;

export function keysQuery(guildId: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'keys'],
    queryFn: () => fetchKeys(guildId),
    // People watch "Last used" after they have started to use a key.
    refetchInterval: refreshMs,
    refetchOnWindowFocus: true,
  });
}

/** Creates a key and returns its value, which the service sends only once. */
export async function createKey(session: Session, guildId: string, order: KeyOrder): Promise<string> {
  const { data } = await request('NewKeyReply', guildPath(guildId, ['keys']), {
    method: 'POST',
    body: order,
    csrfToken: session.csrfToken,
  });
  return data.key;
}

export async function deleteKey(
  session: Session,
  guildId: string,
  { keyId, keepsWebhooks }: { keyId: string; keepsWebhooks: boolean },
): Promise<void> {
  const { csrfToken } = session;
  const path = `${guildPath(guildId, ['keys', keyId])}?keepWebhooks=${keepsWebhooks}`;
  await request('DoneReply', path, { method: 'DELETE', csrfToken });
}

/** Gives a key another value and returns it; the service sends it only once. */
export async function rotateKey(
  session: Session,
  guildId: string,
  { keyId, overlapHours }: { keyId: string; overlapHours: number },
): Promise<string> {
  const { data } = await request('NewKeyReply', guildPath(guildId, ['keys', keyId, 'rotation']), {
    method: 'POST',
    body: { overlapHours },
    csrfToken: session.csrfToken,
  });
  return data.key;
}

export async function saveKey(
  session: Session,
  guildId: string,
  { keyId, settings }: { keyId: string; settings: KeySettings },
): Promise<void> {
  const { csrfToken } = session;
  const path = guildPath(guildId, ['keys', keyId]);
  await request('KeyChangedReply', path, { method: 'PUT', body: settings, csrfToken });
}

export function keyUsageQuery(guildId: string, keyId: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'keys', keyId, 'usage'],
    queryFn: async () => (await request('KeyUsageReply', guildPath(guildId, ['keys', keyId, 'usage']))).data,
    refetchInterval: refreshMs,
  });
}

async function fetchKeys(guildId: string): Promise<ApiKey[]> {
  const { data } = await request('KeysReply', keysPath(guildId));
  return data.map(({ createdBy, ...key }) => ({ ...key, creator: creatorOf(createdBy) }));
}

function creatorOf({ kind, id, name }: WireKey['createdBy']): ApiKey['creator'] {
  if (kind === 'user') return { name: name ?? id, detail: t`Chat account ${id}` };
  const label = kind === 'bot' ? t`Bot` : t`Operator`;
  return { name: name ?? label, detail: t`Made outside the dashboard, by the operator of this service` };
}
