import { describe, expect, it } from 'vitest';
import { aTransaction, domainError, refOf } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';

/** The key of a batch, which belongs to one request. */
export function describeBatchKeys(createPlace: CreatePlace): void {
  describe('the key of a batch', () => {
    const open = shareByGuild(createPlace);
    const MISMATCH = domainError('idempotency_mismatch');
    const batch = (requestHash: string, key = 'k') => ({ key, requestHash });

    it('belongs to the request that came first, in its guild', async () => {
      const { store, guild, foundAnother } = await open();
      await store.ledger.claimBatch(guild, batch('a'));
      await store.ledger.claimBatch(guild, batch('a'));
      await expect(store.ledger.claimBatch(guild, batch('b'))).rejects.toMatchObject(MISMATCH);
      await store.ledger.claimBatch(guild, batch('b', 'K'));
      await store.ledger.claimBatch(await foundAnother(), batch('b'));
      const group = { guild: refOf(guild), transactions: [aTransaction(guild)], idempotency: undefined };
      const other = store.ledger.appendGroup({ ...group, batch: batch('b') });
      await expect(other).rejects.toMatchObject(MISMATCH);
      const [outcome] = await store.ledger.appendGroup({ ...group, batch: batch('a') });
      expect(outcome?.replayed).toBe(false);
    });

    it('is bound in the commit of a group, and a group that is refused leaves it free', async () => {
      const { store, guild, readLedger } = await open({ overdraftAllowed: false });
      const append = (requestHash: string, ...amounts: number[]) =>
        store.ledger.appendGroup({
          guild: refOf(guild),
          transactions: amounts.map((amountUnits, index) =>
            aTransaction(guild, {
              playerId: 'p',
              amountUnits,
              idempotency: { key: `k/${index}`, requestHash: String(amountUnits) },
            }),
          ),
          idempotency: undefined,
          batch: batch(requestHash),
        });
      await expect(append('a', 5, -6)).rejects.toMatchObject(domainError('overdraft'));
      const outcomes = await append('b', 5, -4);
      const before = await readLedger([guild]);
      // The request counts, not the keys of its transactions.
      await expect(append('c', 5, -4, 7)).rejects.toMatchObject(MISMATCH);
      await expect(store.ledger.claimBatch(guild, batch('a'))).rejects.toMatchObject(MISMATCH);
      const again = await append('b', 5, -4);
      expect(again).toEqual(outcomes.map((outcome) => ({ ...outcome, replayed: true })));
      expect(await readLedger([guild])).toEqual(before);
    });

    it('of requests at the same moment belongs to one of them', async () => {
      const { store, guild } = await open();
      const claims = ['a', 'b', 'a', 'c', 'b'].map(async (hash) => {
        await store.ledger.claimBatch(guild, batch(hash));
        return hash;
      });
      const settled = await Promise.allSettled(claims);
      const won = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(new Set(won).size).toBe(1);
    });
  });
}
