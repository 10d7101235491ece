import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '../../src/domain/model.ts';
import { ACTION_NAMES } from '../../src/wire/roles.ts';
import { TESTER } from '../support/change.ts';
import { answering } from '../support/chat-platform.ts';
import { untilTrue } from '../support/patience.ts';
import {
  DAY_MS,
  type DashboardService,
  GUILD,
  keyOrder,
  keysPath,
  MEMBER_RIGHTS,
  OTHER_GUILD,
  PLANLESS_GUILD,
  type SignedInBrowser,
  startDashboardService,
  UNKNOWN_GUILD,
} from './dashboard-service.ts';

let service: DashboardService;
let olga: SignedInBrowser;
beforeAll(async () => {
  service = await startDashboardService();
  olga = await service.signIn('olga');
});
afterAll(() => service.stop());

const NO_GUILD = '{"success":false,"message":"Guild not found"}';

describe('the list of guilds', () => {
  const guildsOf = async (name: string) =>
    (await (await service.signIn(name)).go('/dashboard/api/guilds')).body.data;

  const USUAL_SETTINGS = {
    overdraftAllowed: true,
    display: { currencyName: null, currencySymbol: null, decimalsShown: null },
  };

  test('has those the person owns, with what the service knows of each', async () => {
    expect((await olga.go('/dashboard/api/guilds')).body).toEqual({
      success: true,
      data: [
        {
          guildId: GUILD,
          name: `Chat name of ${GUILD}`,
          icon: null,
          standing: 'owner',
          role: 'manager',
          may: ACTION_NAMES,
          state: 'ready',
          plan: 'developer',
          planUntil: null,
          ...USUAL_SETTINGS,
        },
        {
          guildId: UNKNOWN_GUILD,
          name: `Chat name of ${UNKNOWN_GUILD}`,
          icon: null,
          standing: 'owner',
          role: 'manager',
          may: ACTION_NAMES,
          state: 'unknown',
          plan: null,
          planUntil: null,
          ...USUAL_SETTINGS,
        },
      ],
    });
  });

  test.each([
    ['adam', 'admin'],
    ['mara', 'manager'],
  ])('has for %s the one guild as %s', async (name, standing) => {
    expect(await guildsOf(name)).toMatchObject([{ guildId: GUILD, standing, role: 'manager' }]);
  });

  test('is empty for a member without rights, however many other bits are set', async () => {
    expect(await guildsOf('memo')).toEqual([]);
  });

  test('tells of a guild without a plan, and of one whose plan has ended', async () => {
    expect(await guildsOf('pia')).toMatchObject([
      { guildId: PLANLESS_GUILD, state: 'no-plan', plan: 'none' },
    ]);
    const planUntilMs = service.clock.nowMs();
    const change = { guildId: PLANLESS_GUILD, plan: 'enterprise', planUntilMs } as const;
    await service.guilds.set(change, TESTER);
    const planUntil = new Date(planUntilMs).toISOString();
    expect(await guildsOf('pia')).toMatchObject([{ state: 'no-plan', plan: 'enterprise', planUntil }]);
    await service.guilds.set({ guildId: PLANLESS_GUILD, plan: 'none' }, TESTER);
  });

  test.each([
    ['9223372036854775840', 'manager'],
    ['9223372036854775816', 'admin'],
    ['9223372036854775848', 'admin'],
    ['9223372036854775811', undefined],
    ['340282366920938463463374607431768211488', 'manager'],
  ])('reads the permissions %s exactly: %s', async (permissions, standing) => {
    const person = service.platform.people.find(({ username }) => username === 'memo');
    const guild = person?.guilds[0];
    Object.assign(guild ?? {}, { permissions });
    expect((await guildsOf('memo')).map((one: { standing: string }) => one.standing)).toEqual(
      standing === undefined ? [] : [standing],
    );
    Object.assign(guild ?? {}, { permissions: MEMBER_RIGHTS });
  });
});

