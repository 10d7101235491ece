import { createCache } from '../../domain/cache.ts';
import { continueWith, type MaybePromise } from '../../domain/maybe-promise.ts';
import type {
  Change,
  GuildRef,
  LookupKind,
  NewVerification,
  PastUser,
  PutOutcome,
  Verification,
  VerifiedName,
} from '../../domain/model.ts';
import { decideVerification } from '../../domain/people/verifying.ts';
import type { VerificationStore } from '../../domain/ports.ts';
import { type AuditWriter, NO_GUILD, openAudit } from '../audit/audit-writer.ts';
import type { Dialect } from '../dialect.ts';
import { type Engine, inLane } from '../jobs.ts';
import { nameKey } from '../records/record-keys.ts';
import { type Sql, statement, statementsByShape } from '../sql.ts';
import { holderSql, LAST_VERIFIED } from './holder-sql.ts';
import { createPeople, type People, type Person } from './people.ts';
import { byPlayer, VERIFIED_BY } from './verified-names.ts';

/** SQLite returns the list as text. */
type Row = VerifiedName & { pastUsers: string | PastUser[] };

const selectSql = ({ jsonList }: Dialect) =>
  `SELECT v.chat_id AS "chatId", v.player_id AS "playerId", v.username,
     (SELECT ${jsonList({ playerId: 'p.player_id', username: 'p.username' }, 'p.position')}
      FROM past_user p WHERE p.chat_id = v.chat_id) AS "pastUsers"
   FROM verification v`;

/** Selects the person who has a value, by kind of value. */
const HOLDER: Record<LookupKind, (placeholder: string) => string> = {
  chat: (value) => `SELECT w.chat_id FROM verification w WHERE w.chat_id = ${value}`,
  player: (value) => holderSql('chat_id', value),
  name: (value) => `SELECT w.chat_id FROM verification w WHERE w.name_key = ${value} ${LAST_VERIFIED}`,
  past_player: (value) => formerHolder('player_id', value),
  past_name: (value) => formerHolder('name_key', value),
};

function formerHolder(column: 'player_id' | 'name_key', value: string): string {
  return `SELECT w.chat_id FROM past_user p JOIN verification w ON w.chat_id = p.chat_id
    WHERE p.${column} = ${value} ${LAST_VERIFIED}`;
}

/**
 * Looks a value up as one kind after the other, in one statement and thus one round trip. `coalesce` runs a subquery
 * only when the ones before it found nobody.
 */
export function lookupSql(kinds: readonly LookupKind[], dialect: Dialect): string {
  if (kinds.length === 1 && kinds[0] === 'chat') {
    return `${selectSql(dialect)} WHERE v.chat_id = $1`;
  }
  const holders = kinds.map((kind, index) => `(${HOLDER[kind](`$${index + 1}`)})`);
  // SQLite's coalesce takes at least two arguments.
  const first = holders.length === 1 ? holders[0] : `coalesce(${holders.join(', ')})`;
  return `${selectSql(dialect)} WHERE v.chat_id = ${first}`;
}

const lookups = statementsByShape<Row>();
const FIND_BY_CHAT = statement<Row>((dialect) => lookupSql(['chat'], dialect));
const FIND_ALL = statement<Row>((dialect) => `${selectSql(dialect)} ORDER BY v.chat_id`);

interface VerificationPut extends Author {
  verifications: readonly NewVerification[];
}

export const VERIFICATION_WRITES = {
  putVerifications: inLane((_: VerificationPut) => 'verifications', putAll),
  addVerifications: inLane((_: VerificationPut) => 'verifications', addFree),
  deleteVerification: inLane((_: Author & { chatId: string }) => 'verifications', forget),
};

export interface VerificationStoreParts {
  engine: Engine<typeof VERIFICATION_WRITES>;
  /** Call it after a change by this process: the counters are then read again. */
  lookAgain(): void;
  /** The counter of all verifications, where it can be read more quickly than a person. Undefined while it cannot be read. */
  revision?(): number | undefined;
}

/** People who are cached by their chat id. The cache holds at most two generations of this size. */
const CACHED_PEOPLE_MAX = 10_000;

export function createVerificationStore(parts: VerificationStoreParts): VerificationStore {
  const { engine, lookAgain } = parts;
  const { read, readNow, stream, write } = engine;
  const people = createCache<{ person: Verification; revision: number }>(CACHED_PEOPLE_MAX);

  /** Finds a person by chat id, as each command of the chat does. People are cached until any verification changes. */
  function findByChat(chatId: string): MaybePromise<Verification | undefined> {
    const revision = parts.revision?.();
    const cached = revision === undefined ? undefined : people.get(chatId);
    if (cached !== undefined && cached.revision === revision) {
      return cached.person;
    }
    return continueWith(readNow.first(FIND_BY_CHAT, [chatId]), (row) => {
      const person = row && toVerification(row);
      if (person !== undefined && revision !== undefined) {
        people.set(chatId, { person, revision });
      }
      return person;
    });
  }

  return {
    find(kinds, value) {
      if (kinds.length === 1 && kinds[0] === 'chat') {
        return findByChat(value);
      }
      const lookup = lookups(kinds.join(), (dialect) => lookupSql(kinds, dialect));
      const isName = (kind: LookupKind) => kind === 'name' || kind === 'past_name';
      const values = kinds.map((kind) => (isName(kind) ? nameKey(value) : value));
      return continueWith(readNow.first(lookup, values), (row) => row && toVerification(row));
    },
    async findVerified(by, ids) {
      const people = ids.length === 0 ? [] : await read.all(VERIFIED_BY[by], [ids]);
      return [...byPlayer(people).values()];
    },
    put: (verifications, change, guild) =>
      write('putVerifications', { verifications, change, guild }).finally(lookAgain),
    addFree: (verifications, change, guild) =>
      write('addVerifications', { verifications, change, guild }).finally(lookAgain),
    delete: (chatId, change, guild) =>
      write('deleteVerification', { chatId, change, guild }).finally(lookAgain),
    read: () => stream({ statement: FIND_ALL, values: [], convert: toVerification }),
  };
}

