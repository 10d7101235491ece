import type { PastUser } from '../../domain/model.ts';
import type { Dialect } from '../dialect.ts';
import { nameKey } from '../records/record-keys.ts';
import { manyRows, type Sql, statement } from '../sql.ts';
import { LAST_VERIFIED_AT_END } from './holder-sql.ts';

export interface Person extends PastUser {
  chatId: string;
  verifiedAtMs: number;
}

/** The people a batch of verifications concerns, in memory until they are written back together. */
export interface People {
  find(chatId: string): Person | undefined;
  /** The person who is verified with the game account now. */
  holderOf(playerId: string): Person | undefined;
  pastOf(chatId: string): PastUser[];
  set(person: Person): void;
  remove(chatId: string): void;
  setPast(chatId: string, users: readonly PastUser[]): void;
  write(): Promise<void>;
}

const isOf = (column: string, value: string, { isOneOf }: Dialect) =>
  isOneOf(column, { value, type: 'text' });

// Two index look-ups: for an OR of the two SQLite would read the whole table.
const FIND = statement<Person>((dialect) => {
  const columns = 'chat_id, player_id, username, verified_at';
  return `SELECT w.chat_id AS "chatId", w.player_id AS "playerId", w.username, w.verified_at AS "verifiedAtMs"
    FROM (SELECT ${columns} FROM verification WHERE ${isOf('chat_id', '$1', dialect)}
      UNION SELECT ${columns} FROM verification WHERE ${isOf('player_id', '$2', dialect)}) AS w
    ${LAST_VERIFIED_AT_END}`;
});
const FIND_PAST = statement<PastUser & { chatId: string }>(
  (dialect) =>
    `SELECT chat_id AS "chatId", player_id AS "playerId", username FROM past_user
     WHERE ${isOf('chat_id', '$1', dialect)} ORDER BY chat_id, position`,
);
const REMOVE = statement((dialect) => `DELETE FROM verification WHERE ${isOf('chat_id', '$1', dialect)}`);
const PUT = manyRows({
  table: 'verification',
  columns: { chat_id: 'text', player_id: 'text', username: 'text', name_key: 'text', verified_at: 'bigint' },
  ending: `ON CONFLICT (chat_id) DO UPDATE SET player_id = excluded.player_id, username = excluded.username,
    name_key = excluded.name_key, verified_at = excluded.verified_at`,
});
const REMOVE_PAST = statement((dialect) => `DELETE FROM past_user WHERE ${isOf('chat_id', '$1', dialect)}`);
const INSERT_PAST = manyRows({
  table: 'past_user',
  columns: { chat_id: 'text', position: 'bigint', player_id: 'text', username: 'text', name_key: 'text' },
});

/** Reads the named people, the holders of the named game accounts, and the past accounts of all of them. */
export async function createPeople(
  sql: Sql,
  named: readonly { chatId: string; playerId?: string }[],
): Promise<People> {
  const chatIds = named.map(({ chatId }) => chatId);
  const playerIds = named.flatMap(({ playerId }) => (playerId === undefined ? [] : [playerId]));
  const found = await sql.all(FIND, [chatIds, playerIds]);
  const concerned = new Set([...chatIds, ...found.map(({ chatId }) => chatId)]);
  const present = new Map(found.map((person) => [person.chatId, person]));
  const holders = new Map(found.map((person) => [person.playerId, person.chatId]));
  const past = new Map<string, PastUser[]>();
  for (const { chatId, playerId, username } of await sql.all(FIND_PAST, [[...concerned]])) {
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
      await writePresent(sql, changed, present);
      await writePast(sql, changedPast, past);
    },
  };
}

async function writePresent(
  sql: Sql,
  changed: ReadonlySet<string>,
  present: ReadonlyMap<string, Person>,
): Promise<void> {
  const gone = [...changed].filter((chatId) => !present.has(chatId));
  if (gone.length > 0) {
    await sql.run(REMOVE, [gone]);
  }
  const people = [...changed].flatMap((chatId) => present.get(chatId) ?? []);
  if (people.length > 0) {
    await sql.runMany(
      PUT,
      [],
      people.map(({ chatId, playerId, username, verifiedAtMs }) => [
        chatId,
        playerId,
        username,
        nameKey(username),
        verifiedAtMs,
      ]),
    );
  }
}

async function writePast(
  sql: Sql,
  changed: ReadonlySet<string>,
  past: ReadonlyMap<string, readonly PastUser[]>,
): Promise<void> {
  if (changed.size === 0) {
    return;
  }
  await sql.run(REMOVE_PAST, [[...changed]]);
  const users = [...changed].flatMap((chatId) =>
    (past.get(chatId) ?? []).map((user, position) => ({ chatId, position, ...user })),
  );
  if (users.length > 0) {
    await sql.runMany(
      INSERT_PAST,
      [],
      users.map(({ chatId, position, playerId, username }) => [
        chatId,
        position,
        playerId,
        username,
        nameKey(username),
      ]),
    );
  }
}
