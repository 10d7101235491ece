import type { DatabaseSync } from 'node:sqlite';
import type { PreferenceStore, Preferences } from '../../domain/access/preferences.ts';
import { readPreferences } from '../preference-text.ts';
import { prepare } from './connection.ts';
import type { Read, WriteOf } from './write.ts';

export type PreferenceWrites = ReturnType<typeof createPreferenceWrites>;

interface PreferenceParts {
  db: DatabaseSync;
  read: Read;
  write: WriteOf<PreferenceWrites>;
}

export function createPreferenceStore({ db, read, write }: PreferenceParts): PreferenceStore {
  const find = prepare<{ preferences: string }>(
    db,
    'SELECT preferences FROM person_preference WHERE chat_id = ?',
  );
  return {
    find: (chatId) => read(() => readPreferences(find.get(chatId)?.preferences)),
    update: (chatId, changes) => write('updatePreferences', { chatId, changes }),
  };
}

export function createPreferenceWrites(db: DatabaseSync) {
  const find = prepare<{ preferences: string }>(
    db,
    'SELECT preferences FROM person_preference WHERE chat_id = ?',
  );
  const put = prepare(
    db,
    `INSERT INTO person_preference (chat_id, preferences) VALUES (?, ?)
     ON CONFLICT (chat_id) DO UPDATE SET preferences = excluded.preferences`,
  );
  return {
    updatePreferences({ chatId, changes }: { chatId: string; changes: Partial<Preferences> }): void {
      const present = readPreferences(find.get(chatId)?.preferences);
      put.run(chatId, JSON.stringify({ ...present, ...changes }));
    },
  };
}
