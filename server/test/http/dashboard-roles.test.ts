import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type DashboardService,
  GUILD,
  MEMBER_RIGHTS,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';

const path = (rest = '') => `/dashboard/api/guilds/${GUILD}/roles${rest}`;
let service: DashboardService;
let olga: SignedInBrowser;
beforeAll(async () => {
  service = await startDashboardService();
  olga = await service.signIn('olga');
});
afterAll(() => service.stop());

test('the list shows who has access at all, and through what', async () => {
  const guild = { guildId: GUILD, name: 'n', owner: false, permissions: MEMBER_RIGHTS, roles: ['77', '78'] };
  service.platform.people.push({ username: 'cora', chatId: '201', about: '', guilds: [guild] });
  await olga.change('PUT', path('/chat-roles/77'), { name: 'Watch', role: 'viewer' });
  await olga.change('PUT', path('/chat-roles/78'), { name: 'Bank', role: 'treasurer' });
  await olga.change('PUT', path('/people/104'), { role: 'viewer' });
  await service.signIn('cora');
  await service.signIn('memo');
  await service.signIn('adam');
  const { people, others } = (await olga.go(path())).body.data;
  expect(people).toMatchObject([
    { chatId: '104', name: 'memo', role: 'viewer', invitedBy: { name: 'olga' } },
  ]);
  const seenAt = expect.stringMatching(/Z$/);
  const byName = others.toSorted((one: { name: string }, other: { name: string }) =>
    one.name.localeCompare(other.name),
  );
  expect(byName).toEqual([
    { chatId: '102', name: 'adam', role: 'manager', through: { kind: 'platform', name: 'admin' }, seenAt },
    { chatId: '201', name: 'cora', role: 'treasurer', through: { kind: 'chat-role', name: 'Bank' }, seenAt },
    { chatId: '101', name: 'olga', role: 'manager', through: { kind: 'platform', name: 'owner' }, seenAt },
  ]);
});

test('a link gives its role once, to the person who accepts it, and is nowhere in the store or the log', async () => {
  const otto = await service.signIn('otto');
  const mara = await service.signIn('mara');
  const order = { role: 'viewer', uses: 1, days: 7 };
  const made = await olga.change('POST', path('/invitations'), order);
  const { token } = made.body.data;
  expect(token).toMatch(/^[\w-]{43}$/);
  const accept = (browser: SignedInBrowser, given: object = {}) =>
    browser.change('POST', '/dashboard/api/invitations', { guildId: GUILD, token, ...given });
  for (const wrong of [{ token: 'x' }, { token: token.replace(/.$/, '_') }, { guildId: 'nowhere' }]) {
    const refused = await accept(otto, wrong);
    expect([refused.status, refused.body.code]).toEqual([404, 'invitation_not_found']);
  }
  // Otto is no member of the guild on the platform, so that the role counts only later.
  const accepted = await accept(otto);
  expect(accepted.body.data).toEqual({ guildId: GUILD, role: 'viewer', isMember: false });
  expect((await accept(mara)).status).toBe(404);
  const { people, invitations } = (await olga.go(path())).body.data;
  expect(invitations).toEqual([]);
  expect(people).toContainEqual(expect.objectContaining({ chatId: '106', role: 'viewer' }));
  expect(service.logLines.join('\n')).not.toContain(token);
});

test('a member who accepts a link opens the guild at once, and a withdrawn link opens nothing', async () => {
  service.platform.people.push({
    username: 'nils',
    chatId: '301',
    about: '',
    guilds: [{ guildId: GUILD, name: 'n', owner: false, permissions: MEMBER_RIGHTS }],
  });
  const nils = await service.signIn('nils');
  const guilds = async () => (await nils.go('/dashboard/api/guilds')).body.data.length;
  expect(await guilds()).toBe(0);
  const make = async (role: string) =>
    (await olga.change('POST', path('/invitations'), { role, uses: 2, days: 1 })).body.data.token;
  const token = await make('treasurer');
  const accept = (given: string) =>
    nils.change('POST', '/dashboard/api/invitations', { guildId: GUILD, token: given });
  expect((await accept(token)).body.data).toEqual({ guildId: GUILD, role: 'treasurer', isMember: true });
  expect(await guilds()).toBe(1);
  const [open] = (await olga.go(path())).body.data.invitations;
  expect(open).toMatchObject({ role: 'treasurer', usesLeft: 1, createdBy: { id: '101', name: 'olga' } });
  expect((await olga.change('DELETE', path(`/invitations/${open.id}`))).status).toBe(200);
  expect((await olga.change('DELETE', path(`/invitations/${open.id}`))).status).toBe(404);
  expect((await accept(token)).status).toBe(404);
});

test('an invited manager makes links for other roles, not for managers', async () => {
  await olga.change('PUT', path('/people/104'), { role: 'manager' });
  const memo = await service.signIn('memo');
  const make = (role: string) => memo.change('POST', path('/invitations'), { role, uses: 1, days: 1 });
  expect((await make('treasurer')).status).toBe(200);
  expect((await make('manager')).status).toBe(403);
});
