import { describe, expect, test } from 'vitest';
import { parseCsv } from '../src/imports/parse-csv.ts';
import { readImport } from '../src/records/csv-rows.ts';
import { dischargeKind, transferKind } from '../src/records/record-kinds.ts';

let made = 0;
const makeId = () => {
  made += 1;
  return `made-${made}`;
};

describe('a file of records', () => {
  test('is read line by line, with quotes, commas, line breaks and a byte order mark', () => {
    const text =
      '\uFEFFname,playerId,from,to,signed,date,ignored\r\n' +
      '"Quick, ""Alder""",7,"A\nB",C,,2026-03-01T08:30:00Z,x\r\n\r\n' +
      'Wren,8,A,B,Niall,2026-03-02T00:00:00+02:00,y';
    const { rows, fault } = readImport(transferKind(), text, makeId);
    expect(fault).toBeUndefined();
    expect(rows.map(({ line }) => line)).toEqual([2, 5]);
    expect(rows[0]).toMatchObject({ fault: expect.stringMatching(/^From: Holds an invisible/) });
    expect(rows[1]).toEqual({
      line: 5,
      fault: undefined,
      cells: ['Wren', '8', '2026-03-02T00:00:00+02:00'],
      item: {
        id: expect.stringMatching(/^made-/),
        name: 'Wren',
        playerId: '8',
        from: 'A',
        to: 'B',
        signed: 'Niall',
        date: '2026-03-02T00:00:00+02:00',
      },
    });
  });

  test('says of each line what is wrong with it', () => {
    const heading = 'id,name,playerId,chatId,date,type';
    const lines = [
      '1,A,7,9,2026-03-01,x',
      '1,B,7,9,2026-03-01,x',
      '2,,7,9,2026-03-01,x',
      '3,A,7,9,1.3.26,x',
      '4,A',
    ];
    const { rows } = readImport(dischargeKind(), [heading, ...lines].join('\n'), makeId);
    expect(rows.map(({ fault }) => fault)).toEqual([
      undefined,
      'Id: stands twice in the file',
      'Name: Needed for every record',
      'Date: write it as 2026-03-01 or 2026-03-01T08:30:00Z',
      'Has 2 cells, not 6',
    ]);
  });

  test('that cannot be used says why', () => {
    expect(readImport(dischargeKind(), '', makeId).fault).toBe('The file is empty.');
    expect(readImport(dischargeKind(), 'name,date', makeId).fault).toBe(
      'The heading lacks: playerId and chatId.',
    );
    expect(readImport(transferKind(), 'name,playerId,from,to,date', makeId).fault).toBe(
      'The file has no records.',
    );
    const many = 'name,playerId,from,to,date\n'.concat('a,1,b,c,2026-03-01T00:00:00Z\n'.repeat(1_001));
    expect(readImport(transferKind(), many, makeId).fault).toBe(
      'At most 1,000 records at a time; the file has 1,001.',
    );
  });

  test('without quotes at their ends is still read to its end', () => {
    expect(parseCsv('a,b\n"open')).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['open'] },
    ]);
  });
});
