import { createLeafNotes } from '../seal/posted-leaves.ts';
import type { RecentLeaves } from '../seal/recent-leaves.ts';
import type { PostGroup, Written } from './post-batch.ts';
import type { LaneOutcome } from './post-lanes.ts';

/** Notes the leaves of the posts that statements wrote, so that the sealer need not read them. */
export function createNoting(recent: Pick<RecentLeaves, 'isWanted' | 'add'>) {
  const notes = createLeafNotes();

  function note({ guild, posts }: PostGroup, { row, first }: Written): void {
    if (!recent.isWanted(guild.guildNo)) {
      return;
    }
    const { numbers, ats, balances } = row ?? {};
    for (const [index, post] of posts.entries()) {
      const place = first + index;
      const [number, balanceUnits] = [numbers?.[place], balances?.[place]];
      if (typeof number === 'number' && typeof balanceUnits === 'number') {
        notes.note(post, { number, balanceUnits, createdAtMs: ats?.[place] ?? post.createdAtMs });
      }
    }
  }

  return (groups: readonly PostGroup[], outcomes: readonly LaneOutcome<Written>[]): void => {
    for (const [index, group] of groups.entries()) {
      const outcome = outcomes[index];
      if (typeof outcome === 'object' && 'value' in outcome) {
        note(group, outcome.value);
      }
    }
    const noted = notes.take();
    if (noted !== undefined) {
      recent.add(noted);
    }
  };
}
