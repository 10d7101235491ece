import { describe, expect, it } from 'vitest';
import { ANY_REQUEST } from '../../src/domain/access/key-requests.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/calendar.ts';
import type { Guild, GuildRef } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { USAGE_DAYS_MAX } from '../../src/key-terms.ts';
import { aGuild, aKey, aKeyRequest, aSession, aVerification, CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, openWithGuild } from './store-place.ts';
import { cleanUp } from './store-suite-retention.ts';
import { anAttempt, aWebhook } from './webhook-specimens.ts';

export function describeRemovals(createPlace: CreatePlace): void {
  describe('the daily clean-up of logs', () => {
    const auditDays = 30;
    const DUE_MS = NOON_MS + auditDays * DAY_MS;

    /** Renames the guild, which adds an entry to its log. */
    function rename(store: Store, guild: Guild, name: string, atMs: number): Promise<Guild> {
      return store.guilds.set(aGuild({ guildId: guild.guildId, name }), { ...CHANGE, atMs });
    }

    const numbersOf = async (store: Store, guild: GuildRef | undefined) =>
      (await store.audit.list(guild, { limit: 1_000 })).map(({ entryNo }) => entryNo);

    it('removes audit entries older than their time, and numbers go on', async () => {
      const { store, guild } = await openWithGuild(createPlace);
      for (let day = 1; day <= 4; day += 1) {
        await rename(store, guild, `name ${day}`, NOON_MS + day * DAY_MS);
      }
      const before = await store.audit.list(guild, { limit: 10 });
      expect(await cleanUp(store, DUE_MS + 2 * DAY_MS, { auditDays })).toMatchObject({ auditEntries: 2 });
      expect(await store.audit.list(guild, { limit: 10 })).toEqual(before.slice(0, 3));
      await rename(store, guild, 'name 5', NOON_MS + 5 * DAY_MS);
      expect(await numbersOf(store, guild)).toEqual([6, 5, 4, 3]);
    });

    it('keeps all audit entries unless their time is set', async () => {
      const { store, guild } = await openWithGuild(createPlace);
      await rename(store, guild, 'another name', NOON_MS);
      expect(await cleanUp(store, NOON_MS + 99_999 * DAY_MS)).toMatchObject({ auditEntries: 0 });
      expect(await numbersOf(store, guild)).toEqual([2, 1]);
    });

    it('keeps the last entry of each log, so that no number is used twice', async () => {
      const { store, guild } = await openWithGuild(createPlace);
      await store.verifications.put([aVerification(), aVerification({ chatId: '2', playerId: '2' })], CHANGE);
      for (let index = 0; index < 450; index += 1) {
        await rename(store, guild, `name ${index}`, NOON_MS);
      }
      expect(await cleanUp(store, DUE_MS + DAY_MS, { auditDays })).toMatchObject({ auditEntries: 451 });
      expect(await numbersOf(store, guild)).toEqual([451]);
      expect(await numbersOf(store, undefined)).toEqual([2]);
      await rename(store, guild, 'the next name', NOON_MS + DAY_MS);
      expect(await numbersOf(store, guild)).toEqual([452, 451]);
    });

    it('removes results of deliveries and ended sessions older than their time', async () => {
      const { store, guild } = await openWithGuild(createPlace);
      const { webhookId } = await store.webhooks.insert(aWebhook(guild), CHANGE);
      for (const [attemptId, atMs] of [
        ['old', NOON_MS],
        ['young', NOON_MS + 1],
      ] as const) {
        await store.webhooks.addAttempt(guild, webhookId, anAttempt({ attemptId, atMs }));
      }
      const session = aSession({ tokenHash: 'a', createdAtMs: NOON_MS, expiresAtMs: NOON_MS });
      await store.sessions.insert(session, NOON_MS - 1);
      await store.sessions.insert(
        aSession({ tokenHash: 'b', createdAtMs: NOON_MS, expiresAtMs: NOON_MS + 1 }),
        NOON_MS - 1,
      );
      const removed = await cleanUp(store, NOON_MS + 7 * DAY_MS + 1, {
        webhookAttemptDays: 7,
        sessionDays: 7,
      });
      expect(removed).toMatchObject({ webhookAttempts: 1, sessions: 2 });
    });

    it('removes requests of keys and their counts after 90 days', async () => {
      const { store, guild } = await openWithGuild(createPlace);
      const key = aKey(guild);
      await store.keys.insert(key, CHANGE);
      const { keyNo = -1 } = (await store.keys.findByHash(key.hash)) ?? {};
      const hour = Math.floor(NOON_MS / HOUR_MS);
      const count = { route: 'getKey', code: 'ok', count: 1 };
      await store.keys.touch([
        { keyNo, usedAtMs: NOON_MS, counts: [hour, hour + 1].map((one) => ({ ...count, hour: one })) },
      ]);
      await store.requests.add(
        [0, HOUR_MS].map((later) => aKeyRequest(keyNo, { atMs: NOON_MS + later, requestId: `r-${later}` })),
      );
      const dueMs = NOON_MS + USAGE_DAYS_MAX * DAY_MS;
      expect(await cleanUp(store, dueMs, {})).toMatchObject({ keyLogRows: 0 });
      expect(await cleanUp(store, dueMs + DAY_MS + HOUR_MS, {})).toMatchObject({ keyLogRows: 4 });
      expect(await store.keys.usage(guild, key.keyId, 0)).toEqual([]);
      expect(await store.requests.list(guild, { ...ANY_REQUEST, limit: 10 })).toEqual([]);
    });

    it('keeps an expired session for its days, also when somebody signs in', async () => {
      const { store } = await openWithGuild(createPlace);
      const expired = aSession({ tokenHash: 'expired', expiresAtMs: NOON_MS });
      await store.sessions.insert(expired);
      const later = aSession({ tokenHash: 'later', createdAtMs: NOON_MS + DAY_MS });
      await store.sessions.insert(later, NOON_MS - 1);
      expect(await store.sessions.find('expired')).toMatchObject({ tokenHash: 'expired' });
      await cleanUp(store, NOON_MS + 7 * DAY_MS, { sessionDays: 8 });
      expect(await store.sessions.find('expired')).toBeDefined();
      await cleanUp(store, NOON_MS + 8 * DAY_MS, { sessionDays: 8 });
      expect(await store.sessions.find('expired')).toBeUndefined();
    });
  });
}
