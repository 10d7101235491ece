import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aDischarge } from '../contract/specimens.ts';
import { invite } from './dashboard-people.ts';
import {
  type DashboardService,
  GUILD,
  keyOrder,
  keysPath,
  type SignedInBrowser,
} from './dashboard-service.ts';

/** Entries of these kinds are for managers only. */
const HIDDEN = ['key', 'webhook', 'role'];
const TOKEN = 'T0KEN-4f2a9c';
const NOTE = 'Runs at 203.0.113.7, password in the vault';
const BASE = `/dashboard/api/guilds/${GUILD}`;

interface Entry {
  entryNo: number;
  actor: { kind: string; id: string };
  subject: { kind: string; id: string };
  detail: { before?: Record<string, unknown>; after?: Record<string, unknown> };
}

export function describeAuditRoles(
  start: (settings: Record<string, string>) => Promise<DashboardService>,
): void {
  let service: DashboardService;
  let olga: SignedInBrowser;
  let keyId: string;
  let all: Entry[];
  const readers = new Map<string, SignedInBrowser>();

  const readerOf = (role: string): SignedInBrowser => {
    const browser = readers.get(role);
    if (browser === undefined) throw new Error(`there is a ${role}`);
    return browser;
  };
  const pageOf = async (browser: SignedInBrowser, query = '') =>
    (await browser.go(`${BASE}/audit${query}`)).body.data;

  /** All pages of the log, two entries at a time. */
  async function readPages(browser: SignedInBrowser): Promise<Entry[]> {
    const seen: Entry[] = [];
    let next: number | null = null;
    do {
      const before: string = next === null ? '' : `&before=${next}`;
      const data: { entries: Entry[]; next: number | null } = await pageOf(browser, `?limit=2${before}`);
      seen.push(...data.entries);
      next = data.next;
    } while (next !== null && seen.length < 200);
    return seen;
  }

  beforeAll(async () => {
    service = await start({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
    olga = await service.signIn('olga');
    for (const role of ['viewer', 'treasurer', 'manager']) {
      readers.set(role, await invite(service, olga, role));
    }
    const { id: _id, guildId: _guildId, ...discharge } = aDischarge({ guildNo: 0, guildId: GUILD });
    await olga.change('POST', `${BASE}/discharges`, { ...discharge, id: 'D-1' });
    const made = await olga.change('POST', keysPath(GUILD), keyOrder(service));
    keyId = made.body.data.id;
    // Somebody whose only entries are of hidden kinds.
    const mara = await service.signIn('mara');
    await mara.change('PUT', `${keysPath(GUILD)}/${keyId}`, { note: NOTE, networks: ['203.0.113.7'] });
    const webhook = await mara.change('POST', `${BASE}/webhooks`, {
      url: `http://127.0.0.1:1/hooks/${TOKEN}/in?token=${TOKEN}`,
      kind: 'standard',
      events: ['transaction.posted'],
    });
    await mara.change('PUT', `${BASE}/webhooks/${webhook.body.data.webhook.id}`, {
      url: `http://127.0.0.1:1/${TOKEN}`,
    });
    await olga.change('PUT', `${BASE}/discharges/D-1`, { ...discharge, reason: 'Another' });
    all = (await pageOf(olga, '?limit=100')).entries;
  });
  afterAll(() => service.stop());

  describe.each(['viewer', 'treasurer'])('the audit log for a %s', (role) => {
    test('has every entry but those about keys, webhooks and roles, page by page', async () => {
      const expected = all.filter(({ subject }) => !HIDDEN.includes(subject.kind));
      expect(all.length - expected.length).toBeGreaterThan(5);
      const { entries, kinds, next } = await pageOf(readerOf(role), '?limit=100');
      expect([entries, next]).toEqual([expected, null]);
      expect(await readPages(readerOf(role))).toEqual(expected);
      expect(kinds).toEqual(expect.arrayContaining(['guild', 'discharge', 'transaction']));
      expect(kinds.filter((kind: string) => HIDDEN.includes(kind))).toEqual([]);
    });

    test('is found by no filter for a kind that is left out', async () => {
      for (const kind of HIDDEN) {
        for (const query of [`?kind=${kind}`, `?kind=${kind}&subject=${keyId}`, `?kind=${kind}&subject=no`]) {
          const { status, body } = await readerOf(role).go(`${BASE}/audit${query}`);
          expect([status, body.message]).toEqual([403, 'Forbidden - this needs the role manager']);
        }
      }
      expect((await pageOf(readerOf(role), '?actor=user:103')).entries).toEqual([]);
      for (const action of ['create', 'update', 'delete']) {
        const { entries } = await pageOf(readerOf(role), `?action=${action}&actor=user:101`);
        expect(entries.filter((entry: Entry) => HIDDEN.includes(entry.subject.kind))).toEqual([]);
      }
    });

    test('names nobody who only appears in entries that are left out', async () => {
      const ids = (actors: Entry['actor'][]) => actors.map(({ kind, id }) => `${kind}:${id}`);
      expect(ids((await pageOf(olga)).actors)).toContain('user:103');
      expect(ids((await pageOf(readerOf(role))).actors)).toEqual(['operator:tester', 'user:101']);
    });

    test('tells no secret and no note in any way to read it', async () => {
      const ways = ['/audit?limit=100', '/audit.csv', '/audit.csv?exact=true', '/audit.csv?actor=user:103'];
      for (const way of ways) {
        const { text } = await readerOf(role).go(`${BASE}${way}`);
        expect(text).not.toContain(TOKEN);
        expect(text).not.toContain(NOTE);
        expect(text).not.toContain('203.0.113.7');
      }
    });
  });

  test('an export has the rows that the pages have, for each role that may export', async () => {
    const { text } = await readerOf('treasurer').go(`${BASE}/audit.csv`);
    const kinds = text.split('\r\n').map((line) => line.split(',')[5]);
    expect(kinds).toContain('discharge');
    expect(kinds.filter((kind = '') => HIDDEN.includes(kind))).toEqual([]);
    const refused = await readerOf('treasurer').go(`${BASE}/audit.csv?kind=key`);
    expect(refused.status).toBe(403);
    const { text: whole } = await readerOf('manager').go(`${BASE}/audit.csv`);
    expect(whole).toContain(NOTE);
    expect(whole).not.toContain(TOKEN);
  });

  test('a manager sees all entries, with the hosts of webhooks only, also of addresses stored whole', async () => {
    const { entries, kinds } = await pageOf(readerOf('manager'), '?limit=100');
    expect(entries).toEqual(all);
    expect(kinds).toEqual(expect.arrayContaining(HIDDEN));
    const { text, body } = await readerOf('manager').go(`${BASE}/audit?kind=webhook`);
    expect(text).not.toContain(TOKEN);
    const urls = body.data.entries.map(({ detail }: Entry) => [detail.before?.url, detail.after?.url]);
    const shown = 'http://127.0.0.1:1/***';
    expect(urls).toEqual([
      [shown, shown],
      [undefined, shown],
    ]);
    const guild = await service.guilds.find(GUILD);
    const stored = await service.store.audit.list(guild, { limit: 10, subjectKind: 'webhook' });
    expect(JSON.stringify(stored)).toContain(TOKEN);
  });
}
