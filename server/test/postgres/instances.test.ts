import { describe, it } from 'vitest';
import { depth } from '../support/depth.ts';
import { LONG_TEST, PATIENCE_MS } from '../support/patience.ts';
import { breakUnderPosts, postFromMany } from './instances.ts';

// The long forms are in server/test/faults/postgres.fault.ts, and so is how soon posts are answered again: a busy machine
// says nothing about that.
describe('three instances', LONG_TEST, () => {
  it('take posts of many workers, a fifth of them repeated, each once and without a deadlock', () =>
    postFromMany({ posts: depth({ normal: 300, deep: 3_000 }), workers: 64 }));

  it('outlive crashes and stops of the server under posts, and lose and double nothing', () =>
    breakUnderPosts({
      crashes: depth({ normal: 1, deep: 2 }),
      stops: 1,
      stoppedMs: 500,
      perSecond: 60,
      backWithinMs: PATIENCE_MS,
    }));
});
