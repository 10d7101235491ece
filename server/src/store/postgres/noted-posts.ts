import { packPost } from '../ledger/packed-post.ts';
import type { PostGroup, Written } from './post-batch.ts';
import type { LaneOutcome } from './post-lanes.ts';
import type { NotedPost } from './sealing.ts';
import type { SealingThread } from './sealing-thread.ts';

/** Passes the posts that a statement wrote to the thread that seals them, so that it need not read them. */
export function createNoting(sealing: Pick<SealingThread, 'isWanted' | 'note'> | undefined) {
  function collect({ posts }: PostGroup, { row, first }: Written): NotedPost[] {
    const { numbers, ats, balances } = row ?? {};
    return posts.flatMap((post, index) => {
      const place = first + index;
      const [number, balanceUnits] = [numbers?.[place], balances?.[place]];
      return typeof number === 'number' && typeof balanceUnits === 'number'
        ? [{ post: packPost(post), number, balanceUnits, createdAtMs: ats?.[place] ?? post.createdAtMs }]
        : [];
    });
  }

  return (groups: readonly PostGroup[], outcomes: readonly LaneOutcome<Written>[]): void => {
    const posted = groups.flatMap((group, index) => {
      const outcome = outcomes[index];
      const isNoted = typeof outcome === 'object' && 'value' in outcome;
      return isNoted && sealing?.isWanted(group.guild.guildNo) === true ? collect(group, outcome.value) : [];
    });
    if (posted.length > 0) {
      sealing?.note(posted);
    }
  };
}
