import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { checkTransactions, fileKey, postsOf, readTransactions } from '../src/acting/transaction-rows.ts';
import type { Recipient } from '../src/api/posts.ts';
import { importSummary, newId } from '../src/imports/outcomes.ts';
import { readVerifications } from '../src/people/verification-rows.ts';

const recipient = (playerId: string, about: Partial<Recipient> = {}): Recipient => ({
  playerId,
  name: null,
  chatId: null,
  hasAccount: true,
  balance: '5',
  lowest: null,
  ...about,
});

describe('a file of transactions', () => {
  test('is read with signs, quantities and references, and ignores other columns', () => {
    const text =
      'transactionId,playerId,name,quantity,amount,reference,total\n' +
      'x,7,Prize,3,"1,000.5",R-1,3001.5\n' +
      'y,8,Fee,,-0.0001,,-0.0001';
    const { rows, fault } = readTransactions(text);
    expect([fault, ...rows.map((row) => row.fault)]).toEqual([undefined, undefined, undefined]);
    expect(postsOf(rows)).toEqual([
      { playerId: '7', name: 'Prize', quantity: 3, amount: 1000.5, deposit: true, reference: 'R-1' },
      { playerId: '8', name: 'Fee', quantity: 1, amount: -0.0001, withdrawal: true },
    ]);
    expect(rows.map(({ item }) => item.change)).toEqual(['3001.5', '-0.0001']);
  });

  test('has the same amounts on a page in German', async () => {
    // Test files share their modules: the German ones must not stay.
    onTestFinished(() => {
      vi.unstubAllGlobals();
      vi.resetModules();
    });
    vi.stubGlobal('document', { documentElement: { lang: 'de' } });
    vi.resetModules();
    const german = await import('../src/acting/transaction-rows.ts');
    const { rows } = german.readTransactions('player,name,amount\na,b,1.234\na,b,"1,234.5"\na,b,"12,5"');
    expect(rows.map(({ item }) => [item.post.amount, item.change])).toEqual([
      [1.234, '1.234'],
      [1234.5, '1234.5'],
      [0, '0'],
    ]);
    expect(rows.map(({ fault }) => fault === undefined)).toEqual([true, true, false]);
  });

  test('says of each line what is wrong with it', () => {
    const lines = [
      ',Prize,1',
      '7,,1',
      '7,Prize,0',
      '7,Prize,1.00001',
      '7,Prize,one',
      '7,Prize',
      '7,Prize,-2',
    ];
    const { rows } = readTransactions(['playerId,name,amount', ...lines].join('\n'));
    expect(rows.map(({ fault }) => fault?.split(':')[0])).toEqual([
      'Player',
      'Name',
      'Amount',
      'Amount',
      'Amount',
      'Has 2 cells, not 3',
      undefined,
    ]);
  });

  test('that cannot be used says why', () => {
    expect(readTransactions('').fault).toBe('The file is empty.');
    expect(readTransactions('name,quantity').fault).toBe('The heading lacks: player and amount.');
    expect(readTransactions('player,name,amount').fault).toBe('The file has no transactions.');
    const many = `player,name,amount\n${'a,b,1\n'.repeat(1_001)}`;
    expect(readTransactions(many).fault).toBe('At most 1,000 transactions at a time; the file has 1,001.');
  });

  test('shows the balances in the order of the lines, and asks before it opens accounts or overdraws', () => {
    const text = 'playerId,name,amount\n7,a,-4\n7,b,-4\n7,c,10\n8,d,-6\n9,e,1';
    const found = new Map([
      ['7', [recipient('7', { name: 'Rowan' }), recipient('70', { name: '7' })]],
      ['8', [recipient('8', { lowest: '0' })]],
    ]);
    const rows = checkTransactions(readTransactions(text).rows, found);
    expect(rows.map(({ note, fault, question }) => [note ?? fault, question])).toEqual([
      ['Rowan, −4: 5 → 1', undefined],
      ['Rowan, −4: 1 → −3', 'overdraft'],
      ['Rowan, +10: −3 → 7', undefined],
      ['The balance would be −1; the lowest allowed is 0', undefined],
      ['Opens an account. +1: 0 → 1', 'open'],
    ]);
  });

  test('finds people by name, and refuses unknown and ambiguous ones', () => {
    const { rows } = readTransactions('player,name,amount\nRowan,a,1\nWren,b,1\nNobody,c,1');
    const found = new Map([
      ['Rowan', [recipient('7', { name: 'Rowan' })]],
      ['Wren', [recipient('8'), recipient('9')]],
    ]);
    const checked = checkTransactions(rows, found);
    expect(checked[0]?.item.playerId).toBe('7');
    expect(checked.map(({ fault }) => fault)).toEqual([
      undefined,
      'Player: several people are called Wren; use the player id',
      'Player: nobody has this name or id',
    ]);
  });

  test('has a key of its own lines', () => {
    const posts = postsOf(readTransactions('playerId,name,amount\n7,a,1\n8,b,2').rows);
    expect(fileKey(posts)).toBe(fileKey(structuredClone(posts)));
    expect(fileKey(posts)).not.toBe(fileKey(posts.toReversed()));
    expect(fileKey(posts)).toMatch(/^[!-~]{1,255}$/);
  });
});

describe('a file of verifications', () => {
  test('is read, with the fault of each line', () => {
    const lines = ['1,7,Rowan,x', '2,8,,x', '1,9,Wren,x', '3,7,Alder,x', '4,5'];
    const { rows } = readVerifications(['chatId,playerId,username,other', ...lines].join('\n'));
    expect(rows.map(({ fault }) => fault)).toEqual([
      undefined,
      'User name: Needed for every record',
      'Chat id: stands twice in the file',
      'Player id: stands twice in the file',
      'Has 2 cells, not 4',
    ]);
    expect(rows[0]?.item).toEqual({ chatId: '1', playerId: '7', username: 'Rowan' });
    expect(readVerifications('chatId,username').fault).toBe('The heading lacks: playerId.');
  });
});

test('a summary counts what happened', () => {
  expect(importSummary(['created', 'exists', 'created'])).toBe('2 added and 1 left as it was.');
});

test('a made id is a UUID', () => {
  expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
