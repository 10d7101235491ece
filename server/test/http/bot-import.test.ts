import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CHANGE } from '../contract/specimens.ts';
import { type BotService, startBotService, toNdjson } from './bot-service.ts';
import {
  COMMANDS,
  DISCHARGE,
  errorText,
  expectRefusal,
  GUILD_ID,
  OTHER_GUILD_ID,
  TRANSFER,
  VERIFICATION,
} from './filled-service.ts';

const NDJSON = { 'content-type': 'application/x-ndjson' };
const TRANSACTION = {
  guildId: GUILD_ID,
  playerId: '48213977',
  transactionId: '019a7f4c-52e1-7c3b-9d0e-6f1f2a8b4c5d',
  amount: -0.075,
  quantity: 3,
  name: 'Copper Nail',
  source: 'shop',
  createdAt: '2025-11-14T20:15:30.123Z',
};

let service: BotService;

beforeAll(async () => {
  service = await startBotService();
});
afterAll(() => service.stop());
/** Each test begins with what the service was filled with as it was, and brings ids and players that no other test has. */
beforeEach(async () => {
  const { store, guilds } = service;
  const guild = await guilds.find(GUILD_ID);
  await Promise.all([
    store.discharges.put(guild, [DISCHARGE], CHANGE),
    store.transfers.put(guild, [TRANSFER], CHANGE),
    store.verifications.put([VERIFICATION], CHANGE),
    store.commands.replace(COMMANDS, CHANGE),
  ]);
});

const outcomes = async (url: string, body: string | Buffer) =>
  (await service.importLines(url, body)).map(({ outcome }) => outcome);

