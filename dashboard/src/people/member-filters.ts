import { type MemberListing, memberSortColumns, memberStates } from '../api/members.ts';
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

export const stateLabels: Record<MemberListing['state'], string> = {
  '': 'Everybody',
  verified: 'Verified',
  unverified: 'Not verified',
  overdrawn: 'Balance below zero',
};

export const memberOrderLabels: Record<MemberListing['sortBy'], [ascending: string, descending: string]> = {
  balance: ['Smallest balance first', 'Largest balance first'],
  name: ['Name, from A', 'Name, from Z'],
  transactions: ['Fewest transactions first', 'Most transactions first'],
};
