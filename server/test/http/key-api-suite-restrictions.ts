import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { TESTER } from '../support/change.ts';
import { transactionBody } from '../support/service.ts';
import { GUILD_ID, type SharedService } from './filled-service.ts';

/** Restrictions of a key: the addresses it may be used from, and its money limits. */
export function describeKeyRestrictions(shared: SharedService): void {
  describe('allowed addresses', () => {
    const from = (key: string, remoteAddress: string) =>
      shared.service.send({ url: '/guild/key', key, remoteAddress });

    test('from elsewhere a key is unknown, at once and to the letter', async () => {
      const { keyId, value } = await shared.service.addKey(GUILD_ID);
      expect((await from(value, '198.51.100.7')).status).toBe(200);
      await shared.service.keys.update({ keyId }, { networks: ['203.0.113.0/24', '2001:DB8::1'] }, TESTER);
      const unknown = await from(`gbk_${'0'.repeat(46)}`, '198.51.100.7');
      for (const [address, status] of [
        ['203.0.113.200', 200],
        ['::ffff:203.0.113.200', 200],
        ['2001:db8::1', 200],
        ['198.51.100.7', 401],
        ['2001:db8::2', 401],
      ] as const) {
        const reply = await from(value, address);
        expect([address, reply.status]).toEqual([address, status]);
        if (status === 401) {
          expect(reply.text).toBe(unknown.text);
        }
      }
      await shared.service.keys.update({ keyId }, { networks: [] }, TESTER);
      expect((await from(value, '198.51.100.7')).status).toBe(200);
    });

    test('requests at the same time are judged each by its own address', async () => {
      const { keyId, value } = await shared.service.addKey(GUILD_ID);
      await shared.service.keys.update({ keyId }, { networks: ['203.0.113.1'] }, TESTER);
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, index) => from(value, index % 2 === 0 ? '203.0.113.1' : '203.0.113.2')),
      );
      expect(replies.map(({ status }) => status)).toEqual([200, 401, 200, 401, 200, 401, 200, 401]);
    });

    test.each([
      ['300.1.1.1'],
      ['203.0.113.0/33'],
      ['2001:db8::/129'],
      ['fe80::1%eth0'],
      ['somewhere'],
      ['1.2.3.4/8/8'],
    ])('%s is no network', async (network) => {
      const { keyId } = await shared.service.addKey(GUILD_ID);
      const update = shared.service.keys.update({ keyId }, { networks: [network] }, TESTER);
      await expect(update).rejects.toMatchObject({ code: 'invalid_input' });
    });

    test('a key has up to 32 networks', async () => {
      const { keyId } = await shared.service.addKey(GUILD_ID);
      const networks = Array.from({ length: 33 }, (_, index) => `10.0.0.${index}`);
      const { networks: set } = await shared.service.keys.update(
        { keyId },
        { networks: networks.slice(1) },
        TESTER,
      );
      expect(set).toEqual(networks.slice(1).map((address) => `${address}/32`));
      await expect(shared.service.keys.update({ keyId }, { networks }, TESTER)).rejects.toMatchObject({
        code: 'invalid_input',
      });
    });
  });

  describe('limits', () => {
    const refusal = (text: string) => ({ success: false, message: `Forbidden - ${text} of this key` });
    const TOO_LARGE = refusal('the amount is above the limit');
    const TOO_MUCH = refusal('the withdrawals of this day are above the limit');

    async function addLimited(limits: { amountMax: number | null; withdrawnPerDayMax: number | null }) {
      const { keyId, value: key } = await shared.service.addKey(GUILD_ID);
      await shared.service.keys.update({ keyId }, { limits }, TESTER);
      const post = (amount: number, quantity = 1) =>
        shared.service.ask({
          method: 'POST',
          url: '/guild/ledger',
          key,
          payload: transactionBody({ amount, quantity }),
        });
      const send = (url: string, payload: object) =>
        shared.service.ask({ method: 'POST', url, key, payload });
      return { key, post, send };
    }

    test('the key tells its limits, and a post above the largest amount is refused as a whole', async () => {
      const { key, post } = await addLimited({ amountMax: 100.5, withdrawnPerDayMax: null });
      const { body } = await shared.service.ask({ url: '/guild/key', key });
      expect(body.data.key.limits).toEqual({ amountMax: 100.5, withdrawnPerDayMax: null });
      expect((await post(100.5)).status).toBe(200);
      expect((await post(50, 2)).status).toBe(200);
      const before = shared.service.countStored();
      for (const reply of [await post(100.5001), await post(-101), await post(51, 2)]) {
        expect(reply.status).toBe(403);
        expect(reply.body).toEqual(TOO_LARGE);
      }
      expect(shared.service.countStored()).toBe(before);
    });

    test('posts, batches, payments and reversals count towards the withdrawals of a day', async () => {
      const { post, send } = await addLimited({ amountMax: null, withdrawnPerDayMax: 100 });
      expect((await post(-40)).status).toBe(200);
      const item = (amount: number) => transactionBody({ amount, quantity: 1 });
      const batch = await send('/guild/transactions', { transactions: [item(-20), item(10)] });
      expect(batch.status).toBe(200);
      const pay = (amount: number) =>
        send('/guild/payments', { fromPlayerId: 'p', toPlayerId: 'q', amount, name: 'n', source: 's' });
      expect((await pay(20)).status).toBe(200);
      const [deposit] = (await send('/guild/transactions', { transactions: [item(15)] })).body.data.results;
      const reverse = () => send(`/guild/transactions/${deposit.transactionId}/reversal`, {});
      expect((await reverse()).status).toBe(200);
      // 95 of 100 are used up.
      expect((await post(-6)).body).toEqual(TOO_MUCH);
      expect((await pay(6)).body).toEqual({ ...TOO_MUCH, code: 'key_limit_exceeded', data: { position: 0 } });
      const atomic = await send('/guild/transactions', { transactions: [item(-3), item(-3)] });
      expect(atomic.body.data.results.map(({ code }: { code: string | null }) => code)).toEqual([
        null,
        'key_limit_exceeded',
      ]);
      const apart = await send('/guild/transactions', { atomic: false, transactions: [item(-5), item(-1)] });
      expect(apart.body.data.results.map(({ status }: { status: string }) => status)).toEqual([
        'posted',
        'refused',
      ]);
      expect((await post(1)).status).toBe(200);
      shared.service.clock.advance(DAY_MS);
      expect((await post(-100)).status).toBe(200);
    });

    test('limits are amounts of four places, and may be taken away again', async () => {
      const { keyId, value: key } = await shared.service.addKey(GUILD_ID);
      for (const limits of [
        { amountMax: 0 },
        { amountMax: 0.00001 },
        { withdrawnPerDayMax: -1 },
        { amountMax: 1e15 },
      ]) {
        const update = shared.service.keys.update({ keyId }, { limits }, TESTER);
        await expect(update).rejects.toMatchObject({ code: 'invalid_input' });
      }
      await shared.service.keys.update(
        { keyId },
        { limits: { amountMax: 1, withdrawnPerDayMax: 0 } },
        TESTER,
      );
      await shared.service.keys.update({ keyId }, { limits: { amountMax: null } }, TESTER);
      const limitsOf = async () =>
        (await shared.service.ask({ url: '/guild/key', key })).body.data.key.limits;
      expect(await limitsOf()).toEqual({ amountMax: null, withdrawnPerDayMax: 0 });
      await shared.service.keys.update({ keyId }, { limits: { withdrawnPerDayMax: null } }, TESTER);
      expect(await limitsOf()).toEqual({ amountMax: null, withdrawnPerDayMax: null });
    });
  });
}
