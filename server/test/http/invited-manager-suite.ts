import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invite } from './dashboard-people.ts';
import {
  type DashboardService,
  GUILD,
  keyOrder,
  keysPath,
  MEMBER_RIGHTS,
  type SignedInBrowser,
} from './dashboard-service.ts';

const BASE = `/dashboard/api/guilds/${GUILD}`;
const REFUSED = [403, 'Forbidden - you do not manage this guild'];
const SETTINGS = {
  networks: ['203.0.113.0/24', '2001:db8::/32'],
  limits: { amountMax: 100, withdrawnPerDayMax: 1_000 },
};
const limits = (changed: object) => ({ limits: { ...SETTINGS.limits, ...changed } });

/** Changes of a key with `SETTINGS` after which it can do more. */
const LOOSENING: [string, object][] = [
  ['any address', { networks: [] }],
  ['another address', { networks: ['203.0.113.0/24', '198.51.100.7'] }],
  ['a larger network', { networks: ['203.0.112.0/23'] }],
  ['the other family', { networks: ['::/0'] }],
  ['a larger amount', limits({ amountMax: 100.01 })],
  ['any amount', limits({ amountMax: null })],
  ['more withdrawals', limits({ withdrawnPerDayMax: 1_001 })],
  ['any withdrawals', limits({ withdrawnPerDayMax: null })],
  ['less in one way and more in another', limits({ amountMax: 1, withdrawnPerDayMax: 1_001 })],
];
const TIGHTENING: [string, object][] = [
  ['a name and a note', { name: 'Renamed', note: 'By the new manager' }],
  ['the same once more', SETTINGS],
  ['a part of a network', { networks: ['203.0.113.128/25', '2001:db8:1::/48'] }],
  ['one address', { networks: ['203.0.113.7'] }],
  ['the same in the notation of IPv6', { networks: ['::ffff:203.0.113.7'] }],
  ['a smaller amount', limits({ amountMax: 99.99 })],
  ['no withdrawals', limits({ withdrawnPerDayMax: 0 })],
];

export function describeInvitedManager(start: () => Promise<DashboardService>): void {
  let service: DashboardService;
  let olga: SignedInBrowser;
  /** Managers whose role comes from the guild: by invitation and by a chat role. */
  const managers = new Map<string, SignedInBrowser>();
  const WAYS = ['by invitation', 'by chat role'];

  beforeAll(async () => {
    service = await start();
    olga = await service.signIn('olga');
    managers.set('by invitation', await invite(service, olga, 'manager'));
    await olga.change('PUT', `${BASE}/roles/chat-roles/77`, { name: 'Officers', role: 'manager' });
    const guild = {
      guildId: GUILD,
      name: GUILD,
      owner: false,
      permissions: MEMBER_RIGHTS,
      roles: ['77'],
    };
    service.platform.people.push({ username: 'officer', chatId: '650', about: 'officer', guilds: [guild] });
    managers.set('by chat role', await service.signIn('officer'));
  });
  afterAll(() => service.stop());

  const managerOf = (way: string): SignedInBrowser => {
    const browser = managers.get(way);
    if (browser === undefined) throw new Error(`there is a manager ${way}`);
    return browser;
  };

  async function makeKey(): Promise<{ path: string; shown: () => Promise<unknown> }> {
    const made = await olga.change('POST', keysPath(GUILD), keyOrder(service));
    const path = `${keysPath(GUILD)}/${made.body.data.id}`;
    expect((await olga.change('PUT', path, SETTINGS)).status).toBe(200);
    const shown = async () => {
      const { data } = (await olga.go(keysPath(GUILD))).body;
      return data.find(({ id }: { id: string }) => id === made.body.data.id);
    };
    return { path, shown };
  }

  describe.each(WAYS)('a manager %s', (way) => {
    test.each(LOOSENING)('does not loosen a key: %s', async (_, change) => {
      const { path, shown } = await makeKey();
      const before = await shown();
      const { status, body } = await managerOf(way).change('PUT', path, { name: 'Theirs', ...change });
      expect([status, body.message]).toEqual(REFUSED);
      expect(await shown()).toEqual(before);
      const allowed = await olga.change('PUT', path, { name: 'Theirs', ...change });
      expect([allowed.status, allowed.body.data.name]).toEqual([200, 'Theirs']);
    });

    test.each(TIGHTENING)('tightens a key: %s', async (_, change) => {
      const { path } = await makeKey();
      const { status, body } = await managerOf(way).change('PUT', path, change);
      expect([status, body.message]).toEqual([200, undefined]);
    });

    test('binds and limits a key that had no bounds', async () => {
      const made = await olga.change('POST', keysPath(GUILD), keyOrder(service));
      const path = `${keysPath(GUILD)}/${made.body.data.id}`;
      expect((await managerOf(way).change('PUT', path, SETTINGS)).status).toBe(200);
      const lifted = await managerOf(way).change('PUT', path, { networks: [] });
      expect([lifted.status, lifted.body.message]).toEqual(REFUSED);
    });

    test('makes nobody a manager, neither a person nor a chat role, and every other role', async () => {
      for (const place of ['people/641', 'chat-roles/641']) {
        const path = `${BASE}/roles/${place}`;
        const { status, body } = await managerOf(way).change('PUT', path, { name: 'Many', role: 'manager' });
        expect([status, body.message]).toEqual(REFUSED);
        for (const role of ['viewer', 'treasurer']) {
          expect((await managerOf(way).change('PUT', path, { name: 'Many', role })).status).toBe(200);
          const raised = await managerOf(way).change('PUT', path, { name: 'Many', role: 'manager' });
          expect([raised.status, raised.body.message]).toEqual(REFUSED);
        }
        expect((await olga.change('PUT', path, { name: 'Many', role: 'manager' })).status).toBe(200);
        const lowered = await managerOf(way).change('PUT', path, { name: 'Many', role: 'viewer' });
        expect(lowered.status).toBe(200);
        expect((await managerOf(way).change('DELETE', path)).status).toBe(200);
      }
      const { data } = (await olga.go(`${BASE}/roles`)).body;
      expect(JSON.stringify(data)).not.toContain('641');
    });

    test('is told so by the list of guilds', async () => {
      const { data } = (await managerOf(way).go('/dashboard/api/guilds')).body;
      expect(data[0].may).toEqual(expect.arrayContaining(['keys.change', 'roles.change']));
      expect(data[0].may).not.toContain('keys.loosen');
      expect(data[0].may).not.toContain('roles.appoint');
      const { data: own } = (await olga.go('/dashboard/api/guilds')).body;
      expect(own[0].may).toEqual(expect.arrayContaining(['keys.loosen', 'roles.appoint']));
    });
  });

  test('what loosens is decided on the key as it is when the change is written', async () => {
    const { path, shown } = await makeKey();
    const invited = managerOf('by invitation');
    // Whatever the order of the two is, the limit never ends above the lowest that was set before it.
    const outcomes = await Promise.all([
      olga.change('PUT', path, limits({ amountMax: 10 })),
      ...Array.from({ length: 5 }, () => invited.change('PUT', path, limits({ amountMax: 50 }))),
    ]);
    expect(outcomes[0]?.status).toBe(200);
    expect(await shown()).toMatchObject({ limits: { amountMax: 10 } });
  });
}
