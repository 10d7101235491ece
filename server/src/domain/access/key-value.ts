import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { IdSource } from '../ports.ts';

/**
 * A key's value: `gbk_`, 40 random base62 characters (238 bits), and a CRC32 of all of that in 6 characters. The
 * prefix lets secret scanners find leaked keys; the checksum detects a typo without a look-up.
 */
const PREFIX = 'gbk_';
const RANDOM_LENGTH = 40;
const CHECKSUM_LENGTH = 6;
const VALUE_LENGTH = PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The digit of each character of the alphabet, by character code. */
const DIGITS: readonly number[] = Array.from({ length: 128 }, (_unused, code) => {
  const digit = ALPHABET.indexOf(String.fromCharCode(code));
  return digit < 0 ? Number.NaN : digit;
});
// Bytes from this value up would make some characters likelier than others, so they are drawn again.
const UNBIASED_BYTE_LIMIT = 256 - (256 % ALPHABET.length);

export function createKeyValue(ids: IdSource): string {
  let body = PREFIX;
  while (body.length < PREFIX.length + RANDOM_LENGTH) {
    for (const byte of ids.randomBytes(RANDOM_LENGTH)) {
      if (byte < UNBIASED_BYTE_LIMIT && body.length < PREFIX.length + RANDOM_LENGTH) {
        body += ALPHABET.charAt(byte % ALPHABET.length);
      }
    }
  }
  return body + checksum(body);
}

/** Rejects most texts that are no keys, without computing a checksum. */
function looksLikeKeyValue(value: string): boolean {
  return value.length === VALUE_LENGTH && value.startsWith(PREFIX);
}

export function isWellFormedKeyValue(value: string): boolean {
  if (!looksLikeKeyValue(value)) {
    return false;
  }
  const bodyLength = VALUE_LENGTH - CHECKSUM_LENGTH;
  let given = 0;
  for (let place = bodyLength; place < VALUE_LENGTH; place += 1) {
    const digit = DIGITS[value.charCodeAt(place)] ?? Number.NaN;
    given = given * ALPHABET.length + digit;
  }
  return given === crc32(value.slice(0, bodyLength));
}

/** The hash of a text that has the form of a key. The checksum is not verified. */
export function hashOfPossibleKey(value: string | undefined): string | undefined {
  return value !== undefined && looksLikeKeyValue(value) ? hashOfKeyValue(value) : undefined;
}

/** SHA-256 is enough: the input has 238 random bits and cannot be guessed, so a slow hash would gain nothing. */
export function hashOfKeyValue(value: string): string {
  return hash('sha256', value, 'base64url');
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
