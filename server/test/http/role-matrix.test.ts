import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DASHBOARD_ROUTES } from '../../src/http/endpoints.ts';
import { ACTIONS, actionOf, actionsOf, OWN_ACCOUNT_ROUTES, ROLES, type Role } from '../../src/wire/roles.ts';
import {
  type DashboardService,
  GUILD,
  MEMBER_RIGHTS,
  OTHER_GUILD,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';

const NOBODY = 'stranger';
type Person = Role | typeof NOBODY;
const PEOPLE: readonly Person[] = [...ROLES, NOBODY];
/** Roles by invitation and by a chat role; each person has one in the first guild and none in the second. */
const WAYS = ['invitation', 'chat role'] as const;
const ROUTES = Object.values(ACTIONS).flatMap(({ routes }) => [...routes]);
const BASE = '/dashboard/api/guilds/';
const LIVE_MS = 5 * 60_000;

let service: DashboardService;
let olga: SignedInBrowser;
const browsers = new Map<string, SignedInBrowser>();

beforeAll(async () => {
  service = await startDashboardService({}, { GUILD_EDITS_VERIFICATIONS: 'true' });
  olga = await service.signIn('olga');
  for (const role of ROLES) {
    await olga.change('PUT', `${BASE}${GUILD}/roles/chat-roles/chat-${role}`, { name: role, role });
  }
  let chatId = 900;
  for (const way of WAYS) {
    for (const person of PEOPLE) {
      chatId += 1;
      const name = `${person} by ${way}`;
      const byChatRole = way === 'chat role' && person !== NOBODY;
      service.platform.people.push({
        username: name,
        chatId: String(chatId),
        about: name,
        guilds: [GUILD, OTHER_GUILD].map((guildId) => ({
          guildId,
          name: guildId,
          owner: false,
          permissions: MEMBER_RIGHTS,
          // The same role means nothing in the other guild.
          roles: byChatRole ? [`chat-${person}`] : ['chat-nothing'],
        })),
      });
      if (way === 'invitation' && person !== NOBODY) {
        await olga.change('PUT', `${BASE}${GUILD}/roles/people/${chatId}`, { role: person });
      }
      browsers.set(name, await service.signIn(name));
    }
  }
});
afterAll(() => service.stop());

function browserOf(name: string): SignedInBrowser {
  const browser = browsers.get(name);
  if (browser === undefined) throw new Error(`${name} is signed in`);
  return browser;
}

/** A request of the route whose parameters name nothing and whose body is empty. A stream of events would never end. */
function ask(browser: SignedInBrowser, route: string, guildId: string) {
  const [method = '', path = ''] = route.split(' ');
  const address = `${BASE}${guildId}/${path.replaceAll(/\{\w+\}/g, 'nothing')}`;
  return method === 'GET'
    ? browser.go(`${address}${path === 'events' ? '?after=nothing' : ''}`)
    : browser.change(method, address, {});
}

const CASES = ROUTES.flatMap((route) =>
  WAYS.flatMap((way) => PEOPLE.map((person) => ({ route, way, person }))),
);

describe('every route, four kinds of people, two guilds', () => {
  test.each(CASES)('$route for a $person by $way', async ({ route, way, person }) => {
    const browser = browserOf(`${person} by ${way}`);
    const there = await ask(browser, route, OTHER_GUILD);
    expect([there.status, there.body.message]).toEqual([404, 'Guild not found']);

    const [method = '', path = ''] = route.split(' ');
    const needed = actionOf({ method, path: `${BASE}{guildId}/${path}` })?.role ?? 'manager';
    const here = await ask(browser, route, GUILD);
    if (person === NOBODY) {
      expect([here.status, here.body.message]).toEqual([404, 'Guild not found']);
    } else if (ROLES.indexOf(person) < ROLES.indexOf(needed)) {
      expect([here.status, here.body.message]).toEqual([403, `Forbidden - this needs the role ${needed}`]);
    } else {
      expect(here.body?.message ?? '').not.toMatch(/this needs the role|Guild not found/);
      expect([200, 400, 404]).toContain(here.status);
    }
  });

  test('the guilds of each say what they may do, and a button asks for nothing else', async () => {
    for (const [name, browser] of browsers) {
      const { data } = (await browser.go('/dashboard/api/guilds')).body;
      const person = name.split(' ')[0];
      const role = ROLES.find((one) => one === person);
      expect(data).toEqual(
        role === undefined
          ? []
          : [
              expect.objectContaining({
                guildId: GUILD,
                role,
                standing: 'member',
                may: actionsOf(role, false),
              }),
            ],
      );
    }
    const { data } = (await olga.go('/dashboard/api/guilds')).body;
    expect(data[0]).toMatchObject({ role: 'manager', standing: 'owner', may: Object.keys(ACTIONS) });
  });
});

test('the tables of roles and of own accounts have every route of a guild, and no other', () => {
  const below = `${BASE}{guildId}/`;
  const served = DASHBOARD_ROUTES.filter(({ path }) => path.startsWith(below)).map(
    ({ method, path }) => `${method} ${path.slice(below.length)}`,
  );
  expect(served.toSorted()).toEqual([...ROUTES, ...OWN_ACCOUNT_ROUTES].toSorted());
});

describe('an invited manager', () => {
  test('neither makes a key nor gives one a new value, which the platform has to allow', async () => {
    const browser = browserOf('manager by invitation');
    const expiresAt = new Date(service.clock.nowMs() + 86_400_000).toISOString();
    const order = { name: 'theirs', scopes: ['guild:read'], expiresAt };
    const made = await browser.change('POST', `${BASE}${GUILD}/keys`, order);
    expect([made.status, made.body.message]).toEqual([403, 'Forbidden - you do not manage this guild']);
    const { keyId } = await service.addKey(GUILD);
    const rotated = await browser.change('POST', `${BASE}${GUILD}/keys/${keyId}/rotation`, {
      overlapHours: 0,
    });
    expect(rotated.status).toBe(403);
    const renamed = await browser.change('PUT', `${BASE}${GUILD}/keys/${keyId}`, { name: 'Renamed' });
    expect(renamed.status).toBe(200);
  });
});

describe('a role that is lost', () => {
  test('on the platform ends for changes at once and for reading within five minutes', async () => {
    const name = 'treasurer by chat role';
    const browser = browserOf(name);
    const [guild] = service.platform.people.find(({ username }) => username === name)?.guilds ?? [];
    if (guild === undefined) throw new Error('the person is a member');
    guild.roles = [];
    expect((await browser.go(`${BASE}${GUILD}/transactions.csv`)).status).toBe(200);
    const change = { playerId: 'p', name: 'n', quantity: 1, amount: 1 };
    const refused = await browser.change('POST', `${BASE}${GUILD}/players/p/transactions`, change);
    expect([refused.status, refused.body.message]).toEqual([403, 'Forbidden - you do not manage this guild']);
    service.clock.advance(LIVE_MS);
    expect((await browser.go(`${BASE}${GUILD}/transactions.csv`)).status).toBe(404);
  });

  test('by the guild’s own hand ends at once, and so does an invitation of somebody who left', async () => {
    const browser = await service.signIn('viewer by invitation');
    const read = () => browser.go(`${BASE}${GUILD}/audit`);
    expect((await read()).status).toBe(200);
    const person = service.platform.people.find(({ username }) => username === 'viewer by invitation');
    const path = `${BASE}${GUILD}/roles/people/${person?.chatId}`;
    expect((await olga.change('DELETE', path)).status).toBe(200);
    expect((await read()).status).toBe(404);
    expect((await olga.change('DELETE', path)).status).toBe(404);
    await olga.change('PUT', path, { role: 'viewer' });
    expect((await read()).status).toBe(200);
    person?.guilds.splice(0);
    service.clock.advance(LIVE_MS);
    expect((await read()).status).toBe(404);
  });
});

test('roles are listed with names, changed, and refused where they make no sense', async () => {
  const list = async () => (await olga.go(`${BASE}${GUILD}/roles`)).body.data;
  const path = `${BASE}${GUILD}/roles/people/102`;
  await olga.change('PUT', path, { role: 'viewer' });
  await olga.change('PUT', path, { role: 'treasurer' });
  const { chatRoles, people } = await list();
  expect(chatRoles).toContainEqual({ chatRoleId: 'chat-viewer', name: 'viewer', role: 'viewer' });
  expect(people.find(({ chatId }: { chatId: string }) => chatId === '102')).toMatchObject({
    role: 'treasurer',
    invitedBy: { id: '101', name: 'olga' },
  });
  for (const bad of [{}, { role: 'owner' }, { role: null }]) {
    expect((await olga.change('PUT', path, bad)).status).toBe(400);
  }
  const nameless = await olga.change('PUT', `${BASE}${GUILD}/roles/chat-roles/1`, {
    name: '',
    role: 'viewer',
  });
  expect(nameless.status).toBe(400);
  const { body } = await olga.go(`${BASE}${GUILD}/audit?kind=role&limit=2`);
  expect(body.data.entries.map(({ action }: { action: string }) => action)).toEqual(['update', 'create']);
});
