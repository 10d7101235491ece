import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allowsOf, coversNetworks, readNetworks } from '../../src/domain/access/networks.ts';

const CASES: [string[], string[], boolean][] = [
  [[], [], true],
  [[], ['203.0.113.7/32'], true],
  [['203.0.113.7/32'], [], false],
  [['203.0.113.0/24'], ['203.0.113.7/32', '203.0.113.128/25'], true],
  [['203.0.113.0/24'], ['203.0.112.0/23'], false],
  [['203.0.113.77/24'], ['203.0.113.1/24'], true],
  [['0.0.0.0/0'], ['::/0'], false],
  [['::/0'], ['0.0.0.0/0', '2001:db8::1/128'], true],
  [['::ffff:203.0.113.0/120'], ['203.0.113.7/32'], true],
  [['203.0.113.0/24'], ['::ffff:cb00:7107/128'], true],
  [['2001:db8::/32'], ['2001:DB8:0:1::/64', '2001:db8::1/128'], true],
  [['2001:db8::/33', '2001:db8:8000::/33'], ['2001:db8::/32'], false],
];

describe('networks that cover others', () => {
  test.each(CASES)('%j covers %j: %s', (outer, inner, expected) => {
    expect(coversNetworks(readNetworks(outer), readNetworks(inner))).toBe(expected);
  });

  test('allow every address that the others allow', () => {
    const byte = fc.integer({ min: 0, max: 3 });
    const address = fc
      .tuple(byte, byte, byte, byte)
      .chain((bytes) => fc.constantFrom(bytes.join('.'), `::ffff:${bytes.join('.')}`));
    const network = address.chain((text) => {
      const lengthMax = text.includes(':') ? 128 : 32;
      return fc.integer({ min: lengthMax - 32, max: lengthMax }).map((length) => `${text}/${length}`);
    });
    const networks = fc.array(network, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(networks, networks, address, (outer, inner, one) => {
        if (coversNetworks(outer, inner) && allowsOf(inner)?.(one) === true) {
          expect(allowsOf(outer)?.(one)).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
