import { describe, expect, test } from 'vitest';
import { COMMANDS, DISCHARGE, TRANSFER, VERIFICATION } from '../http/filled-service.ts';
import { changeAt } from '../support/change.ts';
import { createCommandPlace, GUILD_ID, toNdjson } from './command-place.ts';

const CSV_HEADER = 'id,guildId,playerId,name,date,from,to,signed';
const CSV_ROW = `trf_2,${GUILD_ID},7,Wren,2026-05-02T18:22:05Z,"2nd ""Old"" Company, left wing",Harbour Watch,`;
const OTHER_ID = '019a7f4c-52e1-7c3b-9d0e-6f1f2a8b4c5e';
const PAST = {
  guildId: GUILD_ID,
  playerId: '7',
  transactionId: '019a7f4c-52e1-7c3b-9d0e-6f1f2a8b4c5d',
  amountUnits: 123_456_789_012_345,
  quantity: 3,
  totalUnits: 370_370_367_037_035,
  name: 'Iron "Ingot"',
  source: 'shop, old',
  createdAtMs: Date.parse('2025-11-14T20:15:30.123Z'),
};
const SUMMARY = (counts: string) =>
  expect.stringMatching(new RegExp(`^\\d+ records? in [\\d.]+ s \\([\\d,]+/s\\): ${counts}`));

function discharges(...changes: object[]): string {
  return toNdjson(changes.map((change, index) => ({ ...DISCHARGE, id: `d${index + 1}`, ...change })));
}

describe('formats', () => {
  const TRICKY = {
    ...DISCHARGE,
    reason: 'He said: "no",\r\nand left; Ünïcödé 🛡',
    type: '',
    name: ' padded ',
  };

  test.each([
    ['discharges', 'csv'],
    ['transfers', 'ndjson'],
    ['verifications', 'csv'],
    ['commands', 'json'],
    ['transactions', 'csv'],
    ['transactions', 'json'],
  ])(
    '%s written as %s to standard output are read from standard input and are the same',
    async (kind, format) => {
      const [from, to] = await Promise.all([createCommandPlace(), createCommandPlace()]);
      await from.withToolbox(async ({ store, guilds }) => {
        const guild = await guilds.find(GUILD_ID);
        const change = changeAt(Date.now());
        await store.discharges.put(guild, [DISCHARGE, { ...TRICKY, id: 'dis_2' }], change);
        await store.transfers.put(guild, [TRANSFER, { ...TRANSFER, id: 'trf_2', from: '' }], change);
        await store.verifications.put(
          [VERIFICATION, { chatId: '9', playerId: '1', username: 'Wren' }],
          change,
        );
        await store.commands.replace(COMMANDS, change);
        await store.ledger.import(guild, [
          PAST,
          { ...PAST, transactionId: OTHER_ID, amountUnits: -1, totalUnits: -3 },
        ]);
      });
      const exported = await from.run('export', kind, '--format', format);
      expect(exported).toMatchObject({ status: 0, stderr: '' });

      expect(await to.feed(exported.stdout, 'import', kind, '-')).toMatchObject({
        status: 0,
        stdout: '',
        stderr: SUMMARY('[23] created, .* 0 rejected'),
      });
      expect((await to.run('export', kind, '--format', format)).stdout).toBe(exported.stdout);
    },
  );

  test.each([
    ['records.csv', `\uFEFF${CSV_HEADER}\n${CSV_ROW}\n`],
    ['records.csv', `${CSV_HEADER}\r\n${CSV_ROW}\r\n`],
    ['records.txt', `${CSV_HEADER}\n${CSV_ROW}`],
  ])('CSV as other programs write it is understood: %s %j', async (name, content) => {
    const place = await createCommandPlace();
    place.write(name, content);
    expect(await place.run('import', 'transfers', name)).toMatchObject({ status: 0 });
    const shown = JSON.parse((await place.run('export', 'transfers')).stdout);
    expect(shown).toEqual([
      {
        id: 'trf_2',
        guildId: GUILD_ID,
        playerId: '7',
        name: 'Wren',
        date: '2026-05-02T18:22:05.000Z',
        from: '2nd "Old" Company, left wing',
        to: 'Harbour Watch',
        signed: '',
      },
    ]);
  });

  test('columns may come in any order, and --format goes before the name of the file', async () => {
    const place = await createCommandPlace();
    place.write('users.json', 'pastUsers,username,chatId,playerId\n[],Wren,9,1\n');
    const { child, ended } = place.start('import', 'verifications', 'users.json', '--format', 'csv');
    child.stdin.end();
    expect(await ended).toMatchObject({ status: 0, stdout: '', stderr: SUMMARY('1 created') });
  });
});

