import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  dropAllDrafts,
  dropDraft,
  findDraftedForm,
  hasSameShape,
  keepDraft,
  readDraft,
} from '../src/access/form-drafts.ts';

const hourMs = 60 * 60 * 1_000;
const place = { chatId: '101', formId: 'guild/keys/new' };

/** The part of a browser's storage that drafts use. */
function createStorage() {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (index: number) => [...items.keys()][index] ?? null,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  };
}

beforeEach(() => vi.stubGlobal('window', { sessionStorage: createStorage() }));
afterEach(() => vi.unstubAllGlobals());

describe('a draft', () => {
  test('is there for whoever entered it, for an hour', () => {
    keepDraft(place, { name: 'Payout bot' }, 0);
    expect(readDraft(place, hourMs)).toEqual({ name: 'Payout bot' });
    expect(readDraft(place, hourMs + 1)).toBeUndefined();
    expect(readDraft({ ...place, chatId: '102' }, 0)).toBeUndefined();
    expect(readDraft({ ...place, formId: 'guild/keys' }, 0)).toBeUndefined();
    dropDraft(place);
    expect(readDraft(place, 0)).toBeUndefined();
  });

  test('of one of many things is found by the beginning of its id', () => {
    const beginning = { chatId: '101', formId: 'guild/keys/settings/' };
    expect(findDraftedForm(beginning)).toBeUndefined();
    keepDraft(place, 'another form');
    keepDraft({ chatId: '102', formId: 'guild/keys/settings/theirs' }, 'of somebody else');
    keepDraft({ chatId: '101', formId: 'guild/keys/settings/old' }, 'too old', Date.now() - hourMs - 1);
    keepDraft({ chatId: '101', formId: 'guild/keys/settings/key_1' }, 'kept');
    expect(findDraftedForm(beginning)).toBe('key_1');
  });

  test('goes with a sign-out, and none is kept afterwards', () => {
    window.sessionStorage.setItem('other', 'stays');
    keepDraft(place, 'kept');
    dropAllDrafts();
    expect(readDraft(place)).toBeUndefined();
    keepDraft(place, 'too late');
    expect(readDraft(place)).toBeUndefined();
    expect(window.sessionStorage.getItem('other')).toBe('stays');
  });

  test('fits a form of the same fields only', () => {
    const form = { name: '', scopes: ['a'], date: { hasTime: true, value: '' }, base: null };
    expect(hasSameShape({ ...form, scopes: [], base: { id: '1' } }, form)).toBe(true);
    expect(hasSameShape({ ...form, name: 1 }, form)).toBe(false);
    expect(hasSameShape({ ...form, date: { hasTime: true } }, form)).toBe(false);
    expect(hasSameShape({ ...form, more: '' }, form)).toBe(false);
    expect(hasSameShape('text', form)).toBe(false);
  });
});
