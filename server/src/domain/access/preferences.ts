import { DomainError } from '../errors.ts';
import { jsonBytes, PREFERENCE_BYTES_MAX } from './personal-bounds.ts';

/** The display settings of a person, for every guild and every browser. */
export interface Preferences {
  /** Times are shown in this zone, such as `Europe/Berlin`; null follows the browser. */
  timeZone: string | null;
  density: 'comfortable' | 'compact';
  /** Hidden columns of the ledger. */
  hiddenColumns: string[];
  /** Saved views of a guild's ledger. */
  views: SavedView[];
}

export interface SavedView {
  guildId: string;
  name: string;
  /** The query string of the page's address. */
  search: string;
}

export interface PreferenceStore {
  /**
   * The preferences that the person has set. A stored text above `PREFERENCES_BYTES_MAX` is not read and counts as
   * none.
   */
  find(chatId: string): Promise<Partial<Preferences>>;
  /** Sets the given ones and keeps the others. Replaces a stored text above `PREFERENCES_BYTES_MAX`. */
  update(chatId: string, changes: Partial<Preferences>): Promise<void>;
}

export interface PersonPreferences {
  find(chatId: string): Promise<Preferences>;
  /** Returns all preferences after the change. Refuses a value larger than its `PREFERENCE_BYTES_MAX`. */
  update(chatId: string, changes: Partial<Preferences>): Promise<Preferences>;
}

const USUAL: Preferences = { timeZone: null, density: 'comfortable', hiddenColumns: [], views: [] };

export function createPersonPreferences(store: PreferenceStore): PersonPreferences {
  const find = async (chatId: string) => ({ ...USUAL, ...keepNamed(await store.find(chatId)) });
  return {
    find,
    async update(chatId, changes) {
      if (typeof changes.timeZone === 'string') {
        assertTimeZone(changes.timeZone);
      }
      const named = keepNamed(changes);
      assertBounds(named);
      await store.update(chatId, named);
      return find(chatId);
    },
  };
}

const NAMES = ['timeZone', 'density', 'hiddenColumns', 'views'] as const satisfies (keyof Preferences)[];

/** Drops fields of older versions that are no preferences any more. */
function keepNamed(preferences: Partial<Preferences>): Partial<Preferences> {
  const given = NAMES.filter((name) => preferences[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, preferences[name]]));
}

function assertBounds(changes: Partial<Preferences>): void {
  const tooLarge = NAMES.find(
    (name) => name in changes && jsonBytes(changes[name]) > PREFERENCE_BYTES_MAX[name],
  );
  if (tooLarge !== undefined) {
    throw new DomainError('invalid_input', {
      detail: `${tooLarge} takes at most ${PREFERENCE_BYTES_MAX[tooLarge]} bytes`,
    });
  }
}

export function assertTimeZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch (error) {
    throw new DomainError('invalid_input', {
      detail: 'timeZone must be the name of a time zone',
      cause: error,
    });
  }
}
