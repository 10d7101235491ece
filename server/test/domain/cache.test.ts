import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createAskedBefore, createCache } from '../../src/domain/cache.ts';

it('what was put is found, the last value of a key counts, and clearing empties it', () => {
  const cache = createCache<number>(10);
  cache.set('a', 1);
  cache.set('a', 2);
  cache.set('b', 3);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([2, 3, undefined]);
  cache.clear();
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, undefined]);
});

it('the last values that fill it are found, and older ones that nobody asked for are dropped', () => {
  const cache = createCache<number>(10);
  for (let number = 0; number < 100; number += 1) {
    cache.set(`${number}`, number);
  }
  for (let number = 90; number < 100; number += 1) {
    expect(cache.get(`${number}`)).toBe(number);
  }
  expect(Array.from({ length: 80 }, (_, number) => cache.get(`${number}`)).filter(Number.isInteger)).toEqual(
    [],
  );
});

it('what is asked for again and again stays, however much else is put', () => {
  const cache = createCache<string>(10);
  cache.set('kept', 'value');
  for (let number = 0; number < 1_000; number += 1) {
    cache.set(`${number}`, 'other');
    expect(cache.get('kept')).toBe('value');
  }
});

it('never holds more than two generations and one value each, whatever the sizes', () => {
  const SIZE_MAX = 20;
  const PUT = fc.record({ key: fc.nat({ max: 40 }), size: fc.integer({ min: 1, max: 10 }) });
  fc.assert(
    fc.property(fc.array(PUT, { maxLength: 200, size: 'max' }), (puts) => {
      const cache = createCache<number>(SIZE_MAX);
      const sizes = new Map<string, number>();
      for (const { key, size } of puts) {
        cache.set(`${key}`, size, size);
        sizes.set(`${key}`, size);
        expect(cache.get(`${key}`)).toBe(size);
      }
      // Looking moves values between the generations, but never lets more in.
      const held = [...sizes].filter(([key]) => cache.get(key) !== undefined);
      const heldSize = held.reduce((sum, [, size]) => sum + size, 0);
      expect(heldSize).toBeLessThanOrEqual(2 * (SIZE_MAX + 10) + 10);
    }),
  );
});

it('a key was asked before from the second time on', () => {
  const askedBefore = createAskedBefore(1_024);
  expect(['a', 'b', 'a', 'b', 'a', ''].map(askedBefore)).toEqual([false, false, true, true, true, false]);
});

it('of a walk through many keys hardly any seems to be asked before, and the last ones are remembered', () => {
  const askedBefore = createAskedBefore(1_024);
  const keys = Array.from({ length: 100_000 }, (_, number) => `1 player-${number} 1 20 createdAt desc`);
  expect(keys.filter(askedBefore).length).toBeLessThan(10);
  // Each key takes one of the places, so a hundred leave most of one another alone.
  expect(keys.slice(-100).filter(askedBefore).length).toBeGreaterThan(80);
});
