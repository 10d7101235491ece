import { KEEP_ALL_HOURS_MAX } from '../../key-terms.ts';
import { DAY_MS, HOUR_MS } from '../calendar.ts';
import { DomainError } from '../errors.ts';
import { unitsFromNumber } from '../ledger/amount.ts';
import {
  type Actor,
  type ApiKey,
  type KeyChange,
  type Principal,
  SCOPES,
  type Scope,
  type StoredKey,
} from '../model.ts';
import type { IdSource } from '../ports.ts';
import { disableWithKey } from '../webhooks/of-key.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { WebhookStore } from '../webhooks/webhook-store.ts';
import { requireActivePlan } from './guilds.ts';
import { createKeyLog, type KeyLog, type KeyLogParts, requireKey } from './key-log.ts';
import { createKeyValue, hashOfKeyValue, isWellFormedKeyValue } from './key-value.ts';
import { readNetworks } from './networks.ts';
import { type RouteLimit, readRouteLimits } from './route-limits.ts';

/** Limit of live keys of a guild: nobody can keep an overview of more. */
export const KEYS_PER_GUILD_MAX = 1_000;

/** The longest time for which a replaced value stays valid. */
export const OVERLAP_DAYS_MAX = 7;
/** The largest number of replaced values of one key that are valid beside the present one. */
export const FORMER_VALUES_MAX = 10;

/** A change of a key as a caller states it. `undefined` keeps the current value, `null` clears it. */
export interface KeySettings {
  name?: string | undefined;
  note?: string | null | undefined;
  networks?: readonly string[] | undefined;
  limits?:
    | { amountMax?: number | null | undefined; withdrawnPerDayMax?: number | null | undefined }
    | undefined;
  /** Replaces all limits of single routes; an empty list removes them. */
  routeLimits?: readonly RouteLimit[] | undefined;
  /** Keeps all requests for this number of hours from now; 0 keeps only the refused ones. */
  keepAllHours?: number | undefined;
}

/** A key. With `guildId` it must be a key of that guild; a key of another guild is treated as absent. */
export interface KeyTarget {
  keyId: string;
  guildId?: string | undefined;
}

export interface KeyOrder {
  guildId: string;
  name: string;
  scopes: readonly Scope[];
  expiresAtMs: number;
  /** Its note, limits and networks. */
  settings?: Omit<KeySettings, 'name'> | undefined;
}

export interface ApiKeys extends KeyLog {
  /** Creates a key and returns its value. The value cannot be read again later. */
  create(order: KeyOrder, actor: Actor): Promise<{ key: ApiKey; value: string }>;
  /** Turns a key's value into the key. Unknown, malformed, expired and deleted keys fail alike. */
  authenticate(value: string | undefined): Promise<StoredKey>;
  /**
   * The same for a cached key, by its hash and without waiting. Undefined means that the key is not cached or has
   * expired by `nowMs`: call `authenticate` then.
   */
  recognise(hash: string | undefined, nowMs: number): StoredKey | undefined;
  /**
   * Gives a key a new value and returns it. The value cannot be read again later. Id, name, scopes, expiry and rate
   * limits stay. The replaced value stays valid for `overlapMs`; values replaced earlier stay valid for `overlapMs`
   * at most.
   */
  rotate(target: KeyTarget, overlapMs: number, actor: Actor): Promise<{ key: ApiKey; value: string }>;
  /** With `isTighteningOnly`, refuses a change that loosens the key (see `loosening.ts`). */
  update(
    target: KeyTarget,
    settings: KeySettings,
    actor: Actor,
    options?: Pick<KeyChange, 'isTighteningOnly'>,
  ): Promise<ApiKey>;
  list(guildId: string): Promise<ApiKey[]>;
  /** The key of the caller. Rejects when it has been deleted since it was authenticated. */
  show(principal: Principal): Promise<ApiKey>;
  /**
   * Deletes a key and disables the webhooks that it created or was the last to change, unless they are to be kept.
   * Returns these webhooks. With a guild, a key of another guild is treated as absent.
   */
  delete(keyId: string, actor: Actor, options?: KeyDeletion): Promise<Webhook[]>;
}

/** A key that exists and is refused. The answer is that of an unknown key; the log of the key has the reason. */
export class RefusedKey extends DomainError {
  readonly key: StoredKey;

  constructor(key: StoredKey, reason: string) {
    super('unauthorized', { detail: reason });
    this.key = key;
  }
}

export interface KeyDeletion {
  guildId?: string | undefined;
  keepsWebhooks?: boolean | undefined;
}

export interface ApiKeyParts extends KeyLogParts {
  webhooks: Pick<WebhookStore, 'listByKey' | 'find' | 'update'>;
  ids: IdSource;
  lifetimeDaysMax: number;
}

