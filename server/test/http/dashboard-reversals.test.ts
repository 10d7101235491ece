import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TESTER } from '../support/change.ts';
import {
  type DashboardService,
  GUILD,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';
import { createPoster, guildPath, playerPath } from './ledger-pages.ts';

let service: DashboardService;
let olga: SignedInBrowser;
let post: Awaited<ReturnType<typeof createPoster>>['post'];
let key: string;

beforeAll(async () => {
  service = await startDashboardService();
  olga = await service.signIn('olga');
  await service.guilds.set({ guildId: GUILD, overdraftAllowed: false }, TESTER);
  ({ post, key } = await createPoster(service));
});
afterAll(() => service.stop());

const reverse = (transactionId: string, body: object = {}) =>
  olga.change('POST', guildPath(`/transactions/${transactionId}/reversal`), body);
const logOf = async () => service.store.audit.list(await service.guilds.find(GUILD), { limit: 5 });
const listOf = async (playerId: string) =>
  (await olga.go(playerPath(playerId, '/transactions'))).body.data.transactions;

describe('a reversal in the dashboard', () => {
  test('is posted in the name of the person, linked both ways and logged; a second one is refused', async () => {
    const transactionId = await post({ playerId: 'a', amount: 2.5, quantity: 2 });
    const reply = await reverse(transactionId, { reason: 'Paid twice' });
    expect(reply.status).toBe(200);
    const [reversalId] = reply.body.data.transactionIds;
    expect(await listOf('a')).toMatchObject([
      {
        transactionId: reversalId,
        amount: -2.5,
        reverses: transactionId,
        metadata: { reason: 'Paid twice' },
        postedBy: { kind: 'user', name: 'olga' },
      },
      { transactionId, reversedBy: reversalId },
    ]);
    expect((await logOf())[0]).toMatchObject({
      actor: { kind: 'user', id: '101' },
      subjectId: reversalId,
      detail: { after: { reverses: transactionId } },
    });
    const second = await reverse(transactionId);
    expect([second.status, second.body.code]).toEqual([409, 'already_reversed']);
    expect((await reverse('01890000-0000-7000-8000-000000000000')).status).toBe(404);
  });

  test('that the balance does not cover is refused, unless it is forced, which the log says', async () => {
    const transactionId = await post({ playerId: 'b', amount: 5, quantity: 1 });
    await post({ playerId: 'b', amount: -4, quantity: 1 });
    const refused = await reverse(transactionId);
    expect([refused.status, refused.body.code]).toEqual([409, 'insufficient_funds']);
    expect((await reverse(transactionId, { force: true })).status).toBe(200);
    expect((await olga.go(playerPath('b'))).body.data.balance).toBe('-4');
    expect((await logOf())[0]?.detail.after).toMatchObject({ forced: true });
  });

  test('of one side of a payment takes the other one along', async () => {
    await post({ playerId: 'c', amount: 5, quantity: 1 });
    const paid = await service.send({
      method: 'POST',
      url: '/guild/payments',
      key,
      payload: { fromPlayerId: 'c', toPlayerId: 'd', amount: 5, name: 'Bet', source: 'chat' },
    });
    const { from, to } = paid.body.data;
    const reply = await reverse(to.transactionId);
    expect(reply.body.data.transactionIds).toHaveLength(2);
    expect((await listOf('c'))[1]).toMatchObject({
      transactionId: from.transactionId,
      reversedBy: expect.any(String),
    });
    expect((await olga.go(playerPath('d'))).body.data.balance).toBe('0');
  });

  test('of several is all or none, takes the other sides of payments along, and is logged one by one', async () => {
    const [first, second] = [
      await post({ playerId: 'f', amount: 5 }),
      await post({ playerId: 'f', amount: 2 }),
    ];
    await post({ playerId: 'f', amount: 3 });
    const paid = await service.send({
      method: 'POST',
      url: '/guild/payments',
      key,
      payload: { fromPlayerId: 'f', toPlayerId: 'g', amount: 1, name: 'Bet', source: 'chat' },
    });
    const { from, to } = paid.body.data;
    const reverseAll = (transactionIds: unknown, more = {}) =>
      olga.change('POST', guildPath('/transactions/reversals'), { transactionIds, ...more });
    const before = (await olga.go(playerPath('f'))).body.data;
    const missing = await reverseAll([first, '01890000-0000-7000-8000-000000000000']);
    expect([missing.status, missing.body.code]).toEqual([404, 'transaction_not_found']);
    expect((await reverseAll([])).status).toBe(400);
    expect((await reverseAll(Array.from({ length: 101 }, () => first))).status).toBe(400);
    expect((await olga.go(playerPath('f'))).body.data).toEqual(before);

    const reply = await reverseAll([first, second, to.transactionId], { reason: 'Wrong day' });
    expect(reply.status).toBe(200);
    expect(reply.body.data.transactionIds).toHaveLength(4);
    expect((await olga.go(playerPath('f'))).body.data.balance).toBe('3');
    const reversed = (await listOf('f')).filter(
      ({ reversedBy }: { reversedBy: unknown }) => reversedBy !== null,
    );
    expect(reversed.map(({ transactionId }: { transactionId: string }) => transactionId).sort()).toEqual(
      [first, second, from.transactionId].sort(),
    );
    const logged = (await logOf()).slice(0, 4).map(({ detail }) => detail.after?.reverses);
    expect(logged.sort()).toEqual([first, second, from.transactionId, to.transactionId].sort());
    const again = await reverseAll([first]);
    expect([again.status, again.body.code]).toEqual([409, 'already_reversed']);
  });
});

describe('the lowest balance of an account', () => {
  test('is set, shown, kept to and taken away, and every change is logged', async () => {
    await post({ playerId: 'e', amount: 1, quantity: 1 });
    const set = (floor: number | null) => olga.change('PUT', playerPath('e', '/floor'), { floor });
    expect((await set(-2.5)).status).toBe(200);
    expect((await olga.go(playerPath('e'))).body.data.floor).toBe('-2.5');
    expect((await logOf())[0]).toMatchObject({
      subjectKind: 'account',
      subjectId: 'e',
      detail: { before: { floor: null }, after: { floor: '-2.5' } },
    });
    await post({ playerId: 'e', amount: -3.5, quantity: 1 });
    expect((await set(null)).status).toBe(200);
    expect((await olga.go(playerPath('e'))).body.data).toMatchObject({ floor: null, balance: '-2.5' });
    expect((await set(0.00001)).status).toBe(400);
    const unknown = await olga.change('PUT', playerPath('nobody', '/floor'), { floor: 1 });
    expect([unknown.status, unknown.body.message]).toEqual([404, 'Account not found']);
  });
});
