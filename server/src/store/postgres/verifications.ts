import type {
  Change,
  GuildRef,
  LookupKind,
  NewVerification,
  PastUser,
  PutOutcome,
  Verification,
} from '../../domain/model.ts';
import { decideVerification } from '../../domain/people/verifying.ts';
import type { VerificationStore } from '../../domain/ports.ts';
import { nameKey } from '../record-keys.ts';
import { type AuditWriter, NO_GUILD, openAudit } from './audit.ts';
import { createPeople, type People, type Person } from './people.ts';
import { type OpenReader, readRows } from './read-rows.ts';
import { prepare, prepareOnDemand, type Runner } from './statement.ts';
import type { Writer } from './write.ts';

const SELECT = `SELECT v.chat_id AS "chatId", v.player_id AS "playerId", v.username, coalesce(
    (SELECT json_agg(json_build_object('playerId', p.player_id, 'username', p.username) ORDER BY p.position)
     FROM past_user p WHERE p.chat_id = v.chat_id), '[]') AS "pastUsers"
  FROM verification v`;
// The order decides between people who share a value, so that the answer never depends on chance.
const LAST_WINS = 'ORDER BY w.verified_at DESC, w.chat_id DESC LIMIT 1';

/** Who has the value, by kind of value. */
const HOLDER: Record<LookupKind, (placeholder: string) => string> = {
  chat: (value) => `SELECT w.chat_id FROM verification w WHERE w.chat_id = ${value}`,
  player: (value) => `SELECT w.chat_id FROM verification w WHERE w.player_id = ${value} ${LAST_WINS}`,
  name: (value) => `SELECT w.chat_id FROM verification w WHERE w.name_key = ${value} ${LAST_WINS}`,
  past_player: (value) => formerHolder('player_id', value),
  past_name: (value) => formerHolder('name_key', value),
};

function formerHolder(column: 'player_id' | 'name_key', value: string): string {
  return `SELECT w.chat_id FROM past_user p JOIN verification w ON w.chat_id = p.chat_id
    WHERE p.${column} = ${value} ${LAST_WINS}`;
}

/**
 * Looks a value up as one kind after the other, in one statement and hence one round trip. `coalesce` runs a subquery
 * only when those before it found nobody, so that a kind costs what its own look-up in an index does.
 */
export function lookupSql(kinds: readonly LookupKind[]): string {
  const holders = kinds.map((kind, index) => `(${HOLDER[kind](`$${index + 1}`)})`);
  return `${SELECT} WHERE v.chat_id = coalesce(${holders.join(', ')})`;
}

const FIND_HOLDERS = prepare<PastUser>(
  `SELECT DISTINCT ON (player_id) player_id AS "playerId", username FROM verification
   WHERE player_id = ANY ($1::text[]) ORDER BY player_id, verified_at DESC, chat_id DESC`,
);

export interface VerificationStoreParts {
  read: Runner;
  openReader: OpenReader;
  writer: Writer;
}

export function createVerificationStore(parts: VerificationStoreParts): VerificationStore {
  const { read, openReader, writer } = parts;
  const lookup = prepareOnDemand<Verification>();
  return {
    find(kinds, value) {
      const statement = lookup(kinds.join(), () => lookupSql(kinds));
      const isName = (kind: LookupKind) => kind === 'name' || kind === 'past_name';
      return read.first(
        statement,
        kinds.map((kind) => (isName(kind) ? nameKey(value) : value)),
      );
    },
    findHolders: (playerIds) => read.all(FIND_HOLDERS, [playerIds]),
    put: (verifications, change, guild) =>
      writer.write('verifications', (transaction) => putAll(transaction, verifications, { change, guild })),
    delete: (chatId, change, guild) =>
      writer.write('verifications', (transaction) => forget(transaction, chatId, { change, guild })),
    read: () =>
      readRows<Verification, Verification>({
        openReader,
        sql: `${SELECT} ORDER BY v.chat_id`,
        values: [],
        convert: (row) => row,
      }),
  };
}

/** Who changes it, and the guild that does, where one does: then it is in that guild's log too. */
interface Author {
  change: Change;
  guild: GuildRef | undefined;
}

/** The log of what belongs to no guild, and the guild's own behind it: locks are taken in this order alone. */
async function openLogs(transaction: Runner, { change, guild }: Author): Promise<AuditWriter> {
  const shared = await openAudit(transaction, { guildNo: NO_GUILD, change, subjectKind: 'verification' });
  if (guild === undefined) {
    return shared;
  }
  const own = await openAudit(transaction, { guildNo: guild.guildNo, change, subjectKind: 'verification' });
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
 * Everybody concerned is fetched first, then the rules run in memory, and what came out is written: a batch takes the
 * same few round trips whatever its size. The log's lock makes sure that nobody else changes these people meanwhile.
 */
async function putAll(
  transaction: Runner,
  verifications: readonly NewVerification[],
  by: Author,
): Promise<PutOutcome[]> {
  const audit = await openLogs(transaction, by);
  const people = await createPeople(transaction, verifications);
  const outcomes = verifications.map((verification) => verify(people, audit, verification, by.change.atMs));
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

async function forget(transaction: Runner, chatId: string, by: Author): Promise<boolean> {
  const audit = await openLogs(transaction, by);
  const people = await createPeople(transaction, [{ chatId }]);
  const past = people.pastOf(chatId);
  if (people.find(chatId) === undefined && past.length === 0) {
    return false;
  }
  people.setPast(chatId, []);
  people.remove(chatId);
  await people.write();
  // The log says that somebody was forgotten, and keeps nothing of what was.
  audit.add({ subjectId: chatId, before: { pastUsers: past.length }, after: undefined });
  await audit.write();
  return true;
}
