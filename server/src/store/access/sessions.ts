import { SESSIONS_PER_USER_MAX } from '../../domain/access/personal-bounds.ts';
import { SESSIONS_LOOKED_AT } from '../../domain/access/session-store.ts';
import { SIGN_INS_UNDER_WAY_MAX } from '../../domain/access/sign-ins.ts';
import type { ChatUser, SealedSession, Session, SessionChange, SignInAttempt } from '../../domain/model.ts';
import type { SessionStore } from '../../domain/ports.ts';
import { type Engine, inGroup, inLane, inOneStatement } from '../jobs.ts';
import { manyRows, type Scalar, type Sql, statement } from '../sql.ts';
import { readGuilds } from './session-guilds.ts';

type SessionRow = Omit<Session, 'user' | 'guilds'> & {
  chatId: string;
  name: string;
  avatar: string | null;
  guilds: string;
};
type UserRow = Omit<ChatUser, 'avatar'> & { avatar: string | null };

const FIND = statement<SessionRow>(
  `SELECT s.token_hash AS "tokenHash", u.chat_id AS "chatId", u.name, u.avatar, s.guilds,
     s.sealed_tokens AS "sealedTokens", s.tokens_expire_at AS "tokensExpireAtMs", s.created_at AS "createdAtMs",
     s.last_seen_at AS "lastSeenAtMs", s.expires_at AS "expiresAtMs"
   FROM session s JOIN chat_user u USING (chat_id) WHERE s.token_hash = $1`,
);
const FIND_USERS = statement<UserRow>(
  ({ isOneOf }) =>
    `SELECT chat_id AS "chatId", name, avatar FROM chat_user WHERE ${isOneOf('chat_id', { value: '$1', type: 'text' })}`,
);
// The list of guilds is a JSON text. Its rows are few and bounded, so that it has no index.
const FIND_BY_GUILD = statement<UserRow & { guilds: string; lastSeenAtMs: number }>(
  `SELECT u.chat_id AS "chatId", u.name, u.avatar, s.guilds, s.last_seen_at AS "lastSeenAtMs" FROM (
     SELECT chat_id, guilds, last_seen_at FROM session WHERE expires_at > $1 ORDER BY session_no DESC LIMIT ${SESSIONS_LOOKED_AT}
   ) AS s JOIN chat_user u USING (chat_id) WHERE s.guilds LIKE $2 ESCAPE '!' ORDER BY s.last_seen_at DESC, u.chat_id`,
);
const FIND_SEALED = statement<SealedSession>(
  `SELECT session_no AS "sessionNo", token_hash AS "tokenHash", sealed_tokens AS "sealedTokens" FROM session
   WHERE session_no > $1 AND expires_at > $2 ORDER BY session_no LIMIT $3`,
);

const ATTEMPTS = {
  state_hash: 'text',
  browser_hash: 'text',
  sealed_verifier: 'text',
  return_to: 'text',
  created_at: 'bigint',
  expires_at: 'bigint',
} as const;
const ATTEMPT_COLUMNS = Object.entries(ATTEMPTS);
const INSERT_ATTEMPTS = manyRows({ table: 'sign_in_attempt', columns: ATTEMPTS });
// PostgreSQL skips rows that another transaction is deleting.
const forgetSql = (forUpdateSkipLocked: string, condition: string) =>
  `SELECT attempt_no FROM sign_in_attempt WHERE ${condition} ${forUpdateSkipLocked}`;
const FORGET_ATTEMPTS = statement(
  ({ forUpdateSkipLocked }) =>
    `DELETE FROM sign_in_attempt WHERE attempt_no IN (${forgetSql(
      forUpdateSkipLocked,
      `expires_at <= $1 OR attempt_no <= (SELECT max(attempt_no) FROM sign_in_attempt) - ${SIGN_INS_UNDER_WAY_MAX}`,
    )})`,
);
// Only for PostgreSQL: inserts and deletes in one round trip, because anybody can start any number of sign-ins.
const INSERT_AND_FORGET = statement<never>(
  ({ forUpdateSkipLocked }) =>
    `WITH added AS (
       INSERT INTO sign_in_attempt (${Object.keys(ATTEMPTS).join(', ')})
       SELECT * FROM unnest(${ATTEMPT_COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')})
       RETURNING attempt_no, created_at),
     expired AS (${forgetSql(forUpdateSkipLocked, 'expires_at <= (SELECT max(created_at) FROM added)')}),
     oldest AS (${forgetSql(
       forUpdateSkipLocked,
       `attempt_no <= (SELECT max(attempt_no) FROM added) - ${SIGN_INS_UNDER_WAY_MAX}`,
     )})
     DELETE FROM sign_in_attempt
     WHERE attempt_no IN (SELECT attempt_no FROM expired UNION SELECT attempt_no FROM oldest)`,
);
const TAKE_ATTEMPT = statement<SignInAttempt>(
  `DELETE FROM sign_in_attempt WHERE state_hash = $1 AND browser_hash = $2
   RETURNING state_hash AS "stateHash", browser_hash AS "browserHash", sealed_verifier AS "sealedVerifier",
     return_to AS "returnTo", created_at AS "createdAtMs", expires_at AS "expiresAtMs"`,
);

