import { t } from '@lingui/core/macro';
import type { ApiKey, KeyState } from '../api/keys.ts';
import { lazily } from '../components/lazily.ts';
import type { Ordering } from '../components/ordering.ts';
import { language } from '../texts/languages.ts';

export const sortColumns = ['name', 'created', 'lastUsed', 'expires'] as const;
export type SortColumn = (typeof sortColumns)[number];

export type KeyOrdering = Ordering<SortColumn>;

export const stateLabels = lazily(
  (): Record<KeyState, string> => ({
    active: t({ message: 'Active', context: 'key' }),
    expiring: t`Expires soon`,
    expired: t`Expired`,
  }),
);

/** The keys that contain every word of the search in the texts of the list. */
export function searchKeys(keys: ApiKey[], search: string): ApiKey[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return keys;
  return keys.filter((key) => {
    const text = [key.name, key.prefix, key.creator.name, stateLabels()[key.state], ...key.scopes]
      .join('\n')
      .toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

const collator = lazily(() => new Intl.Collator(language, { numeric: true, sensitivity: 'base' }));

const comparisons: Record<SortColumn, (one: ApiKey, other: ApiKey) => number> = {
  name: (one, other) => collator().compare(one.name, other.name),
  created: (one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt),
  // A key that was never used is sorted before all others.
  lastUsed: (one, other) => Date.parse(one.lastUsedAt ?? '1970') - Date.parse(other.lastUsedAt ?? '1970'),
  expires: (one, other) => Date.parse(one.expiresAt) - Date.parse(other.expiresAt),
};

export function sortKeys(keys: ApiKey[], { sortBy, isDescending }: KeyOrdering): ApiKey[] {
  const compare = comparisons[sortBy];
  return keys.toSorted(
    (one, other) => compare(one, other) * (isDescending ? -1 : 1) || one.id.localeCompare(other.id),
  );
}

export interface KeyPage {
  keys: ApiKey[];
  page: number;
  pageCount: number;
}

/** One page of the list. A page past the end, for example after a deletion, becomes the last one. */
export function pageOfKeys(keys: ApiKey[], wantedPage: number, size: number): KeyPage {
  const pageCount = Math.max(1, Math.ceil(keys.length / size));
  const page = Math.min(Math.max(1, wantedPage), pageCount);
  return { keys: keys.slice((page - 1) * size, page * size), page, pageCount };
}

/** True when the typed text is the key's name. Composed and decomposed letters are equal. */
export function isSameName(typed: string, name: string): boolean {
  return typed.normalize('NFC').trim() === name.normalize('NFC').trim();
}
