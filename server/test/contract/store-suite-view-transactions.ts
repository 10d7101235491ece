import { expect, it } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { aKey, aPastTransaction, aQuery, aTransaction, CHANGE, NOON_MS } from './specimens.ts';
import type { OpenShared } from './store-place.ts';
import { NO_FILTER, post } from './view-specimens.ts';

/** Transactions: who posted them, what is logged of it, and lists that are read while others post. */
export function describeViewTransactions(openShared: OpenShared): void {
  it('each transaction tells who posted it: a key, deleted or not, a person, or nobody here', async () => {
    const { store, guild } = await openShared();
    const key = aKey(guild, { name: 'Shop bot', prefix: 'gbk_12345678' });
    await store.keys.insert(key, CHANGE);
    const keyNo = (await store.keys.findByHash(key.hash))?.keyNo;
    await post(store, guild, { keyNo });
    await store.keys.delete(key.keyId, CHANGE);
    await post(store, guild, { keyNo: undefined, postedBy: 'stranger' });
    const at = NOON_MS + 1;
    await store.ledger.import(guild, [aPastTransaction(guild, { createdAtMs: at })]);
    const listed = await store.ledgerViews.list(guild, '48213977', aQuery());
    const nobody = { id: undefined, name: undefined, prefix: undefined };
    expect(listed.transactions.map(({ postedBy }) => postedBy)).toEqual([
      { kind: 'key', id: key.keyId, name: 'Shop bot', prefix: 'gbk_12345678' },
      { ...nobody, kind: 'user', id: 'stranger' },
      { ...nobody, kind: 'import' },
    ]);
    expect(listed.transactions.map(({ seq, balanceUnits }) => [seq, balanceUnits])).toEqual([
      [1, 10_000],
      [2, 20_000],
      [3, 30_000],
    ]);
  });

  it('a transaction has its corrections, newest first, without those that were reversed', async () => {
    const { store, guild, foundAnother } = await openShared();
    const other = await foundAnother();
    const { transactionId: wrong } = await post(store, guild, { amountUnits: 100 });
    const correct = (amountUnits: number, changes: Parameters<typeof post>[2] = {}) =>
      post(store, guild, { amountUnits, extra: { metadata: { corrects: wrong } }, ...changes });
    const first = await correct(-30);
    const reversed = await correct(-50);
    const last = await correct(5);
    const { number = 0 } = (await store.ledgerViews.find(guild, reversed.transactionId)) ?? {};
    const reverses = { number, transactionId: reversed.transactionId };
    await post(store, guild, { amountUnits: 50, extra: { reverses } });
    // None of these corrects it: another account, another guild, a note of a bot.
    await correct(7, { playerId: 'other' });
    await post(store, other, { extra: { metadata: { corrects: wrong } } });
    await post(store, guild, { extra: { metadata: { because: 'x', corrects: wrong } } });
    const expected = [
      { transactionId: last.transactionId, totalUnits: 5 },
      { transactionId: first.transactionId, totalUnits: -30 },
    ];
    expect((await store.ledgerViews.find(guild, wrong))?.corrections).toEqual(expected);
    const { transactions } = await store.ledgerViews.list(guild, '48213977', aQuery());
    expect(transactions.map(({ corrections }) => corrections)).toEqual([
      expected,
      ...Array.from({ length: 5 }, () => undefined),
    ]);
    const listed = await store.ledgerViews.listGuild(guild, { ...NO_FILTER, limit: 20 });
    expect(listed.transactions.filter(({ corrections }) => corrections !== undefined)).toMatchObject([
      { transactionId: wrong, corrections: expected },
    ]);
  });

  it('what a person posts is logged in the same commit, once, and what is refused is not', async () => {
    const { store, guild } = await openShared({ overdraftAllowed: false });
    const correction = aTransaction(guild, {
      postedBy: 'chat-1',
      amountUnits: 12_500,
      quantity: 2,
      idempotency: { key: 'k', requestHash: 'h' },
    });
    const log = async () =>
      (await store.audit.list(guild, { limit: 10 })).filter(
        ({ subjectKind }) => subjectKind === 'transaction',
      );
    await store.ledger.append(correction);
    await store.ledger.append(correction);
    const refused = aTransaction(guild, { postedBy: 'chat-1', amountUnits: -90_000 });
    await expect(store.ledger.append(refused)).rejects.toMatchObject({ code: 'overdraft' });
    await post(store, guild);
    expect(await log()).toMatchObject([
      {
        actor: { kind: 'user', id: 'chat-1' },
        action: 'create',
        subjectId: correction.transactionId,
        createdAtMs: NOON_MS,
        detail: {
          after: { playerId: '48213977', name: 'Iron Ingot', quantity: 2, amount: '1.25', total: '2.5' },
        },
      },
    ]);
    expect(await store.ledgerViews.totals(guild)).toMatchObject({ transactions: 2 });
  });

  it('readings see the moment they began, whatever is posted meanwhile', async () => {
    const { store, guild } = await openShared();
    const rows = Array.from({ length: 1_500 }, () => aPastTransaction(guild));
    await store.ledger.import(guild, rows);
    /** How many a reading has, when two more are posted as soon as it has begun. */
    async function countWhilePosting(reading: AsyncIterable<unknown>): Promise<number> {
      let count = 0;
      for await (const _ of reading) {
        count += 1;
        if (count === 1) {
          await post(store, guild, { createdAtMs: NOON_MS - DAY_MS, playerId: 'late' });
          await post(store, guild);
        }
      }
      return count;
    }
    expect(await countWhilePosting(store.ledgerViews.readGuild(guild, NO_FILTER))).toBe(1_500);
    expect(await countWhilePosting(store.ledgerViews.read(guild, '48213977', aQuery()))).toBe(1_501);
    expect(await countWhilePosting(store.ledgerViews.readGuild(guild, NO_FILTER))).toBe(1_504);
  });
}