describe('a key', () => {
  test('is made, shown once, listed, used and deleted, and the audit log says by whom', async () => {
    const made = await olga.change('POST', keysPath(GUILD), keyOrder(service));
    expect(made.status).toBe(200);
    expect(made.headers.get('cache-control')).toBe('no-store');
    const { key: value, ...key } = made.body.data;
    expect(key).toEqual({
      id: expect.any(String),
      name: 'shop bot',
      prefix: value.slice(0, 12),
      scopes: ['guild:read'],
      createdBy: { kind: 'user', id: '101', name: 'olga' },
      createdAt: new Date(service.clock.nowMs()).toISOString(),
      expiresAt: new Date(service.clock.nowMs() + 30 * DAY_MS).toISOString(),
      lastUsedAt: null,
      state: 'active',
      note: null,
      networks: [],
      limits: { amountMax: null, withdrawnPerDayMax: null },
      formerUntil: null,
    });
    const listed = await olga.go(keysPath(GUILD));
    expect(listed.body.data).toEqual([key]);
    expect(listed.text).not.toContain(value);
    const use = () => service.send({ method: 'GET', url: '/guild/discharges/none', key: value });
    expect((await use()).status).toBe(404);
    const deleted = await olga.change('DELETE', `${keysPath(GUILD)}/${key.id}`);
    expect(deleted.text).toBe('{"success":true,"message":"Key deleted"}');
    expect((await use()).status).toBe(401);
    expect((await olga.go(keysPath(GUILD))).body.data).toEqual([]);
    const guild = await service.guilds.find(GUILD);
    const log = await service.store.audit.list(guild, { limit: 2 });
    expect(log).toMatchObject([
      { action: 'delete', subjectKind: 'key', subjectId: key.id, actor: { kind: 'user', id: '101' } },
      { action: 'create', subjectKind: 'key', subjectId: key.id, actor: { kind: 'user', id: '101' } },
    ]);
    expect(service.logLines.join('\n')).not.toContain(value);
  });

  test('is listed for other managers with the name of its maker, and the operator has none', async () => {
    const made = await olga.change('POST', keysPath(GUILD), keyOrder(service));
    const { keyId } = await service.addKey(GUILD);
    const keys = (await (await service.signIn('mara')).go(keysPath(GUILD))).body.data;
    const makers = new Map(keys.map((key: { id: string; createdBy: object }) => [key.id, key.createdBy]));
    expect(makers.get(made.body.data.id)).toEqual({ kind: 'user', id: '101', name: 'olga' });
    expect(makers.get(keyId)).toEqual({ kind: 'operator', id: 'tester', name: null });
    await olga.change('DELETE', `${keysPath(GUILD)}/${made.body.data.id}`);
    await olga.change('DELETE', `${keysPath(GUILD)}/${keyId}`);
  });

  test.each([
    ['a single character', 'x'],
    ['a hundred characters', 'n'.repeat(100)],
    ['a hundred emoji', '🛡'.repeat(100)],
    ['right-to-left letters', 'مفتاح المتجر'],
    ['markup', '<script>alert(1)</script>'],
  ])('may be named with %s', async (_kind, name) => {
    const made = await olga.change('POST', keysPath(GUILD), keyOrder(service, { name }));
    expect(made.body.data.name).toBe(name);
    expect((await olga.go(keysPath(GUILD))).body.data[0].name).toBe(name);
    await olga.change('DELETE', `${keysPath(GUILD)}/${made.body.data.id}`);
  });

  const NAME_RULE =
    'Bad request - name must be text of 1 to 100 characters without control characters or direction marks';
  const SCOPE_RULE = 'Bad request - scopes must be a list of 1 to 5';
  test.each([
    [{ name: undefined }, 'Bad request - missing required fields'],
    [{ name: '' }, 'Bad request - missing required fields'],
    [{ name: '  ' }, 'Bad request - missing required fields'],
    [{ name: 'n'.repeat(101) }, NAME_RULE],
    [{ name: 'a\u202eb' }, NAME_RULE],
    [{ name: 'a\nb' }, NAME_RULE],
    [{ name: 5 }, NAME_RULE],
    [{ scopes: undefined }, 'Bad request - missing required fields'],
    [{ scopes: [] }, SCOPE_RULE],
    [{ scopes: 'guild:read' }, SCOPE_RULE],
    [
      { scopes: ['admin'] },
      'Bad request - scopes[0] must be one of: guild:read, guild:write, users:read, records:write, webhooks:manage',
    ],
    [{ scopes: Array(6).fill('guild:read') }, SCOPE_RULE],
    [{ expiresAt: null }, 'Bad request - missing required fields'],
    [{ expiresAt: '2026-08-01' }, 'Bad request - expiresAt must be a time such as 2027-01-31T18:00:00Z'],
    [{ expiresAt: 'never' }, 'Bad request - expiresAt must be a time such as 2027-01-31T18:00:00Z'],
    [
      { expiresAt: '2026-06-15T12:30:00Z' },
      'Bad request - the expiry must lie between 1 hour and 366 days ahead',
    ],
    [
      { expiresAt: '2028-06-15T12:30:00Z' },
      'Bad request - the expiry must lie between 1 hour and 366 days ahead',
    ],
  ])('is not made from %j', async (changed, message) => {
    const before = service.count('api_key');
    const reply = await olga.change('POST', keysPath(GUILD), keyOrder(service, changed));
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ success: false, message });
    expect(service.count('api_key')).toBe(before);
  });

  test('stands out when it ends within 14 days, and when it has ended', async () => {
    await service.foundGuild('ending', 'otto');
    const lifetimes = [14 * DAY_MS + 1, 14 * DAY_MS, 3_600_000];
    for (const lifetimeMs of lifetimes) {
      await service.addKey('ending', SCOPES, lifetimeMs);
    }
    const states = async () =>
      (await (await service.signIn('otto')).go(keysPath('ending'))).body.data.map(
        ({ state }: { state: string }) => state,
      );
    expect(await states()).toEqual(['expiring', 'expiring', 'active']);
    service.clock.advance(3_600_000);
    expect(await states()).toEqual(['expired', 'expiring', 'expiring']);
  });

  test('of another guild is absent here, and stays', async () => {
    const { keyId, value } = await service.addKey(OTHER_GUILD);
    for (const id of [keyId, 'nothing', '%00', 'x'.repeat(128)]) {
      const reply = await olga.change('DELETE', `${keysPath(GUILD)}/${id}`);
      expect(reply.text).toBe('{"success":false,"message":"Key not found"}');
      expect(reply.status).toBe(404);
    }
    expect((await service.send({ method: 'GET', url: '/guild/discharges/x', key: value })).status).toBe(404);
  });
});

