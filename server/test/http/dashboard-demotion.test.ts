import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answering } from '../support/chat-platform.ts';
import { untilTrue } from '../support/patience.ts';
import { type DashboardService, GUILD, keysPath, startDashboardService } from './dashboard-service.ts';

const MINUTE_MS = 60_000;
const guildPath = `/dashboard/api/guilds/${GUILD}`;

let service: DashboardService;
beforeAll(async () => {
  service = await startDashboardService();
});
afterAll(() => service.stop());

/** What the platform says of somebody from now on. */
function setRights(username: string, permissions: string): void {
  const person = service.platform.people.find((one) => one.username === username);
  Object.assign(person?.guilds[0] ?? {}, { permissions });
}

describe('a person who manages the guild no more', () => {
  test('sees nothing of it five minutes later, after a pause too', async () => {
    const mara = await service.signIn('mara');
    setRights('mara', '0');
    service.clock.advance(5 * MINUTE_MS);
    for (const path of [keysPath(GUILD), `${guildPath}/discharges.csv`, `${guildPath}/transactions.csv`]) {
      expect((await mara.go(path)).status, path).toBe(404);
    }
    expect((await mara.go('/dashboard/api/guilds')).body.data).toEqual([]);
    setRights('mara', '32');
  });

  test('is out sooner while active, without ever waiting', async () => {
    const mara = await service.signIn('mara');
    setRights('mara', '0');
    service.clock.advance(2 * MINUTE_MS);
    expect((await mara.go(keysPath(GUILD))).status).toBe(200);
    await untilTrue(async () => (await mara.go(keysPath(GUILD))).status === 404);
    setRights('mara', '32');
  });

  test('deletes no key from that moment on', async () => {
    const mara = await service.signIn('mara');
    const { keyId } = await service.addKey(GUILD);
    setRights('mara', '0');
    const refused = await mara.change('DELETE', `${keysPath(GUILD)}/${keyId}`);
    expect(refused.status).toBe(403);
    expect(refused.body.message).toBe('Forbidden - you do not manage this guild');
    expect((await service.keys.list(GUILD)).map((key) => key.keyId)).toContain(keyId);
    setRights('mara', '32');
  });
});

test('while the platform does not answer, pages open for five minutes and signing out always works', async () => {
  const adam = await service.signIn('adam');
  service.platform.setFault(answering('/users/@me/guilds', 503, '{}'));
  service.clock.advance(5 * MINUTE_MS - 1);
  expect((await adam.go(keysPath(GUILD))).status).toBe(200);
  service.clock.advance(1);
  const refused = await adam.go(keysPath(GUILD));
  expect(refused.status).toBe(503);
  expect(refused.body.message).toMatch(/the chat platform does not answer/);
  expect((await adam.change('POST', '/dashboard/api/sign-out')).status).toBe(200);
  service.platform.setFault(undefined);
});
