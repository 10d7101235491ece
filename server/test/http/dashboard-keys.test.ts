import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '../../src/domain/model.ts';
import {
  DAY_MS,
  type DashboardService,
  GUILD,
  keyOrder,
  keysPath,
  OTHER_GUILD,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';

let service: DashboardService;
let olga: SignedInBrowser;
beforeAll(async () => {
  service = await startDashboardService();
  olga = await service.signIn('olga');
});
afterAll(() => service.stop());

describe('a key', () => {
  test('is made with its note, limits and addresses, which hold from its first request on', async () => {
    const settings = {
      note: 'Runs beside the shop.',
      networks: ['203.0.113.7'],
      limits: { amountMax: 12.5, withdrawnPerDayMax: null },
      routeLimits: [{ route: 'getVerification', limit: 30, per: 'minute' }],
    };
    const made = await olga.change('POST', keysPath(GUILD), { ...keyOrder(service), ...settings });
    const { key: value, ...key } = made.body.data;
    expect(key).toMatchObject({ ...settings, networks: ['203.0.113.7/32'] });
    expect((await olga.go(keysPath(GUILD))).body.data).toEqual([key]);
    expect((await service.send({ method: 'GET', url: '/guild/key', key: value })).status).toBe(401);
    const refused = { ...keyOrder(service), networks: ['nowhere'] };
    expect((await olga.change('POST', keysPath(GUILD), refused)).status).toBe(400);
    expect((await olga.go(keysPath(GUILD))).body.data).toHaveLength(1);
    await olga.change('DELETE', `${keysPath(GUILD)}/${key.id}`);
  });

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
      routeLimits: [],
      formerUntil: null,
      keepsAllUntil: null,
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
    expect(reply.body).toEqual({
      success: false,
      message,
      code: expect.stringMatching(/^(?:missing_fields|invalid_input)$/),
    });
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
      expect(reply.text).toBe('{"success":false,"message":"Key not found","code":"key_not_found"}');
      expect(reply.status).toBe(404);
    }
    expect((await service.send({ method: 'GET', url: '/guild/discharges/x', key: value })).status).toBe(404);
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
