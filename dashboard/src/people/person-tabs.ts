import { t } from '@lingui/core/macro';
import { keptRange } from '../components/date-range.ts';
import { lazily } from '../components/lazily.ts';

export const personTabs = ['account', 'records', 'accounts', 'history'] as const;
export type PersonTab = (typeof personTabs)[number];
/** The statement is reached from the account, and has no tab, because it is made for printing. */
export type PersonView = PersonTab | 'statement';

export const tabLabels = lazily(
  (): Record<PersonTab, string> => ({
    account: t`Account`,
    records: t`Records`,
    accounts: t`Game accounts`,
    history: t`History`,
  }),
);

const parameter = 'tab';

/** The view in the address. An unknown one is the account. */
export function readView(search: string): PersonView {
  const asked = new URLSearchParams(search).get(parameter);
  return asked === 'statement' ? asked : (personTabs.find((tab) => tab === asked) ?? 'account');
}

/** The address's query for another view. Only the range of time stays. */
export function viewSearch(search: string, view: PersonView): string {
  const kept = new URLSearchParams(keptRange(search));
  if (view !== 'account') kept.set(parameter, view);
  return kept.toString();
}
