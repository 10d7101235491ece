import { afterAll, beforeAll, expect, test } from 'vitest';
import { ChatRolesReply, RoleRecipientsReply } from '../../src/wire/dashboard-posts.ts';
import { TESTER } from '../support/change.ts';
import { answering, CHAT_BOT_TOKEN } from '../support/chat-platform.ts';
import {
  type DashboardService,
  GUILD,
  OTHER_GUILD,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';
import { createPoster, guildPath, readData } from './ledger-pages.ts';

const RAID = '7001';
const MANY = '7002';
let service: DashboardService;
let olga: SignedInBrowser;

beforeAll(async () => {
  service = await startDashboardService({}, { CHAT_BOT_TOKEN });
  olga = await service.signIn('olga');
  const { post } = await createPoster(service);
  await post({ playerId: 'rich', amount: 12.5 });
  const people = [
    { chatId: '901', playerId: 'rich', username: 'Rowan' },
    { chatId: '1902', playerId: 'poor', username: 'Wren' },
    { chatId: '903', playerId: 'other', username: 'Alder' },
  ];
  await service.store.verifications.put(people, { actor: TESTER, atMs: service.clock.nowMs() });
  const member = (chatId: number, roles: string[]) => ({
    chatId: String(chatId),
    username: `m${chatId}`,
    roles,
  });
  service.platform.guilds.push({
    guildId: GUILD,
    roles: [
      { id: MANY, name: 'Everybody we know' },
      { id: RAID, name: 'Raid team' },
    ],
    members: [
      member(901, [RAID]),
      member(903, []),
      member(904, [RAID]),
      // More than one page of members, and more than a payout takes.
      ...Array.from({ length: 1_100 }, (_, index) => member(5_000 + index, [MANY])),
      member(1_902, [RAID]),
    ],
  });
});
afterAll(() => service.stop());

const recipientsOf = (role: string) => guildPath(`/chat-roles/${role}/recipients`);

test('the roles are those of the chat platform without the one of everybody', async () => {
  const { data } = await readData(olga, guildPath('/chat-roles'), ChatRolesReply);
  expect(data.roles).toEqual([
    { chatRoleId: MANY, name: 'Everybody we know' },
    { chatRoleId: RAID, name: 'Raid team' },
  ]);
});

test('the people of a role have their balances, and members without a player are named', async () => {
  const { data } = await readData(olga, recipientsOf(RAID), RoleRecipientsReply);
  expect(data.people).toMatchObject([
    { playerId: 'rich', name: 'Rowan', chatId: '901', balance: '12.5', hasAccount: true },
    { playerId: 'poor', name: 'Wren', chatId: '1902', balance: '0', hasAccount: false },
  ]);
  expect(data.unverified).toEqual({ count: 1, names: ['m904'] });
  const nobody = await readData(olga, recipientsOf('7999'), RoleRecipientsReply);
  expect(nobody.data).toEqual({ people: [], unverified: { count: 0, names: [] } });
});

test('a role with more members than a payout takes is refused with the number', async () => {
  const refused = await olga.go(recipientsOf(MANY));
  expect(refused.status).toBe(400);
  expect(refused.body.message).toContain('1100 members have this role');
});

test('trouble of the platform is a refusal with a code, and the token is in no answer', async () => {
  service.platform.setFault(answering('/members', 500, '{}'));
  const broken = await olga.go(recipientsOf(RAID));
  service.platform.setFault(answering('/members', 200, '[{"user":7}]'));
  const nonsense = await olga.go(recipientsOf(RAID));
  service.platform.setFault(answering('/roles', 403, '{"message":"Missing Access"}'));
  const refused = await olga.go(guildPath('/chat-roles'));
  service.platform.setFault(undefined);
  expect([broken, nonsense, refused].map(({ status, body }) => [status, body.code])).toEqual([
    [503, 'platform_unavailable'],
    [503, 'platform_unavailable'],
    [403, 'platform_refused'],
  ]);
  expect([broken, nonsense, refused].some(({ text }) => text.includes(CHAT_BOT_TOKEN))).toBe(false);
});

test('members who never signed in have their names of the platform, in roles and in the audit log', async () => {
  const invite = (chatId: string) =>
    olga.change('PUT', guildPath(`/roles/people/${chatId}`), { role: 'viewer' });
  expect((await invite('904')).status).toBe(200);
  expect((await invite('4711')).status).toBe(200);
  service.clock.advance(10 * 60_000);
  const before = service.platform.asked.length;
  const { people } = (await olga.go(guildPath('/roles'))).body.data;
  const named = people.map(({ chatId, name }: { chatId: string; name: string | null }) => [chatId, name]);
  expect(named.sort()).toEqual([
    ['4711', null],
    ['904', 'm904'],
  ]);
  const { entries } = (await olga.go(guildPath('/audit?kind=role'))).body.data;
  expect(entries.map(({ subject }: { subject: { person: string | null } }) => subject.person)).toEqual([
    null,
    'm904',
  ]);
  // Both pages have read the list of members once: it has two pages.
  const asked = service.platform.asked.slice(before).filter((route) => route.endsWith('/members'));
  expect(asked).toHaveLength(2);
});

test('a platform that fails or refuses leaves members without a name, and no page fails', async () => {
  for (const status of [500, 403]) {
    service.clock.advance(10 * 60_000);
    service.platform.setFault(answering('/members', status, '{}'));
    const reply = await olga.go(guildPath('/roles'));
    expect([reply.status, reply.body.data.people.map(({ name }: { name: string }) => name)]).toEqual([
      200,
      [null, null],
    ]);
  }
  service.platform.setFault(undefined);
});

test('of a guild that is not one’s own nothing is read', async () => {
  const before = service.platform.asked.length;
  expect((await olga.go(guildPath('/chat-roles', OTHER_GUILD))).status).toBe(404);
  const asked = service.platform.asked.slice(before).filter((route) => route.includes('/api/guilds/'));
  expect(asked).toEqual([]);
});

test('without the token of a bot the roles are not available', async () => {
  const plain = await startDashboardService();
  try {
    const browser = await plain.signIn('olga');
    expect((await browser.go(guildPath('/chat-roles'))).body.data).toEqual({ roles: null });
    expect((await browser.go(recipientsOf(RAID))).body.code).toBe('role_not_found');
  } finally {
    await plain.stop();
  }
});
