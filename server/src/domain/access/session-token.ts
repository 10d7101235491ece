import { createHmac, hash } from 'node:crypto';
import type { ChatPlatform, IdSource } from '../ports.ts';

const TOKEN_BYTES = 32;
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits, in the form used in cookies and addresses. */
export function createToken(ids: IdSource): string {
  return Buffer.from(ids.randomBytes(TOKEN_BYTES)).toString('base64url');
}

/** Rejects any other text before it is looked up. */
export function isWellFormedToken(text: string | undefined): text is string {
  return text !== undefined && TOKEN_PATTERN.test(text);
}

/** Only the hash is stored, so that a stolen store opens no session. */
export function hashOfToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/**
 * The hash of a session's token, bound to the chat platform: ids of people and guilds mean nothing on another
 * platform, and a session of the demo must not give access to real data.
 */
export function hashOfSession(token: string, { identity }: Pick<ChatPlatform, 'identity'>): string {
  return hash('sha256', `${identity}\n${token}`, 'base64url');
}

/** Derived from the session's token, which it does not reveal, and never stored. */
export function csrfTokenOf(token: string): string {
  return createHmac('sha256', token).update('csrf').digest('base64url');
}
