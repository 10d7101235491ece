import { DomainError } from '../errors.ts';
import { type Actor, type ApiKey, type Principal, SCOPES, type Scope } from '../model.ts';
import type { Clock, IdSource, KeyStore } from '../ports.ts';
import { type Guilds, requireActivePlan } from './guilds.ts';
import type { KeyUsage } from './key-usage.ts';
import { createKeyValue, hashOfKeyValue, isWellFormedKeyValue, looksLikeKeyValue } from './key-value.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The limit of live keys of a guild: more cannot be supervised. */
export const KEYS_PER_GUILD_MAX = 1_000;

export interface KeyOrder {
  guildId: string;
  name: string;
  scopes: readonly Scope[];
  expiresAtMs: number;
}

export interface ApiKeys {
  /** Makes a key and returns its value, which cannot be had again. */
  create(order: KeyOrder, actor: Actor): Promise<{ key: ApiKey; value: string }>;
  /** Turns a key's value into the one who holds it. Unknown, malformed, expired and deleted keys fail alike. */
  authenticate(value: string | undefined): Promise<Principal>;
  /** The same at once, for a key that is known already. Undefined tells nothing: then `authenticate` decides. */
  recognise(value: string | undefined): Principal | undefined;
  list(guildId: string): Promise<ApiKey[]>;
  /** What is known of a key that its holder asks about. One deleted meanwhile is no key any more. */
  show(principal: Principal): Promise<ApiKey>;
  /** With a guild, only a key of that guild: another guild's is treated as absent. */
  delete(keyId: string, actor: Actor, guildId?: string): Promise<void>;
}

export interface ApiKeyParts {
  store: KeyStore;
  guilds: Guilds;
  usage: KeyUsage;
  clock: Clock;
  ids: IdSource;
  lifetimeDaysMax: number;
}

export function createApiKeys(parts: ApiKeyParts): ApiKeys {
  const { store, guilds, usage, clock, ids } = parts;
  return {
    async create(order, actor) {
      const guild = await guilds.find(order.guildId);
      const nowMs = clock.nowMs();
      requireActivePlan(guild, nowMs, 'creating a key');
      assertLifetime(order.expiresAtMs - nowMs, parts.lifetimeDaysMax);
      const value = createKeyValue(ids);
      const key = {
        keyId: ids.uuid(),
        guild: { guildNo: guild.guildNo, guildId: guild.guildId },
        name: order.name,
        prefix: value.slice(0, 12),
        scopes: SCOPES.filter((scope) => order.scopes.includes(scope)),
        createdBy: `${actor.kind}:${actor.id}`,
        createdAtMs: nowMs,
        expiresAtMs: order.expiresAtMs,
      };
      await store.insert({ ...key, hash: hashOfKeyValue(value) }, { actor, atMs: nowMs });
      return { key: { ...key, lastUsedAtMs: undefined }, value };
    },

    async authenticate(value) {
      // A mistyped key fails its checksum here and costs no look-up.
      if (value === undefined || !isWellFormedKeyValue(value)) {
        throw new DomainError('unauthorized');
      }
      const key = await store.findByHash(hashOfKeyValue(value));
      const nowMs = clock.nowMs();
      if (key === undefined || key.expiresAtMs <= nowMs) {
        throw new DomainError('unauthorized');
      }
      usage.record(key.keyNo, nowMs);
      return key;
    },

    recognise(value) {
      if (value === undefined || !looksLikeKeyValue(value)) {
        return undefined;
      }
      const key = store.recall(hashOfKeyValue(value));
      const nowMs = clock.nowMs();
      if (key === undefined || key.expiresAtMs <= nowMs) {
        return undefined;
      }
      usage.record(key.keyNo, nowMs);
      return key;
    },

    async list(guildId) {
      return store.list(await guilds.find(guildId));
    },

    async show({ guild, keyId }) {
      const key = await store.find(guild, keyId);
      if (key === undefined) {
        throw new DomainError('unauthorized');
      }
      return key;
    },

    async delete(keyId, actor, guildId) {
      const guild = guildId === undefined ? undefined : await guilds.find(guildId);
      if (!(await store.delete(keyId, { actor, atMs: clock.nowMs() }, guild))) {
        throw new DomainError('key_not_found', { detail: `there is no key ${keyId}` });
      }
    },
  };
}

export function hasScope({ scopes }: Principal, scope: Scope | undefined): boolean {
  return scope === undefined || scopes.includes(scope);
}

/** Refuses a principal whose key lacks the scope. */
export function requireScope(principal: Principal, scope: Scope): void {
  if (!hasScope(principal, scope)) {
    throw new DomainError('missing_scope', { detail: scope });
  }
}

function assertLifetime(lifetimeMs: number, daysMax: number): void {
  if (!(lifetimeMs >= HOUR_MS && lifetimeMs <= daysMax * DAY_MS)) {
    throw new DomainError('invalid_input', {
      detail: `the expiry must lie between 1 hour and ${daysMax} days ahead`,
    });
  }
}
