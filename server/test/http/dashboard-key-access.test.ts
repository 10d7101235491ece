import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TESTER } from '../support/change.ts';
import { answering } from '../support/chat-platform.ts';
import {
  type DashboardService,
  GUILD,
  keyOrder,
  keysPath,
  MEMBER_RIGHTS,
  NO_GUILD,
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
  const FORBIDDEN =
    '{"success":false,"message":"Forbidden - you do not manage this guild","code":"not_guild_manager"}';
  const UNAVAILABLE =
    '{"success":false,"message":"Service unavailable - the chat platform does not answer, try again shortly",' +
    '"code":"platform_unavailable"}';
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
    expect(reply.body).toEqual({ success: false, message: none, code: 'plan_required' });
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
