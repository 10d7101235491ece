import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyReceipt } from '../../../client/src/index.ts';
import { GuildsReply } from '../../src/wire/dashboard.ts';
import { PlayerTransactionsReply, TransactionDetailsReply } from '../../src/wire/dashboard-ledger.ts';
import { OwnAccountReply } from '../../src/wire/dashboard-own-account.ts';
import { BalanceReply, PlayerActivityReply, StatementReply } from '../../src/wire/dashboard-statements.ts';
import { sealerOf } from '../contract/seal-specimens.ts';
import { changeAt } from '../support/change.ts';
import { openEventStream } from '../support/event-stream.ts';
import { transactionBody } from '../support/service.ts';
import {
  type DashboardService,
  GUILD,
  NO_GUILD,
  OTHER_GUILD,
  type SignedInBrowser,
} from './dashboard-service.ts';
import { createPoster, guildPath, type Post, type Poster, playerPath, readData } from './ledger-pages.ts';

const MEMO = { chatId: '104', playerId: 'player of memo', username: 'Memo the Member' };
const PAST = { playerId: 'past player', username: 'Memo of Old' };
const PAYEE = { chatId: '9104', playerId: 'player of payee', username: 'Petra the Payee' };
const LIVE_MS = 5 * 60_000;

/** Who posted a transaction and its number in the guild are hidden from the holder of the account. */
const asOwn = (row: { postedBy: { kind: string } }) => ({
  ...row,
  postedBy: { kind: row.postedBy.kind, id: null, name: null, prefix: null },
  number: null,
});

