import { type AuditFilters, auditActions } from '../api/audit.ts';
import {
  askedRange,
  type DateRange,
  type RangeValues,
  rangeFilters,
  resolveRange,
} from '../components/date-range.ts';
import {
  choiceFilter,
  type Filter,
  type FilterSet,
  textFilter,
  wholeNumberFilter,
} from '../components/search-filters.ts';

/** The filters in the address, and the entry where the page begins; 0 for the newest. */
export interface AuditView extends Omit<AuditFilters, 'since' | 'until'>, RangeValues {
  kind: GuildKind | '';
  subject: string;
  before: number;
}

/**
 * The kinds in a guild's log. Commands belong to no guild, so they have no entries there; of verifications, only the
 * changes by the guild have.
 */
export const guildKinds = [
  'discharge',
  'transfer',
  'transaction',
  'account',
  'verification',
  'key',
  'role',
  'webhook',
  'guild',
] as const;
type GuildKind = (typeof guildKinds)[number];

const actorPattern = /^(?:key|user|bot|operator):.+$/su;
const actorLengthMax = 137;
const subjectLengthMax = 256;

const actorFilter: Filter<string> = {
  read: (text) => (text !== null && text.length <= actorLengthMax && actorPattern.test(text) ? text : ''),
  write: (value) => (value === '' ? null : value),
};

export const auditFilters: FilterSet<AuditView> = {
  actor: actorFilter,
  kind: choiceFilter(['', ...guildKinds], ''),
  subject: textFilter(subjectLengthMax),
  action: choiceFilter(['', ...auditActions], ''),
  ...rangeFilters,
  before: wholeNumberFilter({ usual: 0, min: 1, max: Number.MAX_SAFE_INTEGER }),
};

export const narrowingFilters = ['actor', 'kind', 'subject', 'action', 'range', 'since', 'until'] as const;

/** The range of time of the log; everything by default. */
export function auditRange(values: RangeValues, nowMs: number): DateRange {
  return resolveRange(values, { nowMs, usual: 'all' });
}

/** The filters of the request. An id has a meaning only with its kind. */
export function askedFilters(view: AuditView, nowMs: number): AuditFilters {
  const { before: _before, range: _range, ...filters } = view;
  const subject = filters.kind === '' ? '' : filters.subject;
  return { ...filters, subject, ...askedRange(auditRange(view, nowMs)) };
}

const trailLengthMax = 1_000;

/** The pages before this one, from the history's state. Any other state gives an empty list. */
export function readTrail(state: unknown): number[] {
  if (typeof state !== 'object' || state === null || !('trail' in state)) return [];
  const { trail } = state;
  if (!Array.isArray(trail)) return [];
  return trail.filter((cursor) => Number.isSafeInteger(cursor) && cursor >= 0).slice(-trailLengthMax);
}
