import { describe, expect, test } from 'vitest';
import { changeBalance } from '../src/acting/balance-change.ts';
import {
  changeOf,
  emptyPayout,
  payoutFaults,
  payoutRows,
  sortFound,
  splitNames,
  toPosts,
  totalOf,
  withPeople,
} from '../src/acting/payout-form.ts';
import { effectsOf, postFaults, startPost, toNewPayment, toNewPost } from '../src/acting/post-form.ts';
import type { Recipient } from '../src/api/posts.ts';

const recipient = (playerId: string, about: Partial<Recipient> = {}): Recipient => ({
  playerId,
  name: null,
  chatId: null,
  hasAccount: true,
  balance: '5',
  lowest: null,
  ...about,
});

describe('the balance after a change', () => {
  test('is exact, needs a confirmation below zero, and is refused below the lowest', () => {
    expect(changeBalance({ balance: '0.1', lowest: '0' }, '0.2')).toEqual({
      before: '0.1',
      after: '0.3',
      state: 'fine',
    });
    expect(changeBalance({ balance: '1', lowest: null }, '-1.0001').state).toBe('below-zero');
    expect(changeBalance({ balance: '1', lowest: '0' }, '-1.0001').state).toBe('refused');
    expect(changeBalance({ balance: '1', lowest: '0' }, '-1').state).toBe('fine');
    expect(changeBalance({ balance: '1', lowest: '-1' }, '-1.5').state).toBe('below-zero');
    expect(changeBalance({ balance: '5', lowest: '2' }, '-4').state).toBe('refused');
  });

  test('of a deposit is always fine, also when it stays below zero', () => {
    expect(changeBalance({ balance: '-10', lowest: '0' }, '1')).toMatchObject({ after: '-9', state: 'fine' });
  });
});

describe('a new transaction', () => {
  const filled = { ...startPost('7'), name: ' Prize ', quantity: '3', amount: '1,000.5' };

  test('says what is missing, by kind', () => {
    expect(Object.keys(postFaults(startPost()))).toEqual(['playerId', 'name', 'amount']);
    const payment = { ...startPost('7'), kind: 'payment' as const, quantity: '' };
    expect(Object.keys(postFaults(payment))).toEqual(['toPlayerId', 'name', 'amount']);
    expect(postFaults({ ...payment, toPlayerId: '7' }).toPlayerId).toMatch(/another person/);
    expect(postFaults(filled)).toEqual({});
    expect(postFaults({ ...filled, amount: '0.00001' })).toHaveProperty('amount');
    expect(postFaults({ ...filled, name: 'x'.repeat(257) })).toHaveProperty('name');
  });

  test('changes the accounts by exact amounts with signs', () => {
    expect(effectsOf(filled)).toEqual([{ playerId: '7', change: '3001.5' }]);
    expect(effectsOf({ ...filled, kind: 'withdrawal' })).toEqual([{ playerId: '7', change: '-3001.5' }]);
    expect(effectsOf({ ...filled, kind: 'payment', toPlayerId: '8' })).toEqual([
      { playerId: '7', change: '-1000.5' },
      { playerId: '8', change: '1000.5' },
    ]);
    expect(effectsOf({ ...filled, amount: '' })).toBeUndefined();
  });

  test('is sent with its direction twice, as a sign and as a flag', () => {
    const sent = { playerId: '7', name: 'Prize', quantity: 3 };
    expect(toNewPost(filled)).toEqual({ ...sent, amount: 1000.5, deposit: true });
    expect(toNewPost({ ...filled, kind: 'withdrawal' })).toEqual({
      ...sent,
      amount: -1000.5,
      withdrawal: true,
    });
    const payment = { fromPlayerId: '7', toPlayerId: '8', name: 'Prize', amount: 1000.5 };
    expect(toNewPayment({ ...filled, toPlayerId: '8' })).toEqual(payment);
  });
});

describe('a payout', () => {
  test('reads a list by lines or by commas, without repeats', () => {
    expect(splitNames(' Rowan\r\n\r\nQuick, Alder \nRowan\t12 ')).toEqual(['Rowan', 'Quick, Alder', '12']);
    expect(splitNames('Rowan, Wren;12\t13,')).toEqual(['Rowan', 'Wren', '12', '13']);
    expect(splitNames('  ')).toEqual([]);
  });

  test('takes clear names at once, and keeps unknown and ambiguous ones for a decision', () => {
    const twins = [recipient('1'), recipient('2')];
    expect(sortFound(['a', 'b', 'c'], [[recipient('9')], [], twins])).toEqual({
      playerIds: ['9'],
      unclear: [
        { text: 'b', candidates: [] },
        { text: 'c', candidates: twins },
      ],
    });
    expect(withPeople(['1', '2'], ['2', '3', '3'])).toEqual(['1', '2', '3']);
  });

  test('shows balances before and after, and an exact total', () => {
    const values = { ...emptyPayout, playerIds: ['1', '2', '3'], name: 'Fee', amount: '4.0001' };
    const known = new Map(
      [recipient('1', { lowest: '1' }), recipient('2')].map((one) => [one.playerId, one]),
    );
    const taken = { ...values, direction: 'withdrawal' as const };
    expect([changeOf(taken), totalOf(taken), totalOf(values)]).toEqual(['-4.0001', '-12.0003', '12.0003']);
    expect(payoutRows(taken, known).map(({ balance }) => balance?.state)).toEqual([
      'refused',
      'fine',
      undefined,
    ]);
    expect(payoutRows(values, known).map(({ balance }) => balance?.after)).toEqual([
      '9.0001',
      '9.0001',
      undefined,
    ]);
    expect(totalOf({ ...values, amount: 'x' })).toBeUndefined();
    expect(toPosts(taken)[2]).toEqual({
      playerId: '3',
      name: 'Fee',
      quantity: 1,
      amount: -4.0001,
      withdrawal: true,
    });
  });

  test('needs people, a name and an amount, and takes a thousand people', () => {
    expect(Object.keys(payoutFaults(emptyPayout))).toEqual(['playerIds', 'name', 'amount']);
    const many = Array.from({ length: 1_000 }, (_, index) => String(index));
    const values = { ...emptyPayout, playerIds: many, name: 'Prize', amount: '1' };
    expect(payoutFaults(values)).toEqual({});
    expect(payoutFaults({ ...values, playerIds: [...many, 'x'] })).toHaveProperty('playerIds');
  });
});
