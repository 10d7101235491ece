import { expect, it } from 'vitest';
import type { StoredKey } from '../../src/domain/model.ts';
import { createKeyCache } from '../../src/store/access/key-cache.ts';

const SIZE = 100;

function keyOf(hash: string, guildNo = 1): StoredKey {
  const guild = { guildNo, guildId: `guild-${guildNo}` };
  return {
    keyNo: 1,
    keyId: hash,
    guild,
    scopes: [],
    expiresAtMs: 0,
    allows: undefined,
    isLimited: false,
    routeBuckets: undefined,
    keepsAllUntilMs: 0,
    uses: undefined,
  };
}

function fill(count = SIZE) {
  const cache = createKeyCache(SIZE);
  const hashes = Array.from({ length: count }, (_, index) => `hash-${index}`);
  for (const [index, hash] of hashes.entries()) {
    cache.set(hash, keyOf(hash, index % 10));
  }
  const present = () => hashes.filter((hash) => cache.get(hash) !== undefined);
  return { cache, hashes, present };
}

it('a full cache gives up one key for each new one', () => {
  const { cache, present } = fill();
  cache.set('new', keyOf('new'));
  expect(present()).toHaveLength(SIZE - 1);
  expect(cache.get('new')).toEqual(keyOf('new'));
});

it('keys that are read stay while ten times as many pass through', () => {
  const { cache, hashes } = fill();
  const busy = hashes.slice(0, SIZE / 2);
  for (let passing = 0; passing < 10 * SIZE; passing += 1) {
    for (const hash of busy) {
      expect(cache.get(hash)?.keyId).toBe(hash);
    }
    cache.set(`passing-${passing}`, keyOf(`passing-${passing}`, passing));
  }
});

it('never holds more than its size', () => {
  const cache = createKeyCache(SIZE);
  const all = Array.from({ length: 5 * SIZE }, (_, index) => `hash-${index}`);
  for (const [index, hash] of all.entries()) {
    cache.set(hash, keyOf(hash, index));
    cache.set(hash, keyOf(hash, index + 1));
    expect(cache.get(hash)?.guild.guildNo).toBe(index + 1);
  }
  expect(all.filter((hash) => cache.get(hash) !== undefined)).toHaveLength(SIZE);
});

it("dropping a guild drops its keys and no other guild's, and the others are evicted as before", () => {
  const { cache, hashes, present } = fill();
  cache.dropGuild(3);
  expect(present()).toEqual(hashes.filter((_, index) => index % 10 !== 3));
  for (let more = 0; more < 3 * SIZE; more += 1) {
    cache.set(`more-${more}`, keyOf(`more-${more}`, more));
  }
  expect(present()).toEqual([]);
  cache.clear();
  cache.set('after', keyOf('after'));
  expect(cache.get('after')).toBeDefined();
});
