import { t } from '@lingui/core/macro';
import { lazily } from '../components/lazily.ts';

/** Every event that a webhook can select, in words. */
export const eventLabels = lazily(() => ({
  'transaction.posted': t`Transactions`,
  'transaction.reversed': t`Reversals`,
  'payment.posted': t`Payments`,
  'balance.below': t`Low balances`,
  'ledger.sealed': t`Sealed ledger`,
  'summary.weekly': t`Weekly summary`,
  'discharge.created': t`Discharges added`,
  'discharge.updated': t`Discharges changed`,
  'discharge.deleted': t`Discharges deleted`,
  'transfer.created': t`Transfers added`,
  'transfer.updated': t`Transfers changed`,
  'transfer.deleted': t`Transfers deleted`,
  'verification.changed': t`Verifications`,
  'key.created': t`Keys created`,
  'key.deleted': t`Keys deleted`,
  'key.expiring': t`Keys about to expire`,
  'key.refused': t`Keys refused often`,
}));

/** `key.*` stands for all events that begin with `key.`. */
function isNamed(name: string, event: string): boolean {
  return name === event || (name.endsWith('.*') && event.startsWith(name.slice(0, -1)));
}

/** The single events of a list of names, in the order of the labels. */
export function expandEvents(names: readonly string[]): string[] {
  return Object.keys(eventLabels()).filter((event) => names.some((name) => isNamed(name, event)));
}

/** The labels of a list of names. A name that this version does not know stays as it is. */
export function labelsOfEvents(names: readonly string[]): string[] {
  const labels = Object.entries(eventLabels());
  const known = labels
    .filter(([event]) => names.some((name) => isNamed(name, event)))
    .map(([, label]) => label);
  const unknown = names.filter((name) => !labels.some(([event]) => isNamed(name, event)));
  return [...known, ...unknown];
}
