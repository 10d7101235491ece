import { t } from '@lingui/core/macro';
import { type MemberListing, memberSortColumns, memberStates } from '../api/members.ts';
import { lazily } from '../components/lazily.ts';
import { choiceFilter, type FilterSet, textFilter } from '../components/search-filters.ts';

const textLengthMax = 256;
const cursorLengthMax = 1_024;

export type MemberValues = MemberListing & { cursor: string };

export const memberFilters: FilterSet<MemberValues> = {
  query: textFilter(textLengthMax),
  state: choiceFilter(['', ...memberStates], ''),
  sortBy: choiceFilter(memberSortColumns, 'balance'),
  sortOrder: choiceFilter(['asc', 'desc'], 'desc'),
  cursor: textFilter(cursorLengthMax),
};

export const memberNarrowing = ['query', 'state'] as const;

export const stateLabels = lazily(
  (): Record<MemberListing['state'], string> => ({
    '': t`Everybody`,
    verified: t`Verified`,
    unverified: t`Not verified`,
    overdrawn: t`Balance below zero`,
  }),
);

export const memberOrderLabels = lazily(
  (): Record<MemberListing['sortBy'], [ascending: string, descending: string]> => ({
    balance: [t`Smallest balance first`, t`Largest balance first`],
    name: [t`Name, from A`, t`Name, from Z`],
    transactions: [t`Fewest transactions first`, t`Most transactions first`],
  }),
);
