import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SERVED } from '../../src/http/endpoints.ts';
import type { Role } from '../../src/wire/roles.ts';
import { sealerOf } from '../contract/seal-specimens.ts';
import { changeAt } from '../support/change.ts';
import { openEventStream } from '../support/event-stream.ts';
import { transactionBody } from '../support/service.ts';
import {
  type DashboardService,
  GUILD,
  MEMBER_RIGHTS,
  NO_GUILD,
  type Reply,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';
import { createPoster, guildPath, type Poster, playerPath } from './ledger-pages.ts';
import { OWN_ROUTES, PERSONAL_ROUTES, ROLE_ROUTES } from './member-matrix-routes.ts';

const PEOPLE = ['member', 'other member', 'stranger', 'viewer', 'owner'] as const;
type Person = (typeof PEOPLE)[number];
const NAMES: Record<Person, string> = {
  member: 'memo',
  'other member': 'neighbour',
  stranger: 'otto',
  viewer: 'vera',
  owner: 'olga',
};
const RANKS: Partial<Record<Person, Role>> = { viewer: 'viewer', owner: 'manager' };
const ROLES: readonly Role[] = ['viewer', 'treasurer', 'manager'];

const OTHERS = 1_000;
const OTHER_AMOUNT = 9_876.5432;
const BATCH = 100;
/** In every id, name and text of other accounts and people. */
const MARK = /zq-|Zq Name|\bolga\b|555000777\d/;
const otherOf = (index: number) => ({
  chatId: `555000777${index}`,
  playerId: `zq-player-${index}`,
  username: `Zq Name ${index}`,
});
const MEMBER = { chatId: '104', playerId: 'player of memo', username: 'Memo' };
const VIEWER = { chatId: '208', playerId: 'player of vera', username: 'Vera' };

let service: DashboardService;
let poster: Poster;
/** A transaction of the member, and one of another account. */
let ownId: string;
let otherId: string;
const browsers = new Map<Person, SignedInBrowser>();

function browserOf(person: Person): SignedInBrowser {
  const browser = browsers.get(person);
  if (browser === undefined) throw new Error(`${person} is signed in`);
  return browser;
}

function addPerson(username: string, chatId: string): void {
  const guilds = [{ guildId: GUILD, name: 'The Guild', owner: false, permissions: MEMBER_RIGHTS }];
  service.platform.people.push({ username, chatId, about: username, guilds });
}

/** Puts an account of another person into the guild for each index. */
async function addOthers(): Promise<void> {
  const others = Array.from({ length: OTHERS }, (_, index) => otherOf(index));
  await service.store.verifications.put(others, changeAt(service.clock.nowMs()));
  for (let from = 0; from < OTHERS; from += BATCH) {
    service.clock.advance(10_000);
    const transactions = others.slice(from, from + BATCH).map(({ playerId }) =>
      transactionBody({
        playerId,
        name: 'zq-reward',
        source: 'zq-source',
        amount: OTHER_AMOUNT,
        quantity: 1,
      }),
    );
    const payload = { transactions, mode: 'all' };
    const reply = await service.send({
      method: 'POST',
      url: '/guild/transactions',
      key: poster.key,
      payload,
    });
    expect(reply.status).toBe(200);
  }
}

beforeAll(async () => {
  service = await startDashboardService();
  poster = await createPoster(service);
  const olga = await service.signIn('olga');
  await addOthers();
  await service.store.verifications.put([MEMBER, VIEWER], changeAt(service.clock.nowMs()));
  ownId = await poster.post({ playerId: MEMBER.playerId, name: 'Reward', source: 'raid', amount: 40 });
  otherId = await poster.post({ playerId: otherOf(1).playerId, name: 'zq-reward', amount: 1 });
  const payment = { fromPlayerId: otherOf(2).playerId, toPlayerId: MEMBER.playerId, amount: 3 };
  const payload = { ...payment, name: 'Payment', source: 'market' };
  await service.send({ method: 'POST', url: '/guild/payments', key: poster.key, payload });
  const correction = { name: 'Bonus', quantity: 1, amount: 2 };
  await olga.change('POST', playerPath(MEMBER.playerId, '/transactions'), correction);
  const sealer = sealerOf(service.store);
  await sealer.keys.read();
  await sealer.seal();
  addPerson('vera', VIEWER.chatId);
  addPerson('neighbour', otherOf(1).chatId);
  await olga.change('PUT', guildPath(`/roles/people/${VIEWER.chatId}`), { role: 'viewer' });
  for (const person of PEOPLE) browsers.set(person, await service.signIn(NAMES[person]));
});
afterAll(() => service.stop());

function ask(browser: SignedInBrowser, route: string): Promise<Reply> {
  service.clock.advance(1_000);
  const [method = '', path = ''] = route.split(' ');
  if (method !== 'GET') {
    return browser.change(method, guildPath(`/${path.replaceAll(/\{\w+\}/g, 'nothing')}`), {});
  }
  return browser.go(`${guildPath(`/${fill(path)}`)}${QUERIES[path] ?? ''}`);
}

/** A stream of events would never end. */
const QUERIES: Readonly<Record<string, string>> = {
  events: '?after=nothing',
  'me/events': '?after=nothing',
  'me/balance': '?at=2100-01-01T00:00:00Z',
};

const fill = (path: string) =>
  path
    .replace('{transactionId}', ownId)
    .replace('{playerId}', otherOf(1).playerId)
    .replaceAll(/\{\w+\}/g, 'nothing');

const CLOSED_CODES = ['guild_not_found', 'role_required', 'session_required'];

test('every route of the dashboard has an entry, and no other', () => {
  // From the list that the server registers: a route of the dashboard counts wherever it is declared.
  const served = SERVED.map(({ route }) => route)
    .filter(({ access, path }) => access === 'session' || path.startsWith('/dashboard/api/'))
    .map(({ method, path }) => `${method} ${path}`);
  const below = (route: string) => route.replace(' ', ' /dashboard/api/guilds/{guildId}/');
  const entries = [
    ...PERSONAL_ROUTES.map((route) => route.replace(' ', ' /dashboard/api/')),
    ...OWN_ROUTES.map(below),
    ...Object.values(ROLE_ROUTES).flat().map(below),
  ];
  expect(served.toSorted()).toEqual(entries.toSorted());
});

describe.each(PEOPLE)('%s', (person) => {
  test.each(ROLES.flatMap((role) => ROLE_ROUTES[role].map((route) => ({ role, route }))))(
    '$route is for a $role',
    async ({ role, route }) => {
      const reply = await ask(browserOf(person), route);
      const rank = RANKS[person];
      if (rank === undefined) {
        expect([reply.status, reply.text]).toEqual([404, NO_GUILD]);
      } else if (ROLES.indexOf(rank) < ROLES.indexOf(role)) {
        expect([reply.status, reply.body.code]).toEqual([403, 'role_required']);
      } else {
        expect(CLOSED_CODES).not.toContain(reply.body?.code);
      }
    },
  );

  test.each(OWN_ROUTES)('%s is for verified members, about themselves', async (route) => {
    const reply = await ask(browserOf(person), route);
    if (person === 'stranger' || person === 'owner') {
      // The owner is not verified.
      expect([reply.status, reply.text]).toEqual([404, NO_GUILD]);
      return;
    }
    expect(CLOSED_CODES).not.toContain(reply.body?.code);
    if (person !== 'member') {
      expect(reply.text).not.toContain(MEMBER.playerId);
      if (route.endsWith('{transactionId}')) expect(reply.body).toEqual({ success: true, data: null });
      if (route.endsWith('receipt')) expect(reply.body.code).toBe('transaction_not_found');
    } else if (!route.endsWith('events') && !route.endsWith('icon')) {
      expect(reply.status).toBe(200);
    }
  });

  test.each(PERSONAL_ROUTES)('%s is about the person alone', async (route) => {
    const [method = '', path = ''] = route.split(' ');
    const browser = await service.signIn(NAMES[person]);
    const reply = await (method === 'GET'
      ? browser.go(`/dashboard/api/${path}`)
      : browser.change(method, `/dashboard/api/${path}`, {}));
    expect(reply.status).toBeLessThan(500);
    if (person !== 'owner' && person !== 'other member') expect(reply.text).not.toMatch(MARK);
    // Signing out everywhere ends the other sessions too.
    if (path.startsWith('sign-out')) browsers.set(person, await service.signIn(NAMES[person]));
  });
});

test('the list of guilds has each person’s own rights', async () => {
  const rights = await Promise.all(
    PEOPLE.map(async (person) => {
      const { data } = (await browserOf(person).go('/dashboard/api/guilds')).body;
      const guild = data.find(({ guildId }: { guildId: string }) => guildId === GUILD);
      return [person, guild?.role, guild?.hasOwnAccount];
    }),
  );
  expect(rights).toEqual([
    ['member', null, true],
    ['other member', null, true],
    ['stranger', undefined, undefined],
    ['viewer', 'viewer', true],
    ['owner', 'manager', false],
  ]);
});

describe('public pages', () => {
  const PUBLIC = SERVED.filter(({ route }) => route.access === 'public' && route.method === 'GET').map(
    ({ route }) => route.path,
  );
  const addresses = [...PUBLIC, `/dashboard/guilds/${GUILD}/me`, '/dashboard/guilds/'].map((path) =>
    path.replace('{guildId}', GUILD).replaceAll(/\{\w+\}|\*/g, 'nothing'),
  );

  test('and other public routes only read', () => {
    const changing = SERVED.map(({ route }) => route).filter(
      ({ access, method, path }) =>
        access === 'public' && method !== 'GET' && !path.startsWith('/dashboard/api/'),
    );
    expect(changing).toEqual([]);
  });

  test.each(addresses)('%s is the same for everybody, with nothing of an account', async (address) => {
    const replies = await Promise.all(
      [service.openBrowser(), ...PEOPLE.map(browserOf)].map((browser) => browser.go(address)),
    );
    expect(new Set(replies.map(({ status }) => status)).size).toBe(1);
    for (const { text } of replies) {
      expect(text).not.toMatch(/zq-|Zq Name|555000777\d/);
      expect(text).not.toContain(MEMBER.playerId);
    }
  });
});

describe('the page of a member among 1,000 other accounts', () => {
  const PAGES = [
    ...OWN_ROUTES.map((route) => route.replace('GET ', '')).filter((path) => !/events|icon/.test(path)),
    'me/transactions?limit=100&sortBy=total&sortOrder=asc',
    'me/transactions.csv?exact=true',
    'me/statement.csv?exact=true',
    'me/balance?at=2100-01-01T00:00:00Z',
  ];

  test.each(PAGES)('%s has none of them, and no total of the guild', async (path) => {
    const { totals, lastNumber } = await readTotals();
    const reply = await browserOf('member').go(guildPath(`/${fill(path)}`));
    expect([200, 400]).toContain(reply.status);
    expect(reply.text).not.toMatch(MARK);
    for (const total of totals) expect(reply.text).not.toContain(total);
    // A receipt is sealed with its number in the guild, which is part of its proof.
    if (!path.endsWith('receipt')) expect(numbersIn(reply.body)).not.toContain(lastNumber);
    const other = await browserOf('member').go(guildPath(`/${fill(path).replace(ownId, otherId)}`));
    expect(other.text).not.toMatch(MARK);
  });

  test('its stream has no event about them', async () => {
    const { cookies } = browserOf('member');
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const stream = await openEventStream(new URL(guildPath('/me/events'), service.address), { cookie });
    expect(stream.status).toBe(200);
    for (let index = 0; index < 5; index += 1) await poster.post({ playerId: otherOf(index).playerId });
    await poster.post({ playerId: MEMBER.playerId });
    await stream.until(1);
    expect(stream.all()).toEqual([
      { id: '4', event: 'transactions', data: { count: 1, playerIds: [MEMBER.playerId] } },
    ]);
  });
});

async function readTotals() {
  const { data } = (await browserOf('owner').go(guildPath('/overview'))).body;
  return { totals: [data.balance, data.figures.deposits.current], lastNumber: Number(data.transactions) };
}

/** All numbers of a body, at any depth. */
function numbersIn(body: unknown): unknown[] {
  return typeof body === 'object' && body !== null ? Object.values(body).flatMap(numbersIn) : [body];
}
