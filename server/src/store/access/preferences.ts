import { PREFERENCES_BYTES_MAX } from '../../domain/access/personal-bounds.ts';
import type { PreferenceStore, Preferences } from '../../domain/access/preferences.ts';
import { type Engine, inLane } from '../jobs.ts';
import { type Sql, statement } from '../sql.ts';

// `octet_length` needs only the head of the text, so an oversized text is not read.
const SELECT = `SELECT CASE WHEN octet_length(preferences) <= ${PREFERENCES_BYTES_MAX} THEN preferences ELSE '{}' END AS preferences
  FROM person_preference WHERE chat_id = $1`;
const FIND = statement<{ preferences: string }>(SELECT);
const LOCK = statement<{ preferences: string }>(({ forUpdate }) => `${SELECT} ${forUpdate}`);
const BEGIN = statement(
  `INSERT INTO person_preference (chat_id, preferences) VALUES ($1, '{}') ON CONFLICT (chat_id) DO NOTHING`,
);
const PUT = statement('UPDATE person_preference SET preferences = $2 WHERE chat_id = $1');

interface PreferenceChange {
  chatId: string;
  changes: Partial<Preferences>;
}

export const PREFERENCE_WRITES = {
  updatePreferences: inLane(({ chatId }: PreferenceChange) => `preferences of ${chatId}`, update),
};

export function createPreferenceStore({ read, write }: Engine<typeof PREFERENCE_WRITES>): PreferenceStore {
  return {
    find: async (chatId) => readPreferences(await read.first(FIND, [chatId])),
    update: (chatId, changes) => write('updatePreferences', { chatId, changes }),
  };
}

async function update(sql: Sql, { chatId, changes }: PreferenceChange): Promise<void> {
  // Makes sure that there is a row to lock, so that neither of two concurrent changes is lost.
  await sql.run(BEGIN, [chatId]);
  const present = readPreferences(await sql.first(LOCK, [chatId]));
  await sql.run(PUT, [chatId, JSON.stringify({ ...present, ...changes })]);
}

function readPreferences(row: { preferences: string } | undefined): Partial<Preferences> {
  // Only preferences that passed the domain's rules are ever written.
  return row === undefined ? {} : (JSON.parse(row.preferences) as Partial<Preferences>);
}
