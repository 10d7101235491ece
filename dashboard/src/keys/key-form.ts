import { t } from '@lingui/core/macro';

const nameLengthMax = 100;

export const createKeyFormId = 'keys/new';

/** The form id of a key's settings, for its draft. */
export function keySettingsFormId(keyId: string): string {
  return `keys/settings/${keyId}`;
}

/** The error of a key's name. As in the service, the length is counted in code points. */
export function nameFault(name: string): string | null {
  const length = [...name.trim()].length;
  if (length === 0) return t`Give the key a name`;
  if (length > nameLengthMax) return t`At most ${nameLengthMax} characters; these are ${length}`;
  return null;
}

export function scopesFault(scopes: string[]): string | null {
  return scopes.length === 0 ? t`Choose at least one scope` : null;
}
