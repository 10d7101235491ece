import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Discharge, Guild, Transfer } from '../../src/domain/model.ts';
import { readCsv } from '../../src/import-export/csv.ts';
import { exportRecords } from '../../src/import-export/export.ts';
import { kindOf } from '../../src/import-export/kinds.ts';
import { aDischarge, aTransfer, CHANGE } from '../contract/specimens.ts';
import { bytesOf, gatherGroups } from '../import-export/byte-source.ts';
import { untilTrue } from '../support/patience.ts';
import {
  type DashboardService,
  GUILD,
  OTHER_GUILD,
  PLANLESS_GUILD,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';

let service: DashboardService;
let olga: SignedInBrowser;
let discharges: Discharge[];
let transfers: Transfer[];

const NAMES = ['Rowan Vale', 'rowan ash', 'ÉLODIE', 'نور', '🛡 Shield', '=1+1', 'a,"b"'];

function recordsOf(guild: Guild): { discharges: Discharge[]; transfers: Transfer[] } {
  const all = Array.from({ length: 45 }, (_, index) => {
    const day = String((index % 9) + 1).padStart(2, '0');
    const name = NAMES[index % NAMES.length] ?? '';
    const playerId = `P${index % 4}`;
    return {
      discharge: aDischarge(guild, {
        id: `D-${index}`,
        name,
        playerId,
        chatId: `C${index % 5}`,
        date: index % 2 === 0 ? `2026-03-${day}` : `2026-03-${day}T23:59:59.999Z`,
        type: index % 3 === 0 ? 'Medical' : 'Honourable',
        reason: 'One line\nand "another", one',
      }),
      transfer: aTransfer(guild, { id: `T-${index}`, name, playerId, date: `2026-03-${day}T10:00:00.000Z` }),
    };
  });
  return { discharges: all.map((one) => one.discharge), transfers: all.map((one) => one.transfer) };
}

beforeAll(async () => {
  service = await startDashboardService();
  olga = await service.signIn('olga');
  const guild = await service.guilds.find(GUILD);
  ({ discharges, transfers } = recordsOf(guild));
  await service.store.discharges.put(guild, discharges, CHANGE);
  await service.store.transfers.put(guild, transfers, CHANGE);
  const other = await service.guilds.find(OTHER_GUILD);
  await service.store.discharges.put(other, [aDischarge(other, { type: 'Theirs' })], CHANGE);
  await service.store.transfers.put(other, [aTransfer(other)], CHANGE);
});
afterAll(() => service.stop());

const go = (path: string) => olga.go(`/dashboard/api/guilds/${GUILD}${path}`);
const idsOf = (records: { id: string }[]) => records.map(({ id }) => id);
const byText = (one: string, other: string) => (one < other ? -1 : Number(one > other));

describe('the list of discharges', () => {
  test('begins with the newest, twenty on a page, and names the kinds there are', async () => {
    const reply = await go('/discharges');
    expect(reply.status).toBe(200);
    const newest = discharges.toSorted(
      (a, b) => Date.parse(b.date) - Date.parse(a.date) || byText(b.id, a.id),
    );
    expect(reply.body).toEqual({
      success: true,
      data: { discharges: newest.slice(0, 20), types: ['Honourable', 'Medical'] },
      pagination: { page: 1, limit: 20, total: 45, totalPages: 3 },
    });
    expect(idsOf((await go('/discharges?page=3')).body.data.discharges)).toEqual(idsOf(newest.slice(40)));
  });

  test('is empty past its end', async () => {
    const { body } = await go('/discharges?page=4');
    expect(body.data.discharges).toEqual([]);
    expect(body.pagination).toEqual({ page: 4, limit: 20, total: 45, totalPages: 3 });
    expect((await go('/discharges?page=9007199254740991&limit=100')).body.data.discharges).toEqual([]);
  });

  test.each([
    ['query=ROWAN', (one: Discharge) => /rowan/i.test(one.name)],
    ['query=%20rowan%20', (one: Discharge) => /rowan/i.test(one.name)],
    ['query=%C3%A9lodie', (one: Discharge) => one.name === 'ÉLODIE'],
    ['query=d-1', (one: Discharge) => one.id.startsWith('D-1')],
    ['query=p3', (one: Discharge) => one.playerId === 'P3'],
    ['query=c4', (one: Discharge) => one.chatId === 'C4'],
    ['query=%25', () => false],
    ['query=', () => true],
    ['type=Medical', (one: Discharge) => one.type === 'Medical'],
    ['type=medical', () => false],
    ['since=2026-03-03', (one: Discharge) => one.date >= '2026-03-03'],
    ['until=2026-03-03', (one: Discharge) => one.date < '2026-03-04'],
    ['since=2026-03-02&until=2026-03-02', (one: Discharge) => one.date.startsWith('2026-03-02')],
    [
      'query=vale&type=Honourable&since=2026-03-02&until=2026-03-05',
      (one: Discharge) =>
        one.name === 'Rowan Vale' &&
        one.type === 'Honourable' &&
        one.date >= '2026-03-02' &&
        one.date < '2026-03-06',
    ],
  ])('with %s has exactly what matches', async (query, matches) => {
    const expected = discharges.filter(matches);
    const { body } = await go(`/discharges?limit=100&${query}`);
    expect(idsOf(body.data.discharges).sort()).toEqual(idsOf(expected).sort());
    expect(body.pagination.total).toBe(expected.length);
    expect(body.data.types).toEqual(['Honourable', 'Medical']);
  });

  test('is sorted by name, either way, whatever the case', async () => {
    const sorted = discharges.toSorted(
      (a, b) =>
        Buffer.compare(Buffer.from(a.name.toLowerCase()), Buffer.from(b.name.toLowerCase())) ||
        byText(a.id, b.id),
    );
    const ascending = await go('/discharges?sortBy=name&sortOrder=asc&limit=100');
    expect(idsOf(ascending.body.data.discharges)).toEqual(idsOf(sorted));
    const descending = await go('/discharges?sortBy=name&limit=100');
    expect(idsOf(descending.body.data.discharges)).toEqual(idsOf(sorted.toReversed()));
  });

  test.each([
    ['since=2026-03-05&until=2026-03-04', 'since must not be after until'],
    ['since=2026-02-30', 'since must be a day such as 2027-01-31'],
    ['until=yesterday', 'until must be a day such as 2027-01-31'],
    ['page=0', 'page must be an integer of at least 1'],
    ['limit=101', 'limit must be an integer from 1 to 100'],
    ['sortBy=reason', 'sortBy must be one of: date, name'],
    ['sortOrder=up', 'sortOrder must be one of: asc, desc'],
    [
      'query=a&query=b',
      'query must be text of 0 to 256 characters without control characters or direction marks',
    ],
    ['query=%00', 'query must be text of 0 to 256 characters without control characters or direction marks'],
    ['type=%0a', 'type must be text of 0 to 256 characters without control characters or direction marks'],
  ])('with %s is refused', async (query, fault) => {
    for (const path of ['/discharges', '/discharges.csv', '/transfers', '/transfers.csv']) {
      const hasNo = (name: string) => query.startsWith(name);
      if (
        (path.endsWith('.csv') && (hasNo('page') || hasNo('limit'))) ||
        (path.startsWith('/t') && hasNo('type'))
      ) {
        continue;
      }
      const reply = await go(`${path}?${query}`);
      expect(reply.status).toBe(400);
      expect(reply.body).toEqual({
        success: false,
        message: `Bad request - ${fault}`,
        code: 'invalid_input',
      });
      expect(reply.headers.get('content-disposition')).toBeNull();
    }
  });
});

test('the list of transfers is searched, filtered, sorted and cut the same way', async () => {
  const newest = transfers.toSorted((a, b) => byText(b.date, a.date) || byText(b.id, a.id));
  expect((await go('/transfers?limit=10&page=2')).body).toEqual({
    success: true,
    data: { transfers: newest.slice(10, 20) },
    pagination: { page: 2, limit: 10, total: 45, totalPages: 5 },
  });
  const filtered = await go('/transfers?query=p1&since=2026-03-02&until=2026-03-07&sortOrder=asc&limit=100');
  expect(filtered.body.data.transfers).toEqual(
    newest
      .filter(({ playerId, date }) => playerId === 'P1' && date >= '2026-03-02' && date < '2026-03-08')
      .reverse(),
  );
  expect((await go('/transfers?query=C1')).body.pagination.total).toBe(0);
});

test('one record is shown as the interface shows it; for an absent one, and another guild’s, null is answered', async () => {
  expect((await go('/discharges/D-7')).body).toEqual({ success: true, data: discharges[7] });
  expect((await go('/transfers/T-7')).body).toEqual({ success: true, data: transfers[7] });
  const absent = ['d-7', 'T-7', 'D-99', '..%2fkeys'].map((id) => `/discharges/${id}`);
  for (const path of [...absent, '/transfers/D-7']) {
    const reply = await go(path);
    expect([reply.status, reply.text]).toEqual([200, '{"success":true,"data":null}']);
    expect(reply.headers.get('etag')).toBeNull();
  }
  expect((await go('/transfers/%00')).status).toBe(400);
});

test('a guild without a plan may look at its records', async () => {
  const pia = await service.signIn('pia');
  for (const kind of ['discharges', 'transfers']) {
    const { body } = await pia.go(`/dashboard/api/guilds/${PLANLESS_GUILD}/${kind}`);
    expect(body.data[kind]).toEqual([]);
    expect(body.pagination).toEqual({ page: 1, limit: 20, total: 0, totalPages: 0 });
  }
});

describe('an export', () => {
  async function parse(kind: 'discharges' | 'transfers', text: string): Promise<unknown[]> {
    const items = await gatherGroups(readCsv(bytesOf(text), kindOf(kind).columns));
    return items.map((item) => ('value' in item ? item.value : item));
  }

  test.each(['discharges', 'transfers'] as const)(
    'of %s is to be saved under a plain name, and never kept',
    async (kind) => {
      const reply = await go(`/${kind}.csv`);
      expect(reply.status).toBe(200);
      expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
      expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="${kind}-2026-06-15.csv"`);
      expect(reply.headers.get('cache-control')).toBe('no-store');
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  test.each(['discharges', 'transfers'] as const)(
    'of all %s has the lines of the command line’s export',
    async (kind) => {
      const guild = await service.guilds.find(GUILD);
      let expected = '';
      for await (const text of exportRecords({ store: service.store, kind, format: 'csv', guild })) {
        expected += text;
      }
      const { text } = await go(`/${kind}.csv?exact=true`);
      const records = async (csv: string) => (await parse(kind, csv)) as { id: string }[];
      const byId = (a: { id: string }, b: { id: string }) => byText(a.id, b.id);
      expect(text.split('\r\n')[0]).toBe(expected.split('\r\n')[0]);
      expect((await records(text)).sort(byId)).toEqual((await records(expected)).sort(byId));
      expect(text.length).toBe(expected.length);
    },
  );

  test('has everything that the list shows on all its pages, in the list’s order', async () => {
    const query = 'query=rowan&type=Honourable&since=2026-03-02&until=2026-03-08&sortBy=name&sortOrder=asc';
    const listed = (await go(`/discharges?limit=100&${query}`)).body.data.discharges;
    expect(listed.length).toBeGreaterThan(2);
    expect(await parse('discharges', (await go(`/discharges.csv?exact=true&${query}`)).text)).toEqual(listed);
    const transferQuery = 'query=rowan&until=2026-03-08&sortOrder=asc';
    const moved = (await go(`/transfers?limit=100&${transferQuery}`)).body.data.transfers;
    expect(await parse('transfers', (await go(`/transfers.csv?exact=true&${transferQuery}`)).text)).toEqual(
      moved,
    );
  });

  test('of nothing is the header line alone', async () => {
    expect((await go('/discharges.csv?exact=true&query=nobody')).text).toBe(
      'id,guildId,chatId,playerId,name,reason,date,type,from,signed\r\n',
    );
    expect((await go('/transfers.csv?exact=true&query=nobody')).text).toBe(
      'id,guildId,playerId,name,date,from,to,signed\r\n',
    );
  });
});

test('of two exports of a guild that nobody reads the third is asked to come back, and finds room when one is gone', async () => {
  const guild = await service.foundGuild('many-exports', 'otto');
  // More than the socket buffers hold, so that no export ends before its reader disconnects.
  const reason = 'x'.repeat(50_000);
  const large = Array.from({ length: 600 }, (_, index) => aDischarge(guild, { id: `D-${index}`, reason }));
  await service.store.discharges.put(guild, large, CHANGE);
  const browser = await service.signIn('otto');
  const path = `/dashboard/api/guilds/${guild.guildId}/discharges.csv`;
  const port = Number(new URL(service.address).port);
  const cookie = Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join('; ');
  const openAndStall = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`),
      );
      socket.on('error', reject);
      // The first bytes show that it has begun; from then on nothing is read.
      socket.once('data', () => resolve(socket.pause()));
    });
  const stalled = await Promise.all(Array.from({ length: 2 }, openAndStall));
  const refused = await browser.go(path);
  expect(refused.status).toBe(503);
  expect(refused.body.message).toBe('Service unavailable - overloaded, try again shortly');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  // Other requests are still answered.
  expect((await browser.go(path.replace('.csv', ''))).status).toBe(200);
  for (const socket of stalled) {
    socket.destroy();
  }
  await untilTrue(async () => {
    // An abandoned export occupies a place of its guild for two more seconds.
    service.clock.advance(2_000);
    return (await browser.go(`${path}?query=D-77`)).status === 200;
  });
});
