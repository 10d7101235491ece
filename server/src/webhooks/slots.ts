/** Limits of concurrent work of a process: in total, for failing endpoints, and for one guild. */
export interface SlotBounds {
  max: number;
  failingMax: number;
  guildMax: number;
}

/** The user of a slot. */
export interface SlotUser {
  guildNo: number;
  isFailing: boolean;
}

export interface Slots {
  /**
   * Runs work in a slot, first come first served. A waiting user whose guild or failing endpoints are at their limit
   * does not block the others.
   */
  run<Result>(user: SlotUser, work: () => Promise<Result>): Promise<Result>;
  /** The number of free slots, and of those that failing endpoints may use. */
  free(): { slots: number; failing: number };
  /** True when all slots, or all of the guild, are in use, so that others may wait for one. */
  isContended(guildNo: number): boolean;
}

/** Has no limit of waiting users of its own: each holds the lease of an endpoint, and callers limit those. */
export function createSlots({ max, failingMax, guildMax }: SlotBounds): Slots {
  const waiting = new Set<{ user: SlotUser; begin: () => void }>();
  const ofGuild = new Map<number, number>();
  let used = 0;
  let failing = 0;

  const hasRoom = ({ guildNo, isFailing }: SlotUser) =>
    used < max && (!isFailing || failing < failingMax) && (ofGuild.get(guildNo) ?? 0) < guildMax;

  function count({ guildNo, isFailing }: SlotUser, change: 1 | -1): void {
    used += change;
    failing += isFailing ? change : 0;
    const left = (ofGuild.get(guildNo) ?? 0) + change;
    if (left === 0) {
      ofGuild.delete(guildNo);
    } else {
      ofGuild.set(guildNo, left);
    }
  }

  function take(user: SlotUser): Promise<void> | undefined {
    if (hasRoom(user)) {
      count(user, 1);
      return undefined;
    }
    return new Promise((begin) => {
      waiting.add({ user, begin });
    });
  }

  function giveBack(user: SlotUser): void {
    count(user, -1);
    for (const next of waiting) {
      if (used >= max) {
        return;
      }
      if (hasRoom(next.user)) {
        waiting.delete(next);
        count(next.user, 1);
        next.begin();
      }
    }
  }

  return {
    async run(user, work) {
      await take(user);
      try {
        return await work();
      } finally {
        giveBack(user);
      }
    },
    free: () => ({ slots: max - used, failing: Math.max(0, Math.min(failingMax - failing, max - used)) }),
    isContended: (guildNo) => used >= max || (ofGuild.get(guildNo) ?? 0) >= guildMax,
  };
}
