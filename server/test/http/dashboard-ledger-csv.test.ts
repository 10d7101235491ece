import { once } from 'node:events';
import { get } from 'node:http';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { csvTextCell } from '../../src/import-export/csv.ts';
import { aPastTransaction, CHANGE } from '../contract/specimens.ts';
import { untilTrue } from '../support/patience.ts';
import {
  type DashboardService,
  GUILD,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';
import { createPoster, guildPath, type Poster, playerPath } from './ledger-pages.ts';

let service: DashboardService;
let olga: SignedInBrowser;
let poster: Poster;
const NASTY = '=1+1,"quoted" \'and\' é🛡';
const HEADER = 'transactionId,playerId,name,quantity,amount,total,source,balanceAfter,createdAt,postedBy\r\n';

beforeAll(async () => {
  service = await startDashboardService();
  olga = await service.signIn('olga');
  poster = await createPoster(service);
  for (let index = 0; index < 12; index += 1) {
    await poster.post({
      playerId: index % 2 === 0 ? 'a' : 'b',
      amount: (index % 5) - 2 || 7,
      name: NASTY,
      source: index % 3 === 0 ? 'arena' : 'shop',
    });
  }
  await olga.change('POST', playerPath('a', '/transactions'), { name: 'Fix', quantity: 3, amount: -0.0001 });
});
afterAll(() => service.stop());

function cookieOf(browser: SignedInBrowser): string {
  return Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join('; ');
}

type Row = Record<string, string>;

async function download(path: string): Promise<Row[]> {
  const reply = await olga.go(path);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/);
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  expect(reply.text.startsWith(HEADER)).toBe(true);
  return parse(reply.text, { columns: true });
}

/** A transaction of a page as its row of the file has to be. */
function toRow(one: Record<string, unknown>): Row {
  const { kind, id } = one.postedBy as { kind: string; id: string };
  const values: Record<string, unknown> = { ...one, postedBy: `${kind}:${id}` };
  return Object.fromEntries(
    HEADER.trim()
      .split(',')
      .map((name) => [name, String(values[name])]),
  );
}

describe("a player's transactions as a file", () => {
  test.each([
    '',
    'sortBy=amount&sortOrder=asc',
    'from=shop&sortBy=total',
    'minAmount=0',
    'maxAmount=0',
    'from=x',
  ])('are for "%s" what the pages show, all of it and in that order', async (query) => {
    const page = await olga.go(playerPath('a', `/transactions?limit=100&${query}`));
    const expected = page.body.data.transactions.map(toRow);
    expect(await download(playerPath('a', `/transactions.csv?exact=true&${query}`))).toEqual(expected);
  });

  test('have a name that every system takes', async () => {
    const nameOf = async (playerId: string) =>
      (await olga.go(playerPath(playerId, '/transactions.csv'))).headers.get('content-disposition');
    expect(await nameOf('a')).toBe('attachment; filename="transactions-a-2026-06-15.csv"');
    expect(await nameOf('../é "x"\\;')).toMatch(/^attachment; filename="[\w.-]+"$/);
  });

  test('are for a player nobody knows the header alone', async () => {
    expect((await olga.go(playerPath('nobody', '/transactions.csv?exact=true'))).text).toBe(HEADER);
  });

  test.each(['sortBy=name', 'minAmount=2&maxAmount=1', 'minAmount=-1'])(
    'are refused for %s',
    async (query) => {
      const reply = await olga.go(playerPath('a', `/transactions.csv?${query}`));
      expect(reply.status).toBe(400);
      expect(reply.headers.get('content-disposition')).toBeNull();
      expect(reply.body.message).toMatch(/^Bad request - /);
    },
  );
});

describe("the guild's transactions as a file", () => {
  test.each(['', 'from=arena', 'minAmount=1&maxAmount=2', 'from=shop&minAmount=0'])(
    'are for "%s" what the pages show, newest first',
    async (query) => {
      const page = await olga.go(guildPath(`/transactions?limit=100&${query}`));
      const expected = page.body.data.transactions.map(toRow);
      expect(expected.length).toBeGreaterThan(0);
      expect(await download(guildPath(`/transactions.csv?exact=true&${query}`))).toEqual(expected);
    },
  );

  test('are those that are asked for by id, in that order, or none when one is missing', async () => {
    const page = await olga.go(guildPath('/transactions?limit=5'));
    const chosen = [3, 0, 4].map((index) => page.body.data.transactions[index]);
    const ids = chosen.map(({ transactionId }) => transactionId);
    const path = (list: string[]) => guildPath(`/transactions.csv?exact=true&ids=${list.join(',')}`);
    expect(await download(path(ids))).toEqual(chosen.map(toRow));
    const missing = await olga.go(path([...ids, '01890000-0000-7000-8000-000000000000']));
    expect([missing.status, missing.headers.get('content-disposition')]).toEqual([404, null]);
    expect((await olga.go(path([]))).status).toBe(400);
  });

  test('are refused for a range that is none', async () => {
    const reply = await olga.go(guildPath('/transactions.csv?minAmount=2&maxAmount=1'));
    expect(reply.body.message).toBe('Bad request - minAmount must not be above maxAmount');
  });
});

