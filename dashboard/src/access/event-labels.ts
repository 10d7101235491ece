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

/** The labels of a list of names, in the order of the events: `key.*` stands for all that begin with `key.`. */
export function labelsOfEvents(names: readonly string[]): string[] {
  const isNamed = (event: string) =>
    names.some((name) => name === event || (name.endsWith('.*') && event.startsWith(name.slice(0, -1))));
  return Object.entries(eventLabels())
    .filter(([event]) => isNamed(event))
    .map(([, label]) => label);
}
