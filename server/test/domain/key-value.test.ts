import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createKeyValue, hashOfKeyValue, isWellFormedKeyValue } from '../../src/domain/access/key-value.ts';
import type { IdSource } from '../../src/domain/ports.ts';
import { testIds } from '../support/ids.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
// Of base62, around it, and beyond one byte.
const CHARACTERS = [...ALPHABET, '_', '-', ' ', '\n', '\0', 'é', 'Ａ', '\u0130'];

/** A source that gives each of these bytes for a whole draw, one draw after the other, then zeros. */
function drawing(...bytes: number[]): IdSource {
  const draws = [...bytes];
  return { ...testIds, randomBytes: (count) => new Uint8Array(count).fill(draws.shift() ?? 0) };
}

/** The six base62 digits of the CRC32, computed another way than the code does. */
function checksumOf(body: string): string {
  const digits = Array.from({ length: 6 }, (_, place) => (BigInt(crc32(body)) / 62n ** BigInt(place)) % 62n);
  return digits.reduce((text, digit) => ALPHABET.charAt(Number(digit)) + text, '');
}

describe('a new key', () => {
  it('is gbk_, 40 base62 characters and the 6 of their checksum', () => {
    for (let round = 0; round < 200; round += 1) {
      const value = createKeyValue(testIds);
      expect(value).toMatch(/^gbk_[0-9A-Za-z]{46}$/);
      expect(value.slice(44)).toBe(checksumOf(value.slice(0, 44)));
      expect(isWellFormedKeyValue(value)).toBe(true);
    }
  });

  it('differs from every other', () => {
    const values = Array.from({ length: 1_000 }, () => createKeyValue(testIds));
    expect(new Set(values).size).toBe(1_000);
  });

  it('draws each character from as many bytes as any other', () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 248; byte += 1) {
      const value = createKeyValue(drawing(byte));
      const character = value.charAt(4);
      expect(value.slice(4, 44)).toBe(character.repeat(40));
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(Array.from(counts.keys()).sort().join('')).toBe(ALPHABET);
    expect(new Set(counts.values())).toEqual(new Set([4]));
  });

  it.each([248, 250, 255])('draws again for the byte %d, which would favour some characters', (byte) => {
    expect(createKeyValue(drawing(byte, byte, 7)).slice(4, 44)).toBe('7'.repeat(40));
  });

  it('fills up with a second draw what the first left out', () => {
    const firstDraw = Uint8Array.from({ length: 40 }, (_, index) => (index < 15 ? 10 : 255));
    const draws = [firstDraw, new Uint8Array(40).fill(11)];
    const value = createKeyValue({ ...testIds, randomBytes: () => draws.shift() ?? new Uint8Array(40) });
    expect(value.slice(4, 44)).toBe('A'.repeat(15) + 'B'.repeat(25));
  });
});

describe('a key’s value is refused without a look-up', () => {
  it('after a change of any single character', () => {
    for (let round = 0; round < 5; round += 1) {
      const value = createKeyValue(testIds);
      for (let position = 0; position < value.length; position += 1) {
        for (const character of CHARACTERS.filter((one) => one !== value.charAt(position))) {
          const changed = value.slice(0, position) + character + value.slice(position + 1);
          expect(isWellFormedKeyValue(changed), `${value} with ${character} at ${position}`).toBe(false);
        }
      }
    }
  });

  it('after two neighbours changed places', () => {
    for (let round = 0; round < 20; round += 1) {
      const value = createKeyValue(testIds);
      for (let position = 0; position < value.length - 1; position += 1) {
        const [one = '', other = ''] = value.slice(position, position + 2);
        if (one === other) continue;
        const swapped = value.slice(0, position) + other + one + value.slice(position + 2);
        expect(isWellFormedKeyValue(swapped), swapped).toBe(false);
      }
    }
  });

  it('when it is too short, too long, surrounded by blanks or of another kind', () => {
    const value = createKeyValue(testIds);
    const others = ['', 'gbk_', value.slice(1), value.slice(0, -1), `${value}0`, ` ${value}`, `${value}\n`];
    for (const other of [...others, value.toUpperCase(), value.toLowerCase(), value.slice(4)]) {
      expect(isWellFormedKeyValue(other), JSON.stringify(other)).toBe(false);
    }
  });

  it('when another prefix has a right checksum of its own', () => {
    const body = `abc_${'0'.repeat(40)}`;
    expect(isWellFormedKeyValue(body + checksumOf(body))).toBe(false);
    const ours = `gbk_${'0'.repeat(40)}`;
    expect(isWellFormedKeyValue(ours + checksumOf(ours))).toBe(true);
  });
});

describe('the stored hash', () => {
  // Keys in the hands of others must go on working: neither the checksum nor the hash may ever change.
  const PUBLISHED = 'gbk_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd4Qs1b6';
  const HASH = 'ai9sccwH5fpqgQlbRwKDVPc5_mhCXIDB_SdC6NA1LYo';

  it('and the checksum of a key given out long ago are still the same', () => {
    expect(isWellFormedKeyValue(PUBLISHED)).toBe(true);
    expect(hashOfKeyValue(PUBLISHED)).toBe(HASH);
  });

  it('is the SHA-256 of the whole value', () => {
    const value = createKeyValue(testIds);
    expect(hashOfKeyValue(value)).toBe(createHash('sha256').update(value).digest('base64url'));
    expect(hashOfKeyValue(`${value} `)).not.toBe(hashOfKeyValue(value));
  });
});
