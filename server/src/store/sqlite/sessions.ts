import type { DatabaseSync } from 'node:sqlite';
import { SESSIONS_PER_USER_MAX } from '../../domain/access/sessions.ts';
import { SIGN_INS_UNDER_WAY_MAX } from '../../domain/access/sign-ins.ts';
import type { ChatUser, SealedSession, Session, SessionChange, SignInAttempt } from '../../domain/model.ts';
import type { SessionStore } from '../../domain/ports.ts';
import { readGuilds } from '../session-guilds.ts';
import { prepare } from './connection.ts';
import type { Read, WriteOf } from './write.ts';

export type SessionWrites = ReturnType<typeof createSessionWrites>;

type SessionRow = Omit<Session, 'user' | 'guilds'> & {
  chatId: string;
  name: string;
  avatar: string | null;
  guilds: string;
};

/** A session, and the tokens it must still have where they matter. */
type Target = { tokenHash: string; expected: string | undefined };

export function createSessionStore(
  db: DatabaseSync,
  read: Read,
  write: WriteOf<SessionWrites>,
): SessionStore {
  const find = prepare<SessionRow>(
    db,
    `SELECT s.token_hash AS tokenHash, u.chat_id AS chatId, u.name, u.avatar, s.guilds, s.sealed_tokens AS sealedTokens,
       s.tokens_expire_at AS tokensExpireAtMs, s.created_at AS createdAtMs, s.last_seen_at AS lastSeenAtMs,
       s.expires_at AS expiresAtMs
     FROM session s JOIN chat_user u USING (chat_id) WHERE s.token_hash = ?`,
  );
  const findUser = prepare<Omit<ChatUser, 'avatar'> & { avatar: string | null }>(
    db,
    'SELECT chat_id AS chatId, name, avatar FROM chat_user WHERE chat_id = ?',
  );
  const findSealed = prepare<SealedSession>(
    db,
    `SELECT session_no AS sessionNo, token_hash AS tokenHash, sealed_tokens AS sealedTokens FROM session
     WHERE session_no > ? AND expires_at > ? ORDER BY session_no LIMIT ?`,
  );
  return {
    insertAttempt: (attempt) => write('insertAttempt', attempt),
    takeAttempt: (from) => write('takeAttempt', from),
    insert: (session) => write('insertSession', session),
    find: (tokenHash) =>
      read(() => {
        const row = find.get(tokenHash);
        return row && toSession(row);
      }),
    touch: (tokenHash, seenAtMs) => write('touchSession', { tokenHash, seenAtMs }),
    update: (tokenHash, change, expected) => write('updateSession', { tokenHash, expected, change }),
    delete: (tokenHash, expected) => write('deleteSession', { tokenHash, expected }),
    deleteAll: (chatId) => write('deleteSessions', chatId),
    readSealed: ({ after, nowMs, limit }) =>
      read(() => findSealed.all(after?.sessionNo ?? 0, nowMs, limit).map((row) => ({ ...row }))),
    findUsers: (chatIds) =>
      read(() =>
        chatIds.flatMap((chatId) => {
          const row = findUser.get(chatId);
          return row === undefined ? [] : [{ ...row, avatar: row.avatar ?? undefined }];
        }),
      ),
  };
}

export function createSessionWrites(db: DatabaseSync) {
  return { ...createAttemptWrites(db), ...createBeginning(db), ...createEndings(db) };
}

