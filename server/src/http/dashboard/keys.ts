import type { DashboardKey } from '../../domain/dashboard.ts';
import {
  DashboardGuildParams,
  DashboardKeyParams,
  DoneReply,
  KeysReply,
  NewKeyBody,
  NewKeyReply,
} from '../../wire/dashboard.ts';
import { createSessionAccess } from '../access/session.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { type DashboardScope, SESSION_ROUTE } from './scope.ts';

export const listKeys = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: '/dashboard/api/guilds/{guildId}/keys',
  params: DashboardGuildParams,
  reply: KeysReply,
} satisfies Route;

export const createKey = {
  ...listKeys,
  method: 'POST',
  body: NewKeyBody,
  reply: NewKeyReply,
} satisfies Route;

export const deleteKey = {
  ...SESSION_ROUTE,
  method: 'DELETE',
  path: '/dashboard/api/guilds/{guildId}/keys/{keyId}',
  params: DashboardKeyParams,
  reply: DoneReply,
} satisfies Route;

export function addKeys({ add, parts }: DashboardScope): void {
  const { dashboard } = parts;
  add(listKeys, createSessionAccess(listKeys, parts), async ({ params }) => {
    const keys = await dashboard.keys(params.guildId);
    return answerJson({ success: true, data: keys.map(toWireKey) });
  });
  add(createKey, createSessionAccess(createKey, parts), async ({ who, params, body }) => {
    const { name, scopes, expiresAt } = body;
    const { key, value } = await dashboard.createKey(who.session, {
      guildId: params.guildId,
      name,
      scopes,
      expiresAtMs: Date.parse(expiresAt),
    });
    return answerJson({ success: true, data: { key: value, ...toWireKey(key) } });
  });
  add(deleteKey, createSessionAccess(deleteKey, parts), async ({ who, params }) => {
    await dashboard.deleteKey(who.session, params);
    return answerJson({ success: true, message: 'Key deleted' });
  });
}

function toWireKey(key: DashboardKey): object {
  const { keyId, createdBy, createdAtMs, expiresAtMs, lastUsedAtMs, ...rest } = key;
  return {
    ...rest,
    id: keyId,
    createdBy: { ...createdBy, name: createdBy.name ?? null },
    createdAt: isoTime(createdAtMs),
    expiresAt: isoTime(expiresAtMs),
    lastUsedAt: lastUsedAtMs === undefined ? null : isoTime(lastUsedAtMs),
  };
}

function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