export function createApiKeys(parts: ApiKeyParts): ApiKeys {
  const { store, guilds, clock, ids } = parts;
  return {
    ...createKeyLog(parts),

    async create(order, actor) {
      const guild = await guilds.find(order.guildId);
      const nowMs = clock.nowMs();
      requireActivePlan(guild, nowMs, 'creating a key');
      assertLifetime(order.expiresAtMs - nowMs, parts.lifetimeDaysMax);
      const settings = order.settings && readSettings(order.settings, nowMs);
      const value = createKeyValue(ids);
      const key = {
        keyId: ids.uuid(),
        guild: { guildNo: guild.guildNo, guildId: guild.guildId },
        name: order.name,
        prefix: prefixOf(value),
        scopes: SCOPES.filter((scope) => order.scopes.includes(scope)),
        createdBy: `${actor.kind}:${actor.id}`,
        createdAtMs: nowMs,
        expiresAtMs: order.expiresAtMs,
      };
      await store.insert({ ...key, hash: hashOfKeyValue(value), settings }, { actor, atMs: nowMs });
      if (settings === undefined) {
        return { key: { ...key, ...NOTHING_SET }, value };
      }
      return { key: requireKey(await store.find(guild, key.keyId), key.keyId), value };
    },

    async authenticate(value) {
      // A mistyped key fails its checksum here and costs no look-up.
      if (value === undefined || !isWellFormedKeyValue(value)) {
        throw new DomainError('unauthorized');
      }
      const key = await store.findByHash(hashOfKeyValue(value));
      if (key === undefined) {
        throw new DomainError('unauthorized');
      }
      if (key.expiresAtMs <= clock.nowMs()) {
        throw new RefusedKey(key, 'the key or its replaced value has expired');
      }
      return key;
    },

    recognise(hash, nowMs) {
      const key = hash === undefined ? undefined : store.recall(hash);
      return key === undefined || key.expiresAtMs <= nowMs ? undefined : key;
    },

    async rotate({ keyId, guildId }, overlapMs, actor) {
      if (!(overlapMs >= 0 && overlapMs <= OVERLAP_DAYS_MAX * DAY_MS)) {
        throw new DomainError('invalid_input', {
          detail: `the overlap must be 0 to ${OVERLAP_DAYS_MAX} days`,
        });
      }
      const guild = guildId === undefined ? undefined : await guilds.find(guildId);
      const value = createKeyValue(ids);
      const atMs = clock.nowMs();
      const rotation = {
        keyId,
        hash: hashOfKeyValue(value),
        prefix: prefixOf(value),
        formerUntilMs: atMs + overlapMs,
      };
      const key = await store.rotate(rotation, { actor, atMs }, guild);
      return { key: requireKey(key, keyId), value };
    },

    async update({ keyId, guildId }, settings, actor, { isTighteningOnly = false } = {}) {
      const guild = guildId === undefined ? undefined : await guilds.find(guildId);
      const atMs = clock.nowMs();
      const change = { name: settings.name, ...readSettings(settings, atMs), isTighteningOnly };
      return requireKey(await store.update(keyId, change, { actor, atMs }, guild), keyId);
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

    async delete(keyId, actor, { guildId, keepsWebhooks = false } = {}) {
      const guild = guildId === undefined ? undefined : await guilds.find(guildId);
      const change = { actor, atMs: clock.nowMs() };
      const handleWebhooks = async () => {
        const all = await parts.webhooks.listByKey(keyId);
        const own = all.filter((webhook) => guild === undefined || webhook.guild.guildNo === guild.guildNo);
        if (!keepsWebhooks) {
          await Promise.all(own.map((webhook) => disableWithKey(parts.webhooks, webhook, change)));
        }
        return own;
      };
      // Before the key: when the process ends between the two steps, the key still exists and can be deleted again.
      const webhooks = await handleWebhooks();
      if (!(await store.delete(keyId, change, guild))) {
        throw new DomainError('key_not_found', { detail: `there is no key ${keyId}` });
      }
      // Again, for a webhook that the key created in the meantime.
      const later = await handleWebhooks();
      const seen = new Set(webhooks.map(({ webhookId }) => webhookId));
      return [...webhooks, ...later.filter(({ webhookId }) => !seen.has(webhookId))];
    },
  };
}

const NOTHING_SET = {
  lastUsedAtMs: undefined,
  note: undefined,
  networks: [],
  limits: { amountMaxUnits: undefined, withdrawnPerDayMaxUnits: undefined },
  routeLimits: [],
  formerUntilMs: undefined,
  keepsAllUntilMs: undefined,
};

function readKeepAll(hours: number, nowMs: number): number | null {
  if (!(hours >= 0 && hours <= KEEP_ALL_HOURS_MAX)) {
    throw new DomainError('invalid_input', { detail: `keepAllHours must be 0 to ${KEEP_ALL_HOURS_MAX}` });
  }
  return hours === 0 ? null : nowMs + hours * HOUR_MS;
}

function prefixOf(value: string): string {
  return value.slice(0, 12);
}

function readSettings(settings: Omit<KeySettings, 'name'>, nowMs: number) {
  const { note, networks, limits, routeLimits, keepAllHours } = settings;
  return {
    note: note?.trim() === '' ? null : note,
    networks: networks && readNetworks(networks),
    limits: limits && readLimits(limits),
    routeLimits: routeLimits && readRouteLimits(routeLimits),
    keepsAllUntilMs: keepAllHours === undefined ? undefined : readKeepAll(keepAllHours, nowMs),
  };
}

function readLimits({
  amountMax,
  withdrawnPerDayMax,
}: NonNullable<KeySettings['limits']>): KeyChange['limits'] {
  if (typeof amountMax === 'number' && amountMax <= 0) {
    throw new DomainError('invalid_input', { detail: 'amountMax must be above zero' });
  }
  if (typeof withdrawnPerDayMax === 'number' && withdrawnPerDayMax < 0) {
    throw new DomainError('invalid_input', { detail: 'withdrawnPerDayMax must not be below zero' });
  }
  const units = (field: string, amount: number | null | undefined) =>
    typeof amount === 'number' ? unitsFromNumber(field, amount) : amount;
  return {
    amountMaxUnits: units('amountMax', amountMax),
    withdrawnPerDayMaxUnits: units('withdrawnPerDayMax', withdrawnPerDayMax),
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
