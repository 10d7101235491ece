/**
 * What the service stores for one person who signs in, whatever they send: their name, their sessions and their preferences.
 * Everything else belongs to a guild and is limited there. Decision 37 adds it up.
 */

/** A person with more browsers than this loses the session begun first. */
export const SESSIONS_PER_USER_MAX = 20;
/** The list of guilds of a session, as JSON. Guilds behind it are left out. */
export const SESSION_GUILDS_BYTES_MAX = 256 * 1024;
/** Each of the platform's tokens of a session. Real ones have less than a hundred characters; those of some platforms a few thousand. */
export const SESSION_TOKEN_LENGTH_MAX = 8_192;

/** The preferences of a person, as JSON, for each of them. A change of one beyond it is refused. */
export const PREFERENCE_BYTES_MAX = { timeZone: 256, density: 64, hiddenColumns: 4_096, views: 24_576 };
/** All preferences of a person. The store ignores a row that is larger, and replaces it with the next change. */
export const PREFERENCES_BYTES_MAX = 32 * 1024;

export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
