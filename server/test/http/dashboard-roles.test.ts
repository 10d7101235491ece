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
  expect(people).toMatchObject([{ chatId: '104', name: 'memo', role: 'viewer', invitedBy: { name: 'olga' } }]);
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
