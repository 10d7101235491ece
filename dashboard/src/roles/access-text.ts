import { t } from '@lingui/core/macro';
import type { Roles } from '../api/roles.ts';
import { lazily } from '../components/lazily.ts';

const standings = lazily(
  (): Readonly<Record<string, string>> => ({
    owner: t`Owner of the guild`,
    admin: t`Administrator of the guild`,
    manager: t`May manage the guild there`,
  }),
);

/** The origin of a role, for people. */
export function accessText({ kind, name }: Roles['others'][number]['through']): string {
  return kind === 'platform' ? (standings()[name] ?? name) : t`By the chat role ${name}`;
}
