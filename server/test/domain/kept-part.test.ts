import { expect, test } from 'vitest';
import { keptPart } from '../../src/domain/webhooks/kept-part.ts';

test.each([
  ['', undefined],
  ['short', 'short'],
  ['a\n\tb', 'a\n\tb'],
  ['a\u0000b\u202ec', 'a b c'],
  ['0123456789', '0123456789'],
  ['0123456789a', '0123456789…'],
  // The limit is between the two halves of one character.
  ['012345678🛡', '012345678 …'],
])('of %j is kept: %j', (text, kept) => {
  expect(keptPart(text, 10)).toBe(kept);
});
