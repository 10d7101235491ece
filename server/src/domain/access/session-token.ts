import { createHmac, hash } from 'node:crypto';
import type { ChatPlatform, IdSource } from '../ports.ts';

const TOKEN_BYTES = 32;
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** 256 random bits, as they stand in a cookie or an address. */
export function createToken(ids: IdSource): string {
  return Buffer.from(ids.randomBytes(TOKEN_BYTES)).toString('base64url');
}

/** Whatever else a browser sends is refused before it is looked up. */
export function isWellFormedToken(text: string | undefined): text is string {
  return text !== undefined && TOKEN_PATTERN.test(text);
}

/** Only this is stored, so that a stolen store opens no session. */
export function hashOfToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/**
 * The same for a session, bound to the platform it was begun with: the ids of people and guilds mean nothing on another
 * one, and a session of the try-out must not open anything for real.
 */
export function hashOfSession(token: string, { identity }: Pick<ChatPlatform, 'identity'>): string {
  return hash('sha256', `${identity}\n${token}`, 'base64url');
}

/** Follows from the session's token and is nowhere stored; it tells nothing about the token. */
export function csrfTokenOf(token: string): string {
  return createHmac('sha256', token).update('csrf').digest('base64url');
}
