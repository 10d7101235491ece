import { describe, expect, test } from 'vitest';
import { type LedgerApi, UUID } from './ledger-api-service.ts';

/** Money that goes from one player to another. */
export function describePayments(api: LedgerApi): void {
  const { aPlayer, get, send, strict, postOne, balanceOf } = api;

  describe('a payment', () => {
    const payment = (fromPlayerId: string, toPlayerId: string, changes: object = {}) => ({
      fromPlayerId,
      toPlayerId,
      amount: 2.5,
      name: 'Debt',
      source: 'bot',
      ...changes,
    });

    test('moves money from one to the other, and links the two sides', async () => {
      const [from, to] = [aPlayer(), aPlayer()];
      await postOne({ playerId: from }, strict());
      const headers = { 'idempotency-key': `pay ${from}` };
      const body = payment(from, to, { reference: 'debt 1', metadata: { why: 'lost bet' } });
      const reply = await send('/guild/payments', body, { headers, ...strict() });
      expect([reply.status, reply.body]).toEqual([
        200,
        {
          success: true,
          data: {
            paymentId: expect.stringMatching(UUID),
            from: { transactionId: expect.stringMatching(UUID), balance: 2.5 },
            to: { transactionId: expect.stringMatching(UUID), balance: 2.5 },
          },
        },
      ]);
      const again = await send('/guild/payments', body, { headers, ...strict() });
      expect([again.text, again.headers['idempotency-replayed']]).toEqual([reply.text, 'true']);
      const other = await send('/guild/payments', { ...body, amount: 1 }, { headers, ...strict() });
      expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch']);
      for (const [side, amount] of [
        ['from', -2.5],
        ['to', 2.5],
      ] as const) {
        const { transactionId } = reply.body.data[side];
        const { transaction } = (await get(`/guild/transactions/${transactionId}`, strict())).body.data;
        expect(transaction).toMatchObject({
          amount,
          quantity: 1,
          name: 'Debt',
          source: 'bot',
          paymentId: reply.body.data.paymentId,
          reference: 'debt 1',
          metadata: { why: 'lost bet' },
        });
      }
    });

    test('that the payer cannot cover moves nothing', async () => {
      const [from, to] = [aPlayer(), aPlayer()];
      await postOne({ playerId: from, amount: 2 }, strict());
      const reply = await send('/guild/payments', payment(from, to), strict());
      expect([reply.status, reply.body.code]).toEqual([409, 'insufficient_funds']);
      expect([await balanceOf(from, strict()), await balanceOf(to, strict())]).toEqual([2, 0]);
    });

    test('is reversed with both sides, and not with one', async () => {
      const [from, to] = [aPlayer(), aPlayer()];
      const { data } = (await send('/guild/payments', payment(from, to))).body;
      const ids = [data.from.transactionId, data.to.transactionId];
      const one = await send(`/guild/transactions/${ids[0]}/reversal`, {});
      expect([one.status, one.body.code, one.body.data.transactionId]).toEqual([409, 'is_payment', ids[1]]);
      expect((await send('/guild/reversals', { transactionIds: [ids[1]] })).body.code).toBe('is_payment');
      const both = await send('/guild/reversals', { transactionIds: ids });
      expect(both.status).toBe(200);
      expect([await balanceOf(from), await balanceOf(to)]).toEqual([0, 0]);
    });

    test.each<[object, string]>([
      [{ amount: 0 }, 'invalid_input'],
      [{ amount: -1 }, 'invalid_input'],
      [{ amount: 0.00001 }, 'invalid_input'],
      [{ amount: '1' }, 'invalid_input'],
      [{ toPlayerId: 'a' }, 'invalid_input'],
      [{ toPlayerId: undefined }, 'missing_fields'],
      [{ source: ' ' }, 'missing_fields'],
      [{ metadata: { a: 1 } }, 'invalid_input'],
    ])('with %j is refused', async (changes, code) => {
      const reply = await send('/guild/payments', payment('a', 'b', changes));
      expect([reply.status, reply.body.code]).toEqual([400, code]);
    });
  });
}
