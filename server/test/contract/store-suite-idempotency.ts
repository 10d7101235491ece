import { describe, expect, it } from 'vitest';
import { aQuery, aTransaction, domainError, LOOKALIKES, NOON_MS } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';

export function describeIdempotency(createPlace: CreatePlace): void {
  describe('an idempotency key', () => {
    const open = shareByGuild(createPlace);

    const idempotency = { key: 'order-1', requestHash: 'hash-1' };

    it('with the same request gives the first outcome again and writes nothing', async () => {
      const { store, guild, readLedger } = await open();
      const first = await store.ledger.append(aTransaction(guild, { amountUnits: 5, idempotency }));
      await store.ledger.append(aTransaction(guild, { amountUnits: 7 }));
      const before = await readLedger();
      const repeat = aTransaction(guild, { amountUnits: 5, createdAtMs: NOON_MS + 1, idempotency });
      expect(await store.ledger.append(repeat)).toEqual({ ...first, replayed: true });
      expect(await store.ledger.append(repeat)).toEqual({ ...first, replayed: true });
      expect(await readLedger()).toEqual(before);
    });

    it('with another request is refused, writes nothing, and still knows the first', async () => {
      const { store, guild, readLedger } = await open();
      const first = await store.ledger.append(aTransaction(guild, { idempotency }));
      const before = await readLedger();
      const other = { ...idempotency, requestHash: 'hash-2' };
      const repeat = store.ledger.append(aTransaction(guild, { playerId: 'new', idempotency: other }));
      await expect(repeat).rejects.toMatchObject(domainError('idempotency_mismatch'));
      expect(await readLedger()).toEqual(before);
      const again = await store.ledger.append(aTransaction(guild, { idempotency }));
      expect(again).toEqual({ ...first, replayed: true });
    });

    it('counts within its guild only', async () => {
      const { store, guild, foundAnother } = await open();
      const other = await foundAnother();
      const first = await store.ledger.append(aTransaction(guild, { idempotency }));
      const elsewhere = { ...idempotency, requestHash: 'another hash' };
      const second = await store.ledger.append(aTransaction(other, { idempotency: elsewhere }));
      expect([first.replayed, second.replayed]).toEqual([false, false]);
      expect(second.transactionId).not.toBe(first.transactionId);
    });

    it('is known as used once it has posted, in its guild only', async () => {
      const { store, guild, foundAnother } = await open();
      const isUsed = (one = guild, key = idempotency.key) => store.entries.isKeyUsed(one, key);
      expect(await isUsed()).toBe(false);
      await store.ledger.append(aTransaction(guild, { idempotency }));
      expect(await isUsed()).toBe(true);
      expect(await isUsed(guild, 'order-2')).toBe(false);
      expect(await isUsed(await foundAnother())).toBe(false);
    });

    it('counts across the players of its guild', async () => {
      const { store, guild } = await open();
      const first = await store.ledger.append(aTransaction(guild, { playerId: 'p', idempotency }));
      const second = await store.ledger.append(aTransaction(guild, { playerId: 'q', idempotency }));
      expect(second).toEqual({ ...first, replayed: true });
      expect((await store.ledger.list(guild, 'q', aQuery())).total).toBe(0);
    });

    it('used many times at once posts exactly once', async () => {
      const { store, guild } = await open();
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, () => store.ledger.append(aTransaction(guild, { idempotency }))),
      );
      expect(outcomes.filter((outcome) => !outcome.replayed)).toHaveLength(1);
      expect(new Set(outcomes.map((outcome) => outcome.transactionId)).size).toBe(1);
      expect(new Set(outcomes.map((outcome) => outcome.balanceUnits))).toEqual(new Set([10_000]));
      expect((await store.ledger.list(guild, '48213977', aQuery())).total).toBe(1);
    });

    it('used at once for different requests posts the first and refuses the others', async () => {
      const { store, guild } = await open();
      const results = await Promise.allSettled(
        ['a', 'b', 'a', 'c'].map((requestHash) =>
          store.ledger.append(aTransaction(guild, { idempotency: { key: 'one', requestHash } })),
        ),
      );
      const shown = results.map((result) =>
        result.status === 'fulfilled' ? result.value.replayed : result.reason.code,
      );
      expect(shown).toEqual([false, 'idempotency_mismatch', true, 'idempotency_mismatch']);
    });

    it('of a refused transaction is free again', async () => {
      const { store, guild } = await open({ overdraftAllowed: false });
      const withdrawal = () => store.ledger.append(aTransaction(guild, { amountUnits: -5, idempotency }));
      await expect(withdrawal()).rejects.toMatchObject(domainError('overdraft'));
      await store.ledger.append(aTransaction(guild, { amountUnits: 5 }));
      expect(await withdrawal()).toMatchObject({ replayed: false, balanceUnits: 0 });
      expect(await withdrawal()).toMatchObject({ replayed: true, balanceUnits: 0 });
    });

    it('gives the first outcome even where the same transaction would be refused now', async () => {
      const { store, guild } = await open({ overdraftAllowed: false });
      await store.ledger.append(aTransaction(guild, { amountUnits: 5 }));
      const withdrawal = () => store.ledger.append(aTransaction(guild, { amountUnits: -5, idempotency }));
      const first = await withdrawal();
      expect(await withdrawal()).toEqual({ ...first, replayed: true });
    });

    it('that only looks like another is another', async () => {
      const { store, guild } = await open();
      for (const [one, other] of LOOKALIKES) {
        for (const key of [one, other]) {
          const fresh = { key, requestHash: 'same' };
          await store.ledger.append(aTransaction(guild, { idempotency: fresh, playerId: `${one}${other}` }));
        }
        const listed = await store.ledger.list(guild, `${one}${other}`, aQuery());
        expect(listed.total, `${one} and ${other}`).toBe(2);
      }
    });
  });
}
