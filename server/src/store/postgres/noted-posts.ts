import { packPost } from '../ledger/packed-post.ts';
import type { BatchRow, PostGroup, Written } from './post-batch.ts';
import type { LaneOutcome } from './post-lanes.ts';
import type { NotedPost } from './sealing.ts';
import type { SealingThread } from './sealing-thread.ts';

/** Sends committed posts to the sealing thread, which then does not read their rows. */
export function createNoting(sealing: Pick<SealingThread, 'isWanted' | 'note'> | undefined) {
  function collect(into: NotedPost[], { posts }: PostGroup, { row, first }: Written): void {
    const { numbers, ats, balances } = row ?? {};
    for (const [index, post] of posts.entries()) {
      const place = first + index;
      const [number, balanceUnits] = [numbers?.[place], balances?.[place]];
      if (typeof number === 'number' && typeof balanceUnits === 'number') {
        into.push({
          post: packPost(post),
          number,
          balanceUnits,
          createdAtMs: ats?.[place] ?? post.createdAtMs,
        });
      }
    }
  }

  return (groups: readonly PostGroup[], outcomes: readonly LaneOutcome<Written>[]): void => {
    // A statement is a commit.
    const commits = new Map<BatchRow | undefined, NotedPost[]>();
    for (const [index, group] of groups.entries()) {
      const outcome = outcomes[index];
      if (
        typeof outcome === 'object' &&
        'value' in outcome &&
        sealing?.isWanted(group.guild.guildNo) === true
      ) {
        const { row } = outcome.value;
        const posted = commits.get(row) ?? [];
        collect(posted, group, outcome.value);
        commits.set(row, posted);
      }
    }
    for (const posted of commits.values()) {
      if (posted.length > 0) {
        sealing?.note(posted);
      }
    }
  };
}
