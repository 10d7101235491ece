import { describe, it } from 'vitest';
import { breakUnderPosts, postFromMany } from './instances.ts';

// The long forms are in server/test/faults/postgres.fault.ts.
describe('three instances', { timeout: 120_000 }, () => {
  it('take posts of many workers, a fifth of them repeated, each once and without a deadlock', () =>
    postFromMany({ posts: 3_000, workers: 64 }));

  it('outlive crashes and stops of the server under posts, and lose and double nothing', () =>
    breakUnderPosts({ crashes: 2, stops: 1, stoppedMs: 500, perSecond: 60 }));
});
