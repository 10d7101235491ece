import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Route } from '../../src/http/endpoint.ts';
import { DASHBOARD_ROUTES } from '../../src/http/endpoints.ts';
import { actionOf, ROLES } from '../../src/wire/roles.ts';
import { answering, type Fault } from '../support/chat-platform.ts';
import { untilTrue } from '../support/patience.ts';
import {
  type DashboardService,
  GUILD,
  keysPath,
  MEMBER_RIGHTS,
  startDashboardService,
} from './dashboard-service.ts';
import { hookedRoutes } from './step-hook.ts';

const MINUTE_MS = 60_000;
const guildPath = `/dashboard/api/guilds/${GUILD}`;

let service: DashboardService;
/** Requests that came to their last access check, and requests whose handlers were called. */
const admitting: string[] = [];
const handled: string[] = [];
beforeAll(async () => {
  const addRoutes = hookedRoutes(async (step, { raw }) => {
    if (step === 'before admit') {
      admitting.push(`${raw.method} ${raw.url}`);
    }
    if (step === 'before handler') {
      handled.push(`${raw.method} ${raw.url}`);
    }
  });
  service = await startDashboardService({ addRoutes }, { GUILD_EDITS_VERIFICATIONS: 'true' });
  const olga = await service.signIn('olga');
  for (const role of ROLES) {
    await olga.change('PUT', `${guildPath}/roles/chat-roles/chat-${role}`, { name: role, role });
  }
  const guild = { guildId: GUILD, name: GUILD, owner: false, permissions: MEMBER_RIGHTS };
  const lena = { username: 'lena', chatId: '901', about: 'lena' };
  service.platform.people.push({ ...lena, guilds: [{ ...guild, roles: ['chat-manager'] }] });
});
afterAll(() => service.stop());

/** Changes the permissions that the platform reports for somebody. */
function setRights(username: string, permissions: string): void {
  const person = service.platform.people.find((one) => one.username === username);
  Object.assign(person?.guilds[0] ?? {}, { permissions });
}

/** The chat roles that somebody has from now on. */
function setChatRoles(username: string, roles: string[]): void {
  const person = service.platform.people.find((one) => one.username === username);
  Object.assign(person?.guilds[0] ?? {}, { roles });
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

  test('deletes no key by an answer of the platform to a question from before', async () => {
    const mara = await service.signIn('mara');
    const { keyId } = await service.addKey(GUILD);
    const held = holdFirstAnswer([aGuildOfThePlatform('32')]);
    service.platform.setFault(held.fault);
    service.clock.advance(2 * MINUTE_MS);
    // The page asks the platform behind the scenes, which sees mara's rights as they are now.
    expect((await mara.go(keysPath(GUILD))).status).toBe(200);
    await untilTrue(held.isAsked);
    setRights('mara', '0');
    const refusing = mara.change('DELETE', `${keysPath(GUILD)}/${keyId}`);
    await untilTrue(() => admitting.includes(`DELETE ${keysPath(GUILD)}/${keyId}`));
    held.answer();
    const refused = await refusing;
    service.platform.setFault(undefined);
    expect([refused.status, refused.body.message]).toEqual([403, 'Forbidden - you do not manage this guild']);
    expect((await service.keys.list(GUILD)).map((key) => key.keyId)).toContain(keyId);
    setRights('mara', '32');
  });
});

describe('a change by somebody who was demoted a second ago', () => {
  const below = '/dashboard/api/guilds/{guildId}/';
  const changes = DASHBOARD_ROUTES.filter(({ method }) => method !== 'GET');
  const ofGuild = changes.filter(({ path }) => path.startsWith(below));
  const address = ({ path }: Pick<Route, 'path'>) =>
    path.replace('{guildId}', GUILD).replaceAll(/\{\w+\}/g, 'nothing');

  test('is possible only on routes that belong to a guild, or to the person alone', () => {
    const others = changes.filter((route) => !ofGuild.includes(route)).map(({ path }) => path);
    expect(others).toEqual([
      '/dashboard/api/sign-out',
      '/dashboard/api/sign-out-everywhere',
      // An invitation is for somebody who has no right yet.
      '/dashboard/api/invitations',
      '/dashboard/api/preferences',
    ]);
    expect(ofGuild.length).toBeGreaterThan(20);
  });

  test.each(ofGuild)('is refused before its handler: $method $path', async (route) => {
    const mara = await service.signIn('mara');
    const request = `${route.method} ${address(route)}`;
    // A body that no route takes: the person's right comes first.
    const change = () => mara.change(route.method, address(route), { nothing: true });
    expect((await change()).status).not.toBe(403);
    handled.length = 0;
    const entries = service.count('audit_entry');
    setRights('mara', '0');
    service.clock.advance(1_000);
    try {
      const refused = await change();
      expect([refused.status, refused.body]).toEqual([
        403,
        {
          success: false,
          message: 'Forbidden - you do not manage this guild',
          code: 'not_guild_manager',
        },
      ]);
      expect(handled).not.toContain(request);
      expect(service.count('audit_entry')).toBe(entries);
    } finally {
      setRights('mara', '32');
    }
  });

  test.each(ofGuild)('is refused by the role that is left: $method $path', async (route) => {
    const lena = await service.signIn('lena');
    setChatRoles('lena', ['chat-viewer']);
    service.clock.advance(1_000);
    try {
      handled.length = 0;
      const refused = await lena.change(route.method, address(route), { nothing: true });
      const { role, needsPlatform = false } = actionOf(route) ?? {};
      expect([refused.status, refused.body.message]).toEqual([
        403,
        needsPlatform
          ? 'Forbidden - you do not manage this guild'
          : `Forbidden - this needs the role ${role}`,
      ]);
      expect(handled).not.toContain(`${route.method} ${address(route)}`);
    } finally {
      setChatRoles('lena', ['chat-manager']);
    }
  });
});

/** A guild as the platform lists it. */
function aGuildOfThePlatform(permissions: string): object {
  return { id: GUILD, name: 'Chat name', icon: null, owner: false, permissions };
}

/** Decides on the platform's first list of guilds when the question comes, and sends it when the test says so. */
function holdFirstAnswer(guilds: readonly object[]) {
  let send: (() => void) | undefined;
  const fault: Fault = (request, response) => {
    if (send !== undefined || request.url?.split('?')[0]?.endsWith('/users/@me/guilds') !== true) {
      return false;
    }
    send = () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(guilds));
    };
    return true;
  };
  return { fault, isAsked: () => send !== undefined, answer: () => send?.() };
}

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
