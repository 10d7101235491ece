import type { Roles } from '../api/roles.ts';

const standings: Readonly<Record<string, string>> = {
  owner: 'Owner of the guild',
  admin: 'Administrator of the guild',
  manager: 'May manage the guild there',
};

/** The origin of a role, for people. */
export function accessText({ kind, name }: Roles['others'][number]['through']): string {
  return kind === 'platform' ? (standings[name] ?? name) : `By the chat role ${name}`;
}
