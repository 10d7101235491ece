import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BoardSettings, USUAL_BOARD } from '../../src/domain/board/board.ts';
import { BoardDocument } from '../../src/wire/board.ts';
import { createValidate } from '../../src/wire/validation.ts';
import { CHANGE } from '../contract/specimens.ts';
import type { TestReply, TestService } from '../support/service.ts';

const GUILD = '700';
const NOTHING: BoardSettings = { ...USUAL_BOARD, leaderboard: false, totals: false, chart: false };
const ALL: BoardSettings = {
  isPublished: true,
  names: true,
  leaderboard: true,
  totals: true,
  chart: true,
  movesMinUnits: 1_000_000,
  commands: true,
};
const HOSTILE = `<script>alert("1")</script>'&`;
const MINUTE_MS = 60_000;

/** The public pages of guilds, on one store. */
export function describeBoards(start: () => Promise<TestService>): void {
  let service: TestService;
  let key: string;
  let count = 0;
  beforeAll(async () => {
    service = await start();
    await service.addGuild(GUILD, { overdraftAllowed: true });
    key = (await service.addKey(GUILD)).value;
    const people = [
      { chatId: '1', playerId: 'p-first', username: 'Rowan' },
      { chatId: '2', playerId: 'p-hostile', username: HOSTILE },
    ];
    await service.store.verifications.put(people, CHANGE);
    const [command] = [{ category: 'Money', name: 'tithe', description: 'Pays the tithe.' }];
    const catalogue = [{ ...command, extendedHelp: 'Not shown.', preconditions: [] }];
    await service.store.commands.replace(catalogue, CHANGE, undefined);
    await post('p-first', 1_200, 'Salary of Rowan');
    await post('p-hostile', 300, HOSTILE);
    await post('p-third', 50, 'small');
    await post('p-debt', -170, 'fine');
  });
  afterAll(() => service.stop());

  async function post(playerId: string, amount: number, name: string): Promise<void> {
    service.clock.advance(1_000);
    const payload = { playerId, amount, name, quantity: 1, source: 'hidden-source' };
    const reply = await service.send({ method: 'POST', url: '/guild/ledger', key, payload });
    expect(reply.status).toBe(200);
  }

  /** A board of the guild with these parts. A guild has one board, so each test has a guild with the same ledger. */
  async function publish(settings: BoardSettings): Promise<string> {
    const guild = await service.store.guilds.find(GUILD);
    if (guild === undefined) throw new Error('the guild is gone');
    await service.store.boards.set(guild, { ...settings, name: 'the-guild' }, CHANGE);
    return 'the-guild';
  }

  const open = (path: string, headers: Record<string, string> = {}): Promise<TestReply> =>
    service.send({ method: 'GET', url: `/board/${path}`, headers });

  async function readForms(name: string): Promise<Record<'page' | 'embed' | 'json', string>> {
    const [page, embed, json] = await Promise.all([open(name), open(`${name}/embed`), open(`${name}.json`)]);
    expect([page.status, embed.status, json.status]).toEqual([200, 200, 200]);
    return { page: page.text, embed: embed.text, json: json.text };
  }

  describe('a published board', () => {
    test('has every part in its page and its JSON, without a key or a session', async () => {
      const name = await publish(ALL);
      const { page, json } = await readForms(name);
      const content = JSON.parse(json);
      expect(createValidate(BoardDocument)(structuredClone(content))).toBeUndefined();
      expect(content).toMatchObject({
        board: name,
        totals: { inCirculation: '1380', accounts: 4, transactions: 4 },
        leaderboard: [
          { place: 1, player: 'Rowan', balance: '1200' },
          { place: 2, player: HOSTILE, balance: '300' },
          { place: 3, player: 'p-third', balance: '50' },
          { place: 4, player: 'p-debt', balance: '-170' },
        ],
        moves: {
          from: '100',
          list: [
            { total: '-170', player: 'p-debt', text: 'fine' },
            { total: '300', player: HOSTILE },
            { total: '1200', player: 'Rowan', text: 'Salary of Rowan' },
          ],
        },
        commands: [{ category: 'Money', name: 'tithe', description: 'Pays the tithe.' }],
      });
      expect(content.days).toHaveLength(90);
      expect(content.days.at(-1)).toEqual({ day: '2026-06-15', deposits: '1550', withdrawals: '170' });
      for (const text of ['Rowan', 'Salary of Rowan', '1,380', 'tithe', '−\u2068170\u2069']) {
        expect(page).toContain(text);
      }
      expect(page).not.toContain('<script');
      expect(json + page).not.toContain('hidden-source');
    });

    test('has tags by which chats show a link, and a picture', async () => {
      const name = await publish(ALL);
      const { text } = await open(name);
      expect(text).toMatch(/<meta property="og:image" content="http[^"]*\/board\/the-guild\.png\?hour=\d+">/);
      expect(text).toContain('<meta name="twitter:card" content="summary_large_image">');
      expect(text).toContain('<meta property="og:title" content="');
      const picture = await open(`${name}.png`);
      expect(picture.headers['content-type']).toBe('image/png');
      expect([...picture.bytes.subarray(1, 4)].map((byte) => String.fromCharCode(byte)).join('')).toBe('PNG');
      expect([picture.bytes.readUInt32BE(16), picture.bytes.readUInt32BE(20)]).toEqual([1_200, 630]);
    });

    test('is in the language of its guild, and its JSON is the same in every language', async () => {
      const formsIn = async (language: 'de' | 'ja' | null) => {
        await service.store.guilds.set({ guildId: GUILD, language, defaultPlan: 'none' }, CHANGE);
        const name = await publish(ALL);
        service.clock.advance(2 * MINUTE_MS);
        const { madeAt: _, ...numbers } = JSON.parse((await readForms(name)).json);
        return { ...(await readForms(name)), numbers, picture: (await open(`${name}.png`)).status };
      };
      const german = await formsIn('de');
      for (const text of ['<html lang="de">', 'Im Umlauf', '1.380', 'Letzte 90 Tage', 'Rangliste', 'Ab ']) {
        expect(german.page).toContain(text);
      }
      expect(german.embed).toContain('Board öffnen');
      expect(german.page + german.embed).not.toMatch(/In circulation|Last 90 days|1,380/);
      const japanese = await formsIn('ja');
      expect(japanese.page).toContain('<html lang="ja">');
      expect([german.picture, japanese.picture]).toEqual([200, 200]);
      const english = await formsIn(null);
      expect(english.page).toContain('<html lang="en">');
      expect([german.numbers, japanese.numbers]).toEqual([english.numbers, english.numbers]);
    });

    const PARTS = [
      ['totals', { totals: true }, ['1380', '1,380']],
      ['leaderboard', { leaderboard: true }, ['1200', '1,200', 'balance']],
      ['days', { chart: true }, ['1550', '1,550', '2026-06-15']],
      ['moves', { movesMinUnits: 10_000 }, ['-170', '170']],
      ['commands', { commands: true }, ['tithe', 'Money']],
    ] as const;

    test.each(PARTS)('with %s alone has nothing of the other parts', async (part, settings) => {
      const name = await publish({ ...NOTHING, isPublished: true, ...settings });
      const forms = await readForms(name);
      const content = JSON.parse(forms.json);
      const others = PARTS.filter(([other]) => other !== part);
      for (const [other] of others) {
        expect(content).not.toHaveProperty(other);
      }
      expect(content).toHaveProperty(part);
      const text = Object.values(forms).join('');
      for (const hidden of ['Rowan', 'alert(', 'p-third', 'p-debt', 'Salary', 'hidden-source']) {
        expect(text).not.toContain(hidden);
      }
      if (part !== 'commands') expect(text).not.toContain('tithe');
      if (part !== 'totals') expect(text).not.toMatch(/1,?380/);
      if (part !== 'days') expect(text).not.toMatch(/1,?550/);
      if (part !== 'leaderboard' && part !== 'moves') expect(text).not.toMatch(/\b1,?200\b(?!")/);
    });

    test('with no part has the name of the guild and nothing else', async () => {
      const { json } = await readForms(await publish({ ...NOTHING, isPublished: true }));
      expect(Object.keys(JSON.parse(json))).toEqual(['board', 'guild', 'url', 'madeAt', 'currency']);
    });
  });

  describe('the headers of a board', () => {
    test('allow frames of others for the small version only, and any origin to read the JSON', async () => {
      const name = await publish(ALL);
      const [page, embed, json] = [await open(name), await open(`${name}/embed`), await open(`${name}.json`)];
      expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(embed.headers['content-security-policy']).toContain('frame-ancestors *');
      expect(page.headers['content-security-policy']).toContain("default-src 'none'");
      expect(json.headers['access-control-allow-origin']).toBe('*');
      expect(page.headers).not.toHaveProperty('access-control-allow-origin');
      for (const { headers } of [page, embed, json]) {
        expect(headers['cache-control']).toBe('public, max-age=60');
        expect(headers['x-content-type-options']).toBe('nosniff');
        expect(headers).not.toHaveProperty('set-cookie');
      }
    });

    test('allow a browser to keep a board, and the answer is compressed', async () => {
      const name = await publish(ALL);
      const plain = await open(name);
      const known = await open(name, { 'if-none-match': `"x", ${plain.headers.etag}` });
      expect([known.status, known.text]).toEqual([304, '']);
      const packed = await open(name, { 'accept-encoding': 'gzip, br' });
      expect(packed.headers['content-encoding']).toBe('br');
      expect(brotliDecompressSync(packed.bytes).toString()).toBe(plain.text);
      expect((await service.send({ method: 'HEAD', url: `/board/${name}` })).status).toBe(200);
    });
  });

  describe('a board in memory', () => {
    test('is made once a minute, once for many visitors', async () => {
      const name = await publish({ ...ALL, names: count++ % 2 === 0 });
      const transactions = async () => JSON.parse((await open(`${name}.json`)).text).totals.transactions;
      const before = await transactions();
      await post('p-later', 1, 'late');
      expect(await transactions()).toBe(before);
      service.clock.advance(2 * MINUTE_MS);
      const pages = await Promise.all(Array.from({ length: 30 }, () => open(name)));
      expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
      expect(await transactions()).toBe(before + 1);
    });

    test('an older one is sent while the next one is made', async () => {
      const name = await publish({ ...ALL, names: count++ % 2 === 0 });
      const first = (await open(name)).text;
      service.clock.advance(MINUTE_MS + 1);
      expect((await open(name)).text).toBe(first);
      await expect.poll(async () => (await open(name)).text).not.toBe(first);
    });

    test('is gone with the next request after it was switched off, and back after it was switched on', async () => {
      const name = await publish(ALL);
      expect((await open(name)).status).toBe(200);
      await publish({ ...ALL, isPublished: false });
      for (const form of ['', '.json', '.png', '/embed']) {
        expect((await open(`${name}${form}`)).status).toBe(404);
      }
      await publish({ ...ALL, totals: false });
      expect((await open(name)).status).toBe(200);
      expect(JSON.parse((await open(`${name}.json`)).text)).not.toHaveProperty('totals');
    });
  });

  test('a name that is switched off is answered as one that nobody has chosen', async () => {
    const name = await publish({ ...ALL, isPublished: false });
    for (const form of ['', '.json', '.png', '/embed']) {
      const [off, unknown] = [await open(`${name}${form}`), await open(`nobody-has-this${form}`)];
      const drop = ({ headers }: TestReply) => ({ ...headers, 'x-request-id': '', date: '' });
      expect([off.status, off.text, drop(off)]).toEqual([404, unknown.text, drop(unknown)]);
      expect(off.headers['cache-control']).toBe('no-store');
    }
  });

  test('a board that does not exist is reported in the language of the browser', async () => {
    for (const [accepted, language, title] of [
      ['de-AT,de;q=0.9,en;q=0.8', 'de', 'Dieses Board gibt es nicht'],
      ['en;q=0.2, ja', 'ja', 'このボードは存在しません'],
      ['nl, fr;q=0, pt;q=0.5', 'pt-BR', 'Este mural não existe'],
      ['*', 'en', 'There is no such board'],
    ] as const) {
      for (const form of ['', '/embed', '.png']) {
        const { status, text } = await open(`nobody${form}`, { 'accept-language': accepted });
        expect(status).toBe(404);
        expect(text).toContain(`<html lang="${language}">`);
        expect(text).toContain(title);
      }
    }
    const json = await open('nobody.json', { 'accept-language': 'de' });
    expect(json.text).toBe('{"success":false,"message":"Not found"}');
  });

  test.each([
    '',
    'ab',
    'The-Guild',
    'the-guild.',
    'the-guild.svg',
    'a%2fb',
    '%00abc',
    'embed',
    'the-guild/x',
  ])('there is no board at %j', async (path) => {
    await publish(ALL);
    expect((await open(path)).status).toBe(404);
  });
}
