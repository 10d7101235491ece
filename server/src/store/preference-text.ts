import type { Preferences } from '../domain/access/preferences.ts';

/** Preferences from the text that a store keeps of them; none from none. */
export function readPreferences(text: string | undefined): Partial<Preferences> {
  // Only what the rules let through is ever written.
  return text === undefined ? {} : (JSON.parse(text) as Partial<Preferences>);
}
