import { describe, expect, test } from 'vitest';
import {
  followResults,
  keptTarget,
  moveSelection,
  type Results,
  startKeys,
} from '../src/components/result-keys.ts';

const loading: Results = { text: 'os', ids: [], firstId: null, isWaiting: true, isOpen: true };
const resultsOf = (...ids: string[]): Results => ({
  ...loading,
  ids,
  firstId: ids[0] ?? null,
  isWaiting: false,
});

const keptWhileLoading = { ...followResults(startKeys('os'), loading), isEnterKept: true };

describe('the selection', () => {
  test('is on the first result as soon as that is there', () => {
    const keys = followResults(startKeys('os'), loading);
    expect(keys.selectedId).toBeNull();
    expect(followResults(keys, resultsOf('osric', 'oswin')).selectedId).toBe('osric');
  });

  test('stays on its result when a late one comes above it', () => {
    const keys = followResults(startKeys('os'), resultsOf('osric', 'oswin'));
    const moved = moveSelection(keys, resultsOf('osric', 'oswin'), 1);
    expect(moved.selectedId).toBe('oswin');
    expect(followResults(moved, resultsOf('osbert', 'osric', 'oswin')).selectedId).toBe('oswin');
  });

  test('goes to the first result when its own is no longer listed', () => {
    const keys = followResults(startKeys('os'), resultsOf('osric', 'oswin'));
    expect(followResults(keys, resultsOf('oswin')).selectedId).toBe('oswin');
    expect(followResults(keys, resultsOf()).selectedId).toBeNull();
  });

  test('starts afresh with another text', () => {
    const keys = moveSelection(followResults(startKeys('os'), resultsOf('a', 'b')), resultsOf('a', 'b'), 1);
    expect(followResults(keys, { ...resultsOf('a', 'b'), text: 'osr' }).selectedId).toBe('a');
  });

  test('is not on a result that may belong to an earlier text, but the arrows reach it', () => {
    const stale = { ...loading, ids: ['osric'] };
    const keys = followResults(startKeys('os'), stale);
    expect(keys.selectedId).toBeNull();
    expect(moveSelection(keys, stale, 1).selectedId).toBe('osric');
  });

  test('goes round at both ends, and nowhere in an empty list', () => {
    const results = resultsOf('a', 'b');
    const first = followResults(startKeys('os'), results);
    expect(moveSelection(first, results, -1).selectedId).toBe('b');
    expect(moveSelection(moveSelection(first, results, -1), results, 1).selectedId).toBe('a');
    expect(moveSelection(startKeys('os'), results, -1).selectedId).toBe('b');
    expect(moveSelection(startKeys('os'), loading, 1).selectedId).toBeNull();
  });

  test('is the same object while nothing changes', () => {
    const keys = followResults(startKeys('os'), resultsOf('a'));
    expect(followResults(keys, resultsOf('a', 'b'))).toBe(keys);
  });
});

describe('an Enter before the first result', () => {
  test('opens the first result when that is there', () => {
    expect(keptTarget(followResults(keptWhileLoading, loading), loading)).toBeNull();
    const answered = resultsOf('osric', 'oswin');
    expect(keptTarget(followResults(keptWhileLoading, answered), answered)).toBe('osric');
  });

  test('opens nothing that may belong to an earlier text', () => {
    const stale = { ...loading, ids: ['oscar'] };
    const keys = followResults(keptWhileLoading, stale);
    expect(keptTarget(keys, stale)).toBeNull();
    expect(keptTarget(followResults(keys, resultsOf('osric')), resultsOf('osric'))).toBe('osric');
  });

  test('is forgotten when nothing is found', () => {
    const keys = followResults(keptWhileLoading, resultsOf());
    expect(keys.isEnterKept).toBe(false);
    expect(keptTarget(followResults(keys, resultsOf('osric')), resultsOf('osric'))).toBeNull();
  });

  test('is forgotten with another text, also when the first text is typed again', () => {
    const other = followResults(keptWhileLoading, { ...loading, text: 'osr' });
    expect(other.isEnterKept).toBe(false);
    expect(followResults(other, loading).isEnterKept).toBe(false);
  });

  test('is forgotten when the list closes', () => {
    const closed = { ...resultsOf('osric'), isOpen: false };
    expect(keptTarget(keptWhileLoading, closed)).toBeNull();
    expect(followResults(keptWhileLoading, closed).isEnterKept).toBe(false);
  });

  test('is forgotten when an arrow selects something else', () => {
    const stale = { ...loading, ids: ['oscar'] };
    expect(moveSelection(keptWhileLoading, stale, 1)).toMatchObject({
      selectedId: 'oscar',
      isEnterKept: false,
    });
  });
});
