import { SESSIONS_PER_USER_MAX } from '../../domain/access/sessions.ts';
import { SIGN_INS_UNDER_WAY_MAX } from '../../domain/access/sign-ins.ts';
import type { ChatUser, SealedSession, Session, SignInAttempt } from '../../domain/model.ts';
import type { SessionStore } from '../../domain/ports.ts';
import { createGroupCommit } from '../group-commit.ts';
import { readGuilds } from '../session-guilds.ts';
import { prepare, type Runner, type Value } from './statement.ts';
import type { Writer } from './write.ts';

const BATCH_MAX = 1_000;
const QUEUE_MAX = 20_000;

type SessionRow = Omit<Session, 'user' | 'guilds'> & {
  chatId: string;
  name: string;
  avatar: string | null;
  guilds: string;
};
type UserRow = Omit<ChatUser, 'avatar'> & { avatar: string | null };

const FIND = prepare<SessionRow>(
  `SELECT s.token_hash AS "tokenHash", u.chat_id AS "chatId", u.name, u.avatar, s.guilds,
     s.sealed_tokens AS "sealedTokens", s.tokens_expire_at AS "tokensExpireAtMs", s.created_at AS "createdAtMs",
     s.last_seen_at AS "lastSeenAtMs", s.expires_at AS "expiresAtMs"
   FROM session s JOIN chat_user u USING (chat_id) WHERE s.token_hash = $1`,
);
const FIND_USERS = prepare<UserRow>(
  `SELECT u.chat_id AS "chatId", u.name, u.avatar
   FROM unnest($1::text[]) WITH ORDINALITY AS wanted (chat_id, position)
   JOIN chat_user u ON u.chat_id = wanted.chat_id COLLATE "C" ORDER BY wanted.position`,
);
const FIND_SEALED = prepare<SealedSession>(
  `SELECT session_no AS "sessionNo", token_hash AS "tokenHash", sealed_tokens AS "sealedTokens" FROM session
   WHERE session_no > $1 AND expires_at > $2 ORDER BY session_no LIMIT $3`,
);
// What somebody else is deleting at this moment need not be waited for: it will be gone.
const INSERT_ATTEMPTS = prepare(
  `WITH added AS (
     INSERT INTO sign_in_attempt (state_hash, browser_hash, sealed_verifier, return_to, created_at, expires_at)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
     RETURNING attempt_no, created_at),
   expired AS (
     SELECT attempt_no FROM sign_in_attempt WHERE expires_at <= (SELECT max(created_at) FROM added)
     FOR UPDATE SKIP LOCKED),
   oldest AS (
     SELECT attempt_no FROM sign_in_attempt
     WHERE attempt_no <= (SELECT max(attempt_no) FROM added) - ${SIGN_INS_UNDER_WAY_MAX} FOR UPDATE SKIP LOCKED)
   DELETE FROM sign_in_attempt
   WHERE attempt_no IN (SELECT attempt_no FROM expired UNION SELECT attempt_no FROM oldest)`,
);
const TAKE_ATTEMPT = prepare<SignInAttempt>(
  `DELETE FROM sign_in_attempt WHERE state_hash = $1 AND browser_hash = $2
   RETURNING state_hash AS "stateHash", browser_hash AS "browserHash", sealed_verifier AS "sealedVerifier",
     return_to AS "returnTo", created_at AS "createdAtMs", expires_at AS "expiresAtMs"`,
);
const PUT_USER = prepare(
  `INSERT INTO chat_user (chat_id, name, avatar) VALUES ($1, $2, $3)
   ON CONFLICT (chat_id) DO UPDATE SET name = excluded.name, avatar = excluded.avatar`,
);
const INSERT = prepare(
  `INSERT INTO session (token_hash, chat_id, guilds, sealed_tokens, tokens_expire_at, created_at, last_seen_at,
     expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
const FORGET_EXPIRED = prepare(
  `DELETE FROM session WHERE session_no IN (
     SELECT session_no FROM session WHERE expires_at <= $1 FOR UPDATE SKIP LOCKED)`,
);
const FORGET_OLDEST = prepare(
  `DELETE FROM session WHERE session_no IN (
     SELECT session_no FROM session WHERE chat_id = $1 ORDER BY session_no DESC OFFSET $2)`,
);
const TOUCH = prepare<never>(
  'UPDATE session SET last_seen_at = greatest(last_seen_at, $1) WHERE token_hash = $2',
);
const UPDATE = prepare<{ sessionNo: number }>(
  `UPDATE session SET guilds = coalesce($1, guilds), sealed_tokens = coalesce($2, sealed_tokens),
     tokens_expire_at = coalesce($3, tokens_expire_at)
   WHERE token_hash = $4 AND sealed_tokens = coalesce($5, sealed_tokens) RETURNING session_no AS "sessionNo"`,
);
const REMOVE = prepare<{ sessionNo: number }>(
  `DELETE FROM session WHERE token_hash = $1 AND sealed_tokens = coalesce($2, sealed_tokens)
   RETURNING session_no AS "sessionNo"`,
);
const REMOVE_ALL = prepare('DELETE FROM session WHERE chat_id = $1');

export function createSessionStore(read: Runner, { admit, write, writeOnce }: Writer): SessionStore {
  // Anybody can begin a sign-in, so a storm of them must cost no more commits than a breeze.
  const attempts = createGroupCommit<SignInAttempt, void>({
    async commit(batch) {
      await writeOnce(INSERT_ATTEMPTS, columnsOf(batch));
      return batch.map(() => ({ value: undefined }));
    },
    batchMax: BATCH_MAX,
    queueMax: QUEUE_MAX,
  });
  return {
    insertAttempt: (attempt) => admit(() => attempts.submit(attempt)),
    takeAttempt: ({ stateHash, browserHash }) =>
      admit(() => writeOnce(TAKE_ATTEMPT, [stateHash, browserHash])),
    insert: (session) => write(laneOf(session.user), (transaction) => insert(transaction, session)),
    async find(tokenHash) {
      const row = await read.first(FIND, [tokenHash]);
      return row && toSession(row);
    },
    async touch(tokenHash, seenAtMs) {
      await admit(() => writeOnce(TOUCH, [seenAtMs, tokenHash]));
    },
    async update(tokenHash, { guilds, sealedTokens = null, tokensExpireAtMs = null }, expected) {
      const guildsText = guilds === undefined ? null : JSON.stringify(guilds);
      const values = [guildsText, sealedTokens, tokensExpireAtMs, tokenHash, expected ?? null];
      return (await admit(() => writeOnce(UPDATE, values))) !== undefined;
    },
    delete: async (tokenHash, expected) =>
      (await admit(() => writeOnce(REMOVE, [tokenHash, expected ?? null]))) !== undefined,
    deleteAll: (chatId) => write(laneOf({ chatId }), (transaction) => transaction.run(REMOVE_ALL, [chatId])),
    readSealed: ({ after, nowMs, limit }) => read.all(FIND_SEALED, [after?.sessionNo ?? 0, nowMs, limit]),
    findUsers: async (chatIds) =>
      (await read.all(FIND_USERS, [chatIds])).map((row) => ({ ...row, avatar: row.avatar ?? undefined })),
  };
}

function columnsOf(attempts: readonly SignInAttempt[]): Value[] {
  return [
    attempts.map(({ stateHash }) => stateHash),
    attempts.map(({ browserHash }) => browserHash),
    attempts.map(({ sealedVerifier }) => sealedVerifier),
    attempts.map(({ returnTo }) => returnTo),
    attempts.map(({ createdAtMs }) => createdAtMs),
    attempts.map(({ expiresAtMs }) => expiresAtMs),
  ];
}

function laneOf({ chatId }: Pick<ChatUser, 'chatId'>): string {
  return `sessions of ${chatId}`;
}

async function insert(transaction: Runner, session: Session): Promise<void> {
  const { user, tokenHash, sealedTokens, tokensExpireAtMs, createdAtMs, lastSeenAtMs, expiresAtMs } = session;
  // The person's row is locked from here on, so that the count of their sessions is nobody else's to change.
  await transaction.run(PUT_USER, [user.chatId, user.name, user.avatar ?? null]);
  await transaction.run(FORGET_EXPIRED, [createdAtMs]);
  await transaction.run(INSERT, [
    tokenHash,
    user.chatId,
    JSON.stringify(session.guilds),
    sealedTokens,
    tokensExpireAtMs,
    createdAtMs,
    lastSeenAtMs,
    expiresAtMs,
  ]);
  await transaction.run(FORGET_OLDEST, [user.chatId, SESSIONS_PER_USER_MAX]);
}

function toSession({ chatId, name, avatar, guilds, ...row }: SessionRow): Session {
  return {
    ...row,
    user: { chatId, name, avatar: avatar ?? undefined },
    guilds: readGuilds(guilds),
  };
}
