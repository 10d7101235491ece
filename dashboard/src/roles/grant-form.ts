import { t } from '@lingui/core/macro';
import type { Grantee, Role } from '../api/roles.ts';

/** A person or chat role with its role, as the page shows it. */
export interface Grant extends Grantee {
  name: string;
  /** The name as a button or question calls it: with the id where the name is unknown. */
  label: string;
  role: Role;
  /** The time and the person who gave it; undefined where they are not known. */
  given?: { at: string; by: string; byId: string };
}

const idLengthMax = 128;
const nameLengthMax = 100;

export function idFault(id: string, kind: Grantee['kind']): string | null {
  if (id.trim() === '') {
    return kind === 'people' ? t`Give the person’s chat id` : t`Give the id of the chat role`;
  }
  return id.trim().length > idLengthMax ? t`At most ${idLengthMax} characters` : null;
}

export function roleNameFault(name: string, kind: Grantee['kind']): string | null {
  if (kind === 'people') return null;
  if (name.trim() === '') return t`Give it a name, so that others know which one it is`;
  return [...name.trim()].length > nameLengthMax ? t`At most ${nameLengthMax} characters` : null;
}

/** The form id, for its draft; without an id, that of a new grant. */
export function grantFormId(kind: Grantee['kind'], id: string | undefined): string {
  return `roles/${kind}/${id ?? 'new'}`;
}
