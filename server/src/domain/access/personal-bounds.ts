/**
 * Limits of the data that the service stores for one person who signs in: their name, their sessions and their
 * preferences. All other data belongs to a guild and is limited there. Decision 37 has the sum.
 */

/** A further session of a person ends their oldest one. */
export const SESSIONS_PER_USER_MAX = 20;
/** Size of a session's list of guilds, as JSON. Guilds beyond it are left out. */
export const SESSION_GUILDS_BYTES_MAX = 256 * 1024;
/**
 * Length of each of the platform's tokens of a session. Most platforms use less than a hundred characters, some a few
 * thousand.
 */
export const SESSION_TOKEN_LENGTH_MAX = 8_192;

/** Size of each preference of a person, as JSON. A larger value is refused. */
export const PREFERENCE_BYTES_MAX = { timeZone: 256, density: 64, hiddenColumns: 4_096, views: 24_576 };
/** Size of all preferences of a person. The store ignores a larger row and replaces it at the next change. */
export const PREFERENCES_BYTES_MAX = 32 * 1024;

export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
