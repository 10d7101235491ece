import { t } from '@lingui/core/macro';
import { scopeLabels } from '../access/scope-labels.ts';
import { lazily } from '../components/lazily.ts';

export interface ScopeText {
  scope: string;
  label: string;
  explanation: string;
}

const labelOf = (scope: string) => scopeLabels()[scope] ?? scope;

/** Every scope of a key, with a description. */
export const scopeTexts = lazily((): readonly ScopeText[] => [
  {
    scope: 'guild:read',
    label: labelOf('guild:read'),
    explanation: t`Look up discharges, transfers and ledger transactions of this guild.`,
  },
  {
    scope: 'guild:write',
    label: labelOf('guild:write'),
    explanation: t`Post transactions. They can be reversed, but not deleted. Reading them needs “Read the guild”.`,
  },
  {
    scope: 'users:read',
    label: labelOf('users:read'),
    explanation: t`Find verified users by chat id, player id or name.`,
  },
  {
    scope: 'records:write',
    label: labelOf('records:write'),
    explanation: t`Write and delete discharges and transfers of this guild. Listing them needs “Read the guild”.`,
  },
  {
    scope: 'webhooks:manage',
    label: labelOf('webhooks:manage'),
    explanation: t`Have everything that happens in this guild delivered to any address.`,
  },
]);

export function explainScope(scope: string): string {
  const known = scopeTexts().find((text) => text.scope === scope);
  return known ? known.explanation : t`This dashboard has no explanation of this scope.`;
}
