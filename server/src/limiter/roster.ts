import type { Announcement, InstanceStore } from '../domain/access/instances.ts';
import type { Clock } from '../domain/ports.ts';
import { within } from './within.ts';

const POLL_MS = 250;
const ANNOUNCE_MS = 10_000;
/** An instance is gone when its announcement stayed the same for this long. */
const GONE_MS = 60_000;
/** One that has left is gone at once. */
const LEFT_MS = GONE_MS + 1;
/** Limits with windows up to this length are exact, also while Redis is lost and found again. */
export const EXACT_WINDOW_MS = 1_000;

export interface RosterOptions {
  store: InstanceStore;
  clock: Clock;
  instanceId: string;
  /** Time limit of an answer of Redis. */
  waitMs: number;
  /** True while this instance does not reach Redis, and while requests that it admitted without Redis still count. */
  isApart: () => boolean;
}

/**
 * The instances that share their limits, as announced in the database, which all of them reach when they can serve. An instance that
 * does not reach Redis is apart: it admits its share of each limit, and the others leave that share to it. The shares in use and the
 * part that Redis gives out never add up to more than the limit, although each instance learns of a change at another time:
 * - An instance that is apart waits before it uses its share. Meanwhile all others read that it is apart, and what they admitted
 *   before leaves the window.
 * - The share of an instance shrinks when another joins. One that joined counts at once for an instance's own share, and later for
 *   the share that it leaves to others. One that is gone counts longer for its own share than for those of others.
 */
export interface Roster {
  /** This instance's share of a limit. */
  shareOf(limit: number): number;
  /** The part of a limit that Redis may give out: the limit less the shares that instances which are apart may have used. */
  sharedPartOf(limit: number): number;
  /** True when the list is fresh and no other instance is apart. */
  isShared(nowMs: number): boolean;
  /** False when the list is too old to decide by it. */
  isFresh(): boolean;
  /** Announces this instance if that is due, and reads the list. Takes `waitMs` at most, and never rejects. */
  refresh(): Promise<void>;
  /** Milliseconds until this instance may use its share. Undefined when it is not announced as apart yet. */
  settlesInMs(): number | undefined;
  /** Announces that this instance has left. Call it when what it admitted alone has left the window. */
  close(): Promise<void>;
}

interface Member extends Announcement {
  joinedAtMs: number;
  /** Time without a new announcement. While the list cannot be read, no time passes. */
  silentMs: number;
}

/** The number of instances, and how many of them come before one of them. */
interface Rank {
  count: number;
  before: number;
}

