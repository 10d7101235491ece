import type { Actor, Change } from '../../src/domain/model.ts';

/** Who does what a test does, when it does not matter who. */
export const TESTER: Actor = { kind: 'operator', id: 'tester' };

/** A change by nobody in particular, at the given time. */
export function changeAt(atMs: number): Change {
  return { actor: TESTER, atMs };
}