describe.each([
  ['a guild of somebody else, of which one is a plain member', OTHER_GUILD],
  ['a guild that does not exist', '999'],
  ['a guild with a strange id', '%00%0a'],
  ['a guild the service was not told of', UNKNOWN_GUILD],
])('%s', (_name, guildId) => {
  test.each(['GET', 'POST', 'DELETE'])('is not found by %s', async (method) => {
    const { keyId } = await service.addKey(OTHER_GUILD);
    const path = method === 'DELETE' ? `${keysPath(guildId)}/${keyId}` : keysPath(guildId);
    const before = service.count('api_key');
    const reply = await olga.change(method, path, method === 'POST' ? keyOrder(service) : undefined);
    expect(reply.status).toBe(404);
    expect(reply.text).toBe(NO_GUILD);
    expect(service.count('api_key')).toBe(before);
  });
});

describe('making a key asks again', () => {
  const FORBIDDEN = '{"success":false,"message":"Forbidden - you do not manage this guild"}';
  const UNAVAILABLE =
    '{"success":false,"message":"Service unavailable - the chat platform does not answer, try again shortly"}';
  const order = (browser: SignedInBrowser, guildId = GUILD) =>
    browser.change('POST', keysPath(guildId), keyOrder(service));

  test('whether the person still manages the guild', async () => {
    const adam = await service.signIn('adam');
    const guild = service.platform.people.find(({ username }) => username === 'adam')?.guilds[0];
    Object.assign(guild ?? {}, { permissions: MEMBER_RIGHTS });
    const before = service.count('audit_entry');
    const reply = await order(adam);
    expect(reply.status).toBe(403);
    expect(reply.text).toBe(FORBIDDEN);
    expect(service.count('audit_entry')).toBe(before);
    // From here on the guild is not theirs to see.
    expect((await adam.go(keysPath(GUILD))).text).toBe(NO_GUILD);
    expect((await adam.go('/dashboard/api/guilds')).body.data).toEqual([]);
    Object.assign(guild ?? {}, { permissions: '8' });
  });

  test('whether the guild has a plan', async () => {
    const pia = await service.signIn('pia');
    const none =
      'Forbidden - creating a key needs an active Developer or Enterprise plan, and this guild has none';
    const reply = await order(pia, PLANLESS_GUILD);
    expect(reply.status).toBe(403);
    expect(reply.body).toEqual({ success: false, message: none });
    const planUntilMs = service.clock.nowMs() + 1;
    const change = { guildId: PLANLESS_GUILD, plan: 'developer', planUntilMs } as const;
    await service.guilds.set(change, TESTER);
    expect((await order(pia, PLANLESS_GUILD)).status).toBe(200);
    service.clock.advance(1);
    const lapsed = await order(pia, PLANLESS_GUILD);
    expect(lapsed.status).toBe(403);
    expect(lapsed.body.message).toMatch(/^Forbidden - .*this guild's developer plan ended on/);
    expect((await pia.go(keysPath(PLANLESS_GUILD))).body.data).toHaveLength(1);
  });

  test('and makes none while the platform is in trouble', async () => {
    const before = service.count('api_key');
    for (const fault of [
      answering('/guilds', 500, ''),
      answering('/guilds', 200, 'garbage'),
      answering('/guilds', 429, '{}', { 'retry-after': '42' }),
    ]) {
      service.platform.setFault(fault);
      const reply = await order(olga);
      expect(reply.status).toBe(503);
      expect(reply.text).toBe(UNAVAILABLE);
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    service.platform.setFault(undefined);
    expect(service.count('api_key')).toBe(before);
    expect((await olga.go('/dashboard/api/session')).status).toBe(200);
  });
});

test('of a thousand live keys the next is refused until one is deleted', async () => {
  await service.foundGuild('thousand', 'otto');
  const browser = await service.signIn('otto');
  const path = keysPath('thousand');
  const keys = await Promise.all(Array.from({ length: 999 }, () => service.addKey('thousand')));
  expect((await browser.change('POST', path, keyOrder(service))).status).toBe(200);
  const refused = await browser.change('POST', path, keyOrder(service));
  expect(refused.status).toBe(409);
  expect(refused.body.message).toBe('Conflict - a guild can have at most 1,000 live keys, delete one first');
  expect((await browser.go(path)).body.data).toHaveLength(1_000);
  await browser.change('DELETE', `${path}/${keys[0]?.keyId}`);
  expect((await browser.change('POST', path, keyOrder(service))).status).toBe(200);
});

describe('a key that is there', () => {
  async function makeKey() {
    const { body } = await olga.change('POST', keysPath(GUILD), keyOrder(service));
    const path = `${keysPath(GUILD)}/${body.data.id}`;
    const identify = (value: string) => service.send({ url: '/guild/key', key: value });
    return { id: body.data.id as string, value: body.data.key as string, path, identify };
  }

  test('gets a new value, which is shown once, while the old one is valid for as long as was asked', async () => {
    const { id, value, path, identify } = await makeKey();
    const rotated = await olga.change('POST', `${path}/rotation`, { overlapHours: 24 });
    expect(rotated.status).toBe(200);
    const { key: next, formerUntil, ...rest } = rotated.body.data;
    expect(rest).toMatchObject({ id, name: 'shop bot', scopes: ['guild:read'], prefix: next.slice(0, 12) });
    expect(Date.parse(formerUntil) - service.clock.nowMs()).toBe(DAY_MS);
    expect((await identify(value)).status).toBe(200);
    expect((await identify(next)).status).toBe(200);
    expect((await olga.go(keysPath(GUILD))).text).not.toContain(next.slice(12));
    for (const overlapHours of [-1, 169, 0.5, '1', null]) {
      expect((await olga.change('POST', `${path}/rotation`, { overlapHours })).status).toBe(400);
    }
    expect((await identify(next)).status).toBe(200);
  });

  test('is renamed, noted, bound to addresses and limited, and the answer is what the list shows', async () => {
    const { id, path } = await makeKey();
    const settings = {
      name: 'Renamed',
      note: 'Runs on the shop server.\nAsk Mara.',
      networks: ['203.0.113.7'],
      limits: { amountMax: 12.5, withdrawnPerDayMax: null },
    };
    const { body } = await olga.change('PUT', path, settings);
    expect(body.data).toMatchObject({ ...settings, id, networks: ['203.0.113.7/32'] });
    const { body: list } = await olga.go(keysPath(GUILD));
    expect(list.data.find((key: { id: string }) => key.id === id)).toEqual(body.data);
    for (const bad of [
      { name: '' },
      { networks: ['nowhere'] },
      { limits: { amountMax: -1, withdrawnPerDayMax: null } },
    ]) {
      expect((await olga.change('PUT', path, bad)).status).toBe(400);
    }
    expect((await olga.change('PUT', path, { note: null })).body.data.note).toBeNull();
  });

  test('shows how it was answered on each of the last 30 days', async () => {
    const { value, path, identify } = await makeKey();
    await identify(value);
    await identify(value);
    await service.send({ method: 'POST', url: '/guild/ledger', key: value, payload: {} });
    await untilTrue(async () => (await olga.go(`${path}/usage`)).body.data[29].answered > 0);
    const { data } = (await olga.go(`${path}/usage`)).body;
    expect(data).toHaveLength(30);
    const today = new Date(service.clock.nowMs()).toISOString().slice(0, 10);
    expect(data[29]).toEqual({ day: today, answered: 2, refused: [{ code: 'missing_scope', count: 1 }] });
    expect(data.slice(0, 29).every(({ answered }: { answered: number }) => answered === 0)).toBe(true);
  });

  test('is not there for another guild, nor for somebody who does not manage it', async () => {
    const { id, path } = await makeKey();
    const otto = await service.signIn('otto');
    const theirs = `${keysPath(OTHER_GUILD)}/${id}`;
    for (const [method, address, json] of [
      ['POST', '/rotation', { overlapHours: 0 }],
      ['PUT', '', { name: 'Mine' }],
      ['GET', '/usage', undefined],
    ] as const) {
      expect((await otto.change(method, `${theirs}${address}`, json)).status).toBe(404);
      expect((await otto.change(method, `${path}${address}`, json)).text).toBe(NO_GUILD);
    }
  });

  test('of somebody who lost the right gets no new value', async () => {
    const { path, value, identify } = await makeKey();
    const mara = await service.signIn('mara');
    const [guild] = service.platform.people.find(({ username }) => username === 'mara')?.guilds ?? [];
    if (guild === undefined) throw new Error('mara has a guild');
    guild.permissions = MEMBER_RIGHTS;
    const refused = await mara.change('POST', `${path}/rotation`, { overlapHours: 0 });
    guild.permissions = '32';
    expect(refused.status).toBe(403);
    expect((await identify(value)).status).toBe(200);
  });
});
