import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Actor, SERVICE_ACTOR } from '../../src/domain/model.ts';
import { aDischarge, aTransfer } from '../contract/specimens.ts';
import {
  DAY_MS,
  type DashboardService,
  GUILD,
  keyOrder,
  keysPath,
  OTHER_GUILD,
  PLANLESS_GUILD,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';

interface Entry {
  entryNo: number;
  createdAt: string;
  actor: { kind: string; id: string; name: string | null };
  action: string;
  subject: { kind: string; id: string; person: string | null };
  detail: { before?: object; after?: object };
}

let service: DashboardService;
let olga: SignedInBrowser;
let pia: SignedInBrowser;
let keyId: string;
let keyValue: string;
let all: Entry[];

const BOT: Actor = { kind: 'bot', id: 'bot' };
const { id: _id, guildId: _guild, ...DISCHARGE } = aDischarge({ guildNo: 0, guildId: '' });
const path = (query = '', guildId = GUILD) => `/dashboard/api/guilds/${guildId}/audit${query}`;
const entriesOf = async (query: string): Promise<Entry[]> => (await olga.go(path(query))).body.data.entries;

beforeAll(async () => {
  service = await startDashboardService();
  olga = await service.signIn('olga');
  const guild = await service.guilds.find(GUILD);
  const made = await olga.change('POST', keysPath(GUILD), keyOrder(service));
  keyId = made.body.data.id;
  keyValue = made.body.data.key;
  const discharges = `/dashboard/api/guilds/${GUILD}/discharges`;
  service.clock.advance(1_000);
  await olga.change('POST', discharges, { ...DISCHARGE, id: 'D-1' });
  await olga.change('PUT', `${discharges}/D-1`, { ...DISCHARGE, reason: 'Another' });
  service.clock.advance(DAY_MS);
  olga = await service.signIn('olga');
  const byBot = { actor: BOT, atMs: service.clock.nowMs() };
  await service.store.transfers.put(guild, [aTransfer(guild), aTransfer(guild, { id: 'T-2' })], byBot);
  const byKey = { actor: { kind: 'key', id: keyId } as const, atMs: service.clock.nowMs() };
  await service.store.transfers.delete(guild, 'T-2', byKey);
  service.clock.advance(1_000);
  const mara = await service.signIn('mara');
  await mara.change('DELETE', `${discharges}/D-1`);
  await olga.change('DELETE', `${keysPath(GUILD)}/${keyId}`);
  const other = await service.guilds.find(OTHER_GUILD);
  await service.store.discharges.put(other, [aDischarge(other)], byBot);
  await service.store.verifications.put([{ chatId: '1', playerId: 'p', username: 'U' }], byBot);
  const later = { actor: BOT, atMs: service.clock.nowMs() };
  await service.store.transfers.put(guild, [aTransfer(guild, { signed: 'Another' })], later);
  const correction = { name: 'Correction', quantity: 1, amount: 5 };
  await olga.change('POST', `/dashboard/api/guilds/${GUILD}/players/p/transactions`, correction);
  all = await entriesOf('?limit=100');
  pia = await service.signIn('pia');
});
afterAll(() => service.stop());

const describeEntry = ({ actor, action, subject }: Entry) =>
  `${actor.kind}:${actor.id} ${action} ${subject.kind}:${subject.id}`;

describe('the audit log', () => {
  test('tells who did what in this guild, newest first, and nothing of other guilds or of people', () => {
    const [posted] = all;
    expect(all.map(describeEntry)).toEqual([
      `user:101 create transaction:${posted?.subject.id}`,
      'bot:bot update transfer:T-1',
      `user:101 delete key:${keyId}`,
      'user:103 delete discharge:D-1',
      `key:${keyId} delete transfer:T-2`,
      'bot:bot create transfer:T-2',
      'bot:bot create transfer:T-1',
      'user:101 update discharge:D-1',
      'user:101 create discharge:D-1',
      `user:101 create key:${keyId}`,
      `operator:tester create guild:${GUILD}`,
    ]);
  });

  test('shows an entry with its time, the actor’s name and what changed', () => {
    expect(all[7]).toEqual({
      entryNo: all[7]?.entryNo,
      createdAt: '2026-06-15T12:00:01.000Z',
      actor: { kind: 'user', id: '101', name: 'olga' },
      action: 'update',
      subject: { kind: 'discharge', id: 'D-1', person: null },
      detail: { before: { reason: 'Retired with honours' }, after: { reason: 'Another' } },
    });
    expect(all[8]?.detail).toEqual({ after: { ...DISCHARGE, id: 'D-1', guildId: GUILD } });
    expect(all[9]?.detail).toEqual({
      after: {
        name: 'shop bot',
        prefix: keyValue.slice(0, 12),
        scopes: ['guild:read'],
        expiresAtMs: expect.any(Number),
      },
    });
  });

  test('names people who signed in and keys, deleted ones too, and gives the others none', async () => {
    const { actors } = (await olga.go(path())).body.data;
    expect(actors).toEqual([
      { kind: 'bot', id: 'bot', name: null },
      { kind: 'key', id: keyId, name: 'shop bot' },
      { kind: 'operator', id: 'tester', name: null },
      { kind: 'user', id: '101', name: 'olga' },
      { kind: 'user', id: '103', name: 'mara' },
    ]);
    expect(all[4]?.actor).toEqual({ kind: 'key', id: keyId, name: 'shop bot' });
  });

  test('tells whom an entry is about, also where that has not changed', () => {
    const { name } = aTransfer({ guildNo: 0, guildId: '' });
    expect(all.slice(0, 2).map(({ subject }) => subject.person)).toEqual(['U', name]);
    expect(all[1]?.detail.after).toEqual({ signed: 'Another' });
    expect(all.filter(({ subject }) => subject.kind === 'key').map(({ subject }) => subject.person)).toEqual([
      null,
      null,
    ]);
  });

  test('holds no secret', async () => {
    const { text } = await olga.go(path('?limit=100'));
    expect(text).not.toContain(keyValue);
    expect(text).not.toContain(keyValue.slice(0, 20));
    expect(text).not.toContain(olga.csrfToken);
    expect(text).not.toMatch(/[0-9a-f]{64}/);
  });

  test('goes on page by page to its end', async () => {
    const seen: Entry[] = [];
    let next: number | null = null;
    do {
      const query: string = next === null ? '' : `&before=${next}`;
      const { data } = (await olga.go(path(`?limit=2${query}`))).body;
      expect(data.entries.length).toBeLessThanOrEqual(2);
      seen.push(...data.entries);
      next = data.next;
    } while (next !== null && seen.length < 50);
    expect(seen).toEqual(all);
    const exact = (await olga.go(path(`?limit=${all.length}`))).body.data;
    expect([exact.entries.length, exact.next]).toEqual([all.length, null]);
  });

  test.each([
    ['actor=user:101', ({ actor }: Entry) => actor.kind === 'user' && actor.id === '101'],
    ['actor=user:10', () => false],
    ['actor=bot:bot', ({ actor }: Entry) => actor.kind === 'bot'],
    ['kind=transfer', ({ subject }: Entry) => subject.kind === 'transfer'],
    ['kind=verification', () => false],
    ['kind=transaction', ({ subject }: Entry) => subject.kind === 'transaction'],
    ['action=delete', ({ action }: Entry) => action === 'delete'],
    [
      'kind=discharge&action=update',
      ({ action, subject }: Entry) => subject.kind === 'discharge' && action === 'update',
    ],
    ['actor=user:101&kind=key', ({ actor, subject }: Entry) => actor.id === '101' && subject.kind === 'key'],
    ['since=2026-06-16', ({ createdAt }: Entry) => createdAt >= '2026-06-16'],
    ['until=2026-06-15', ({ createdAt }: Entry) => createdAt < '2026-06-16'],
    ['since=2026-06-15&until=2026-06-16', () => true],
    ['since=2026-06-17', () => false],
  ])('is filtered by %s', async (query, matches) => {
    expect(await entriesOf(`?limit=100&${query}`)).toEqual(all.filter(matches));
  });

  test.each([
    ['actor=4711', 'actor must be a kind and an id such as user:4711'],
    ['actor=admin:1', 'actor must be a kind and an id such as user:4711'],
    ['actor=user:%00', 'actor must be a kind and an id such as user:4711'],
    [
      'kind=session',
      'kind must be one of: guild, key, discharge, transfer, transaction, account, verification, commands, webhook, role',
    ],
    ['action=read', 'action must be one of: create, update, delete'],
    ['before=0', 'before must be an integer of at least 1'],
    ['before=x', 'before must be an integer of at least 1'],
    ['limit=101', 'limit must be an integer from 1 to 100'],
    ['since=2026-06-16&until=2026-06-15', 'since must not be after until'],
  ])('refuses %s', async (query, fault) => {
    const reply = await olga.go(path(`?${query}`));
    expect([reply.status, reply.body.message]).toEqual([400, `Bad request - ${fault}`]);
  });

  test('names the service where it made the change itself, in files too', async () => {
    const guild = await service.guilds.find(PLANLESS_GUILD);
    const byService = { actor: SERVICE_ACTOR, atMs: service.clock.nowMs() };
    await service.store.transfers.put(guild, [aTransfer(guild, { id: 'T-3' })], byService);
    const { body } = await pia.go(path('?kind=transfer', PLANLESS_GUILD));
    expect(body.data.entries[0].actor).toEqual({ ...SERVICE_ACTOR, name: 'The service' });
    const { text } = await pia.go(path('.csv?kind=transfer', PLANLESS_GUILD));
    expect(text.split('\r\n')[1]).toContain(',The service,operator:webhooks,create,transfer,T-3,');
  });

  test('may be read by a guild without a plan', async () => {
    const { body } = await pia.go(path('?kind=guild', PLANLESS_GUILD));
    expect(body.data.entries.map(describeEntry)).toEqual([`operator:tester create guild:${PLANLESS_GUILD}`]);
    expect(body.data.next).toBeNull();
  });
});
