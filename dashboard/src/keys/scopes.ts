export interface ScopeText {
  scope: string;
  label: string;
  explanation: string;
}

/** Every scope of a key, with a description. */
export const scopeTexts: readonly ScopeText[] = [
  {
    scope: 'guild:read',
    label: 'Read the guild',
    explanation: 'Look up discharges, transfers and ledger transactions of this guild.',
  },
  {
    scope: 'guild:write',
    label: 'Post to the ledger',
    explanation: 'Post transactions, which cannot be taken back. Reading them needs “Read the guild”.',
  },
  {
    scope: 'users:read',
    label: 'Look up users',
    explanation: 'Find verified users by chat id, player id or name.',
  },
  {
    scope: 'records:write',
    label: 'Write records',
    explanation:
      'Write and delete discharges and transfers of this guild. Listing them needs “Read the guild”.',
  },
  {
    scope: 'webhooks:manage',
    label: 'Manage webhooks',
    explanation: 'Have everything that happens in this guild delivered to any address.',
  },
];

export function explainScope(scope: string): string {
  const known = scopeTexts.find((text) => text.scope === scope);
  return known ? known.explanation : 'This dashboard has no explanation of this scope.';
}
