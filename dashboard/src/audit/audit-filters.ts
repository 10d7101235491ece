import { type AuditFilters, auditActions } from '../api/audit.ts';
import {
  choiceFilter,
  dayFilter,
  type Filter,
  type FilterSet,
  wholeNumberFilter,
} from '../components/search-filters.ts';

/** The address's filters: what is asked for, and where the page begins; 0 is the newest entry. */
export interface AuditView extends AuditFilters {
  kind: GuildKind | '';
  before: number;
}

/** Verifications and commands belong to no guild, and so never stand in a guild's log. */
export const guildKinds = ['discharge', 'transfer', 'transaction', 'account', 'key', 'guild'] as const;
type GuildKind = (typeof guildKinds)[number];

const actorPattern = /^(?:key|user|bot|operator):.+$/su;
const actorLengthMax = 137;

const actorFilter: Filter<string> = {
  read: (text) => (text !== null && text.length <= actorLengthMax && actorPattern.test(text) ? text : ''),
  write: (value) => (value === '' ? null : value),
};

export const auditFilters: FilterSet<AuditView> = {
  actor: actorFilter,
  kind: choiceFilter(['', ...guildKinds], ''),
  action: choiceFilter(['', ...auditActions], ''),
  since: dayFilter(),
  until: dayFilter(),
  before: wholeNumberFilter({ usual: 0, min: 1, max: Number.MAX_SAFE_INTEGER }),
};

export const narrowingFilters = ['actor', 'kind', 'action', 'since', 'until'] as const;

/** What is asked of the service: a range that ends before it begins, written by hand, loses its end. */
export function askedFilters({ before: _before, ...filters }: AuditView): AuditFilters {
  const { since, until } = filters;
  return { ...filters, until: since !== '' && until !== '' && since > until ? '' : until };
}

const trailLengthMax = 1_000;

/** The pages that led to this one, from the history's state. Whatever else stands there is no trail. */
export function readTrail(state: unknown): number[] {
  if (typeof state !== 'object' || state === null || !('trail' in state)) return [];
  const { trail } = state;
  if (!Array.isArray(trail)) return [];
  return trail.filter((cursor) => Number.isSafeInteger(cursor) && cursor >= 0).slice(-trailLengthMax);
}
