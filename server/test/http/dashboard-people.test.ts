import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aDischarge, aTransfer, aVerification, CHANGE } from '../contract/specimens.ts';
import { TESTER } from '../support/change.ts';
import { transactionBody } from '../support/service.ts';
import {
  type DashboardService,
  GUILD,
  OTHER_GUILD,
  PLANLESS_GUILD,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';

let service: DashboardService;
let olga: SignedInBrowser;

const PERSON = aVerification({
  chatId: '9001',
  playerId: 'now',
  username: 'Rowan_Vale',
  pastUsers: [
    { playerId: 'then', username: 'rowan77' },
    { playerId: 'long ago', username: 'Élodie' },
  ],
});

beforeAll(async () => {
  service = await startDashboardService();
  olga = await service.signIn('olga');
  const { store } = service;
  await store.verifications.put([PERSON], CHANGE);
  const guild = await service.guilds.find(GUILD);
  const other = await service.guilds.find(OTHER_GUILD);
  const { value: key } = await service.addKey(GUILD);
  const { value: otherKey } = await service.addKey(OTHER_GUILD);
  const post = (by: string, body: object) =>
    service.send({
      method: 'POST',
      url: '/guild/ledger',
      key: by,
      payload: transactionBody(body as Record<string, unknown>),
    });
  await post(key, { playerId: 'now', amount: 0.0001, quantity: 1 });
  await post(key, { playerId: 'now', amount: -2, quantity: 3 });
  await post(key, { playerId: 'then', amount: 10, quantity: 1 });
  await post(otherKey, { playerId: 'now', amount: 1_000, quantity: 1 });
  const discharges = ['1', '2'].map((id) => aDischarge(guild, { id, playerId: 'then' }));
  await store.discharges.put(guild, discharges, CHANGE);
  await store.transfers.put(guild, [aTransfer(guild, { playerId: 'now' })], CHANGE);
  await store.transfers.put(other, [aTransfer(other, { playerId: 'long ago' })], CHANGE);
});
afterAll(() => service.stop());

const find = (query: string, guildId = GUILD, browser = olga) =>
  browser.go(`/dashboard/api/guilds/${guildId}/verifications?query=${encodeURIComponent(query)}`);

describe('a person', () => {
  test('is found with what this guild, and no other, knows of each account', async () => {
    const reply = await find('9001');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.body).toEqual({
      success: true,
      data: {
        ...PERSON,
        accounts: [
          {
            playerId: 'now',
            username: 'Rowan_Vale',
            isCurrent: true,
            balance: '-5.9999',
            transactions: 2,
            discharges: 0,
            transfers: 1,
          },
          {
            playerId: 'then',
            username: 'rowan77',
            isCurrent: false,
            balance: '10',
            transactions: 1,
            discharges: 2,
            transfers: 0,
          },
          {
            playerId: 'long ago',
            username: 'Élodie',
            isCurrent: false,
            balance: '0',
            transactions: 0,
            discharges: 0,
            transfers: 0,
          },
        ],
      },
    });
  });

  test.each([
    'chat:9001',
    'now',
    'player:now',
    'then',
    'player:long ago',
    'rowan_vale',
    'ROWAN_VALE',
    'name:Rowan77',
    'name:élodie',
  ])('is found by %s, as through the interface', async (query) => {
    expect((await find(query)).body.data.chatId).toBe('9001');
  });

  test.each(['nobody', 'chat:now', 'player:9001', 'name:9001', '=1', "' OR 1=1"])(
    'is not found by %s',
    async (query) => {
      const reply = await find(query);
      expect([reply.status, reply.text]).toEqual([200, '{"success":true,"data":null}']);
    },
  );

  test.each([
    ['', 'query must be text of 1 to 263 characters without control characters or direction marks'],
    ['  ', 'missing required parameters'],
    ['name:', 'missing required parameters'],
    ['a\u0000b', 'query must be text of 1 to 263 characters without control characters or direction marks'],
    [
      'x'.repeat(264),
      'query must be text of 1 to 263 characters without control characters or direction marks',
    ],
  ])('is not looked for by %j', async (query, fault) => {
    const reply = await find(query);
    expect([reply.status, reply.body.message]).toEqual([400, `Bad request - ${fault}`]);
  });

  test('is looked up only for a guild with an active plan', async () => {
    const pia = await service.signIn('pia');
    const reply = await find('9001', PLANLESS_GUILD, pia);
    expect(reply.status).toBe(403);
    expect(reply.body).toEqual({
      success: false,
      message:
        'Forbidden - looking people up needs an active Developer or Enterprise plan, and this guild has none',
      code: 'plan_required',
    });
    await service.guilds.set(
      { guildId: PLANLESS_GUILD, plan: 'developer', planUntilMs: service.clock.nowMs() + 1_000 },
      TESTER,
    );
    expect((await find('9001', PLANLESS_GUILD, pia)).status).toBe(200);
    service.clock.advance(1_000);
    const lapsed = await find('9001', PLANLESS_GUILD, pia);
    expect(lapsed.status).toBe(403);
    expect(lapsed.text).not.toContain('Rowan');
    await service.guilds.set({ guildId: PLANLESS_GUILD, plan: 'none' }, TESTER);
  });

  test('with very many past accounts is shown with the fifty newest', async () => {
    const pastUsers = Array.from({ length: 60 }, (_, index) => ({
      playerId: `p${index}`,
      username: `u${index}`,
    }));
    await service.store.verifications.put(
      [aVerification({ chatId: 'many', playerId: 'm', pastUsers })],
      CHANGE,
    );
    const { data } = (await find('chat:many')).body;
    expect(data.pastUsers).toHaveLength(60);
    expect(data.accounts.map(({ playerId }: { playerId: string }) => playerId)).toEqual([
      'm',
      ...pastUsers.slice(0, 50).map(({ playerId }) => playerId),
    ]);
  });
});

describe('samples', () => {
  const samplesOf = async (guildId: string, browser = olga) =>
    (await browser.go(`/dashboard/api/guilds/${guildId}/samples`)).body;

  test('are ids that exist in the guild', async () => {
    const { data } = await samplesOf(GUILD);
    expect(data).toEqual({ playerId: 'then', dischargeId: '2', transferId: 'T-1', username: 'Rowan_Vale' });
  });

  test('are nothing where there is nothing yet', async () => {
    expect(await samplesOf(PLANLESS_GUILD, await service.signIn('pia'))).toEqual({
      success: true,
      data: { playerId: null, dischargeId: null, transferId: null, username: null },
    });
  });
});
