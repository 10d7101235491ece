import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TESTER } from '../support/change.ts';
import { answering } from '../support/chat-platform.ts';
import {
  type DashboardService,
  GUILD,
  PLANLESS_GUILD,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';
import { createPoster, guildPath, playerPath } from './ledger-pages.ts';

let service: DashboardService;
let olga: SignedInBrowser;
let players = 0;
let playerId: string;

beforeAll(async () => {
  service = await startDashboardService();
  olga = await service.signIn('olga');
});
afterAll(() => service.stop());
beforeEach(() => {
  players += 1;
  playerId = `player-${players}`;
  service.platform.setFault(undefined);
});

const CORRECTION = { name: 'Counted anew', quantity: 2, amount: 1.25 };
const correct = (body: object = CORRECTION, browser = olga) =>
  browser.change('POST', playerPath(playerId, '/transactions'), body);
const logOf = async () => service.store.audit.list(await service.guilds.find(GUILD), { limit: 5 });
const countTransactions = () =>
  Number(service.db.prepare('SELECT count(*) AS count FROM ledger_transaction').get()?.count);

describe('a correction', () => {
  test('is posted like any other, in the name of the person, and logged', async () => {
    const reply = await correct();
    expect(reply.status).toBe(200);
    const { transactionId } = reply.body.data;
    expect(reply.body).toEqual({
      success: true,
      message: 'Transaction Posted (deposit)',
      type: 'deposit',
      data: { transactionId, balance: '2.5' },
    });
    const listed = (await olga.go(playerPath(playerId, '/transactions'))).body.data.transactions;
    expect(listed).toMatchObject([
      { ...CORRECTION, total: 2.5, source: 'dashboard', postedBy: { kind: 'user', id: '101', name: 'olga' } },
    ]);
    expect((await logOf())[0]).toMatchObject({
      actor: { kind: 'user', id: '101' },
      action: 'create',
      subjectKind: 'transaction',
      subjectId: transactionId,
      createdAtMs: service.clock.nowMs(),
      detail: { after: { playerId, name: 'Counted anew', quantity: 2, amount: '1.25', total: '2.5' } },
    });
    const { key } = await createPoster(service);
    const url = `/guild/ledger/${playerId}/transactions`;
    const asked = await service.send({ method: 'GET', url, key });
    expect(asked.body.data.transactions).toMatchObject([{ transactionId, source: 'dashboard' }]);
  });

  test('names the transaction that it corrects, which has to be one of the guild', async () => {
    const wrong = (await correct()).body.data.transactionId;
    const reply = await correct({ ...CORRECTION, amount: -1, corrects: wrong });
    expect(reply.status).toBe(200);
    const listed = (await olga.go(playerPath(playerId, '/transactions'))).body.data.transactions;
    expect(listed).toMatchObject([{ metadata: { corrects: wrong } }, { metadata: null }]);
    const correction = { transactionId: reply.body.data.transactionId, total: '-2' };
    expect(listed).toMatchObject([{ corrections: [] }, { corrections: [correction] }]);
    const again = await correct({ ...CORRECTION, corrects: wrong });
    const one = (await olga.go(guildPath(`/transactions/${wrong}`))).body.data;
    expect(one.corrections).toEqual([
      { transactionId: again.body.data.transactionId, total: '2.5' },
      correction,
    ]);
    expect((await logOf())[0]?.detail.after).toMatchObject({ corrects: wrong });
    const before = countTransactions();
    for (const corrects of ['01890000-0000-7000-8000-000000000000', 'no-uuid']) {
      const refused = await correct({ ...CORRECTION, corrects });
      expect([refused.status, refused.body.message]).toEqual([404, 'Transaction not found']);
    }
    expect((await correct({ ...CORRECTION, corrects: 5 })).status).toBe(400);
    expect(countTransactions()).toBe(before);
  });

  test('that would take the balance below zero is posted only when that was confirmed', async () => {
    await correct();
    const before = { rows: countTransactions(), log: await logOf() };
    const refused = await correct({ ...CORRECTION, amount: -1.2501 });
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        success: false,
        message: 'Conflict - the balance would fall below zero, which has to be confirmed',
        code: 'overdraft_unconfirmed',
      },
    ]);
    expect({ rows: countTransactions(), log: await logOf() }).toEqual(before);
    expect((await correct({ ...CORRECTION, amount: -1.25 })).body.data.balance).toBe('0');
    const confirmed = await correct({ ...CORRECTION, amount: -1, overdraft: true });
    expect(confirmed.body.data.balance).toBe('-2');
    // A deposit is welcome, however far below zero the account still is.
    expect((await correct({ ...CORRECTION, amount: 0.5 })).body.data.balance).toBe('-1');
  });

  test('may take away, and says so', async () => {
    const reply = await correct({ ...CORRECTION, amount: -3, withdrawal: true, overdraft: true });
    expect(reply.body).toMatchObject({
      message: 'Transaction Posted (withdrawal)',
      type: 'withdrawal',
      data: { balance: '-6' },
    });
  });

  test('takes no source from outside', async () => {
    await correct({ ...CORRECTION, source: 'shop', playerId: 'other' });
    const listed = (await olga.go(playerPath(playerId, '/transactions'))).body.data.transactions;
    expect(listed).toMatchObject([{ source: 'dashboard', playerId }]);
  });

  const RULES: [object, string][] = [
    [{ name: undefined }, 'Bad request - missing required fields'],
    [{ amount: null }, 'Bad request - missing required fields'],
    [{ name: ' ' }, 'Bad request - missing required fields'],
    [{ quantity: 0 }, 'Bad request - quantity must be an integer of at least 1'],
    [{ quantity: 1.5 }, 'Bad request - quantity must be an integer of at least 1'],
    [{ amount: '1' }, 'Bad request - amount must be a number'],
    [{ amount: 0 }, 'Bad request - amount must not be zero'],
    [{ amount: 0.00001 }, 'Bad request - amount must have at most 4 decimal places'],
    [{ amount: 1e15 }, 'Bad request - amount is out of range'],
    [
      { amount: -1, deposit: true },
      'Explicit deposit flag conflicts with negative amount (potential exploit detected)',
    ],
    [
      { amount: 1, withdrawal: true },
      'Explicit withdrawal flag conflicts with positive amount (potential exploit detected)',
    ],
  ];
  test.each(RULES)(
    'with %j is refused in the words of the interface, and leaves no trace',
    async (spoilt, message) => {
      const before = { rows: countTransactions(), log: await logOf() };
      const reply = await correct({ ...CORRECTION, ...spoilt });
      expect(reply.status).toBe(400);
      expect(reply.body).toMatchObject({ success: false, message });
      const { key } = await createPoster(service);
      const payload = { ...CORRECTION, playerId, source: 'shop', ...spoilt };
      const asked = await service.send({ method: 'POST', url: '/guild/ledger', key, payload });
      expect(asked.body.message).toBe(message);
      expect(countTransactions()).toBe(before.rows);
      expect((await logOf())[1]).toEqual(before.log[0]);
    },
  );

  test('does not overdraw where the guild forbids it', async () => {
    await service.guilds.set({ guildId: GUILD, overdraftAllowed: false }, TESTER);
    const reply = await correct({ ...CORRECTION, amount: -1 });
    await service.guilds.set({ guildId: GUILD, overdraftAllowed: true }, TESTER);
    expect(reply.status).toBe(400);
    expect(reply.body.message).toBe('Bad request - the balance does not cover this withdrawal');
  });

  test('repeated with its idempotency key posts and logs nothing again', async () => {
    const send = (body: object, key: string) =>
      olga.go(playerPath(playerId, '/transactions'), {
        method: 'POST',
        json: body,
        headers: { origin: service.address, 'x-csrf-token': olga.csrfToken, 'idempotency-key': key },
      });
    const first = await send(CORRECTION, 'again');
    const rows = countTransactions();
    const log = await logOf();
    const second = await send(CORRECTION, 'again');
    expect(second.text).toBe(first.text);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(countTransactions()).toBe(rows);
    expect(await logOf()).toEqual(log);
    const other = await send({ ...CORRECTION, amount: 2 }, 'again');
    expect(other.status).toBe(422);
    expect((await send(CORRECTION, 'x'.repeat(256))).status).toBe(400);
  });

  test('may be made in a guild without a plan', async () => {
    const pia = await service.signIn('pia');
    const path = guildPath(`/players/${playerId}/transactions`, PLANLESS_GUILD);
    expect((await pia.change('POST', path, CORRECTION)).status).toBe(200);
  });
});

