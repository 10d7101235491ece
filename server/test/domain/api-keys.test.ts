import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKeys, type KeyOrder, requireScope } from '../../src/domain/access/api-keys.ts';
import { createGuilds } from '../../src/domain/access/guilds.ts';
import { createKeyRequests } from '../../src/domain/access/key-requests.ts';
import { createKeyUsage } from '../../src/domain/access/key-usage.ts';
import { createKeyValue, hashOfKeyValue } from '../../src/domain/access/key-value.ts';
import { type GuildChange, SCOPES, type StoredKey } from '../../src/domain/model.ts';
import { createSqlitePlace } from '../contract/sqlite-place.ts';
import { openPlaceUntilClosed } from '../contract/store-place.ts';
import { TESTER } from '../support/change.ts';
import { createTestClock } from '../support/clock.ts';
import { testIds } from '../support/ids.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS_MAX = 366;

let place: Awaited<ReturnType<typeof openPlaceUntilClosed>>;
beforeAll(async () => {
  place = await openPlaceUntilClosed(createSqlitePlace);
});
afterAll(() => place.close());

/** Answered requests are not described unless the key keeps all of them. */
const notDescribed = () => {
  throw new Error('an answered request was described');
};

/** The rules of keys on a real store, for a guild that no other test knows of, on the given plan. */
async function openKeys(guild: Partial<GuildChange> = {}) {
  const { store } = place;
  const guildId = testIds.uuid();
  const clock = createTestClock();
  const guilds = createGuilds({ store: store.guilds, clock, defaultPlan: 'none' });
  const usage = createKeyUsage(store.keys, clock);
  const keys = createApiKeys({
    store: store.keys,
    webhooks: store.webhooks,
    guilds,
    usage,
    requests: createKeyRequests(store.requests),
    requestStore: store.requests,
    clock,
    ids: testIds,
    lifetimeDaysMax: DAYS_MAX,
  });
  await guilds.set({ guildId, name: 'Guild', plan: 'developer', ...guild }, TESTER);
  const order = (changes: Partial<KeyOrder> = {}): KeyOrder => ({
    guildId,
    name: 'Shop bot',
    scopes: SCOPES,
    expiresAtMs: clock.nowMs() + DAY_MS,
    ...changes,
  });
  return { store, clock, guilds, usage, keys, order, guildId, list: () => keys.list(guildId) };
}

describe('creating a key', () => {
  it('returns its value once; what is kept is its hash and a short prefix', async () => {
    const { store, keys, clock, order, list } = await openKeys();
    const { key, value } = await keys.create(order({ scopes: ['guild:read'] }), TESTER);
    expect(key).toMatchObject({
      name: 'Shop bot',
      prefix: value.slice(0, 12),
      scopes: ['guild:read'],
      createdBy: 'operator:tester',
      createdAtMs: clock.nowMs(),
      expiresAtMs: clock.nowMs() + DAY_MS,
      lastUsedAtMs: undefined,
    });
    expect(await list()).toEqual([key]);
    expect((await store.keys.findByHash(hashOfKeyValue(value)))?.keyId).toBe(key.keyId);
  });

  it('keeps each scope once and in one order, however they were asked for', async () => {
    const { keys, order } = await openKeys();
    const { key } = await keys.create(order({ scopes: ['users:read', 'guild:read', 'users:read'] }), TESTER);
    expect(key.scopes).toEqual(['guild:read', 'users:read']);
  });

  it.each(['developer', 'enterprise'] as const)('is allowed by an active %s plan', async (plan) => {
    const { keys, order } = await openKeys({ plan });
    await expect(keys.create(order(), TESTER)).resolves.toBeDefined();
  });

  it('needs a plan, and says that the guild has none', async () => {
    const { keys, order, list } = await openKeys({ plan: 'none' });
    await expect(keys.create(order(), TESTER)).rejects.toMatchObject({
      code: 'plan_required',
      detail: 'creating a key needs an active Developer or Enterprise plan, and this guild has none',
    });
    expect(await list()).toEqual([]);
  });

  it('is refused from the moment the plan ends, saying which plan ended when, and works up to it', async () => {
    const { keys, clock, order } = await openKeys({
      plan: 'enterprise',
      planUntilMs: Date.parse('2026-06-15T12:00:01.000Z'),
    });
    clock.advance(999);
    await expect(keys.create(order(), TESTER)).resolves.toBeDefined();
    clock.advance(1);
    await expect(keys.create(order(), TESTER)).rejects.toMatchObject({
      code: 'plan_required',
      detail:
        'creating a key needs an active Developer or Enterprise plan, ' +
        "and this guild's enterprise plan ended on 2026-06-15T12:00:01.000Z",
    });
  });

  it('of an end date without a plan says that there is none', async () => {
    const { keys, order } = await openKeys({ plan: 'none', planUntilMs: 1 });
    await expect(keys.create(order(), TESTER)).rejects.toMatchObject({
      detail: expect.stringContaining('this guild has none'),
    });
  });

  it('for a guild that does not exist is refused', async () => {
    const { keys, order } = await openKeys();
    await expect(keys.create(order({ guildId: 'nobody' }), TESTER)).rejects.toMatchObject({
      code: 'guild_not_found',
    });
  });

  it('accepts an expiry from exactly 1 hour to exactly the most days ahead', async () => {
    const { keys, clock, order } = await openKeys();
    for (const lifetimeMs of [HOUR_MS, DAYS_MAX * DAY_MS]) {
      const expiresAtMs = clock.nowMs() + lifetimeMs;
      expect((await keys.create(order({ expiresAtMs }), TESTER)).key.expiresAtMs).toBe(expiresAtMs);
    }
  });

  it('refuses an expiry one millisecond outside of that, past, not a time, or never', async () => {
    const { keys, clock, order, list } = await openKeys();
    const tooShort = [HOUR_MS - 1, 0, -DAY_MS];
    const tooLong = [DAYS_MAX * DAY_MS + 1, Number.POSITIVE_INFINITY];
    for (const lifetimeMs of [...tooShort, ...tooLong, Number.NaN]) {
      const creating = keys.create(order({ expiresAtMs: clock.nowMs() + lifetimeMs }), TESTER);
      await expect(creating, String(lifetimeMs)).rejects.toMatchObject({
        code: 'invalid_input',
        detail: 'the expiry must lie between 1 hour and 366 days ahead',
      });
    }
    expect(await list()).toEqual([]);
  });
});

