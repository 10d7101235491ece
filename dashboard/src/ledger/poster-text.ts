import type { Transaction } from '../api/transactions.ts';

/** The poster of a transaction; `detail` distinguishes two posters with the same name. */
export function posterText({ kind, id, name, prefix }: Transaction['postedBy']): {
  title: string;
  detail: string | undefined;
} {
  if (kind === 'import') {
    return { title: 'Brought in by the operator', detail: undefined };
  }
  if (kind === 'user') {
    return {
      title: `${name ?? id ?? 'Somebody'}, in the dashboard`,
      detail: id === null ? undefined : `Chat account ${id}`,
    };
  }
  const detail = prefix === null ? undefined : `${prefix}…`;
  return { title: name === null ? 'A key that was deleted' : `Key “${name}”`, detail };
}