describe('a correction is refused', () => {
  test('without the CSRF token, with a wrong one, and from another site', async () => {
    const path = playerPath(playerId, '/transactions');
    const send = (headers: Record<string, string>) =>
      olga.go(path, { method: 'POST', json: CORRECTION, headers });
    const { address: origin } = service;
    const token = olga.csrfToken;
    expect((await send({ origin })).body.message).toBe('Forbidden - missing or wrong CSRF token');
    expect((await send({ origin, 'x-csrf-token': 'x' })).status).toBe(403);
    expect((await send({ 'x-csrf-token': token })).body.message).toBe('Forbidden - cross-site request');
    expect((await send({ origin: 'https://elsewhere.example', 'x-csrf-token': token })).status).toBe(403);
    expect((await olga.go(playerPath(playerId))).body.data.transactions).toBe(0);
  });

  /** Changes the permissions that the platform reports for somebody. */
  function setRights(username: string, permissions: string): void {
    const person = service.platform.people.find((one) => one.username === username);
    Object.assign(person?.guilds[0] ?? {}, { permissions });
  }

  test('when the platform says that the person manages the guild no more, and from then on every page is', async () => {
    const mara = await service.signIn('mara');
    expect((await correct(CORRECTION, mara)).status).toBe(200);
    setRights('mara', '0');
    const rows = countTransactions();
    const refused = await correct(CORRECTION, mara);
    expect(refused.status).toBe(403);
    expect(refused.body.message).toBe('Forbidden - you do not manage this guild');
    expect(countTransactions()).toBe(rows);
    expect((await mara.go(playerPath(playerId))).status).toBe(404);
    expect((await correct(CORRECTION, mara)).status).toBe(404);
    setRights('mara', '32');
  });

  test('when the platform does not answer, while the pages go on', async () => {
    const adam = await service.signIn('adam');
    service.platform.setFault(answering('/users/@me/guilds', 503, '{}'));
    const refused = await correct(CORRECTION, adam);
    expect(refused.status).toBe(503);
    expect(refused.body.message).toMatch(/^Service unavailable - the chat platform does not answer/);
    expect((await adam.go(playerPath(playerId))).body.data.transactions).toBe(0);
    service.platform.setFault(undefined);
    expect((await correct(CORRECTION, adam)).status).toBe(200);
  });
});
