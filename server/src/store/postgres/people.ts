import type { PastUser } from '../../domain/model.ts';
import { nameKey } from '../record-keys.ts';
import { prepare, type Runner } from './statement.ts';

export interface Person extends PastUser {
  chatId: string;
  verifiedAtMs: number;
}

/** The people a batch of verifications concerns, in memory until they are written back together. */
export interface People {
  find(chatId: string): Person | undefined;
  /** Who is verified with the game account now. */
  holderOf(playerId: string): Person | undefined;
  pastOf(chatId: string): PastUser[];
  set(person: Person): void;
  remove(chatId: string): void;
  setPast(chatId: string, users: readonly PastUser[]): void;
  write(): Promise<void>;
}

const FIND = prepare<Person>(
  `SELECT chat_id AS "chatId", player_id AS "playerId", username, verified_at AS "verifiedAtMs" FROM verification
   WHERE chat_id = ANY ($1::text[]) OR player_id = ANY ($2::text[]) ORDER BY verified_at, chat_id`,
);
const FIND_PAST = prepare<PastUser & { chatId: string }>(
  `SELECT chat_id AS "chatId", player_id AS "playerId", username FROM past_user
   WHERE chat_id = ANY ($1::text[]) ORDER BY chat_id, position`,
);
const REMOVE = prepare('DELETE FROM verification WHERE chat_id = ANY ($1::text[])');
const PUT = prepare(
  `INSERT INTO verification (chat_id, player_id, username, name_key, verified_at)
   SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
   ON CONFLICT (chat_id) DO UPDATE SET player_id = excluded.player_id, username = excluded.username,
     name_key = excluded.name_key, verified_at = excluded.verified_at`,
);
const REMOVE_PAST = prepare('DELETE FROM past_user WHERE chat_id = ANY ($1::text[])');
const INSERT_PAST = prepare(
  `INSERT INTO past_user (chat_id, position, player_id, username, name_key)
   SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[])`,
);

/** Fetches those named, whoever holds a game account that is named, and the past accounts of them all. */
export async function createPeople(
  transaction: Runner,
  named: readonly { chatId: string; playerId?: string }[],
): Promise<People> {
  const chatIds = named.map(({ chatId }) => chatId);
  const playerIds = named.flatMap(({ playerId }) => (playerId === undefined ? [] : [playerId]));
  const found = await transaction.all(FIND, [chatIds, playerIds]);
  const concerned = new Set([...chatIds, ...found.map(({ chatId }) => chatId)]);
  const present = new Map(found.map((person) => [person.chatId, person]));
  // Of several holders the one verified last stands, as everywhere; it comes last.
  const holders = new Map(found.map((person) => [person.playerId, person.chatId]));
  const past = new Map<string, PastUser[]>();
  for (const { chatId, playerId, username } of await transaction.all(FIND_PAST, [[...concerned]])) {
    past.set(chatId, [...(past.get(chatId) ?? []), { playerId, username }]);
  }
  const changed = new Set<string>();
  const changedPast = new Set<string>();

  function remove(chatId: string): void {
    const person = present.get(chatId);
    if (person !== undefined && holders.get(person.playerId) === chatId) {
      holders.delete(person.playerId);
    }
    present.delete(chatId);
    changed.add(chatId);
  }

  return {
    find: (chatId) => present.get(chatId),
    holderOf(playerId) {
      const chatId = holders.get(playerId);
      return chatId === undefined ? undefined : present.get(chatId);
    },
    pastOf: (chatId) => past.get(chatId) ?? [],
    set(person) {
      remove(person.chatId);
      present.set(person.chatId, person);
      holders.set(person.playerId, person.chatId);
    },
    remove,
    setPast(chatId, users) {
      past.set(chatId, [...users]);
      changedPast.add(chatId);
    },
    async write() {
      await writePresent(transaction, changed, present);
      await writePast(transaction, changedPast, past);
    },
  };
}

async function writePresent(
  transaction: Runner,
  changed: ReadonlySet<string>,
  present: ReadonlyMap<string, Person>,
): Promise<void> {
  const gone = [...changed].filter((chatId) => !present.has(chatId));
  if (gone.length > 0) {
    await transaction.run(REMOVE, [gone]);
  }
  const people = [...changed].flatMap((chatId) => present.get(chatId) ?? []);
  if (people.length > 0) {
    await transaction.run(PUT, [
      people.map(({ chatId }) => chatId),
      people.map(({ playerId }) => playerId),
      people.map(({ username }) => username),
      people.map(({ username }) => nameKey(username)),
      people.map(({ verifiedAtMs }) => verifiedAtMs),
    ]);
  }
}

async function writePast(
  transaction: Runner,
  changed: ReadonlySet<string>,
  past: ReadonlyMap<string, readonly PastUser[]>,
): Promise<void> {
  if (changed.size === 0) {
    return;
  }
  await transaction.run(REMOVE_PAST, [[...changed]]);
  const users = [...changed].flatMap((chatId) =>
    (past.get(chatId) ?? []).map((user, position) => ({ chatId, position, ...user })),
  );
  if (users.length > 0) {
    await transaction.run(INSERT_PAST, [
      users.map(({ chatId }) => chatId),
      users.map(({ position }) => position),
      users.map(({ playerId }) => playerId),
      users.map(({ username }) => username),
      users.map(({ username }) => nameKey(username)),
    ]);
  }
}