export async function openRoster(options: RosterOptions): Promise<Roster> {
  const { store, clock, instanceId, waitMs, isApart } = options;
  const freshMs = POLL_MS + 2 * waitMs;
  // All others have a newer list by then, have no older requests at Redis, and what these admitted has left the window.
  const settleMs = freshMs + waitMs + EXACT_WINDOW_MS;
  const others = new Map<string, Member>();
  let own: Rank = { count: 1, before: 0 };
  /** The ranks by which the largest shares are estimated that this instance and those that are apart may have used. */
  let ownBefore = own;
  let apart: Rank[] = [];
  let readAtMs = Number.NEGATIVE_INFINITY;
  let joinedAtMs = Number.POSITIVE_INFINITY;
  let seenAtMs = 0;
  let announced: { state: Announcement['state']; atMs: number } | undefined;
  let apartSinceMs: number | undefined;
  let isUnannounceable = false;

  async function announce(state: Announcement['state']): Promise<void> {
    const isDue = announced === undefined || clock.monotonicMs() - announced.atMs >= ANNOUNCE_MS;
    if (!isDue && announced?.state === state) {
      return;
    }
    // From here on others may read the new state, also when no answer comes.
    announced = undefined;
    if (state !== 'apart') {
      apartSinceMs = undefined;
    }
    seenAtMs = Math.max(seenAtMs + 1, clock.nowMs());
    await store.announce({ instanceId, seenAtMs, state });
    const atMs = clock.monotonicMs();
    announced = { state, atMs };
    joinedAtMs = Math.min(joinedAtMs, atMs);
    if (state === 'apart') {
      apartSinceMs ??= atMs;
    }
  }

  async function readList(): Promise<void> {
    const atMs = clock.monotonicMs();
    const rows = new Map((await store.list()).map((row) => [row.instanceId, row]));
    rows.delete(instanceId);
    const passedMs = Math.min(atMs - readAtMs, freshMs);
    for (const member of others.values()) {
      const row = rows.get(member.instanceId);
      const isNew = row !== undefined && row.seenAtMs !== member.seenAtMs;
      member.silentMs = isNew ? 0 : member.silentMs + passedMs;
      if (row === undefined && member.silentMs > GONE_MS + settleMs) {
        others.delete(member.instanceId);
      }
    }
    for (const [id, row] of rows) {
      // Others may have seen a row that is new here for a long time, so that its age is taken from the wall clock.
      const ageMs = Math.max(0, clock.nowMs() - row.seenAtMs);
      const { joinedAtMs: sinceMs = atMs, silentMs = ageMs } = others.get(id) ?? {};
      const leastMs = row.state === 'left' ? LEFT_MS : 0;
      others.set(id, { ...row, joinedAtMs: sinceMs, silentMs: Math.max(leastMs, silentMs) });
    }
    rank(atMs);
    readAtMs = atMs;
  }

  function rank(atMs: number): void {
    const all = [...others.values()];
    const present = all.filter(({ silentMs }) => silentMs <= GONE_MS);
    const isKnown = (member: { joinedAtMs: number }) => atMs - member.joinedAtMs >= settleMs;
    const known = [...present, { instanceId, joinedAtMs }].filter(isKnown).map((member) => member.instanceId);
    own = rankOf(
      instanceId,
      all.filter(({ silentMs }) => silentMs <= GONE_MS + settleMs).map((member) => member.instanceId),
    );
    ownBefore = rankOf(instanceId, known);
    apart = present
      .filter((member) => member.state === 'apart')
      .map((member) => rankOf(member.instanceId, known));
  }

  async function update(): Promise<void> {
    await announce(isApart() ? 'apart' : 'shared').then(
      () => {
        isUnannounceable = false;
      },
      () => {
        isUnannounceable = true;
      },
    );
    await readList();
  }

  let updating: Promise<void> | undefined;
  function updateOnce(): Promise<void> {
    // A failed read leaves the list as it is, and a list that is too old is not used.
    updating ??= update()
      .catch(() => {})
      .finally(() => {
        updating = undefined;
      });
    return updating;
  }

  await updateOnce();
  const timer = setInterval(updateOnce, POLL_MS).unref();
  return {
    shareOf: (limit) => shareOf(limit, own),
    sharedPartOf(limit) {
      const ofOthers = apart.reduce((sum, rank) => sum + shareOf(limit, rank), 0);
      return Math.max(0, limit - ofOthers - (isApart() ? shareOf(limit, ownBefore) : 0));
    },
    isShared: (nowMs) => apart.length === 0 && nowMs - readAtMs <= freshMs,
    isFresh: () => clock.monotonicMs() - readAtMs <= freshMs,
    refresh: () => within(waitMs, updateOnce()).catch(() => {}),
    settlesInMs() {
      // Without the database nothing is served, so that the last known share may be used.
      if (isUnannounceable) {
        return 0;
      }
      if (apartSinceMs === undefined) {
        return undefined;
      }
      // An instance that started since then has read that this one is apart.
      const isAlone = own.count === 1 && readAtMs >= apartSinceMs;
      return isAlone ? 0 : Math.max(0, apartSinceMs + settleMs - clock.monotonicMs());
    },
    async close() {
      clearInterval(timer);
      await updating;
      // When this fails, the others see it after GONE_MS.
      await announce('left').catch(() => {});
    },
  };
}

/** The rank of an instance among itself and others. */
function rankOf(instanceId: string, others: readonly string[]): Rank {
  const ids = others.filter((id) => id !== instanceId);
  return { count: ids.length + 1, before: ids.filter((id) => id < instanceId).length };
}

/** The limit divided by the number of instances; the first ones get what the division leaves. */
function shareOf(limit: number, { count, before }: Rank): number {
  return Math.floor(limit / count) + (before < limit % count ? 1 : 0);
}