function toVerification({ chatId, playerId, username, pastUsers }: Row): Verification {
  return {
    chatId,
    playerId,
    username,
    pastUsers: typeof pastUsers === 'string' ? JSON.parse(pastUsers) : pastUsers,
  };
}

/** The author of a change. A change by a guild is written to that guild's log too. */
interface Author {
  change: Change;
  guild: GuildRef | undefined;
}

/** Opens the log that belongs to no guild, then the guild's own. Locks are taken only in this order. */
async function openLogs(sql: Sql, { change, guild }: Author): Promise<AuditWriter> {
  const shared = await openAudit(sql, { guildNo: NO_GUILD, change, subjectKind: 'verification' });
  if (guild === undefined) {
    return shared;
  }
  const own = await openAudit(sql, { guildNo: guild.guildNo, change, subjectKind: 'verification' });
  return {
    add(entry) {
      own.add(entry);
      return shared.add(entry);
    },
    async write() {
      await shared.write();
      await own.write();
    },
  };
}

/**
 * Reads everybody concerned, applies the rules in memory and writes the results: the number of round trips does not
 * depend on the size of the batch. The log's lock keeps others from changing these people meanwhile.
 */
async function putAll(sql: Sql, put: VerificationPut): Promise<PutOutcome[]> {
  return changeAll(sql, put, (people, audit, verification, atMs) =>
    verify(people, audit, verification, atMs),
  );
}

/** The same, but leaves people and game accounts that are verified now. */
async function addFree(sql: Sql, put: VerificationPut): Promise<(PutOutcome | 'exists')[]> {
  return changeAll(sql, put, (people, audit, verification, atMs) => {
    const { chatId, playerId, username } = verification;
    const present = people.find(chatId);
    const isSame = present?.playerId === playerId && present.username === username;
    const isTaken = present !== undefined || people.holderOf(playerId) !== undefined;
    return isTaken && !isSame ? 'exists' : verify(people, audit, verification, atMs);
  });
}

async function changeAll<Outcome>(
  sql: Sql,
  { verifications, ...by }: VerificationPut,
  decide: (...one: Parameters<typeof verify>) => Outcome,
): Promise<Outcome[]> {
  const audit = await openLogs(sql, by);
  const people = await createPeople(sql, verifications);
  const outcomes = verifications.map((verification) => decide(people, audit, verification, by.change.atMs));
  await people.write();
  await audit.write();
  return outcomes;
}

function verify(people: People, audit: AuditWriter, verification: NewVerification, atMs: number): PutOutcome {
  const { chatId, playerId, username } = verification;
  const before = withPast(people, people.find(chatId));
  const { former, after } = decideVerification(verification, {
    holder: withPast(people, people.holderOf(playerId)),
    before,
    pastUsers: people.pastOf(chatId),
  });
  if (former !== undefined) {
    people.setPast(former.chatId, former.pastUsers);
    people.remove(former.chatId);
    audit.add({
      subjectId: former.chatId,
      before: { playerId, username: former.username },
      after: { playerId: null, movedTo: chatId },
    });
  }
  if (!audit.add({ subjectId: chatId, before, after })) {
    return 'unchanged';
  }
  people.set({ chatId, playerId, username, verifiedAtMs: atMs });
  people.setPast(chatId, after.pastUsers);
  return before === undefined ? 'created' : 'updated';
}

function withPast(people: People, person: Person | undefined): Verification | undefined {
  if (person === undefined) {
    return undefined;
  }
  const { chatId, playerId, username } = person;
  return { chatId, playerId, username, pastUsers: people.pastOf(chatId) };
}

async function forget(sql: Sql, { chatId, ...by }: Author & { chatId: string }): Promise<boolean> {
  const audit = await openLogs(sql, by);
  const people = await createPeople(sql, [{ chatId }]);
  const past = people.pastOf(chatId);
  if (people.find(chatId) === undefined && past.length === 0) {
    return false;
  }
  people.setPast(chatId, []);
  people.remove(chatId);
  await people.write();
  // The log records that somebody was forgotten and how many past accounts they had, without ids or names of these.
  audit.add({ subjectId: chatId, before: { pastUsers: past.length }, after: undefined });
  await audit.write();
  return true;
}
