import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PATIENCE_MS } from '../../server/test/support/patience.ts';
import { findDeadAddress } from './support/gateway.ts';
import { countTransactions, type Place, startPlace } from './support/place.ts';
import { refusalOf } from './support/refusal.ts';
import { transaction } from './support/specimens.ts';

/** Longer than any test may take: one that waited for this would fail. */
const NEVER_MS = 2_147_483_647;

let place: Place;
beforeAll(async () => {
  place = await startPlace();
});
afterAll(() => place.stop());

describe('a signal', () => {
  test.each(['getDischarge', 'getTransfer', 'getUser', 'listTransactions'] as const)(
    'ends %s while it is under way',
    async (method) => {
      const client = place.connect();
      const error = await place.whileHalted(() => {
        const controller = new AbortController();
        const call =
          method === 'listTransactions'
            ? client.listTransactions('x', {}, { signal: controller.signal })
            : client[method]('x', { signal: controller.signal });
        setTimeout(() => controller.abort(new Error('enough')), 50);
        return refusalOf(call);
      });
      expect(error).toMatchObject({ kind: 'aborted', message: 'The call was aborted' });
      expect(error.cause).toEqual(new Error('enough'));
    },
  );

  test('ends listCommands, a post and a walk while they are under way', async () => {
    const client = place.connect();
    const errors = await place.whileHalted(() => {
      const signal = AbortSignal.timeout(50);
      return Promise.all([
        refusalOf(client.listCommands({}, { signal })),
        refusalOf(client.postTransaction(transaction(), { signal, idempotencyKey: 'cut short' })),
        refusalOf(Array.fromAsync(client.transactions('x', {}, { signal }))),
      ]);
    });
    expect(errors.map(({ kind }) => kind)).toEqual(['aborted', 'aborted', 'aborted']);
    expect(errors[1]).toMatchObject({ idempotencyKey: 'cut short' });
  });

  test('that was given before lets nothing out', async () => {
    const client = place.connect({ fetch: () => Promise.reject(new Error('sent')) });
    const error = await refusalOf(client.getDischarge('dis_1', { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ kind: 'aborted' });
  });

  test('ends the wait between two attempts', async () => {
    const controller = new AbortController();
    const client = place.connect({
      baseUrl: await findDeadAddress(),
      // With this chance the first wait takes longer than any test may.
      random: () => 100_000,
      timeoutMs: NEVER_MS,
      fetch: (url, init) => fetch(url, init).finally(() => setTimeout(() => controller.abort(), 50)),
    });
    const error = await refusalOf(client.listCommands({}, { signal: controller.signal }));
    expect(error).toMatchObject({ kind: 'aborted' });
  });

  test('ends a walk between two pages', async () => {
    const client = place.connect();
    for (let index = 0; index < 3; index += 1) {
      await client.postTransaction(transaction({ playerId: 'halfway' }));
    }
    const controller = new AbortController();
    const seen: string[] = [];
    const walk = async () => {
      const { signal } = controller;
      for await (const { transactionId } of client.transactions('halfway', { limit: 1 }, { signal })) {
        seen.push(transactionId);
        controller.abort();
      }
    };
    expect(await refusalOf(walk())).toMatchObject({ kind: 'aborted' });
    expect(seen).toHaveLength(1);
  });
});

describe('a time limit', () => {
  test('of one attempt counts as a broken connection: the call is tried again', async () => {
    let sent = 0;
    const client = place.connect({
      attemptTimeoutMs: 200,
      // A busy machine may need more than one attempt more.
      retries: 1_000,
      timeoutMs: PATIENCE_MS,
      fetch(url, init) {
        sent += 1;
        if (sent === 3) {
          place.resume();
        }
        return fetch(url, init);
      },
    });
    const posted = await place.whileHalted(() =>
      client.postTransaction(transaction({ playerId: 'late', amount: 1, quantity: 1 })),
    );
    expect(posted.balance).toBe(1);
    // The server has read all three, and posted once.
    expect(sent).toBeGreaterThanOrEqual(3);
    expect(countTransactions(place.file, 'late')).toBe(1);
  });

  test('of one attempt ends the call when there are no attempts left', async () => {
    const client = place.connect({ attemptTimeoutMs: 50, retries: 1 });
    const error = await place.whileHalted(() =>
      refusalOf(client.postTransaction(transaction(), { idempotencyKey: 'k' })),
    );
    expect(error).toMatchObject({ kind: 'timeout', message: 'No answer within 50 ms', idempotencyKey: 'k' });
  });

  test('of the call ends it, whatever attempts are left', async () => {
    const client = place.connect({ timeoutMs: 150, attemptTimeoutMs: NEVER_MS, retries: 100 });
    const error = await place.whileHalted(() => refusalOf(client.getDischarge('dis_1')));
    expect(error).toMatchObject({ kind: 'timeout' });
  });

  test('holds even for a fetch that does not listen, and tells it to stop', async () => {
    const signals: unknown[] = [];
    const client = place.connect({
      timeoutMs: 50,
      fetch(_url, { signal }) {
        signals.push(signal);
        return new Promise(() => {});
      },
    });
    expect(await refusalOf(client.getDischarge('dis_1'))).toMatchObject({ kind: 'timeout' });
    expect(signals).toEqual([expect.objectContaining({ aborted: true })]);
  });
});