function createAttemptWrites(db: DatabaseSync) {
  const insert = prepare<{ attemptNo: number }>(
    db,
    `INSERT INTO sign_in_attempt (state_hash, browser_hash, sealed_verifier, return_to, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?) RETURNING attempt_no AS attemptNo`,
  );
  const take = prepare<SignInAttempt>(
    db,
    `DELETE FROM sign_in_attempt WHERE state_hash = ? AND browser_hash = ?
     RETURNING state_hash AS stateHash, browser_hash AS browserHash, sealed_verifier AS sealedVerifier,
       return_to AS returnTo, created_at AS createdAtMs, expires_at AS expiresAtMs`,
  );
  const forgetExpired = prepare(db, 'DELETE FROM sign_in_attempt WHERE expires_at <= ?');
  const forgetOldest = prepare(db, 'DELETE FROM sign_in_attempt WHERE attempt_no <= ?');
  return {
    insertAttempt(attempt: SignInAttempt): void {
      const { stateHash, browserHash, sealedVerifier, returnTo, createdAtMs, expiresAtMs } = attempt;
      forgetExpired.run(createdAtMs);
      const row = insert.get(stateHash, browserHash, sealedVerifier, returnTo, createdAtMs, expiresAtMs);
      forgetOldest.run((row?.attemptNo ?? 0) - SIGN_INS_UNDER_WAY_MAX);
    },
    takeAttempt({ stateHash, browserHash }: { stateHash: string; browserHash: string }) {
      return take.get(stateHash, browserHash);
    },
  };
}

function createBeginning(db: DatabaseSync) {
  const putUser = prepare(
    db,
    `INSERT INTO chat_user (chat_id, name, avatar) VALUES (?, ?, ?)
     ON CONFLICT (chat_id) DO UPDATE SET name = excluded.name, avatar = excluded.avatar`,
  );
  const insert = prepare(
    db,
    `INSERT INTO session (token_hash, chat_id, guilds, sealed_tokens, tokens_expire_at, created_at, last_seen_at,
       expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const forgetExpired = prepare(db, 'DELETE FROM session WHERE expires_at <= ?');
  const forgetOldest = prepare(
    db,
    `DELETE FROM session WHERE session_no IN (
       SELECT session_no FROM session WHERE chat_id = ? ORDER BY session_no DESC LIMIT -1 OFFSET ?)`,
  );
  return {
    insertSession(session: Session): void {
      const { user, tokenHash, sealedTokens, tokensExpireAtMs, createdAtMs, lastSeenAtMs, expiresAtMs } =
        session;
      putUser.run(user.chatId, user.name, user.avatar ?? null);
      forgetExpired.run(createdAtMs);
      insert.run(
        tokenHash,
        user.chatId,
        JSON.stringify(session.guilds),
        sealedTokens,
        tokensExpireAtMs,
        createdAtMs,
        lastSeenAtMs,
        expiresAtMs,
      );
      forgetOldest.run(user.chatId, SESSIONS_PER_USER_MAX);
    },
  };
}

function createEndings(db: DatabaseSync) {
  const touch = prepare(db, 'UPDATE session SET last_seen_at = max(last_seen_at, ?) WHERE token_hash = ?');
  const update = prepare(
    db,
    `UPDATE session SET guilds = coalesce(?, guilds), sealed_tokens = coalesce(?, sealed_tokens),
       tokens_expire_at = coalesce(?, tokens_expire_at)
     WHERE token_hash = ? AND sealed_tokens = coalesce(?, sealed_tokens)`,
  );
  const remove = prepare(
    db,
    'DELETE FROM session WHERE token_hash = ? AND sealed_tokens = coalesce(?, sealed_tokens)',
  );
  const removeAll = prepare(db, 'DELETE FROM session WHERE chat_id = ?');
  return {
    touchSession({ tokenHash, seenAtMs }: { tokenHash: string; seenAtMs: number }): void {
      touch.run(seenAtMs, tokenHash);
    },
    updateSession({ tokenHash, expected, change }: Target & { change: SessionChange }): boolean {
      const { guilds, sealedTokens = null, tokensExpireAtMs = null } = change;
      const guildsText = guilds === undefined ? null : JSON.stringify(guilds);
      const run = update.run(guildsText, sealedTokens, tokensExpireAtMs, tokenHash, expected ?? null);
      return Number(run.changes) > 0;
    },
    deleteSession: ({ tokenHash, expected }: Target): boolean =>
      Number(remove.run(tokenHash, expected ?? null).changes) > 0,
    deleteSessions: (chatId: string): number => Number(removeAll.run(chatId).changes),
  };
}

function toSession({ chatId, name, avatar, guilds, ...row }: SessionRow): Session {
  return {
    ...row,
    user: { chatId, name, avatar: avatar ?? undefined },
    guilds: readGuilds(guilds),
  };
}
