import { describe, expect, test } from 'vitest';
import { amountFault, fieldOfRefusal, quantityFault } from '../src/acting/post-fields.ts';
import { accountExportAddress, guildExportAddress } from '../src/api/transactions.ts';
import { personAddress } from '../src/components/addresses.ts';
import {
  boundFault,
  directionOf,
  isContradiction,
  shownBounds,
  withDirection,
  withMaximum,
  withMinimum,
} from '../src/ledger/amount-filter.ts';
import {
  type CorrectionValues,
  correctionOf,
  isOverdraft,
  nameFault,
  previewOf,
} from '../src/ledger/correction-form.ts';
import { posterText } from '../src/ledger/poster-text.ts';

const none = { minAmount: '', maxAmount: '' };

describe('direction and size of amounts, as the interface’s signed bounds', () => {
  test.each([
    [none, 'all'],
    [{ minAmount: '0', maxAmount: '' }, 'deposits'],
    [{ minAmount: '5', maxAmount: '9' }, 'deposits'],
    [{ minAmount: '', maxAmount: '0' }, 'withdrawals'],
    [{ minAmount: '', maxAmount: '0.0' }, 'withdrawals'],
    [{ minAmount: '', maxAmount: '50' }, 'all'],
  ] as const)('%j lists %s', (filter, direction) => {
    expect(directionOf(filter)).toBe(direction);
  });

  test.each(['all', 'deposits', 'withdrawals'] as const)('choosing %s always leads there', (direction) => {
    for (const filter of [none, { minAmount: '5', maxAmount: '9' }, { minAmount: '', maxAmount: '0' }]) {
      expect(directionOf(withDirection(filter, direction))).toBe(direction);
    }
  });

  test('a bound that only says the direction is not shown as a size', () => {
    expect(shownBounds({ minAmount: '0', maxAmount: '' })).toEqual(none);
    expect(shownBounds({ minAmount: '0.5', maxAmount: '9' })).toEqual({ minAmount: '0.5', maxAmount: '9' });
  });

  test('a smallest amount ends the view of withdrawals; taking it away keeps the deposits', () => {
    expect(withMinimum({ minAmount: '', maxAmount: '0' }, '5')).toEqual({ minAmount: '5', maxAmount: '' });
    expect(withMinimum({ minAmount: '5', maxAmount: '9' }, '')).toEqual({ minAmount: '0', maxAmount: '9' });
    expect(withMaximum({ minAmount: '5', maxAmount: '' }, '9')).toEqual({ minAmount: '5', maxAmount: '9' });
  });

  test('nothing but the bounds is changed, so that the page goes back to the first', () => {
    const listing = { minAmount: '1', maxAmount: '9', page: 2 };
    for (const changed of [withMinimum(listing, ''), withMinimum(listing, '2'), withMaximum(listing, '8')]) {
      expect(Object.keys(changed)).toEqual(['minAmount', 'maxAmount']);
    }
    expect(withDirection(listing, 'all')).not.toHaveProperty('page');
  });

  test('bounds that leave no room are known by size, not by their letters', () => {
    expect(isContradiction({ minAmount: '9', maxAmount: '10' })).toBe(false);
    expect(isContradiction({ minAmount: '10', maxAmount: '9' })).toBe(true);
    expect(isContradiction({ minAmount: '5', maxAmount: '5.0' })).toBe(false);
    expect(isContradiction(none)).toBe(false);
  });

  test('what is no amount is named', () => {
    expect(['', '0', '12.5'].map(boundFault)).toEqual([undefined, undefined, undefined]);
    expect(boundFault('-1')).toContain('such as');
  });
});

