import { t } from '@lingui/core/macro';
import type { Transaction } from '../api/transactions.ts';

/**
 * The poster of a transaction; `detail` distinguishes two posters with the same name. The holder of an account sees only the
 * kind of the poster.
 */
export function posterText({ kind, id, name, prefix }: Transaction['postedBy']): {
  title: string;
  detail: string | undefined;
} {
  if (kind === 'import') {
    return { title: t`Brought in by the operator`, detail: undefined };
  }
  if (id === null && name === null) {
    return {
      title: kind === 'user' ? t`Somebody else, by hand` : t`A bot or game server`,
      detail: undefined,
    };
  }
  if (kind === 'user') {
    const who = name ?? id;
    return {
      title: who === null ? t`Somebody, in the dashboard` : t`${who}, in the dashboard`,
      detail: id === null ? undefined : t`Chat account ${id}`,
    };
  }
  const detail = prefix === null ? undefined : `${prefix}…`;
  return { title: name === null ? t`A key that was deleted` : t`Key “${name}”`, detail };
}