describe('a file for spreadsheets', () => {
  test('has a mark of its encoding, names, and no text that runs as a formula', async () => {
    await service.store.verifications.put([{ chatId: '1', playerId: 'b', username: '@ll' }], CHANGE);
    // Decoding an answer, as fetch does, takes the mark away.
    const headers = { cookie: cookieOf(olga) };
    const { text } = await service.send({ method: 'GET', url: guildPath('/transactions.csv'), headers });
    expect(text.startsWith(`\uFEFF${HEADER.trimEnd()},username,postedByName\r\n`)).toBe(true);
    const rows: Row[] = parse(text, { columns: true, bom: true });
    const exact = await download(guildPath('/transactions.csv?exact=true'));
    expect(rows).toHaveLength(exact.length);
    for (const [index, { username, postedByName, name, ...rest }] of rows.entries()) {
      const { name: itself, ...others } = exact[index] ?? {};
      expect(rest).toEqual(others);
      expect(name).toBe(itself === NASTY ? `'${NASTY}` : itself);
      expect(username).toBe(rest.playerId === 'b' ? "'@ll" : '');
      expect(postedByName).not.toBe('');
    }
    // Amounts stay numbers, below zero too.
    expect(rows.map(({ amount }) => amount)).toContain('-0.0001');
  });

  const FORMULAS = ['=1', '+1', '-1', '@x', '\tx', '\rx', '＝1', '＋1', '－1', '＠x'];
  test.each(FORMULAS)('marks %j as text, and exact files do not', (cell) => {
    expect(csvTextCell(cell, 'spreadsheet')).toBe(`'${cell}`);
    expect(csvTextCell(cell, 'exact')).toBe(cell);
    expect(csvTextCell(`a${cell}`, 'spreadsheet')).toBe(`a${cell}`);
  });

  test('marks signs of full width in a downloaded file', async () => {
    const names = ['＝1＋1', '＋1', '－1', '＠SUM(A1)', 'a＝1'];
    for (const name of names) {
      await poster.post({ playerId: 'wide', name });
    }
    const { text } = await olga.go(playerPath('wide', '/transactions.csv'));
    const rows: Row[] = parse(text, { columns: true, bom: true });
    const shown = names.map((name) => (name.startsWith('a') ? name : `'${name}`));
    expect(rows.map(({ name }) => name).sort()).toEqual(shown.sort());
    const exact = await download(playerPath('wide', '/transactions.csv?exact=true'));
    expect(exact.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  test('is refused for another word than true or false', async () => {
    const reply = await olga.go(guildPath('/transactions.csv?exact=maybe'));
    expect(reply.status).toBe(400);
  });
});

describe('a browser that goes away', () => {
  /** Begins a download and stops taking it after the first bytes. */
  async function begin() {
    const request = get(new URL(guildPath('/transactions.csv'), service.address), {
      headers: { cookie: cookieOf(olga) },
    });
    const [response] = await once(request, 'response');
    response.pause();
    return { request, status: response.statusCode };
  }

  test('ends the reading: the places for downloads are free again', async () => {
    const guild = await service.guilds.find(GUILD);
    // More than the buffers on the way hold, so that the reading cannot be over before the browser goes.
    const name = 'n'.repeat(50_000);
    const rows = Array.from({ length: 600 }, () => aPastTransaction(guild, { playerId: 'many', name }));
    await service.store.ledger.import(guild, rows);
    const begun = await Promise.all(Array.from({ length: 2 }, begin));
    expect(begun.map(({ status }) => status)).toEqual([200, 200]);
    const third = await olga.go(guildPath('/transactions.csv'));
    expect(third.status).toBe(503);
    expect(third.headers.get('retry-after')).toBe('5');
    for (const { request } of begun) {
      request.destroy();
    }
    await untilTrue(async () => {
      // An abandoned export occupies a place of its guild for two more seconds.
      service.clock.advance(2_000);
      return (await olga.go(playerPath('a', '/transactions.csv'))).status === 200;
    });
  });
});
