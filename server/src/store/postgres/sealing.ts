import { type PackedPost, unpackPost } from '../ledger/packed-post.ts';
import { type Reply, toReply } from '../reply.ts';
import { type GrowthInput, nextRange, SEAL_READS } from '../seal/growth.ts';
import { createLeafNotes, type Placed } from '../seal/posted-leaves.ts';
import { createRecentLeaves } from '../seal/recent-leaves.ts';
import { serveWorkerThread } from '../worker-thread-service.ts';
import { parseDatabaseUrl } from './connection.ts';
import { toDomainError } from './faults.ts';
import { createReads } from './read.ts';

// The thread of `sealing-thread.ts`.

/** A committed post that the thread hashes before it is sealed. */
export interface NotedPost extends Placed {
  post: PackedPost;
}

export type SealingRequest = GrowthInput | { posted: readonly NotedPost[] };

serveWorkerThread<SealingRequest, Reply>((url) => {
  // Requests are answered one at a time.
  const reads = createReads({ ...parseDatabaseUrl(url), connections: 1 });
  const notes = createLeafNotes();
  const recent = createRecentLeaves();

  function note(posted: readonly NotedPost[]): Reply {
    try {
      for (const { post, ...placed } of posted) {
        notes.note(unpackPost(post), placed);
      }
      notes.commit();
      notes.hash(Number.POSITIVE_INFINITY);
      const leaves = notes.take();
      if (leaves !== undefined) {
        recent.add(leaves);
      }
      return { value: undefined };
    } catch (error) {
      notes.forget();
      return toReply(toDomainError(error));
    }
  }

  async function grow(input: GrowthInput): Promise<Reply> {
    try {
      const known = { ...input, recent: recent.take(nextRange(input)) };
      return { value: await reads.inSnapshot((sql) => SEAL_READS.growSeal(sql, known)) };
    } catch (error) {
      return toReply(toDomainError(error));
    }
  }

  return {
    answer(request) {
      return 'posted' in request ? note(request.posted) : grow(request);
    },
    close: reads.close,
  };
});