/** The account of a verified member without a role, on one store. */
export function describeOwnAccount(start: () => Promise<DashboardService>): void {
  let service: DashboardService;
  let olga: SignedInBrowser;
  let memo: SignedInBrowser;
  let poster: Poster;

  const verify = (...people: (typeof MEMO & { pastUsers?: (typeof PAST)[] })[]) =>
    service.store.verifications.put(people, changeAt(service.clock.nowMs()));
  const postTo = ({ playerId }: typeof MEMO, post: Post = {}) => poster.post({ ...post, playerId });
  const setSwitch = (ownAccounts: boolean) => olga.change('PUT', guildPath('/settings'), { ownAccounts });
  const own = (rest = '') => guildPath(`/me${rest}`);
  const refusal = async (browser = memo, rest = '') => {
    const reply = await browser.go(own(rest));
    return [reply.status, reply.text];
  };
  const watch = (headers: Record<string, string> = {}) => {
    const cookie = Array.from(memo.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    return openEventStream(new URL(own('/events'), service.address), { cookie, ...headers });
  };

  beforeAll(async () => {
    service = await start();
    olga = await service.signIn('olga');
    poster = await createPoster(service);
    await verify({ ...MEMO, pastUsers: [PAST] }, PAYEE);
    for (let index = 1; index <= 6; index += 1) {
      await postTo(MEMO, { name: `Reward ${index}`, amount: index * 10, source: `raid ${index % 2}` });
      await postTo(PAYEE, { name: 'Secret reward', source: 'hidden source' });
    }
    const payment = { fromPlayerId: MEMO.playerId, toPlayerId: PAYEE.playerId, amount: 5 };
    await service.send({
      method: 'POST',
      url: '/guild/payments',
      key: poster.key,
      payload: { ...payment, name: 'Potion', source: 'market', reference: 'order 7' },
    });
    const correction = { name: 'Bonus', quantity: 1, amount: 2.5 };
    await olga.change('POST', playerPath(MEMO.playerId, '/transactions'), correction);
    memo = await service.signIn('memo');
  });
  afterAll(() => service.stop());

  describe('a verified member without a role', () => {
    test('has the guild in their list, with nothing that they may do there', async () => {
      const { data } = await readData(memo, '/dashboard/api/guilds', GuildsReply);
      expect(data).toEqual([
        expect.objectContaining({
          guildId: GUILD,
          role: null,
          hasOwnAccount: true,
          may: [],
          state: 'ready',
          plan: null,
          planUntil: null,
        }),
      ]);
    });

    test('sees the balance, the verification and the past accounts', async () => {
      const { data } = await readData(memo, own(), OwnAccountReply);
      expect(data).toMatchObject({ ...MEMO, balance: '207.5', transactions: 8, pastUsers: [PAST] });
      expect(data.sources.toSorted()).toEqual(['dashboard', 'market', 'raid 0', 'raid 1']);
    });

    test.each([
      ['/transactions', PlayerTransactionsReply],
      ['/transactions?limit=3&page=2&sortBy=total&sortOrder=asc', PlayerTransactionsReply],
      ['/transactions?from=raid%201&minAmount=20', PlayerTransactionsReply],
    ])('lists what the ledger has of the account: %s', async (query, schema) => {
      const mine = await readData(memo, own(query), schema);
      const theirs = await readData(olga, playerPath(MEMO.playerId, query), schema);
      expect(mine.pagination).toEqual(theirs.pagination);
      expect(mine.data.transactions).toEqual(theirs.data.transactions.map(asOwn));
      expect(mine.data.transactions.length).toBeGreaterThan(0);
    });

    test('gets the same sums, statement and balance on a date', async () => {
      const since = new Date(service.clock.nowMs() - 1_000).toISOString();
      for (const query of ['', `?since=${since}`]) {
        const mine = await readData(memo, own(`/activity${query}`), PlayerActivityReply);
        const theirs = await readData(
          olga,
          playerPath(MEMO.playerId, `/activity${query}`),
          PlayerActivityReply,
        );
        expect(mine.data).toEqual({ ...theirs.data, moves: theirs.data.moves.map(asOwn) });
        const bill = await readData(memo, own(`/statement${query}`), StatementReply);
        const all = await readData(olga, playerPath(MEMO.playerId, `/statement${query}`), StatementReply);
        expect(bill.data).toEqual({ ...all.data, transactions: all.data.transactions.map(asOwn) });
      }
      const at = `/balance?at=${since}`;
      expect(await readData(memo, own(at), BalanceReply)).toEqual(
        await readData(olga, playerPath(MEMO.playerId, at), BalanceReply),
      );
    });

    test('downloads the statement as the guild does, and transactions without who posted them', async () => {
      const statement = await memo.go(own('/statement.csv'));
      expect(statement.text).toBe((await olga.go(playerPath(MEMO.playerId, '/statement.csv'))).text);
      const file = await memo.go(own('/transactions.csv?from=market'));
      const [header = '', row = ''] = file.text.trim().split(/\r?\n/);
      expect(header).toMatch(/postedBy,username,postedByName$/);
      expect(row).toMatch(/,key,Memo the Member,$/);
    });

    test('sees their own side of a payment and nothing of the other', async () => {
      const { data } = await readData(memo, own('/transactions?from=market'), PlayerTransactionsReply);
      const [side] = data.transactions;
      expect(side).toMatchObject({ total: -5, reference: 'order 7', paymentId: expect.any(String) });
      expect(side.postedBy).toEqual({ kind: 'key', id: null, name: null, prefix: null });
      const one = await readData(memo, own(`/transactions/${side.transactionId}`), TransactionDetailsReply);
      expect(one.data).toEqual(side);
      const { transactions } = (await olga.go(guildPath('/transactions?from=market'))).body.data;
      const other = transactions.find(({ playerId }: typeof PAYEE) => playerId === PAYEE.playerId);
      const absent = await memo.go(own('/transactions/01890000-0000-7000-8000-000000000000'));
      const theirs = await memo.go(own(`/transactions/${other.transactionId}`));
      expect(absent.body).toEqual({ success: true, data: null });
      expect([theirs.status, theirs.text]).toEqual([200, absent.text]);
      const receipt = await memo.go(own(`/transactions/${other.transactionId}/receipt`));
      expect([receipt.status, receipt.body.code]).toEqual([404, 'transaction_not_found']);
    });

    test('is named as the poster of what they posted themselves', async () => {
      await olga.change('PUT', guildPath('/roles/people/104'), { role: 'treasurer' });
      const order = { name: 'By hand', quantity: 1, amount: 1 };
      const posted = await memo.change('POST', playerPath(MEMO.playerId, '/transactions'), order);
      expect(posted.status).toBe(200);
      await olga.change('DELETE', guildPath('/roles/people/104'));
      const { transactionId } = posted.body.data;
      const { data } = await readData(memo, own(`/transactions/${transactionId}`), TransactionDetailsReply);
      expect(data.postedBy).toMatchObject({ kind: 'user', id: MEMO.chatId });
    });

    test('gets the sealed receipt of a transaction', async () => {
      const sealer = sealerOf(service.store);
      await sealer.keys.read();
      const { data } = await readData(memo, own('/transactions?limit=1'), PlayerTransactionsReply);
      const { transactionId } = data.transactions[0];
      const early = await memo.go(own(`/transactions/${transactionId}/receipt`));
      expect([early.status, early.body.code]).toEqual([409, 'not_sealed_yet']);
      await sealer.seal();
      const { receipt } = (await memo.go(own(`/transactions/${transactionId}/receipt`))).body.data;
      expect(await verifyReceipt(receipt, receipt.verifierKey)).toMatchObject({
        transaction: { transactionId, playerId: MEMO.playerId },
      });
    });

    test('is told of their own transactions, by their numbers in the account, and of nothing else', async () => {
      const stream = await watch();
      const { transactions } = (await memo.go(own())).body.data;
      await postTo(PAYEE);
      await olga.change('PUT', guildPath('/settings'), { currencyName: 'Unseen' });
      await postTo(MEMO);
      expect(await stream.until(1)).toEqual({
        id: String(transactions + 1),
        event: 'transactions',
        data: { count: 1, playerIds: [MEMO.playerId] },
      });
      stream.close();
      await postTo(PAYEE);
      await postTo(MEMO);
      const resumed = await watch({ 'last-event-id': String(transactions + 1) });
      expect(await resumed.until(1)).toMatchObject({ id: String(transactions + 2), data: { count: 1 } });
      // More than an event names.
      const { playerId } = PAYEE;
      const many = Array.from({ length: 101 }, () => transactionBody({ playerId }));
      for (const transactions of [many.slice(0, 100), many.slice(100)]) {
        const payload = { transactions, mode: 'all' };
        await service.send({ method: 'POST', url: '/guild/transactions', key: poster.key, payload });
      }
      await postTo(MEMO);
      expect(await resumed.until(2)).toMatchObject({ id: String(transactions + 3), data: { count: 1 } });
      expect(resumed.all().map(({ event }) => event)).not.toContain('changes');
    });
  });

  describe('it is closed', () => {
    test('to members who are not verified, and to people who are not members, as an unknown guild is', async () => {
      const elsewhere = await service.signIn('otto');
      await verify({ chatId: '106', playerId: 'player of otto', username: 'Otto' });
      expect(await refusal(elsewhere)).toEqual([404, NO_GUILD]);
      const adam = await service.signIn('adam');
      expect(await refusal(adam)).toEqual([404, NO_GUILD]);
      expect((await memo.go(guildPath('/me', OTHER_GUILD))).text).toBe(NO_GUILD);
      const { data } = (await elsewhere.go('/dashboard/api/guilds')).body;
      expect(data).toMatchObject([{ guildId: OTHER_GUILD, role: 'manager', hasOwnAccount: true }]);
    });

    test('at once when the guild switches it off, with its stream, and opened again', async () => {
      const stream = await watch();
      expect((await setSwitch(false)).body.data.ownAccounts).toBe(false);
      expect(await refusal()).toEqual([404, NO_GUILD]);
      expect(await refusal(memo, '/transactions.csv')).toEqual([404, NO_GUILD]);
      expect((await memo.go('/dashboard/api/guilds')).body.data).toEqual([]);
      await stream.untilEnded();
      const log = await olga.go(guildPath('/audit?kind=guild&limit=1'));
      expect(log.body.data.entries).toMatchObject([
        { actor: { id: '101' }, detail: { before: { ownAccounts: true }, after: { ownAccounts: false } } },
      ]);
      await setSwitch(true);
      expect((await memo.go(own())).status).toBe(200);
    });

    test('at once when the verification is removed, and no event follows', async () => {
      const stream = await watch();
      await service.store.verifications.delete(MEMO.chatId, changeAt(service.clock.nowMs()));
      expect(await refusal()).toEqual([404, NO_GUILD]);
      await postTo(MEMO);
      await stream.untilEnded();
      expect(stream.all()).toEqual([]);
      await verify({ ...MEMO, pastUsers: [PAST] });
      expect((await memo.go(own())).status).toBe(200);
    });

    test('for the old game account when another one is verified, which is empty at first', async () => {
      const stream = await watch();
      await verify({ ...MEMO, playerId: 'new player', username: 'Memo Anew' });
      const { data } = await readData(memo, own(), OwnAccountReply);
      expect(data).toMatchObject({ playerId: 'new player', balance: '0', transactions: 0, sources: [] });
      expect(data.pastUsers.map(({ playerId }: typeof PAST) => playerId)).toContain(MEMO.playerId);
      const { pagination } = await readData(memo, own('/transactions'), PlayerTransactionsReply);
      expect(pagination.total).toBe(0);
      expect((await readData(memo, own('/statement'), StatementReply)).data.closing).toBe('0');
      await postTo(MEMO);
      await stream.untilEnded();
      expect(stream.all()).toEqual([]);
      await verify({ ...MEMO, pastUsers: [PAST] });
    });

    test('within five minutes when the person has left the guild', async () => {
      const person = service.platform.people.find(({ username }) => username === 'memo');
      const left = person?.guilds.splice(0) ?? [];
      service.clock.advance(LIVE_MS);
      expect(await refusal()).toEqual([404, NO_GUILD]);
      person?.guilds.push(...left);
    });
  });
}
