import type { DatabaseSync } from 'node:sqlite';
import type {
  Change,
  LookupKind,
  NewVerification,
  PastUser,
  PutOutcome,
  Verification,
} from '../../domain/model.ts';
import { decideVerification } from '../../domain/people/verifying.ts';
import type { VerificationStore } from '../../domain/ports.ts';
import { nameKey } from '../record-keys.ts';
import { createAuditWriter, NO_GUILD } from './audit.ts';
import { prepare, type Statement } from './connection.ts';
import { readRows } from './read-rows.ts';
import type { Revisions } from './revision.ts';
import type { StoreParts } from './write.ts';

type Person = Omit<Verification, 'pastUsers'>;

/** Who changes it, and the guild that does, where one does: then it is in that guild's log too. */
interface Author {
  change: Change;
  guildNo: number | undefined;
}

export type VerificationWrites = ReturnType<typeof createVerificationWrites>;

const PAST_USERS =
  'SELECT player_id AS playerId, username FROM past_user WHERE chat_id = ? ORDER BY position';

export function createVerificationStore(
  parts: StoreParts<VerificationWrites> & { revisions: Revisions },
): VerificationStore {
  const { db, read, readNow, openReader, write, revisions } = parts;
  const find: Record<LookupKind, Statement<Person>> = {
    chat: preparePresent(db, 'chat_id'),
    player: preparePresent(db, 'player_id'),
    name: preparePresent(db, 'name_key'),
    past_player: preparePast(db, 'player_id'),
    past_name: preparePast(db, 'name_key'),
  };
  const withPast = createWithPast(db);

  function findFirst(kinds: readonly LookupKind[], value: string): Person | undefined {
    for (const kind of kinds) {
      const person = find[kind].get(kind === 'name' || kind === 'past_name' ? nameKey(value) : value);
      if (person !== undefined) {
        return person;
      }
    }
    return undefined;
  }

  return {
    find: (kinds, value) =>
      readNow(() => {
        const person = findFirst(kinds, value);
        return person && withPast(person);
      }),
    findHolders: (playerIds) =>
      read(() =>
        playerIds.flatMap((playerId) => {
          const holder = find.player.get(playerId);
          return holder === undefined ? [] : [{ playerId, username: holder.username }];
        }),
      ),
    put: (verifications, change, guild) =>
      write('putVerifications', { verifications, by: { change, guildNo: guild?.guildNo } }).finally(
        revisions.lookAgain,
      ),
    delete: (chatId, change, guild) =>
      write('deleteVerification', { chatId, by: { change, guildNo: guild?.guildNo } }).finally(
        revisions.lookAgain,
      ),
    read: () =>
      readRows<Person, Verification>({
        openReader,
        sql: 'SELECT chat_id AS chatId, player_id AS playerId, username FROM verification ORDER BY chat_id',
        values: [],
        converter: createWithPast,
      }),
  };
}

function createWithPast(db: DatabaseSync): (person: Person) => Verification {
  const findPastUsers = prepare<PastUser>(db, PAST_USERS);
  return (person) => ({ ...person, pastUsers: findPastUsers.all(person.chatId) });
}

export function createVerificationWrites(db: DatabaseSync) {
  const findByChat = preparePresent(db, 'chat_id');
  const findHolder = preparePresent(db, 'player_id');
  const pastUsers = createPastUsers(db);
  const put = prepare(
    db,
    `INSERT INTO verification (chat_id, player_id, username, name_key, verified_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (chat_id) DO UPDATE SET player_id = excluded.player_id, username = excluded.username,
       name_key = excluded.name_key, verified_at = excluded.verified_at`,
  );
  const remove = prepare(db, 'DELETE FROM verification WHERE chat_id = ?');
  const audit = createAuditWriter(db);

  function log(
    { change, guildNo }: Author,
    chatId: string,
    before: object | undefined,
    after: object | undefined,
  ): boolean {
    const entry = { change, subjectKind: 'verification', subjectId: chatId, before, after } as const;
    const isChange = audit({ ...entry, guildNo: NO_GUILD });
    if (guildNo !== undefined) {
      audit({ ...entry, guildNo });
    }
    return isChange;
  }

  function find(chatId: string): Verification | undefined {
    const person = findByChat.get(chatId);
    return person && { ...person, pastUsers: pastUsers.of(chatId) };
  }

  function verify(verification: NewVerification, by: Author): PutOutcome {
    const { chatId, playerId, username } = verification;
    const holder = findHolder.get(playerId);
    const before = find(chatId);
    const { former, after } = decideVerification(verification, {
      holder: holder && { ...holder, pastUsers: pastUsers.of(holder.chatId) },
      before,
      pastUsers: pastUsers.of(chatId),
    });
    if (former !== undefined) {
      pastUsers.set(former.chatId, former.pastUsers);
      remove.run(former.chatId);
      log(by, former.chatId, { playerId, username: former.username }, { playerId: null, movedTo: chatId });
    }
    if (!log(by, chatId, before, after)) {
      return 'unchanged';
    }
    put.run(chatId, playerId, username, nameKey(username), by.change.atMs);
    pastUsers.set(chatId, after.pastUsers);
    return before === undefined ? 'created' : 'updated';
  }

  return {
    putVerifications(input: { verifications: readonly NewVerification[]; by: Author }): PutOutcome[] {
      return input.verifications.map((verification) => verify(verification, input.by));
    },
    deleteVerification({ chatId, by }: { chatId: string; by: Author }): boolean {
      const person = findByChat.get(chatId);
      const past = pastUsers.of(chatId);
      if (person === undefined && past.length === 0) {
        return false;
      }
      pastUsers.set(chatId, []);
      remove.run(chatId);
      // The log says that somebody was forgotten, and keeps nothing of what was.
      return log(by, chatId, { pastUsers: past.length }, undefined);
    },
  };
}

function createPastUsers(db: DatabaseSync) {
  const findAll = prepare<PastUser>(db, PAST_USERS);
  const deleteAll = prepare(db, 'DELETE FROM past_user WHERE chat_id = ?');
  const insert = prepare(
    db,
    'INSERT INTO past_user (chat_id, position, player_id, username, name_key) VALUES (?, ?, ?, ?, ?)',
  );
  return {
    of: (chatId: string): PastUser[] => findAll.all(chatId),
    set(chatId: string, users: readonly PastUser[]): void {
      deleteAll.run(chatId);
      users.forEach(({ playerId, username }, position) => {
        insert.run(chatId, position, playerId, username, nameKey(username));
      });
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
