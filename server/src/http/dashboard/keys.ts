import { toKeyLimits } from '../../domain/access/key-amounts.ts';
import { dayText } from '../../domain/calendar.ts';
import type { DashboardKey } from '../../domain/dashboard.ts';
import {
  DashboardGuildParams,
  DashboardKeyParams,
  DoneReply,
  KeyChangedReply,
  KeyRotationBody,
  KeySettingsBody,
  KeysReply,
  KeyUsageReply,
  NewKeyBody,
  NewKeyReply,
} from '../../wire/dashboard.ts';
import { KeyDeletionQuery } from '../../wire/keys.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';

const HOUR_MS = 3_600_000;

const listKeys = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: '/dashboard/api/guilds/{guildId}/keys',
  params: DashboardGuildParams,
  reply: KeysReply,
} satisfies Route;

const createKey = {
  ...listKeys,
  method: 'POST',
  body: NewKeyBody,
  reply: NewKeyReply,
} satisfies Route;

const ONE_KEY = {
  ...SESSION_ROUTE,
  path: '/dashboard/api/guilds/{guildId}/keys/{keyId}',
  params: DashboardKeyParams,
} as const;

const deleteKey = {
  ...ONE_KEY,
  method: 'DELETE',
  query: KeyDeletionQuery,
  reply: DoneReply,
} satisfies Route;

const updateKey = {
  ...ONE_KEY,
  method: 'PUT',
  body: KeySettingsBody,
  reply: KeyChangedReply,
} satisfies Route;

const rotateKey = {
  ...ONE_KEY,
  method: 'POST',
  path: '/dashboard/api/guilds/{guildId}/keys/{keyId}/rotation',
  body: KeyRotationBody,
  reply: NewKeyReply,
} satisfies Route;

const showKeyUsage = {
  ...ONE_KEY,
  method: 'GET',
  path: '/dashboard/api/guilds/{guildId}/keys/{keyId}/usage',
  reply: KeyUsageReply,
} satisfies Route;

export const KEY_ENDPOINTS = [
  forSession(listKeys, ({ dashboard }) => async ({ params }) => {
    const keys = await dashboard.keys(params.guildId);
    return answerJson({ success: true, data: keys.map(toWireKey) });
  }),
  forSession(createKey, ({ dashboard }) => async ({ who, params, body }) => {
    const { name, scopes, expiresAt, ...settings } = body;
    const { key, value } = await dashboard.createKey(who.session, {
      guildId: params.guildId,
      name,
      scopes,
      expiresAtMs: Date.parse(expiresAt),
      settings,
    });
    return answerJson({ success: true, data: { key: value, ...toWireKey(key) } });
  }),
  forSession(deleteKey, ({ dashboard }) => async ({ who, params, query }) => {
    await dashboard.deleteKey(who.session, params, { keepsWebhooks: query.keepWebhooks === 'true' });
    return answerJson({ success: true, message: 'Key deleted' });
  }),
  forSession(updateKey, ({ dashboard }) => async ({ who, params, body }) => {
    // Loosening a key needs the same right as a new key; every manager may tighten it.
    const options = { isTighteningOnly: !who.isOnPlatform };
    const key = await dashboard.updateKey(who.session, params, body, options);
    return answerJson({ success: true, data: toWireKey(key) });
  }),
  forSession(rotateKey, ({ dashboard }) => async ({ who, params, body }) => {
    const { key, value } = await dashboard.rotateKey(who.session, params, body.overlapHours * HOUR_MS);
    return answerJson({ success: true, data: { key: value, ...toWireKey(key) } });
  }),
  forSession(showKeyUsage, ({ dashboard }) => async ({ params }) => {
    const days = await dashboard.keyUsage(params);
    return answerJson({
      success: true,
      data: days.map(({ day, ...rest }) => ({ day: dayText(day), ...rest })),
    });
  }),
];

function toWireKey(key: DashboardKey): object {
  const { keyId, createdBy, createdAtMs, expiresAtMs, lastUsedAtMs, note, limits, ...others } = key;
  const { formerUntilMs, keepsAllUntilMs, ...rest } = others;
  return {
    ...rest,
    id: keyId,
    createdBy: { ...createdBy, name: createdBy.name ?? null },
    createdAt: isoTime(createdAtMs),
    expiresAt: isoTime(expiresAtMs),
    lastUsedAt: lastUsedAtMs === undefined ? null : isoTime(lastUsedAtMs),
    note: note ?? null,
    limits: toKeyLimits(limits),
    formerUntil: formerUntilMs === undefined ? null : isoTime(formerUntilMs),
    keepsAllUntil: keepsAllUntilMs === undefined ? null : isoTime(keepsAllUntilMs),
  };
}

function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
