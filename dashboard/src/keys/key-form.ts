const nameLengthMax = 100;

export const createKeyFormId = 'keys/new';

/** Under which the form of a key's settings is kept. */
export function keySettingsFormId(keyId: string): string {
  return `keys/settings/${keyId}`;
}

/** What is wrong with a key's name, in words. As in the service, an emoji counts by its code points. */
export function nameFault(name: string): string | null {
  const length = [...name.trim()].length;
  if (length === 0) return 'Give the key a name';
  if (length > nameLengthMax) return `At most ${nameLengthMax} characters; these are ${length}`;
  return null;
}

export function scopesFault(scopes: string[]): string | null {
  return scopes.length === 0 ? 'Choose at least one scope' : null;
}
