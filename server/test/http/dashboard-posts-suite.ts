import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DashboardPaymentReply, PostsReply, RecipientsReply } from '../../src/wire/dashboard-posts.ts';
import { createValidate } from '../../src/wire/validation.ts';
import { TESTER } from '../support/change.ts';
import { invite } from './dashboard-people.ts';
import { type DashboardService, GUILD, PLANLESS_GUILD, type SignedInBrowser } from './dashboard-service.ts';
import { guildPath, playerPath } from './ledger-pages.ts';

interface Line {
  playerId: string;
  amount: number;
  name?: string;
  quantity?: number;
}

/** Posts by hand, payments and the search for their people, on one store. */
export function describeDashboardPosts(start: () => Promise<DashboardService>): void {
  let service: DashboardService;
  let olga: SignedInBrowser;
  let players = 0;

  beforeAll(async () => {
    service = await start();
    olga = await service.signIn('olga');
  });
  beforeEach(async () => {
    // Limits are not the point here.
    service.clock.advance(60_000);
    await service.guilds.set({ guildId: GUILD, overdraftAllowed: true }, TESTER);
  });
  afterAll(() => service.stop());

  /** A player whom no other test knows. */
  const somebody = () => {
    players += 1;
    return `player-${players}`;
  };
  const send = (path: string, body: object, key?: string, browser = olga) =>
    browser.go(guildPath(path), {
      method: 'POST',
      json: body,
      headers: {
        origin: service.address,
        'x-csrf-token': browser.csrfToken,
        ...(key !== undefined && { 'idempotency-key': key }),
      },
    });
  const post = (lines: Line[], { key, overdraft }: { key?: string; overdraft?: boolean } = {}) => {
    const transactions = lines.map((line) => ({ name: 'Prize', quantity: 1, ...line }));
    return send('/transactions', { transactions, ...(overdraft && { overdraft }) }, key);
  };
  const pay = (body: object, key?: string) => send('/payments', { name: 'Bet', ...body }, key);
  const find = async (...texts: string[]) => (await send('/recipients', { texts })).body.data.found;
  const balanceOf = async (playerId: string) => (await olga.go(playerPath(playerId))).body.data.balance;
  const listOf = async (playerId: string) =>
    (await olga.go(playerPath(playerId, '/transactions'))).body.data.transactions;
  const logOf = async (limit: number) =>
    service.store.audit.list(await service.guilds.find(GUILD), { limit, subjectKind: 'transaction' });
  const faultOf = ({ status, body }: { status: number; body: { code: string; data?: object } }) => [
    status,
    body.code,
    body.data,
  ];

  describe('transactions that a person posts', () => {
    test('have their exact amounts, the person as poster, the source dashboard and an audit entry each', async () => {
      const [one, two] = [somebody(), somebody()];
      const reply = await post([
        { playerId: one, amount: 0.0001, quantity: 3 },
        { playerId: two, amount: 7.25, name: 'Event' },
        { playerId: one, amount: -0.0002 },
      ]);
      expect(createValidate(PostsReply)(structuredClone(reply.body))).toBeUndefined();
      const posted: { transactionId: string; balance: string }[] = reply.body.data.transactions;
      expect(posted.map(({ balance }) => balance)).toEqual(['0.0003', '7.25', '0.0001']);
      const by = { source: 'dashboard', postedBy: { kind: 'user', id: '101', name: 'olga' } };
      expect(await listOf(two)).toMatchObject([{ ...by, name: 'Event', total: 7.25 }]);
      expect(await listOf(one)).toMatchObject([{ ...by, total: -0.0002 }, by]);
      const log = await logOf(3);
      expect(log.map(({ actor }) => actor)).toEqual(Array(3).fill({ kind: 'user', id: '101' }));
      expect(new Set(log.map(({ subjectId }) => subjectId))).toEqual(
        new Set(posted.map(({ transactionId }) => transactionId)),
      );
      expect(log.map(({ detail }) => detail.after?.total)).toEqual(
        expect.arrayContaining(['7.25', '0.0003']),
      );
    });

    test('are posted once when they are sent again or twice at once; other ones with the key are refused', async () => {
      const [one, two] = [somebody(), somebody()];
      const lines = [
        { playerId: one, amount: 5 },
        { playerId: two, amount: 5 },
      ];
      const replies = await Promise.all([post(lines, { key: 'twice' }), post(lines, { key: 'twice' })]);
      const again = await post(lines, { key: 'twice' });
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      expect(new Set([...replies, again].map(({ text }) => text)).size).toBe(1);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect([await balanceOf(one), await balanceOf(two)]).toEqual(['5', '5']);
      const other = await post([...lines].reverse(), { key: 'twice' });
      expect(faultOf(other)).toEqual([422, 'idempotency_mismatch', undefined]);
    });

    test('that empty an account are answered the same way when they are sent again', async () => {
      const one = somebody();
      await post([{ playerId: one, amount: 5 }]);
      const take = () => post([{ playerId: one, amount: -5 }], { key: `empty ${one}` });
      const first = await take();
      expect([first.status, (await take()).text]).toEqual([200, first.text]);
      expect(await balanceOf(one)).toBe('0');
    });

    test('are refused whole when one would fall below its floor, and leave nothing, not even in the log', async () => {
      const [one, two, three] = [somebody(), somebody(), somebody()];
      await post([one, two, three].map((playerId) => ({ playerId, amount: 5 })));
      await olga.change('PUT', playerPath(two, '/floor'), { floor: 1 });
      const before = await logOf(1);
      const fee = [one, two, three].map((playerId) => ({ playerId, amount: -4.5 }));
      for (const overdraft of [false, true]) {
        const refused = await post(fee, { key: `fee ${one}`, overdraft });
        expect(faultOf(refused)).toEqual([409, 'insufficient_funds', { position: 1 }]);
        expect(refused.body.message).toMatch(/\(transactions\[1\]\)$/);
      }
      expect(await Promise.all([one, two, three].map(balanceOf))).toEqual(['5', '5', '5']);
      expect(await logOf(1)).toEqual(before);
      // A refused request leaves its key free.
      expect((await post(fee.toSpliced(1, 1), { key: `fee ${one}` })).status).toBe(200);
    });

    test('need a confirmation where a balance falls below zero, and the guild’s rule is never lifted by one', async () => {
      const [one, two] = [somebody(), somebody()];
      await post([one, two].map((playerId) => ({ playerId, amount: 1 })));
      const lines = [
        { playerId: one, amount: -1 },
        { playerId: two, amount: -2 },
      ];
      expect(faultOf(await post(lines))).toEqual([409, 'overdraft_unconfirmed', { position: 1 }]);
      // Two withdrawals from one account count together.
      const both = [lines[0], { playerId: one, amount: -0.5 }].flatMap((line) => line ?? []);
      expect(faultOf(await post(both))).toEqual([409, 'overdraft_unconfirmed', { position: 1 }]);
      await service.guilds.set({ guildId: GUILD, overdraftAllowed: false }, TESTER);
      const forbidden = await post(lines, { overdraft: true });
      expect(faultOf(forbidden)).toEqual([409, 'insufficient_funds', { position: 1 }]);
      await service.guilds.set({ guildId: GUILD, overdraftAllowed: true }, TESTER);
      expect((await post(lines, { overdraft: true })).status).toBe(200);
      expect(await balanceOf(two)).toBe('-1');
    });

    test('are as many as a thousand in one commit, and no more', async () => {
      const name = somebody();
      const lines = Array.from({ length: 1_001 }, (_, index) => ({
        playerId: `${name}-${index}`,
        amount: 1.5,
      }));
      expect((await post(lines)).status).toBe(400);
      const reply = await post(lines.slice(1), { key: name });
      expect([reply.status, reply.body.data.transactions.length]).toEqual([200, 1_000]);
      expect((await post(lines.slice(1), { key: name })).text).toBe(reply.text);
      expect(await balanceOf(`${name}-1000`)).toBe('1.5');
    });

    test('are refused when they are no transactions, with the place of the fault', async () => {
      const playerId = somebody();
      const good = { playerId, amount: 1 };
      for (const bad of [
        { amount: 0.00001 },
        { amount: 0 },
        { quantity: 0 },
        { name: '' },
        { playerId: '' },
      ]) {
        const refused = await post([good, { ...good, ...bad }]);
        expect(refused.status, JSON.stringify(bad)).toBe(400);
        expect(refused.body.message).toContain('transactions[1]');
      }
      expect((await post([])).status).toBe(400);
      expect(await balanceOf(playerId)).toBe('0');
    });
  });

  describe('a payment', () => {
    test('takes from one and gives to the other, linked and logged, once', async () => {
      const [from, to] = [somebody(), somebody()];
      await post([{ playerId: from, amount: 10 }]);
      const order = { fromPlayerId: from, toPlayerId: to, amount: 10 };
      const reply = await pay(order, `pay ${from}`);
      expect(createValidate(DashboardPaymentReply)(structuredClone(reply.body))).toBeUndefined();
      expect(reply.body.data).toMatchObject({ from: { balance: '0' }, to: { balance: '10' } });
      const { paymentId } = reply.body.data;
      expect((await pay(order, `pay ${from}`)).text).toBe(reply.text);
      const shared = { paymentId, source: 'dashboard', postedBy: { kind: 'user', name: 'olga' } };
      expect(await listOf(to)).toMatchObject([{ ...shared, total: 10 }]);
      expect((await listOf(from))[0]).toMatchObject({ ...shared, total: -10 });
      expect((await logOf(2)).map(({ actor }) => actor.id)).toEqual(['101', '101']);
    });

    test('is refused to oneself, of nothing, unconfirmed below zero, and below the floor', async () => {
      const [from, to] = [somebody(), somebody()];
      await post([{ playerId: from, amount: 1 }]);
      const order = { fromPlayerId: from, toPlayerId: to, amount: 2 };
      expect((await pay({ ...order, toPlayerId: from, overdraft: true })).status).toBe(400);
      expect((await pay({ ...order, amount: 0 })).status).toBe(400);
      expect((await pay({ ...order, amount: -1 })).status).toBe(400);
      expect(faultOf(await pay(order))).toEqual([409, 'overdraft_unconfirmed', undefined]);
      await olga.change('PUT', playerPath(from, '/floor'), { floor: 0 });
      expect((await pay({ ...order, overdraft: true })).body.code).toBe('insufficient_funds');
      expect([await balanceOf(from), await balanceOf(to)]).toEqual(['1', '0']);
    });
  });

  describe('the people of a list', () => {
    test('are found by id, chat id and name with their balances; unknown and ambiguous ones show', async () => {
      const [one, two] = [somebody(), somebody()];
      await post([
        { playerId: one, amount: 2.5 },
        { playerId: two, amount: 1 },
      ]);
      const people = [
        { chatId: `${one}-chat`, playerId: one, username: 'Twin' },
        { chatId: `${two}-chat`, playerId: two, username: 'TWIN' },
        { chatId: 'far-chat', playerId: 'far', username: 'Far' },
      ];
      await service.store.verifications.put(people, { actor: TESTER, atMs: service.clock.nowMs() });
      await olga.change('PUT', playerPath(one, '/floor'), { floor: -3 });
      const first = { playerId: one, name: 'Twin', chatId: `${one}-chat`, hasAccount: true, balance: '2.5' };
      const found = await find(one, ` ${one}-chat `, 'twin', 'nobody at all', 'far');
      expect(found[0]).toEqual([{ ...first, lowest: '-3' }]);
      expect(found[1]).toEqual(found[0]);
      expect(found[2].map(({ playerId }: { playerId: string }) => playerId).toSorted()).toEqual([one, two]);
      expect(found[3]).toEqual([]);
      expect(found[4]).toMatchObject([{ playerId: 'far', hasAccount: false, balance: '0', lowest: null }]);
      const reply = await send('/recipients', { texts: [one] });
      expect(createValidate(RecipientsReply)(structuredClone(reply.body))).toBeUndefined();
      await service.guilds.set({ guildId: GUILD, overdraftAllowed: false }, TESTER);
      expect((await find(two))[0][0].lowest).toBe('0');
    });

    test('whom only other guilds know are not found without a plan', async () => {
      const pia = await service.signIn('pia');
      const path = guildPath('/recipients', PLANLESS_GUILD);
      const reply = await pia.change('POST', path, { texts: ['far', 'Far', 'far-chat'] });
      expect(reply.body.data.found).toEqual([[], [], []]);
    });
  });

  test('somebody who only reads gets 403 and posts nothing', async () => {
    const playerId = somebody();
    const reader = await invite(service, olga, 'viewer');
    const line = { playerId, name: 'Prize', quantity: 1, amount: 5 };
    for (const [path, body] of [
      ['/transactions', { transactions: [line] }],
      ['/payments', { fromPlayerId: playerId, toPlayerId: 'x', amount: 1, name: 'Bet', overdraft: true }],
      ['/recipients', { texts: [playerId] }],
    ] as const) {
      const refused = await send(path, body, undefined, reader);
      expect(faultOf(refused)).toEqual([403, 'role_required', undefined]);
    }
    expect(await balanceOf(playerId)).toBe('0');
    const treasurer = await invite(service, olga, 'treasurer');
    expect((await send('/transactions', { transactions: [line] }, undefined, treasurer)).status).toBe(200);
  });
}
