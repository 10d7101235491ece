import { t } from '@lingui/core/macro';
import { lazily } from '../components/lazily.ts';
export interface ScopeText {
  scope: string;
  label: string;
  explanation: string;
}

/** Every scope of a key, with a description. */
export const scopeTexts = lazily((): readonly ScopeText[] => [
  {
    scope: 'guild:read',
    label: t`Read the guild`,
    explanation: t`Look up discharges, transfers and ledger transactions of this guild.`,
  },
  {
    scope: 'guild:write',
    label: t`Post to the ledger`,
    explanation: t`Post transactions, which cannot be taken back. Reading them needs “Read the guild”.`,
  },
  {
    scope: 'users:read',
    label: t`Look up users`,
    explanation: t`Find verified users by chat id, player id or name.`,
  },
  {
    scope: 'records:write',
    label: t`Write records`,
    explanation: t`Write and delete discharges and transfers of this guild. Listing them needs “Read the guild”.`,
  },
  {
    scope: 'webhooks:manage',
    label: t`Manage webhooks`,
    explanation: t`Have everything that happens in this guild delivered to any address.`,
  },
]);

export function explainScope(scope: string): string {
  const known = scopeTexts().find((text) => text.scope === scope);
  return known ? known.explanation : t`This dashboard has no explanation of this scope.`;
}
