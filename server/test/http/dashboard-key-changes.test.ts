import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilTrue } from '../support/patience.ts';
import {
  DAY_MS,
  type DashboardService,
  GUILD,
  keyOrder,
  keysPath,
  MEMBER_RIGHTS,
  NO_GUILD,
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
