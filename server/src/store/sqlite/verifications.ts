import type { DatabaseSync } from 'node:sqlite';
import type { LookupKind, PastUser, Verification } from '../../domain/model.ts';
import type { VerificationStore } from '../../domain/ports.ts';
import { prepare, type Statement } from './connection.ts';
import type { Read, WriteOf } from './write.ts';

type Person = Omit<Verification, 'pastUsers'>;

export type VerificationWrites = ReturnType<typeof createVerificationWrites>;

export function createVerificationStore(
  db: DatabaseSync,
  read: Read,
  write: WriteOf<VerificationWrites>,
): VerificationStore {
  const find: Record<LookupKind, Statement<Person>> = {
    chat: preparePresent(db, 'chat_id'),
    player: preparePresent(db, 'player_id'),
    name: preparePresent(db, 'name_key'),
    past_player: preparePast(db, 'player_id'),
    past_name: preparePast(db, 'name_key'),
  };
  const findPastUsers = prepare<PastUser>(
    db,
    'SELECT player_id AS playerId, username FROM past_user WHERE chat_id = ? ORDER BY position',
  );
  return {
    find: (kind, value) =>
      read(() => {
        const person = find[kind].get(kind === 'name' || kind === 'past_name' ? nameKey(value) : value);
        return person && { ...person, pastUsers: findPastUsers.all(person.chatId) };
      }),
    put: (verifications, verifiedAtMs) => write('putVerifications', { verifications, verifiedAtMs }),
  };
}

export function createVerificationWrites(db: DatabaseSync) {
  const put = prepare(
    db,
    `INSERT INTO verification (chat_id, player_id, username, name_key, verified_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (chat_id) DO UPDATE SET player_id = excluded.player_id, username = excluded.username,
       name_key = excluded.name_key, verified_at = excluded.verified_at`,
  );
  const deletePastUsers = prepare(db, 'DELETE FROM past_user WHERE chat_id = ?');
  const insertPastUser = prepare(
    db,
    'INSERT INTO past_user (chat_id, position, player_id, username, name_key) VALUES (?, ?, ?, ?, ?)',
  );
  return {
    putVerifications(input: { verifications: readonly Verification[]; verifiedAtMs: number }): void {
      for (const { chatId, playerId, username, pastUsers } of input.verifications) {
        put.run(chatId, playerId, username, nameKey(username), input.verifiedAtMs);
        deletePastUsers.run(chatId);
        pastUsers.forEach((past, position) => {
          insertPastUser.run(chatId, position, past.playerId, past.username, nameKey(past.username));
        });
      }
    },
  };
}

type LookupColumn = 'chat_id' | 'player_id' | 'name_key';

// The order decides between people who share a value, so that the answer never depends on chance.
function preparePresent(db: DatabaseSync, column: LookupColumn): Statement<Person> {
  return prepare(
    db,
    `SELECT chat_id AS chatId, player_id AS playerId, username FROM verification
     WHERE ${column} = ? ORDER BY verified_at DESC, chat_id DESC LIMIT 1`,
  );
}

function preparePast(db: DatabaseSync, column: LookupColumn): Statement<Person> {
  return prepare(
    db,
    `SELECT v.chat_id AS chatId, v.player_id AS playerId, v.username
     FROM past_user p JOIN verification v ON v.chat_id = p.chat_id
     WHERE p.${column} = ? ORDER BY v.verified_at DESC, v.chat_id DESC LIMIT 1`,
  );
}

function nameKey(username: string): string {
  return username.toLowerCase();
}