describe('a correction', () => {
  const values: CorrectionValues = {
    direction: 'withdrawal',
    name: ' Refund ',
    quantity: '3',
    amount: '0.1',
  };

  test('it carries the sign of its direction, and says the direction once more', () => {
    expect(correctionOf(values)).toEqual({ name: 'Refund', quantity: 3, amount: -0.1, withdrawal: true });
    expect(correctionOf({ ...values, direction: 'deposit' })).toMatchObject({ amount: 0.1, deposit: true });
    expect(correctionOf(values, { corrects: 'id', isOverdraftWanted: true })).toMatchObject({
      corrects: 'id',
      overdraft: true,
    });
  });

  test('an amount may be written as it is read, with groups', () => {
    const grouped = { ...values, amount: '1,234.5' };
    expect(amountFault(grouped.amount)).toBeNull();
    expect(correctionOf(grouped).amount).toBe(-1234.5);
    expect(previewOf(grouped, '0')?.total).toBe('-3703.5');
    for (const amount of ['1,23.5', '12,34', ',5', '1,2345']) expect(amountFault(amount)).not.toBeNull();
    expect(boundFault('1,234.5')).toBeUndefined();
  });

  test('only a withdrawal that ends below zero is an overdraft', () => {
    expect(isOverdraft(previewOf(values, '0.2'))).toBe(true);
    expect(isOverdraft(previewOf(values, '0.3'))).toBe(false);
    expect(isOverdraft(previewOf({ ...values, direction: 'deposit' }, '-5'))).toBe(false);
    expect(isOverdraft(undefined)).toBe(false);
  });

  test('the preview is exact', () => {
    expect(previewOf(values, '0.2')).toEqual({ total: '-0.3', balance: '-0.1' });
    const large = { ...values, direction: 'deposit', amount: '1234567890123', quantity: '1000' } as const;
    expect(previewOf(large, '0.0001')?.balance).toBe('1234567890123000.0001');
  });

  test('there is no preview of what is not a number yet', () => {
    expect(previewOf({ ...values, amount: '' }, '0')).toBeUndefined();
    expect(previewOf({ ...values, quantity: '1.5' }, '0')).toBeUndefined();
  });

  test.each(['', '0', '-1', '1.5', '1e3', '9007199254740993', 'x'])('%j is no quantity', (quantity) => {
    expect(quantityFault(quantity)).not.toBeNull();
  });

  test.each(['', '0', '0.00', '-5', '1,5', '1.00001', 'x'])('%j is no amount', (amount) => {
    expect(amountFault(amount)).not.toBeNull();
  });

  test('a name is needed and has an end', () => {
    expect(nameFault('  ')).not.toBeNull();
    expect(nameFault('🏰'.repeat(256))).toBeNull();
    expect(nameFault('x'.repeat(257))).toContain('these are 257');
  });

  test('a refusal of the service stands at the field it speaks of', () => {
    expect(fieldOfRefusal('Bad request - amount must not be zero')).toBe('amount');
    expect(fieldOfRefusal('Bad request - name must be one line')).toBe('name');
    expect(fieldOfRefusal('Bad request - missing required fields')).toBeUndefined();
    expect(fieldOfRefusal('The amount is off')).toBeUndefined();
  });
});

describe('addresses of the ledger', () => {
  const listing = {
    page: 3,
    limit: 50,
    from: 'shop & co',
    minAmount: '0',
    maxAmount: '',
    sortBy: 'total',
    sortOrder: 'asc',
    since: '2026-10-01T00:00:00.000Z',
    until: '',
    timeZone: 'Europe/Berlin',
  } as const;

  test('an export has the filters and the order, but no pages', () => {
    expect(accountExportAddress('1', { playerId: 'a/b' }, listing)).toBe(
      '/dashboard/api/guilds/1/players/a%2Fb/transactions.csv?from=shop+%26+co&minAmount=0&sortBy=total&sortOrder=asc&since=2026-10-01T00%3A00%3A00.000Z&timeZone=Europe%2FBerlin',
    );
    const { page: _page, ...guildListing } = listing;
    expect(guildExportAddress('1', { ...guildListing, search: 'iron', before: 'x' })).toBe(
      '/dashboard/api/guilds/1/transactions.csv?from=shop+%26+co&minAmount=0&sortBy=total&sortOrder=asc&since=2026-10-01T00%3A00%3A00.000Z&timeZone=Europe%2FBerlin&search=iron',
    );
  });

  test('an id of any signs leads to its player', () => {
    expect(personAddress('1', 'a/b?c')).toBe('/guilds/1/people/a%2Fb%3Fc');
  });
});

describe('who posted a transaction', () => {
  test.each([
    [{ kind: 'key', id: 'k', name: 'Payout bot', prefix: 'gbk_ab' }, 'Key “Payout bot”', 'gbk_ab…'],
    [{ kind: 'key', id: 'k', name: null, prefix: null }, 'A key that was deleted', undefined],
    [{ kind: 'user', id: '7', name: 'Mira', prefix: null }, 'Mira, in the dashboard', 'Chat account 7'],
    [{ kind: 'key', id: null, name: null, prefix: null }, 'A bot or game server', undefined],
    [{ kind: 'user', id: null, name: null, prefix: null }, 'Somebody else, by hand', undefined],
    [{ kind: 'import', id: null, name: null, prefix: null }, 'Brought in by the operator', undefined],
  ] as const)('%j', (postedBy, title, detail) => {
    expect(posterText(postedBy)).toEqual({ title, detail });
  });
});