describe('authenticating', () => {
  it('a valid key gives its guild and scopes', async () => {
    const { keys, order } = await openKeys();
    const { key, value } = await keys.create(order({ scopes: ['guild:read'] }), TESTER);
    const principal = await keys.authenticate(value);
    expect(principal).toMatchObject({ keyId: key.keyId, guild: key.guild, scopes: ['guild:read'] });
  });

  it('works until the millisecond of expiry, and not in it', async () => {
    const { keys, clock, order } = await openKeys();
    const { value } = await keys.create(order({ expiresAtMs: clock.nowMs() + HOUR_MS }), TESTER);
    clock.advance(HOUR_MS - 1);
    await expect(keys.authenticate(value)).resolves.toBeDefined();
    clock.advance(1);
    await expect(keys.authenticate(value)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('outlives the plan: existing keys work until they expire', async () => {
    const { keys, guilds, order, guildId } = await openKeys();
    const { value } = await keys.create(order(), TESTER);
    await guilds.set({ guildId, plan: 'none' }, TESTER);
    await expect(keys.authenticate(value)).resolves.toBeDefined();
  });

  it('refuses absent, malformed, unknown, expired and deleted keys in exactly the same way', async () => {
    const { keys, clock, order } = await openKeys();
    const unknown = createKeyValue(testIds);
    const { value: expired } = await keys.create(order({ expiresAtMs: clock.nowMs() + HOUR_MS }), TESTER);
    const { key, value: deleted } = await keys.create(order(), TESTER);
    await keys.delete(key.keyId, TESTER);
    clock.advance(HOUR_MS);
    for (const value of [undefined, '', 'gbk_', `${deleted} `, unknown, expired, deleted]) {
      const refused = keys.authenticate(value);
      await expect(refused).rejects.toMatchObject({ code: 'unauthorized' });
    }
  });

  it('records the use', async () => {
    const { keys, usage, clock, order, list } = await openKeys();
    const { value: used } = await keys.create(order({ name: 'used' }), TESTER);
    clock.advance(1);
    const expiresAtMs = clock.nowMs() + HOUR_MS;
    const { value: expired } = await keys.create(order({ name: 'expired', expiresAtMs }), TESTER);
    clock.advance(HOUR_MS);
    const record = keys.recorderOf('getKey', notDescribed);
    const note = (key: StoredKey) => record(key, clock.nowMs(), undefined, undefined, 200);
    note(await keys.authenticate(used));
    await expect(keys.authenticate(expired)).rejects.toMatchObject({ code: 'unauthorized' });
    await usage.flush();
    const listed = await list();
    expect(listed.map((key) => [key.name, key.lastUsedAtMs])).toEqual([
      ['expired', undefined],
      ['used', clock.nowMs()],
    ]);
  });
});

it('deleting a key that does not exist or is deleted already is refused', async () => {
  const { keys, order } = await openKeys();
  const { key } = await keys.create(order(), TESTER);
  await keys.delete(key.keyId, TESTER);
  await expect(keys.delete(key.keyId, TESTER)).rejects.toMatchObject({ code: 'key_not_found' });
  await expect(keys.delete('nothing', TESTER)).rejects.toMatchObject({ code: 'key_not_found' });
});

it('who makes and who deletes a key is logged, the value never', async () => {
  const { store, keys, guilds, order, guildId } = await openKeys();
  const maker = { kind: 'user', id: 'chat-1' } as const;
  const { key, value } = await keys.create(order(), maker);
  expect(key.createdBy).toBe('user:chat-1');
  await keys.delete(key.keyId, TESTER);
  const log = await store.audit.list(await guilds.find(guildId), { limit: 2 });
  expect(log.map(({ action, actor, subjectId }) => [action, actor, subjectId])).toEqual([
    ['delete', TESTER, key.keyId],
    ['create', maker, key.keyId],
  ]);
  expect(JSON.stringify(log)).not.toContain(value.slice(12));
  expect(JSON.stringify(log)).not.toContain(hashOfKeyValue(value));
});

it('the keys of a guild that does not exist cannot be listed', async () => {
  const { keys } = await openKeys();
  await expect(keys.list('nobody')).rejects.toMatchObject({ code: 'guild_not_found' });
});

it('a scope that the key lacks is refused by name, and one that it has is not', () => {
  const principal = {
    keyNo: 1,
    keyId: 'k',
    guild: { guildNo: 1, guildId: 'g' },
    scopes: ['guild:read'] as const,
    isLimited: false,
    routeBuckets: undefined,
    keepsAllUntilMs: 0,
    uses: undefined,
  };
  expect(() => requireScope(principal, 'guild:read')).not.toThrow();
  const refusal = expect.objectContaining({ code: 'missing_scope', detail: 'guild:write' });
  expect(() => requireScope(principal, 'guild:write')).toThrow(refusal);
});
