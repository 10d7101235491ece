import type { GuildbookClient } from '@guildbook/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Place, startPlace } from './support/place.ts';
import { refusalOf } from './support/refusal.ts';
import { transaction } from './support/specimens.ts';

let place: Place;
let guildbook: GuildbookClient;
beforeAll(async () => {
  place = await startPlace();
  guildbook = place.connect();
});
afterAll(() => place.stop());

// `npm run check` compiles this file: an unused @ts-expect-error is an error.
describe('the filter by source is called `from`', () => {
  test('and another name does not compile, written out or in a variable', async () => {
    const query = { source: 'shop', limit: 5 };
    // @ts-expect-error: the filter by source is called `from`
    const calls = [() => guildbook.listTransactions('p', { source: 'shop' })];
    // @ts-expect-error: not even among other filters, in a variable
    calls.push(() => guildbook.listTransactions('p', query));
    const walks = [
      // @ts-expect-error: the same for a walk
      () => guildbook.transactions('p', query),
      // @ts-expect-error: the same for the guild's history
      () => guildbook.history(query),
    ];
    // @ts-expect-error: the same for a page of it
    const history = () => guildbook.listHistory(query);
    // @ts-expect-error: a name that nobody knows
    const misspelt = () => guildbook.listTransactions('p', { form: 'shop' });
    // Programs without types learn it from the error of the call, not from a list that is not filtered.
    for (const call of [...calls, misspelt]) {
      expect(await refusalOf(call())).toMatchObject({
        kind: 'bad-request',
        message: expect.stringMatching(/^Bad request - unknown query parameter: (source|form)$/),
      });
    }
    for (const walk of walks) {
      expect(await refusalOf(Array.fromAsync<unknown>(walk()))).toMatchObject({ kind: 'bad-request' });
    }
    expect(await refusalOf(history())).toMatchObject({ kind: 'bad-request', code: 'unknown_parameter' });
  });

  test('and filters', async () => {
    await guildbook.postTransaction(transaction({ playerId: 'p', source: 'shop' }));
    await guildbook.postTransaction(transaction({ playerId: 'p', source: 'quest' }));
    const { transactions } = await guildbook.listTransactions('p', { from: 'shop' });
    expect(transactions.map(({ source }) => source)).toEqual(['shop']);
  });
});
