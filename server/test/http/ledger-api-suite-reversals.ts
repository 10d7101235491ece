import { describe, expect, test } from 'vitest';
import { type LedgerApi, UNKNOWN_ID } from './ledger-api-service.ts';

/** Transactions taken back, singly and many at once. */
export function describeReversals(api: LedgerApi): void {
  const { aPlayer, send, strict, postOne, balanceOf } = api;

  describe('a reversal', () => {
    test('posts the opposite and links the two, with or without a body', async () => {
      const player = aPlayer();
      const id = await postOne({ playerId: player, amount: 2.5, quantity: 2, reference: 'order' });
      const reply = await send(`/guild/transactions/${id}/reversal`, { reason: 'Paid twice' });
      expect(reply.status).toBe(200);
      const { transaction, reversed } = reply.body.data;
      expect(transaction).toMatchObject({
        amount: -2.5,
        quantity: 2,
        total: -5,
        balanceAfter: 0,
        playerId: player,
        name: 'Iron',
        source: 'shop',
        reverses: id,
        reversedBy: null,
        reference: null,
        metadata: { reason: 'Paid twice' },
      });
      expect(reversed).toMatchObject({
        transactionId: id,
        reverses: null,
        reversedBy: transaction.transactionId,
      });
      const other = await postOne({ playerId: player });
      const bare = await api.service.ask({ method: 'POST', url: `/guild/transactions/${other}/reversal` });
      expect([bare.status, bare.body.data.transaction.metadata]).toEqual([200, null]);
      expect(await balanceOf(player)).toBe(0);
    });

    test('is made once: the second is told of the first, a repeat with the key gets the first answer', async () => {
      const id = await postOne({ playerId: aPlayer() });
      const url = `/guild/transactions/${id}/reversal`;
      const headers = { 'idempotency-key': `undo ${id}` };
      const first = await send(url, {}, { headers });
      const again = await send(url, {}, { headers });
      expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
      const { transactionId } = first.body.data.transaction;
      const second = await send(url, {});
      expect([second.status, second.body]).toEqual([
        409,
        {
          success: false,
          message: 'Conflict - the transaction has been reversed',
          code: 'already_reversed',
          data: { transactionId, position: 0 },
        },
      ]);
      const otherReason = await send(url, { reason: 'another' }, { headers });
      expect([otherReason.status, otherReason.body.code]).toEqual([422, 'idempotency_mismatch']);
      const ofReversal = await send(`/guild/transactions/${transactionId}/reversal`, {});
      expect([ofReversal.status, ofReversal.body.code]).toEqual([409, 'is_reversal']);
    });

    test('needs the money where overdraft is forbidden, and the transaction of its own guild', async () => {
      const player = aPlayer();
      const id = await postOne({ playerId: player }, strict());
      await postOne({ playerId: player, amount: -1 }, strict());
      const refused = await send(`/guild/transactions/${id}/reversal`, {}, strict());
      expect([refused.status, refused.body.code]).toEqual([409, 'insufficient_funds']);
      const foreign = await send(`/guild/transactions/${id}/reversal`, {});
      expect([foreign.status, foreign.body.code]).toEqual([404, 'transaction_not_found']);
      expect(await balanceOf(player, strict())).toBe(4);
    });

    test('of many happens for all or none', async () => {
      const player = aPlayer();
      const ids = [await postOne({ playerId: player }), await postOne({ playerId: player, amount: 7 })];
      const refused = await send('/guild/reversals', { transactionIds: [...ids, UNKNOWN_ID] });
      expect([refused.status, refused.body.message, refused.body.data.position]).toEqual([
        404,
        'Transaction not found (transactionIds[2])',
        2,
      ]);
      const headers = { 'idempotency-key': `many ${player}` };
      const reply = await send('/guild/reversals', { transactionIds: ids, reason: 'r' }, { headers });
      expect(reply.body.data.transactions.map((one: { reverses: string }) => one.reverses)).toEqual(ids);
      const again = await send('/guild/reversals', { transactionIds: ids, reason: 'r' }, { headers });
      expect([again.text, again.headers['idempotency-replayed']]).toEqual([reply.text, 'true']);
      const third = await postOne({ playerId: player });
      const partly = await send('/guild/reversals', { transactionIds: [third, ids[1]] });
      expect([partly.status, partly.body.message, partly.body.data.position]).toEqual([
        409,
        'Conflict - the transaction has been reversed (transactionIds[1])',
        1,
      ]);
      expect(await balanceOf(player)).toBe(5);
    });

    test('of many names the transaction that is in the way', async () => {
      const [one, other] = [aPlayer(), aPlayer()];
      const spent = await postOne({ playerId: one }, strict());
      await postOne({ playerId: one, amount: -1 }, strict());
      const whole = await postOne({ playerId: other }, strict());
      const refusalOf = async (transactionIds: string[]) =>
        (await send('/guild/reversals', { transactionIds }, strict())).body.message;
      expect(await refusalOf([whole, spent])).toBe(
        'Conflict - the balance does not cover this withdrawal (transactionIds[1])',
      );
      expect(await refusalOf([whole, spent, whole])).toBe(
        'Bad request - transactionIds[2] repeats an earlier id',
      );
      expect(await refusalOf([whole, ''])).toMatch(/^Bad request - transactionIds\[1\] must be text/);
      const { reverses, transactionId } = (await send(`/guild/transactions/${whole}/reversal`, {}, strict()))
        .body.data.transaction;
      expect(reverses).toBe(whole);
      expect(await refusalOf([transactionId])).toBe(
        'Conflict - a reversal cannot be reversed (transactionIds[0])',
      );
    });

    test.each<[object, number, string]>([
      [{}, 400, 'missing_fields'],
      [{ transactionIds: [] }, 400, 'invalid_input'],
      [{ transactionIds: [1] }, 400, 'invalid_input'],
      [{ transactionIds: Array(101).fill(UNKNOWN_ID) }, 400, 'invalid_input'],
      [{ transactionIds: [UNKNOWN_ID, UNKNOWN_ID] }, 400, 'invalid_input'],
      [{ transactionIds: [UNKNOWN_ID], reason: '' }, 400, 'invalid_input'],
      [{ transactionIds: ['no-uuid'] }, 404, 'transaction_not_found'],
    ])('with %j is refused', async (payload, status, code) => {
      const reply = await send('/guild/reversals', payload);
      expect([reply.status, reply.body.code]).toEqual([status, code]);
    });
  });
}
