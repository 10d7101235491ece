import { DomainError } from '../errors.ts';

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
  /** As far as the person has ever set any. */
  find(chatId: string): Promise<Partial<Preferences>>;
  /** Sets those that are given and leaves the others as they are. */
  update(chatId: string, changes: Partial<Preferences>): Promise<void>;
}

export interface PersonPreferences {
  find(chatId: string): Promise<Preferences>;
  /** Returns all of them as they are afterwards. */
  update(chatId: string, changes: Partial<Preferences>): Promise<Preferences>;
}

const USUAL: Preferences = { timeZone: null, density: 'comfortable', hiddenColumns: [], views: [] };

export function createPersonPreferences(store: PreferenceStore): PersonPreferences {
  const find = async (chatId: string) => ({ ...USUAL, ...(await store.find(chatId)) });
  return {
    find,
    async update(chatId, changes) {
      if (typeof changes.timeZone === 'string') {
        assertTimeZone(changes.timeZone);
      }
      await store.update(chatId, changes);
      return find(chatId);
    },
  };
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