describe('what goes in', () => {
  describe('each kind goes in and is read through its endpoint; repeating it changes nothing', () => {
    test.each([
      {
        kind: 'discharges',
        records: [DISCHARGE, { ...DISCHARGE, id: 'dis_2', reason: '' }],
        first: ['unchanged', 'created'],
        url: '/guild/discharges/dis_2',
        shown: { success: true, data: { ...DISCHARGE, id: 'dis_2', reason: '' } },
      },
      {
        kind: 'transfers',
        records: [
          { ...TRANSFER, name: 'Renamed' },
          { ...TRANSFER, id: 'trf_2', date: '2026-05-02T20:22:05+02:00' },
        ],
        first: ['updated', 'created'],
        url: '/guild/transfers/trf_2',
        shown: { ...TRANSFER, id: 'trf_2' },
      },
      {
        kind: 'verifications',
        records: [VERIFICATION, { chatId: '900', playerId: '1', username: 'Wren', pastUsers: [] }],
        first: ['unchanged', 'created'],
        url: '/users/wren',
        shown: { success: true, data: { chatId: '900', playerId: '1', username: 'Wren', pastUsers: [] } },
      },
      {
        kind: 'commands',
        records: COMMANDS.slice(1),
        first: ['updated', 'updated'],
        url: '/commands',
        shown: { success: true, data: COMMANDS.slice(1) },
      },
      {
        kind: 'transactions',
        records: [TRANSACTION, { ...TRANSACTION, transactionId: '019a7f4c-52e1-7c3b-9d0e-6f1f2a8b4c5e' }],
        first: ['created', 'created'],
        url: '/guild/ledger/48213977/transactions?limit=1',
        shown: {
          success: true,
          data: {
            playerId: '48213977',
            transactions: [
              {
                transactionId: '019a7f4c-52e1-7c3b-9d0e-6f1f2a8b4c5e',
                amount: -0.075,
                quantity: 3,
                name: 'Copper Nail',
                source: 'shop',
                total: -0.225,
                createdAt: '2025-11-14T20:15:30.123Z',
              },
            ],
          },
          pagination: { page: 1, limit: 1, total: 2, totalPages: 2 },
        },
      },
    ])('$kind', async ({ kind, records, first, url, shown }) => {
      const body = toNdjson(records);
      expect(await outcomes(`/bot/import/${kind}`, body)).toEqual(first);
      expect((await service.ask({ method: 'GET', url })).body).toEqual(shown);
      const before = service.snapshot();
      expect(await outcomes(`/bot/import/${kind}`, body)).toEqual(['unchanged', 'unchanged']);
      expect(service.snapshot()).toBe(before);
    });
  });

  test('the answer is NDJSON with one line for each line, and good ones go in beside bad ones', async () => {
    const payload = [
      JSON.stringify({ ...DISCHARGE, id: 'good-1' }),
      '{"id":',
      JSON.stringify({ ...DISCHARGE, id: 'bad', date: '2026-02-30' }),
      '',
      JSON.stringify({ ...DISCHARGE, id: 'bad', signed: undefined }),
      '   ',
      JSON.stringify({ ...DISCHARGE, id: 'good-2' }),
      '"text"',
      JSON.stringify({ ...DISCHARGE, id: 'bad', guildId: 'nobody' }),
      JSON.stringify({ ...DISCHARGE, id: 'good-3', guildId: OTHER_GUILD_ID }),
    ].join('\r\n');
    const reply = await service.bot('POST', '/bot/import/discharges', { payload, headers: NDJSON });
    expect(reply.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    expect(reply.text).toBe(
      [
        '{"line":1,"outcome":"created"}',
        '{"line":2,"outcome":"rejected","reason":"the text is not JSON"}',
        '{"line":3,"outcome":"rejected","reason":"date must be a date such as 2027-01-31 or 2027-01-31T18:00:00Z"}',
        '{"line":5,"outcome":"rejected","reason":"signed is missing"}',
        '{"line":7,"outcome":"created"}',
        '{"line":8,"outcome":"rejected","reason":"the record must be an object"}',
        '{"line":9,"outcome":"rejected","reason":"there is no such guild"}',
        '{"line":10,"outcome":"created"}',
        '',
      ].join('\n'),
    );
    for (const [id, key] of [
      ['good-1', service.key],
      ['good-2', service.key],
      ['good-3', service.otherKey],
    ] as const) {
      expect((await service.ask({ method: 'GET', url: `/guild/discharges/${id}`, key })).status).toBe(200);
    }
    expect((await service.ask({ method: 'GET', url: '/guild/discharges/bad' })).status).toBe(404);
  });

  test('the guild of the address is for lines that name none, and lines of another guild are rejected', async () => {
    const { guildId: _, ...unnamed } = DISCHARGE;
    const body = toNdjson([
      { ...unnamed, id: 'a' },
      { ...DISCHARGE, id: 'b' },
      { ...DISCHARGE, id: 'c', guildId: OTHER_GUILD_ID },
    ]);
    expect(await service.importLines(`/bot/import/discharges?guild=${GUILD_ID}`, body)).toEqual([
      { line: 1, outcome: 'created' },
      { line: 2, outcome: 'created' },
      { line: 3, outcome: 'rejected', reason: 'the record belongs to another guild than the one named' },
    ]);
    expect((await service.importLines('/bot/import/discharges', body))[0]).toEqual({
      line: 1,
      outcome: 'rejected',
      reason: 'guildId is missing, and no guild was named for all',
    });
    expect(await outcomes('/bot/import/discharges?guild=nobody', body)).toEqual(
      Array.from({ length: 3 }, () => 'rejected'),
    );
  });

  test('a transaction older than the last of its account is rejected, and one of the same moment is not', async () => {
    const at = (createdAt: string, digit: number) => ({
      ...TRANSACTION,
      playerId: 'out-of-order',
      createdAt,
      transactionId: `019a7f4c-52e1-7c3b-9d0e-6f1f2a8b400${digit}`,
    });
    const lines = await service.importLines(
      '/bot/import/transactions',
      toNdjson([at('2025-01-02T00:00:00Z', 1), at('2025-01-01T00:00:00Z', 2), at('2025-01-02T00:00:00Z', 3)]),
    );
    expect(lines).toEqual([
      { line: 1, outcome: 'created' },
      {
        line: 2,
        outcome: 'rejected',
        reason: "older than the account's last transaction (2025-01-02T00:00:00.000Z)",
      },
      { line: 3, outcome: 'created' },
    ]);
  });

  test('commands replace the whole catalogue; too many of them replace nothing', async () => {
    const before = service.snapshot();
    const many = Array.from({ length: 2_001 }, (_, index) => ({ ...COMMANDS[0], name: `c${index}` }));
    const reply = await service.bot('POST', '/bot/import/commands', {
      payload: toNdjson(many),
      headers: NDJSON,
    });
    expectRefusal(reply, 400, errorText('Bad request - there may be at most 2000 commands'));
    expect(service.snapshot()).toBe(before);
    expect(await outcomes('/bot/import/commands', toNdjson(many.slice(1)))).toHaveLength(2_000);
    const listed = await service.ask({ method: 'GET', url: '/commands' });
    expect(listed.body.data).toEqual(many.slice(1));
  });

  test('what was imported stands in the audit log in the name of the bot', async () => {
    await service.importLines('/bot/import/discharges', toNdjson([{ ...DISCHARGE, name: 'Renamed' }]));
    const guild = await service.guilds.find(GUILD_ID);
    const [entry] = await service.store.audit.list(guild, { limit: 1 });
    expect(entry).toMatchObject({ actor: { kind: 'bot' }, action: 'update', subjectId: DISCHARGE.id });
  });
});

describe('what does not go in', () => {
  test.each([
    ['a total that is none', { total: 1 }, 'total must be amount times quantity'],
    ['an amount of zero', { amount: 0 }, 'amount must not be zero'],
    ['a fifth decimal place', { amount: 0.00001 }, 'amount must have at most 4 decimal places'],
    [
      'an id in capitals',
      { transactionId: TRANSACTION.transactionId.toUpperCase() },
      'transactionId must be a UUID in lower case',
    ],
    [
      'a time without an offset',
      { createdAt: '2025-11-14T20:15:30' },
      'createdAt must be a time such as 2027-01-31T18:00:00Z',
    ],
    ['half an item', { quantity: 0.5 }, 'quantity must be an integer of at least 1'],
  ])('a transaction with %s is rejected', async (_name, changes, reason) => {
    const before = service.snapshot();
    const lines = await service.importLines(
      '/bot/import/transactions',
      toNdjson([{ ...TRANSACTION, ...changes }]),
    );
    expect(lines).toEqual([{ line: 1, outcome: 'rejected', reason }]);
    expect(service.snapshot()).toBe(before);
  });

  describe('bodies that are none', () => {
    test.each(['', '\n', '\n \r\n\t\n', '\uFEFF'])('%j is an import of nothing', async (body) => {
      const before = service.snapshot();
      expect(await service.importLines('/bot/import/discharges', body)).toEqual([]);
      expect(service.snapshot()).toBe(before);
    });

    test('a byte order mark before the first line is passed over', async () => {
      const body = `\uFEFF${toNdjson([DISCHARGE])}`;
      expect(await outcomes('/bot/import/discharges', body)).toEqual(['unchanged']);
    });

    test('a line that is not UTF-8 is rejected, and the next one goes in', async () => {
      const latin = Buffer.from(JSON.stringify({ ...DISCHARGE, id: 'latin', name: 'René' }), 'latin1');
      const body = Buffer.concat([latin, Buffer.from('\n'), Buffer.from(toNdjson([DISCHARGE]))]);
      expect(await service.importLines('/bot/import/discharges', body)).toEqual([
        { line: 1, outcome: 'rejected', reason: 'the text is not UTF-8' },
        { line: 2, outcome: 'unchanged' },
      ]);
    });

    test('a line of more than a mebibyte is rejected, and the next one goes in', async () => {
      const body = `${JSON.stringify({ ...DISCHARGE, reason: 'x'.repeat(1_100_000) })}\n${toNdjson([DISCHARGE])}`;
      expect(await service.importLines('/bot/import/discharges', body)).toEqual([
        { line: 1, outcome: 'rejected', reason: 'the line is longer than 1048576 bytes' },
        { line: 2, outcome: 'unchanged' },
      ]);
    });
  });

  describe('requests that are none', () => {
    const send = (url: string, headers: Record<string, string>) =>
      service.bot('POST', url, { payload: toNdjson([{ ...DISCHARGE, id: 'new' }]), headers });

    test.each(['application/json', 'text/plain', 'text/csv', 'application/x-ndjsonx'])(
      'the content type %s is refused, and nothing is imported',
      async (type) => {
        const before = service.snapshot();
        const reply = await send('/bot/import/discharges', { 'content-type': type });
        expectRefusal(reply, 415, errorText('Unsupported media type - send application/x-ndjson'));
        expect(service.snapshot()).toBe(before);
      },
    );

    test('a content type with a charset is understood', async () => {
      const reply = await send('/bot/import/discharges', {
        'content-type': 'application/x-ndjson; charset=utf-8',
      });
      expect(reply.text).toBe('{"line":1,"outcome":"created"}\n');
    });

    test.each(['guilds', 'keys', 'Discharges', '__proto__', 'constructor'])(
      'there is no kind %s',
      async (kind) => {
        const reply = await send(`/bot/import/${kind}`, NDJSON);
        const kinds = 'discharges, transfers, verifications, commands, transactions';
        expectRefusal(reply, 400, errorText(`Bad request - kind must be one of: ${kinds}`));
      },
    );

    test.each(['guild=', 'guild=%00', `guild=${'x'.repeat(129)}`, 'guild=1&guild=2'])(
      'the query %s is refused',
      async (query) => {
        const reply = await send(`/bot/import/discharges?${query}`, NDJSON);
        expect(reply.status).toBe(400);
      },
    );
  });
});