describe('bad records', () => {
  test('go aside with line and reason, the good ones go in, and the status is 1', async () => {
    const place = await createCommandPlace();
    place.write('d.ndjson', discharges({}, { date: '2026-02-30' }, {}, { guildId: 'nobody' }));
    const result = await place.run('import', 'discharges', 'd.ndjson');
    expect(result).toMatchObject({
      status: 1,
      stdout: '',
      stderr: SUMMARY('2 created, 0 updated, 0 unchanged, 2 rejected'),
    });
    expect(result.stderr).toContain(`guildbook: 2 rejected, see d.ndjson.rejected
  line 2: date must be a date such as 2027-01-31 or 2027-01-31T18:00:00Z
  line 4: there is no such guild
`);
    const [first, second, ...more] = place
      .read('d.ndjson.rejected')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first).toEqual({
      line: 2,
      reason: 'date must be a date such as 2027-01-31 or 2027-01-31T18:00:00Z',
      text: JSON.stringify({ ...DISCHARGE, id: 'd2', date: '2026-02-30' }),
    });
    expect(second).toMatchObject({ line: 4, reason: 'there is no such guild' });
    expect(more).toEqual([]);
    expect(place.count('discharge')).toBe(2);

    // Put right and imported again, the file adds what was missing, and the list of rejected ones is gone.
    place.write('d.ndjson', discharges({}, {}, {}, {}));
    const repeated = await place.run('import', 'discharges', 'd.ndjson');
    expect(repeated).toMatchObject({
      status: 0,
      stderr: SUMMARY('2 created, 0 updated, 2 unchanged, 0 rejected'),
    });
    expect(place.has('d.ndjson.rejected')).toBe(false);
    const third = await place.run('import', 'discharges', 'd.ndjson');
    expect(third).toMatchObject({
      status: 0,
      stderr: SUMMARY('0 created, 0 updated, 4 unchanged, 0 rejected'),
    });
    expect(place.count('discharge')).toBe(4);
  });

  test('of standard input go into import.rejected', async () => {
    const place = await createCommandPlace();
    const { child, ended } = place.start('import', 'discharges', '-');
    child.stdin.end('{"id":1}\n');
    const result = await ended;
    expect(result).toMatchObject({ status: 1, stdout: '' });
    expect(result.stderr).toContain('see import.rejected');
    expect(JSON.parse(place.read('import.rejected'))).toMatchObject({ line: 1, text: '{"id":1}' });
  });

  test('the guild named with --guild is for records without one, and no others are let in', async () => {
    const place = await createCommandPlace();
    place.write('d.ndjson', discharges({ guildId: undefined }, {}, { guildId: 'another' }));
    const result = await place.run('import', 'discharges', 'd.ndjson', '--guild', GUILD_ID);
    expect(result).toMatchObject({
      status: 1,
      stderr: SUMMARY('2 created, 0 updated, 0 unchanged, 1 rejected'),
    });
    const unknown = await place.run('import', 'discharges', 'd.ndjson', '--guild', 'nobody');
    expect(unknown).toMatchObject({
      status: 1,
      stderr: SUMMARY('0 created, 0 updated, 0 unchanged, 3 rejected'),
    });
  });
});

describe('broken files', () => {
  const GOOD = CSV_ROW;
  test.each([
    [
      'a header that lacks a column',
      'x.csv',
      `id,guildId\n${GOOD}\n`,
      0,
      1,
      'the header lacks: playerId, name',
    ],
    [
      'a header with an unknown column',
      'x.csv',
      `${CSV_HEADER},extra\n${GOOD},1\n`,
      0,
      1,
      'each of these once',
    ],
    [
      'a row with too few cells',
      'x.csv',
      `${CSV_HEADER}\nt,${GUILD_ID},7\n${GOOD}\n`,
      1,
      2,
      'the row has 3 cells, the header has 8',
    ],
    [
      'a quote that is never closed',
      'x.csv',
      `${CSV_HEADER}\n${GOOD}\nt,"${GUILD_ID},7\n`,
      1,
      3,
      'a quote is opened and never closed',
    ],
    [
      'a quote in the middle',
      'x.csv',
      `${CSV_HEADER}\n${GOOD}\nt,a"b,7,,,,,\n`,
      1,
      3,
      'a quote stands where none may be',
    ],
    [
      'bytes that are not UTF-8',
      'x.csv',
      Buffer.from(`${CSV_HEADER}\n${GOOD}\n${GOOD.replace('Wren', 'René')}\n`, 'latin1'),
      1,
      3,
      'not UTF-8',
    ],
    [
      'an array that is cut off',
      'x.json',
      `[${JSON.stringify(TRANSFER)},\n{"id":`,
      1,
      2,
      'the file ends before the array does',
    ],
    [
      'an object in place of an array',
      'x.json',
      JSON.stringify(TRANSFER),
      0,
      1,
      'the file is not a JSON array',
    ],
    [
      'something after the array',
      'x.json',
      `[${JSON.stringify(TRANSFER)}]\n7`,
      1,
      2,
      'there is more after the end of the array',
    ],
    ['no array at all', 'x.json', '', 0, 1, 'the file ends before the array does'],
  ])('%s', async (_name, file, content, created, line, reason) => {
    const place = await createCommandPlace();
    place.write(file, content);
    const result = await place.run('import', 'transfers', file);
    expect(result).toMatchObject({
      status: 1,
      stderr: SUMMARY(`${created} created, 0 updated, 0 unchanged, 1 rejected`),
    });
    expect(JSON.parse(place.read(`${file}.rejected`))).toMatchObject({
      line,
      reason: expect.stringContaining(reason),
    });
    expect(place.count('transfer')).toBe(created);
  });

  test('a file that is not there, or is a folder, is named', async () => {
    const place = await createCommandPlace();
    for (const file of ['missing.csv', 'data']) {
      expect(await place.run('import', 'transfers', file)).toEqual({
        status: 1,
        stdout: '',
        stderr: `guildbook: there is no file ${file}\n`,
      });
    }
  });
});