const PUT_USER = statement(
  `INSERT INTO chat_user (chat_id, name, avatar) VALUES ($1, $2, $3)
   ON CONFLICT (chat_id) DO UPDATE SET name = excluded.name, avatar = excluded.avatar`,
);
const INSERT = statement(
  `INSERT INTO session (token_hash, chat_id, guilds, sealed_tokens, tokens_expire_at, created_at, last_seen_at,
     expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
// Expired sessions of anybody, and all but the newest of one person.
const FORGET = statement(
  ({ forUpdateSkipLocked }) =>
    `DELETE FROM session WHERE session_no IN (
       SELECT session_no FROM (SELECT session_no FROM session WHERE expires_at <= $1 ${forUpdateSkipLocked}) AS expired
       UNION ALL SELECT session_no FROM session WHERE chat_id = $2 AND session_no NOT IN (
         SELECT session_no FROM session WHERE chat_id = $2 ORDER BY session_no DESC LIMIT $3))`,
);
const TOUCH = statement<never>(
  ({ greatest }) =>
    `UPDATE session SET last_seen_at = ${greatest('last_seen_at', '$1')} WHERE token_hash = $2`,
);
const UPDATE = statement<{ sessionNo: number }>(
  `UPDATE session SET guilds = coalesce($1, guilds), sealed_tokens = coalesce($2, sealed_tokens),
     tokens_expire_at = coalesce($3, tokens_expire_at)
   WHERE token_hash = $4 AND sealed_tokens = coalesce($5, sealed_tokens) RETURNING session_no AS "sessionNo"`,
);
const REMOVE = statement<{ sessionNo: number }>(
  `DELETE FROM session WHERE token_hash = $1 AND sealed_tokens = coalesce($2, sealed_tokens)
   RETURNING session_no AS "sessionNo"`,
);
const REMOVE_ALL = statement('DELETE FROM session WHERE chat_id = $1');

/** A session, and the sealed tokens that it must still have; undefined accepts any. */
interface ExpectedSession {
  tokenHash: string;
  expected: string | undefined;
}

interface NewSession {
  session: Session;
  /** Sessions that had expired by then are deleted. */
  expiredByMs: number;
}

const sessionsOf = ({ chatId }: Pick<ChatUser, 'chatId'>) => `sessions of ${chatId}`;
const isFound = (row: object | undefined) => row !== undefined;

export const SESSION_WRITES = {
  // Anybody can begin a sign-in, without an account. Pending ones share one transaction, so that they do not cost a
  // commit each.
  insertAttempt: inGroup(insertAttempts, (attempts: readonly SignInAttempt[]) => {
    const rows = attempts.map(attemptValues);
    return {
      statement: INSERT_AND_FORGET,
      values: ATTEMPT_COLUMNS.map((_, index) => rows.map((row) => row[index])),
    };
  }),
  takeAttempt: inOneStatement(
    TAKE_ATTEMPT,
    ({ stateHash, browserHash }: Pick<SignInAttempt, 'stateHash' | 'browserHash'>) => [
      stateHash,
      browserHash,
    ],
    (row) => row,
  ),
  insertSession: inLane(({ session }: NewSession) => sessionsOf(session.user), insertSession),
  touchSession: inOneStatement(
    TOUCH,
    ({ tokenHash, seenAtMs }: { tokenHash: string; seenAtMs: number }) => [seenAtMs, tokenHash],
    () => undefined,
  ),
  updateSession: inOneStatement(
    UPDATE,
    ({ tokenHash, expected, change }: ExpectedSession & { change: SessionChange }) => {
      const { guilds, sealedTokens = null, tokensExpireAtMs = null } = change;
      const guildsText = guilds === undefined ? null : JSON.stringify(guilds);
      return [guildsText, sealedTokens, tokensExpireAtMs, tokenHash, expected ?? null];
    },
    isFound,
  ),
  deleteSession: inOneStatement(
    REMOVE,
    ({ tokenHash, expected }: ExpectedSession) => [tokenHash, expected ?? null],
    isFound,
  ),
  deleteSessions: inLane(sessionsOf, (sql, { chatId }: Pick<ChatUser, 'chatId'>) =>
    sql.run(REMOVE_ALL, [chatId]),
  ),
};

export function createSessionStore({ read, write }: Engine<typeof SESSION_WRITES>): SessionStore {
  return {
    insertAttempt: (attempt) => write('insertAttempt', attempt),
    takeAttempt: (from) => write('takeAttempt', from),
    insert: (session, expiredByMs = session.createdAtMs) => write('insertSession', { session, expiredByMs }),
    async find(tokenHash) {
      const row = await read.first(FIND, [tokenHash]);
      return row && toSession(row);
    },
    touch: (tokenHash, seenAtMs) => write('touchSession', { tokenHash, seenAtMs }),
    update: (tokenHash, change, expected) => write('updateSession', { tokenHash, expected, change }),
    delete: (tokenHash, expected) => write('deleteSession', { tokenHash, expected }),
    deleteAll: (chatId) => write('deleteSessions', { chatId }),
    async readSealed({ after, nowMs, limit }) {
      const rows = await read.all(FIND_SEALED, [after?.sessionNo ?? 0, nowMs, limit]);
      return rows.map(({ sessionNo, tokenHash, sealedTokens }) => ({ sessionNo, tokenHash, sealedTokens }));
    },
    async findByGuild(guildId, nowMs) {
      const pattern = `%"guildId":${JSON.stringify(guildId).replace(/[!%_]/g, '!$&')}%`;
      const rows = await read.all(FIND_BY_GUILD, [nowMs, pattern]);
      return rows.flatMap(({ guilds, lastSeenAtMs, avatar, ...user }) => {
        const guild = readGuilds(guilds).find((one) => one.guildId === guildId);
        if (guild === undefined) {
          return [];
        }
        const { standing, chatRoleIds } = guild;
        return [{ user: { ...user, avatar: avatar ?? undefined }, standing, chatRoleIds, lastSeenAtMs }];
      });
    },
    async findUsers(chatIds) {
      const rows = await read.all(FIND_USERS, [chatIds]);
      const users = new Map(rows.map((row) => [row.chatId, { ...row, avatar: row.avatar ?? undefined }]));
      return chatIds.flatMap((chatId) => users.get(chatId) ?? []);
    },
  };
}

async function insertAttempts(sql: Sql, attempts: readonly SignInAttempt[]): Promise<undefined[]> {
  await sql.runMany(INSERT_ATTEMPTS, [], attempts.map(attemptValues));
  await sql.run(FORGET_ATTEMPTS, [Math.max(...attempts.map(({ createdAtMs }) => createdAtMs))]);
  return attempts.map(() => undefined);
}

/** In the order of `ATTEMPTS`. */
function attemptValues(attempt: SignInAttempt): Scalar[] {
  const { stateHash, browserHash, sealedVerifier, returnTo, createdAtMs, expiresAtMs } = attempt;
  return [stateHash, browserHash, sealedVerifier, returnTo, createdAtMs, expiresAtMs];
}

async function insertSession(sql: Sql, { session, expiredByMs }: NewSession): Promise<void> {
  const { user, tokenHash, sealedTokens, tokensExpireAtMs, createdAtMs, lastSeenAtMs, expiresAtMs } = session;
  // Locks the person's row, so that no other transaction changes the number of their sessions.
  await sql.run(PUT_USER, [user.chatId, user.name, user.avatar ?? null]);
  await sql.run(FORGET, [expiredByMs, user.chatId, SESSIONS_PER_USER_MAX - 1]);
  await sql.run(INSERT, [
    tokenHash,
    user.chatId,
    JSON.stringify(session.guilds),
    sealedTokens,
    tokensExpireAtMs,
    createdAtMs,
    lastSeenAtMs,
    expiresAtMs,
  ]);
}

function toSession({ chatId, name, avatar, guilds, ...row }: SessionRow): Session {
  return {
    ...row,
    user: { chatId, name, avatar: avatar ?? undefined },
    guilds: readGuilds(guilds),
  };
}
