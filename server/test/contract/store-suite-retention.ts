import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import type { Store } from '../../src/domain/ports.ts';
import { createRetention, type RetentionDays } from '../../src/domain/retention/retention.ts';
import { aTransaction, domainError, NOON_MS } from './specimens.ts';
import { type CreatePlace, openWithGuild } from './store-place.ts';

const DAYS: RetentionDays = {
  idempotencyDays: 400,
  auditDays: undefined,
  webhookAttemptDays: 30,
  sessionDays: 0,
};
const GOES_ON = new AbortController().signal;

/** Runs the clean-up at a time, by an instance of its own. */
export function cleanUp(store: Store, nowMs: number, more: Partial<RetentionDays> = {}, stop = GOES_ON) {
  const retention = createRetention({
    store,
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    days: { ...DAYS, ...more },
    nameRun: randomUUIDv7,
    pause: async () => {},
  });
  return retention.run(stop);
}

export function describeRetention(createPlace: CreatePlace): void {
  describe('the daily clean-up', () => {
    const keyed = (key: string) => ({ key, requestHash: `hash of ${key}` });
    const DUE_MS = NOON_MS + 400 * DAY_MS;

    it('removes keys older than their time, and such a key can be used for another post', async () => {
      const { store, guild, readLedger } = await openWithGuild(createPlace);
      const old = await store.ledger.append(aTransaction(guild, { idempotency: keyed('old') }));
      const young = aTransaction(guild, { createdAtMs: NOON_MS + 1, idempotency: keyed('young') });
      const kept = await store.ledger.append(young);
      expect(await cleanUp(store, DUE_MS + 1)).toMatchObject({ idempotencyKeys: 1 });
      expect(await store.ledger.append(young)).toEqual({ ...kept, replayed: true });
      const other = { key: 'old', requestHash: 'another request' };
      const again = await store.ledger.append(
        aTransaction(guild, { createdAtMs: DUE_MS, idempotency: other }),
      );
      expect(again.replayed).toBe(false);
      expect(again.transactionId).not.toBe(old.transactionId);
      expect((await readLedger()).transactions).toHaveLength(3);
    });

    it('keeps keys until their time has passed', async () => {
      const { store, guild } = await openWithGuild(createPlace);
      const transaction = aTransaction(guild, { idempotency: keyed('order') });
      const first = await store.ledger.append(transaction);
      expect(await cleanUp(store, DUE_MS)).toMatchObject({ idempotencyKeys: 0 });
      expect(await store.ledger.append(transaction)).toEqual({ ...first, replayed: true });
    });

    it('goes through any number of keys in every guild', async () => {
      const { store, guild } = await openWithGuild(createPlace);
      const posts = Array.from({ length: 450 }, (_, index) =>
        aTransaction(guild, {
          playerId: `player ${index % 7}`,
          createdAtMs: NOON_MS + (index % 3 === 0 ? DAY_MS : 0) * Math.floor(index / 225),
          idempotency: keyed(`order ${index}`),
        }),
      );
      await Promise.all(posts.map((post) => store.ledger.append(post)));
      const first = await cleanUp(store, DUE_MS + 1);
      const second = await cleanUp(store, DUE_MS + 2 * DAY_MS + 1);
      expect((first?.idempotencyKeys ?? 0) + (second?.idempotencyKeys ?? 0)).toBe(450);
      expect(second?.idempotencyKeys).toBeGreaterThan(0);
    });

    it('frees the key of a batch 400 days after it first saw it', async () => {
      const { store, guild } = await openWithGuild(createPlace);
      await store.ledger.claimBatch(guild, keyed('batch'));
      const other = { key: 'batch', requestHash: 'other items' };
      expect(await cleanUp(store, NOON_MS)).toMatchObject({ batchKeys: 0 });
      expect(await cleanUp(store, DUE_MS)).toMatchObject({ batchKeys: 0 });
      const refused = store.ledger.claimBatch(guild, other);
      await expect(refused).rejects.toMatchObject(domainError('idempotency_mismatch'));
      expect(await cleanUp(store, DUE_MS + DAY_MS)).toMatchObject({ batchKeys: 1 });
      await store.ledger.claimBatch(guild, other);
    });

    it('runs on one instance at a time, and once a day', async () => {
      const { store, openAnother } = await openWithGuild(createPlace);
      const another = await openAnother();
      const both = await Promise.all([cleanUp(store, NOON_MS), cleanUp(another, NOON_MS)]);
      expect(both.filter((removed) => removed !== undefined)).toHaveLength(1);
      expect(await cleanUp(store, NOON_MS + DAY_MS - 1)).toBeUndefined();
      expect(await cleanUp(another, NOON_MS + DAY_MS)).toBeDefined();
    });

    it('is taken over by another instance when the one that ran it has died', async () => {
      const { store, openAnother } = await openWithGuild(createPlace);
      expect(await cleanUp(store, NOON_MS, {}, AbortSignal.abort())).toBeUndefined();
      const another = await openAnother();
      expect(await cleanUp(another, NOON_MS + 10 * 60_000 - 1)).toBeUndefined();
      expect(await cleanUp(another, NOON_MS + 10 * 60_000)).toBeDefined();
    });
  });
}
