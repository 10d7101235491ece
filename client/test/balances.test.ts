import type {
  Account,
  BalanceData,
  BatchResult,
  GuildbookClient,
  LedgerEntry,
  Payment,
  PostedTransaction,
  RankedAccount,
} from '@guildbook/client';
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest';
import { type Place, startPlace } from './support/place.ts';
import { transaction } from './support/specimens.ts';

let place: Place;
let guildbook: GuildbookClient;
beforeAll(async () => {
  place = await startPlace();
  guildbook = place.connect();
});
afterAll(() => place.stop());

test('a balance has one type wherever it appears', () => {
  expectTypeOf<PostedTransaction['balance']>().toEqualTypeOf<number>();
  expectTypeOf<Account['balance']>().toEqualTypeOf<number>();
  expectTypeOf<RankedAccount['balance']>().toEqualTypeOf<number>();
  expectTypeOf<LedgerEntry['balanceAfter']>().toEqualTypeOf<number>();
  expectTypeOf<BatchResult['balance']>().toEqualTypeOf<number | null>();
  expectTypeOf<Payment['from']['balance']>().toEqualTypeOf<number>();
  expectTypeOf<Payment['to']['balance']>().toEqualTypeOf<number>();
  expectTypeOf<BalanceData['balance']>().toEqualTypeOf<number>();
});

test('a post, a batch, a payment, the account, the list of accounts and the feed give the same number', async () => {
  const playerId = 'everywhere';
  const post = transaction({ playerId, amount: 12.5, quantity: 1 });
  const { balance, transactionId } = await guildbook.postTransaction(post);
  expect(balance).toBe(12.5);
  const [result] = await guildbook.postBatch([{ ...post, amount: 0.0001 }]);
  expect(result?.balance).toBe(12.5001);
  const { from } = await guildbook.pay({
    fromPlayerId: playerId,
    toPlayerId: 'somebody',
    amount: 0.0001,
    name: 'Loan',
    source: 'bank',
  });
  const account = await guildbook.getAccount(playerId);
  const [listed] = await guildbook.getAccounts([playerId]);
  expect([from.balance, account.balance, listed?.balance]).toEqual([balance, balance, balance]);
  const entry = await guildbook.getTransaction(transactionId);
  const [first] = await guildbook.readFeed({ after: entry.number - 1, limit: 1 });
  expect([entry.balanceAfter, first?.balanceAfter]).toEqual([balance, balance]);
});
