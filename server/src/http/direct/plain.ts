/**
 * Ids and names that stand in an address as they are, and that every schema of the interface takes: no encoding, no
 * delimiter, nothing to refuse. All ids of chat platforms and games are like this.
 */
export const PLAIN_TEXT = /^[\w.:~-]{1,64}$/;

/** A query string without encoding, nesting or anything else that could be read in two ways. */
export const PLAIN_QUERY = /^[\w.:~&=-]{0,256}$/;

/** A key for idempotency that was given once: Node joins repeated headers with commas. */
export const PLAIN_IDEMPOTENCY_KEY = /^[ -+\--~]{1,255}$/;
