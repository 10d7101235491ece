// Copied from server/src/domain/seal by `npm run generate`; do not edit by hand.

export type Bytes = Uint8Array<ArrayBuffer>;

const HASH_BASE64 = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The length of a SHA-256 hash. */
export const HASH_BYTES = 32;

export function toUtf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

export function concatenate(...parts: readonly Uint8Array[]): Bytes {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let end = 0;
  for (const part of parts) {
    joined.set(part, end);
    end += part.length;
  }
  return joined;
}

export function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

/** Standard base64 with padding (RFC 4648, section 4). */
export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Undefined when the text is not standard base64 with padding, or has bits that another text would have as well. */
export function fromBase64(text: string): Bytes | undefined {
  if (!BASE64.test(text)) {
    return undefined;
  }
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return toBase64(bytes) === text ? bytes : undefined;
}

/** Undefined when the text is not the base64 of a hash. */
export function hashFromBase64(text: string): Bytes | undefined {
  return HASH_BASE64.test(text) ? fromBase64(text) : undefined;
}
