import { describe, expect, test } from 'vitest';
import { effectsOf, isReversible, netOf } from '../src/ledger/selection-effect.ts';
import {
  correctionBy,
  differenceOf,
  emptyShouldBe,
  shouldBePreview,
  totalFault,
} from '../src/ledger/should-be-form.ts';
import { effectiveTotal, tagOf } from '../src/ledger/transaction-relations.ts';

const deposit = { name: 'Sword', total: '250', reversedBy: null, corrections: [] };
const corrected = { ...deposit, corrections: [{ transactionId: 'c', total: '-50.25' }] };
const withdrawal = { ...deposit, total: '-30' };
const values = { direction: 'deposit', total: '25', name: 'Correction: Sword' } as const;

describe('what a transaction should have been', () => {
  test('begins with its direction, a name, and no total', () => {
    expect(emptyShouldBe(withdrawal)).toEqual({
      direction: 'withdrawal',
      total: '',
      name: 'Correction: Sword',
    });
    expect([...emptyShouldBe({ ...deposit, name: '🗡'.repeat(300) }).name]).toHaveLength(256);
  });

  test.each([
    [deposit, values, '-225'],
    [deposit, { ...values, total: '1,250.5' }, '1000.5'],
    [deposit, { ...values, total: '0' }, '-250'],
    [deposit, { ...values, direction: 'withdrawal' }, '-275'],
    [withdrawal, { ...values, direction: 'withdrawal' }, '5'],
    // Earlier corrections count, and so does a reversal.
    [corrected, values, '-174.75'],
    [{ ...corrected, reversedBy: 'r' }, values, '75.25'],
  ] as const)('%j to %j is a difference of %s', (transaction, wanted, difference) => {
    expect(differenceOf(wanted, transaction)).toBe(difference);
    expect(totalFault(wanted, transaction)).toBeNull();
    expect(shouldBePreview(wanted, transaction, '1000')).toEqual({
      total: difference,
      balance: String(1000 + Number(difference)),
    });
  });

  test('a total that is none, or that it has already, is refused with its reason', () => {
    const faults = ['', 'much', '1.00001', '250', '250.0'].map((total) =>
      totalFault({ ...values, total }, deposit),
    );
    expect(faults).toEqual([
      expect.stringContaining('Say what'),
      expect.stringContaining('such as'),
      expect.stringContaining('such as'),
      'It is exactly that already',
      'It is exactly that already',
    ]);
    expect(shouldBePreview({ ...values, total: '250' }, deposit, '1')).toBeUndefined();
    expect(shouldBePreview({ ...values, total: '' }, deposit, '1')).toBeUndefined();
  });

  test('the difference is posted as one item with its direction', () => {
    const posted = { name: 'Correction: Sword', quantity: '1' };
    expect(correctionBy(values, '-225')).toEqual({ ...posted, direction: 'withdrawal', amount: '225' });
    expect(correctionBy(values, '0.5')).toEqual({ ...posted, direction: 'deposit', amount: '0.5' });
  });
});

test('a transaction says that it was reversed or corrected, and what it reverses or corrects', () => {
  const plain = { reverses: null, reversedBy: null, corrections: [], metadata: null };
  const texts = [
    plain,
    { ...plain, metadata: { corrects: 'a' } },
    { ...plain, reverses: 'a' },
    { ...plain, corrections: corrected.corrections },
    { ...plain, corrections: corrected.corrections, reversedBy: 'b' },
  ].map((transaction) => tagOf(transaction)?.text);
  expect(texts).toEqual([undefined, 'Correction', 'Reversal', 'Corrected', 'Reversed']);
  expect(effectiveTotal(corrected)).toBe('199.75');
});

test('a reversal of several transactions changes each player once, by the opposite of all of theirs', () => {
  const of = (playerId: string, total: string) => ({
    playerId,
    username: null,
    amount: total,
    quantity: 1,
    total,
  });
  const selected = [of('a', '5'), of('b', '-1.5'), of('a', '-0.0001')];
  expect(effectsOf(selected)).toEqual([
    { playerId: 'a', username: null, total: '-4.9999' },
    { playerId: 'b', username: null, total: '1.5' },
  ]);
  expect(netOf(selected)).toBe('3.4999');
  const related = { reverses: null, reversedBy: null };
  expect([related, { ...related, reverses: 'x' }, { ...related, reversedBy: 'x' }].map(isReversible)).toEqual(
    [true, false, false],
  );
});
