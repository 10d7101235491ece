import { describe, expect, it } from 'vitest';
import { UNITS_MAX } from '../../src/domain/ledger/amount.ts';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { aGuild, aKey, aQuery, aTransaction, CHANGE, domainError, LOOKALIKES, NOON_MS } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';

const PLAYER = '48213977';

export function describeLedgerAppend(createPlace: CreatePlace): void {
  describe('appending to the ledger', () => {
    const open = shareByGuild(createPlace);

    async function countOf(store: Store, guild: Guild, playerId = PLAYER): Promise<number> {
      return (await store.ledger.list(guild, playerId, aQuery())).total;
    }

    it('a transaction is listed with everything it was given', async () => {
      const { store, guild } = await open();
      const given = aTransaction(guild, { quantity: 3, amountUnits: -12_345, name: 'Ünïcode 🪙 ' });
      const outcome = await store.ledger.append(given);
      const { transactionId, amountUnits, quantity, name, source, totalUnits, createdAtMs } = given;
      expect(outcome).toEqual({ transactionId, balanceUnits: -37_035, replayed: false });
      expect(await store.ledger.list(guild, PLAYER, aQuery())).toEqual({
        total: 1,
        transactions: [{ transactionId, amountUnits, quantity, name, source, totalUnits, createdAtMs }],
      });
    });

    it('the balance runs along, each account of each guild for itself', async () => {
      const { store, guild, foundAnother } = await open();
      const other = await foundAnother();
      const balances: number[] = [];
      for (const [where, playerId, amountUnits] of [
        [guild, 'p', 5],
        [guild, 'p', -3],
        [other, 'p', 100],
        [guild, 'q', 7],
        [guild, 'p', 1],
      ] as const) {
        const outcome = await store.ledger.append(aTransaction(where, { playerId, amountUnits }));
        balances.push(outcome.balanceUnits);
      }
      expect(balances).toEqual([5, 2, 100, 7, 3]);
      expect(await countOf(store, guild, 'p')).toBe(3);
      expect(await countOf(store, other, 'p')).toBe(1);
    });

    it('player ids that only look alike have different accounts', async () => {
      const { store, guild } = await open();
      for (const [one, other] of LOOKALIKES) {
        await store.ledger.append(aTransaction(guild, { playerId: one }));
        expect(await countOf(store, guild, other), `${one} and ${other}`).toBe(0);
        await store.ledger.append(aTransaction(guild, { playerId: other }));
      }
    });

    it('transactions given at once are numbered without gaps in the order given', async () => {
      const { store, guild, readLedger } = await open();
      const given = Array.from({ length: 300 }, (_, index) =>
        aTransaction(guild, { amountUnits: index + 1, playerId: index % 3 === 0 ? 'p' : 'q' }),
      );
      await Promise.all(given.map((transaction) => store.ledger.append(transaction)));
      const { transactions } = await readLedger([guild]);
      for (const playerId of ['p', 'q']) {
        const rows = transactions.filter((row) => row.playerId === playerId);
        const expected = given.filter((transaction) => transaction.playerId === playerId);
        expect(rows.map((row) => row.seq)).toEqual(expected.map((_, index) => index + 1));
        expect(rows.map((row) => row.transactionId)).toEqual(expected.map((one) => one.transactionId));
      }
    });

    it('a time before the account’s last one is lifted to it, and other accounts are not touched', async () => {
      const { store, guild } = await open();
      const offsets = [10, 5, 10, 30, 29, 0];
      for (const offset of offsets) {
        await store.ledger.append(aTransaction(guild, { createdAtMs: NOON_MS + offset }));
      }
      await store.ledger.append(aTransaction(guild, { playerId: 'other', createdAtMs: NOON_MS }));
      const listed = await store.ledger.list(guild, PLAYER, aQuery());
      expect(listed.transactions.map((one) => one.createdAtMs - NOON_MS)).toEqual([10, 10, 10, 30, 30, 30]);
      const others = await store.ledger.list(guild, 'other', aQuery());
      expect(others.transactions[0]?.createdAtMs).toBe(NOON_MS);
    });

    it('a key’s transactions stay when the key is deleted', async () => {
      const { store, guild } = await open();
      const key = aKey(guild);
      await store.keys.insert(key, CHANGE);
      const keyNo = (await store.keys.findByHash(key.hash))?.keyNo;
      await store.ledger.append(aTransaction(guild, { keyNo }));
      await store.keys.delete(key.keyId, CHANGE);
      await store.ledger.append(aTransaction(guild, { keyNo }));
      expect(await countOf(store, guild)).toBe(2);
    });

    describe('overdraft', () => {
      it('is refused where the guild forbids it, to the last unit, and nothing is written', async () => {
        const { store, guild, readLedger } = await open({ overdraftAllowed: false });
        await store.ledger.append(aTransaction(guild, { amountUnits: 100 }));
        const before = await readLedger();
        const tooMuch = store.ledger.append(aTransaction(guild, { amountUnits: -101 }));
        await expect(tooMuch).rejects.toMatchObject(domainError('overdraft'));
        const unopened = store.ledger.append(aTransaction(guild, { amountUnits: -1, playerId: 'new' }));
        await expect(unopened).rejects.toMatchObject(domainError('overdraft'));
        expect(await readLedger()).toEqual(before);
        const all = await store.ledger.append(aTransaction(guild, { amountUnits: -100 }));
        expect(all.balanceUnits).toBe(0);
      });

      it('is judged by the total, not by the amount', async () => {
        const { store, guild } = await open({ overdraftAllowed: false });
        await store.ledger.append(aTransaction(guild, { amountUnits: 100 }));
        const three = store.ledger.append(aTransaction(guild, { amountUnits: -34, quantity: 3 }));
        await expect(three).rejects.toMatchObject(domainError('overdraft'));
      });

      it('is allowed where the guild allows it', async () => {
        const { store, guild } = await open({ overdraftAllowed: true });
        const outcome = await store.ledger.append(aTransaction(guild, { amountUnits: -1 }));
        expect(outcome.balanceUnits).toBe(-1);
      });

      it('once forbidden still lets deposits into a balance below zero', async () => {
        const { store, guild } = await open({ overdraftAllowed: true });
        await store.ledger.append(aTransaction(guild, { amountUnits: -100 }));
        await store.guilds.set(aGuild({ guildId: guild.guildId, overdraftAllowed: false }), CHANGE);
        const deposit = await store.ledger.append(aTransaction(guild, { amountUnits: 30 }));
        expect(deposit.balanceUnits).toBe(-70);
        const withdrawal = store.ledger.append(aTransaction(guild, { amountUnits: -1 }));
        await expect(withdrawal).rejects.toMatchObject(domainError('overdraft'));
      });

      it('cannot be reached by many withdrawals at once', async () => {
        const { store, guild } = await open({ overdraftAllowed: false });
        await store.ledger.append(aTransaction(guild, { amountUnits: 10 }));
        const results = await Promise.allSettled(
          Array.from({ length: 25 }, () => store.ledger.append(aTransaction(guild, { amountUnits: -1 }))),
        );
        expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(10);
        expect(await countOf(store, guild)).toBe(11);
      });
    });

    it.each([
      { side: 'above', limitUnits: UNITS_MAX, stepUnits: 1 },
      { side: 'below', limitUnits: -UNITS_MAX, stepUnits: -1 },
    ])(
      'a balance $side the exact range is refused, and nothing is written',
      async ({ limitUnits, stepUnits }) => {
        const { store, guild, readLedger } = await open();
        const full = await store.ledger.append(aTransaction(guild, { amountUnits: limitUnits }));
        expect(full.balanceUnits).toBe(limitUnits);
        const before = await readLedger();
        const over = store.ledger.append(aTransaction(guild, { amountUnits: stepUnits }));
        await expect(over).rejects.toMatchObject(domainError('balance_out_of_range'));
        expect(await readLedger()).toEqual(before);
        const back = await store.ledger.append(aTransaction(guild, { amountUnits: -stepUnits }));
        expect(back.balanceUnits).toBe(limitUnits - stepUnits);
      },
    );

    it('one refused transaction does not fail those given with it', async () => {
      const { store, guild } = await open({ overdraftAllowed: false });
      const amounts = [5, -6, 2, -7, -8, 1];
      const results = await Promise.allSettled(
        amounts.map((amountUnits) => store.ledger.append(aTransaction(guild, { amountUnits }))),
      );
      const balances = results.map((result) =>
        result.status === 'fulfilled' ? result.value.balanceUnits : result.reason.code,
      );
      expect(balances).toEqual([5, 'overdraft', 7, 0, 'overdraft', 1]);
    });
  });
}
