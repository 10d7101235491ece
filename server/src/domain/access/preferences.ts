import { DomainError } from '../errors.ts';
import { jsonBytes, PREFERENCE_BYTES_MAX } from './personal-bounds.ts';

/** How somebody wants the pages to look. It belongs to the person, in every guild and every browser. */
export interface Preferences {
  /** Times are shown in this zone, such as `Europe/Berlin`; null follows the browser. */
  timeZone: string | null;
  density: 'comfortable' | 'compact';
  /** Columns of the ledger that are left out. */
  hiddenColumns: string[];
  /** Views of a guild's ledger that were saved under a name. */
  views: SavedView[];
}

export interface SavedView {
  guildId: string;
  name: string;
  /** What stands behind the page's address. */
  search: string;
}

export interface PreferenceStore {
  /** Those that the person has set. A stored text above `PREFERENCES_BYTES_MAX` counts as none, and is not read. */
  find(chatId: string): Promise<Partial<Preferences>>;
  /** Sets those that are given and leaves the others as they are. Replaces a stored text above `PREFERENCES_BYTES_MAX`. */
  update(chatId: string, changes: Partial<Preferences>): Promise<void>;
}

export interface PersonPreferences {
  find(chatId: string): Promise<Preferences>;
  /** Returns all of them as they are afterwards. Refuses one that takes more than its `PREFERENCE_BYTES_MAX`. */
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

/** Drops fields that are no preferences, which an older version stored. */
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
