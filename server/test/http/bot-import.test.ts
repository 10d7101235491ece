import { describe, expect, test } from 'vitest';
import { shareImports, TRANSACTION } from './bot-imports.ts';
import { NDJSON, toNdjson } from './bot-service.ts';
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

const imports = shareImports();
const { outcomes } = imports;

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
      expect((await imports.service.ask({ method: 'GET', url })).body).toEqual(shown);
      const before = imports.service.snapshot();
      expect(await outcomes(`/bot/import/${kind}`, body)).toEqual(['unchanged', 'unchanged']);
      expect(imports.service.snapshot()).toBe(before);
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
    const reply = await imports.service.bot('POST', '/bot/import/discharges', { payload, headers: NDJSON });
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
      ['good-1', imports.service.key],
      ['good-2', imports.service.key],
      ['good-3', imports.service.otherKey],
    ] as const) {
      expect((await imports.service.ask({ method: 'GET', url: `/guild/discharges/${id}`, key })).status).toBe(
        200,
      );
    }
    expect((await imports.service.ask({ method: 'GET', url: '/guild/discharges/bad' })).status).toBe(404);
  });

  test('the guild of the address is for lines that name none, and lines of another guild are rejected', async () => {
    const { guildId: _, ...unnamed } = DISCHARGE;
    const body = toNdjson([
      { ...unnamed, id: 'a' },
      { ...DISCHARGE, id: 'b' },
      { ...DISCHARGE, id: 'c', guildId: OTHER_GUILD_ID },
    ]);
    expect(await imports.service.importLines(`/bot/import/discharges?guild=${GUILD_ID}`, body)).toEqual([
      { line: 1, outcome: 'created' },
      { line: 2, outcome: 'created' },
      { line: 3, outcome: 'rejected', reason: 'the record belongs to another guild than the one named' },
    ]);
    expect((await imports.service.importLines('/bot/import/discharges', body))[0]).toEqual({
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
    const lines = await imports.service.importLines(
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
    const before = imports.service.snapshot();
    const many = Array.from({ length: 2_001 }, (_, index) => ({ ...COMMANDS[0], name: `c${index}` }));
    const reply = await imports.service.bot('POST', '/bot/import/commands', {
      payload: toNdjson(many),
      headers: NDJSON,
    });
    expectRefusal(
      reply,
      400,
      errorText('Bad request - there may be at most 2000 commands', { code: 'invalid_input' }),
    );
    expect(imports.service.snapshot()).toBe(before);
    expect(await outcomes('/bot/import/commands', toNdjson(many.slice(1)))).toHaveLength(2_000);
    const listed = await imports.service.ask({ method: 'GET', url: '/commands' });
    expect(listed.body.data).toEqual(many.slice(1));
  });

  test('what was imported stands in the audit log in the name of the bot', async () => {
    await imports.service.importLines(
      '/bot/import/discharges',
      toNdjson([{ ...DISCHARGE, name: 'Renamed' }]),
    );
    const guild = await imports.service.guilds.find(GUILD_ID);
    const [entry] = await imports.service.store.audit.list(guild, { limit: 1 });
    expect(entry).toMatchObject({ actor: { kind: 'bot' }, action: 'update', subjectId: DISCHARGE.id });
  });
});
