import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aDischarge, aTransfer, CHANGE } from '../contract/specimens.ts';
import { answering } from '../support/chat-platform.ts';
import { contentsOf, DISCHARGE_FIELDS, TRANSFER_FIELDS } from './dashboard-records.ts';
import {
  type DashboardService,
  GUILD,
  MEMBER_RIGHTS,
  NO_GUILD,
  OTHER_GUILD,
  type SignedInBrowser,
  startDashboardService,
  UNKNOWN_GUILD,
} from './dashboard-service.ts';

interface Call {
  method: string;
  path: string;
  json?: object;
}

const READS: Call[] = [
  '/discharges',
  '/discharges.csv',
  '/discharges/D-1',
  '/transfers',
  '/transfers.csv',
  '/transfers/T-1',
  '/audit',
  '/verifications?query=9001',
  '/samples',
].map((path) => ({ method: 'GET', path }));
const CHANGES: Call[] = [
  { method: 'POST', path: '/discharges', json: { ...DISCHARGE_FIELDS, id: 'new' } },
  { method: 'PUT', path: '/discharges/D-1', json: { ...DISCHARGE_FIELDS, name: 'Changed' } },
  { method: 'DELETE', path: '/discharges/D-1' },
  { method: 'POST', path: '/transfers', json: { ...TRANSFER_FIELDS, id: 'new' } },
  { method: 'PUT', path: '/transfers/T-1', json: { ...TRANSFER_FIELDS, name: 'Changed' } },
  { method: 'DELETE', path: '/transfers/T-1' },
];

let service: DashboardService;
let olga: SignedInBrowser;
beforeAll(async () => {
  service = await startDashboardService();
  // She changes nothing here, so that the platform is asked about her each time.
  olga = await service.signIn('olga');
  for (const guildId of [GUILD, OTHER_GUILD]) {
    const guild = await service.guilds.find(guildId);
    await service.store.discharges.put(guild, [aDischarge(guild)], CHANGE);
    await service.store.transfers.put(guild, [aTransfer(guild)], CHANGE);
  }
});
afterAll(() => service.stop());

const addressOf = (guildId: string, { path }: Call) => `/dashboard/api/guilds/${guildId}${path}`;

const contents = () => contentsOf(service);

describe.each([...READS, ...CHANGES])('$method $path', (call) => {
  test('is for those who signed in', async () => {
    const before = contents();
    const browser = service.openBrowser();
    const { method, json } = call;
    const reply = await browser.go(addressOf(GUILD, call), {
      method,
      json,
      headers: { origin: service.address },
    });
    expect(reply.status).toBe(401);
    expect(reply.text).toBe(
      '{"success":false,"message":"Unauthorized - sign in first","code":"session_required"}',
    );
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(contents()).toEqual(before);
  });

  test.each([
    ['somebody else’s guild', OTHER_GUILD],
    ['a guild that does not exist', '999'],
    ['a guild the service was not told of', UNKNOWN_GUILD],
  ])('finds nothing in %s', async (_name, guildId) => {
    const before = contents();
    const { method, json } = call;
    const reply =
      method === 'GET'
        ? await olga.go(addressOf(guildId, call))
        : await olga.change(method, addressOf(guildId, call), json);
    expect(reply.status).toBe(404);
    expect(reply.text).toBe(NO_GUILD);
    expect(contents()).toEqual(before);
  });
});

test.each(['memo', 'otto'])('%s, who manages another guild or none, gets none of it', async (name) => {
  const browser = await service.signIn(name);
  for (const call of [...READS, ...CHANGES]) {
    const { method, json } = call;
    const reply = await browser.change(method, addressOf(GUILD, call), json);
    expect(reply.text).toBe(NO_GUILD);
  }
});

describe.each(CHANGES)('$method $path', (call) => {
  const { method, json } = call;

  test('from another site is refused, even with the right token', async () => {
    const before = contents();
    for (const sent of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'same-site' }, {}]) {
      const headers = { 'x-csrf-token': olga.csrfToken, ...sent } as Record<string, string>;
      const reply = await olga.go(addressOf(GUILD, call), { method, json, headers });
      expect(reply.status).toBe(403);
      expect(reply.body.message).toBe('Forbidden - cross-site request');
    }
    expect(contents()).toEqual(before);
  });

  test('without the CSRF token, or with another one, is refused', async () => {
    const before = contents();
    const other = await service.signIn('olga');
    for (const token of [{}, { 'x-csrf-token': '' }, { 'x-csrf-token': other.csrfToken }]) {
      const headers = { origin: service.address, ...token } as Record<string, string>;
      const reply = await olga.go(addressOf(GUILD, call), { method, json, headers });
      expect(reply.status).toBe(403);
      expect(reply.body.message).toBe('Forbidden - missing or wrong CSRF token');
    }
    expect(contents()).toEqual(before);
  });

  test('by somebody who lost the right is refused, and the guild is out of sight from then on', async () => {
    const before = contents();
    const adam = await service.signIn('adam');
    const guild = service.platform.people.find(({ username }) => username === 'adam')?.guilds[0];
    Object.assign(guild ?? {}, { permissions: MEMBER_RIGHTS });
    const reply = await adam.change(method, addressOf(GUILD, call), json);
    Object.assign(guild ?? {}, { permissions: '8' });
    expect(reply.status).toBe(403);
    expect(reply.body.message).toBe('Forbidden - you do not manage this guild');
    expect(contents()).toEqual(before);
    expect((await adam.go(addressOf(GUILD, call))).status).toBe(404);
  });

  test('changes nothing while the chat platform does not answer', async () => {
    const before = contents();
    service.platform.setFault(answering('/guilds', 500, ''));
    const reply = await olga.change(method, addressOf(GUILD, call), json);
    service.platform.setFault(undefined);
    expect(reply.status).toBe(503);
    expect(reply.body.message).toBe(
      'Service unavailable - the chat platform does not answer, try again shortly',
    );
    expect(contents()).toEqual(before);
  });
});
