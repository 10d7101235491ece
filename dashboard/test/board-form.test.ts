import { expect, test } from 'vitest';
import { previewSearch } from '../src/api/board.ts';
import {
  amountFault,
  embedCode,
  nameFault,
  toChange,
  toParts,
  toValues,
} from '../src/settings/board-form.ts';

const board = {
  name: null,
  isPublished: false,
  names: false,
  leaderboard: true,
  totals: true,
  chart: false,
  movesMin: null,
  commands: true,
};

test.each(['abc', 'the-guild', '2-fast', 'a'.repeat(32)])('%s can be a name', (name) => {
  expect(nameFault(name)).toBeNull();
});

test.each(['', 'ab', 'a'.repeat(33), 'The', 'a b c', '-abc', 'abc-', 'gíld', 'a/b'])(
  '%j cannot be a name',
  (name) => {
    expect(nameFault(name)).not.toBeNull();
  },
);

test('the settings of a board survive the form', () => {
  const stored = { ...board, name: 'abc', movesMin: '12.5' };
  expect(toChange(toValues(stored))).toEqual({ ...stored, movesMin: 12.5 });
});

test('moves need an amount, and are off without one', () => {
  const values = { ...toValues(board), moves: true };
  expect(amountFault('', values)).not.toBeNull();
  expect(amountFault('1,000', values)).toBeNull();
  expect(amountFault('1.00001', values)).not.toBeNull();
  expect(amountFault('', { moves: false })).toBeNull();
  expect(toParts({ ...values, movesMin: 'x' }).movesMin).toBeNull();
  expect(toParts({ ...values, movesMin: '1,000' }).movesMin).toBe(1_000);
});

test('a preview asks for the parts that are on', () => {
  expect(previewSearch(toParts(toValues(board)))).toBe('?parts=commands,leaderboard,totals');
  expect(previewSearch({ ...toParts(toValues(board)), movesMin: 5 })).toContain('&movesMin=5');
});

test('the frame for the own site has the address, a title, and the height of a whole board', () => {
  expect(embedCode('https://guildbook.example.org/board/emberhold')).toBe(
    '<iframe src="https://guildbook.example.org/board/emberhold/embed" width="360" height="660" style="border:0" loading="lazy" title="Guild board"></iframe>',
  );
});
