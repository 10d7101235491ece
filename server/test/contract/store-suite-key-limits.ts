import { describe, expect, it } from 'vitest';
import type { Guild, KeyLimits, NewTransaction } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { aKey, aTransaction, CHANGE, NO_LIMITS, NOON_MS, refOf } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';

const DAY_MS = 86_400_000;

export function describeKeyLimits(createPlace: CreatePlace): void {
  describe('limits of keys', () => {
    const open = shareByGuild(createPlace);

    async function openLimited(limits: Partial<KeyLimits>) {
      const { store, guild } = await open();
      const key = aKey(guild);
      await store.keys.insert(key, CHANGE);
      const { keyNo } = (await store.keys.findByHash(key.hash)) ?? { keyNo: -1 };
      const limit = (next: Partial<KeyLimits>) =>
        store.keys.update(key.keyId, { limits: { ...NO_LIMITS, ...next } }, CHANGE);
      await limit(limits);
      return { store, guild, keyNo, limit, post: postWith(store, guild, keyNo) };
    }

    const postWith =
      (store: Store, guild: Guild, keyNo: number) =>
      (totalUnits: number, more: Partial<NewTransaction> = {}) =>
        store.ledger.append(
          aTransaction(guild, {
            quantity: 1,
            amountUnits: totalUnits,
            keyNo,
            isKeyLimited: true,
            ...more,
          }),
        );
    const exceeded = { code: 'key_limit_exceeded' };

    it('a transaction above the largest amount is refused, in either direction', async () => {
      const { post } = await openLimited({ amountMaxUnits: 100 });
      await post(100);
      await post(-100);
      await expect(post(101)).rejects.toMatchObject(exceeded);
      await expect(post(-101)).rejects.toMatchObject(exceeded);
    });

    it('withdrawals of a day add up to the limit and not above it; deposits give nothing back', async () => {
      const { post } = await openLimited({ withdrawnPerDayMaxUnits: 100 });
      await post(-60);
      await post(500);
      await expect(post(-41)).rejects.toMatchObject(exceeded);
      await post(-40);
      await expect(post(-1)).rejects.toMatchObject(exceeded);
      const tomorrow = { createdAtMs: NOON_MS + DAY_MS };
      await post(-100, tomorrow);
      await expect(post(-1, tomorrow)).rejects.toMatchObject(exceeded);
      // A machine whose clock is behind counts for the later day.
      await expect(post(-1)).rejects.toMatchObject(exceeded);
    });

    it('what the key withdrew before on the same day counts once there is a limit', async () => {
      const { post, limit } = await openLimited({});
      await post(-70, { isKeyLimited: false });
      await limit({ withdrawnPerDayMaxUnits: 100 });
      await expect(post(-31)).rejects.toMatchObject(exceeded);
      await post(-30);
      await limit({ withdrawnPerDayMaxUnits: 110 });
      await expect(post(-11)).rejects.toMatchObject(exceeded);
      await post(-10);
    });

    it('repeats do not count, and a group that is refused uses nothing up', async () => {
      const { store, guild, keyNo, post } = await openLimited({ withdrawnPerDayMaxUnits: 100 });
      const idempotency = { key: `limited ${keyNo}`, requestHash: 'one' };
      await post(-60, { idempotency });
      expect((await post(-60, { idempotency })).replayed).toBe(true);
      const group = (...totals: number[]) =>
        store.ledger.appendGroup({
          guild: refOf(guild),
          transactions: totals.map((totalUnits) =>
            aTransaction(guild, {
              quantity: 1,
              amountUnits: totalUnits,
              keyNo,
              isKeyLimited: true,
            }),
          ),
          idempotency: undefined,
        });
      await expect(group(-20, 5, -21)).rejects.toMatchObject({ ...exceeded, facts: { position: 2 } });
      await group(-20, 5, -20);
      await expect(post(-1)).rejects.toMatchObject(exceeded);
    });

    it('concurrent withdrawals never exceed the limit', async () => {
      const { post } = await openLimited({ withdrawnPerDayMaxUnits: 100 });
      const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => post(-7)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(14);
    });

    it('a key that lost its limits meanwhile is not held to any', async () => {
      const { post, limit } = await openLimited({ withdrawnPerDayMaxUnits: 0 });
      await expect(post(-1)).rejects.toMatchObject(exceeded);
      await limit({});
      await post(-1);
    });
  });
}
