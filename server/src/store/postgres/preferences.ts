import type { PreferenceStore } from '../../domain/access/preferences.ts';
import { readPreferences } from '../preference-text.ts';
import { prepare, type Runner } from './statement.ts';
import type { Writer } from './write.ts';

const FIND = prepare<{ preferences: string }>('SELECT preferences FROM person_preference WHERE chat_id = $1');
// The row is locked while the two are joined, so that two changes at once both count.
const UPDATE = prepare<never>(
  `INSERT INTO person_preference (chat_id, preferences) VALUES ($1, $2)
   ON CONFLICT (chat_id) DO UPDATE
   SET preferences = (person_preference.preferences::jsonb || excluded.preferences::jsonb)::text`,
);

export function createPreferenceStore({ read, writer }: { read: Runner; writer: Writer }): PreferenceStore {
  return {
    find: async (chatId) => readPreferences((await read.first(FIND, [chatId]))?.preferences),
    async update(chatId, changes) {
      await writer.admit(() => writer.writeOnce(UPDATE, [chatId, JSON.stringify(changes)]));
    },
  };
}
