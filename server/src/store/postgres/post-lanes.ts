import type { WriteOutcome } from '../batch-queue.ts';
import { reportFigure } from '../report-figure.ts';
import type { PostGroup } from './post-batch.ts';

/** The largest number of posts in a statement. A group is never divided; one that has more is sent alone. */
const BATCH_MAX = 1_000;

/**
 * The outcome of a group. `busy` means that it was not written and has to be sent again with the groups of its guild
 * only; usually another transaction holds the guild's ledger.
 */
export type LaneOutcome<Result> = WriteOutcome<Result> | 'busy';

export interface PostLanesOptions<Result> {
  /** Statements that may run in parallel. */
  lanes: number;
  /**
   * Statements of a lane that may be pending. The server begins the second before the first one's result has reached
   * us.
   */
  statementsPerLane: number;
  /** True when a statement may hold posts of one guild only. */
  isOneGuildEach?: boolean;
  /** Commits groups of any guilds in one statement, after the earlier statements of the lane. Never rejects. */
  commit: (lane: number, groups: readonly PostGroup[]) => Promise<readonly LaneOutcome<Result>[]>;
  /** Commits groups of one guild and waits for the lock of its ledger. Never rejects. */
  commitApart: (groups: readonly PostGroup[]) => Promise<readonly WriteOutcome<Result>[]>;
  /** Called with the number of posts of each batch before its commit, for metrics. Its exceptions are ignored. */
  onBatch: (size: number) => void;
  /** Called with the duration of each commit on a lane, in milliseconds. */
  onCommit: (durationMs: number) => void;
}

export type SubmitGroup<Result> = (group: PostGroup) => Promise<Result>;

interface Waiting<Result> {
  group: PostGroup;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Lane {
  number: number;
  statements: number;
  posts: number;
}

/**
 * Collects the groups of all guilds that arrive while statements are running, and sends them together in the next one;
 * there is no timer. A guild is on one lane at a time, which keeps its groups in the order of arrival. Groups reported
 * as busy are sent separately; later ones of that guild wait behind them. Has no bound of its own: each entry
 * belongs to a pending request, and `Writer.admit` limits those.
 */
export function createPostLanes<Result>(options: PostLanesOptions<Result>): SubmitGroup<Result> {
  const lanes = Array.from({ length: options.lanes }, (_, number): Lane => {
    return { number, statements: 0, posts: 0 };
  });
  /** Waiting groups by guild number, oldest first. */
  const queues = new Map<number, Waiting<Result>[]>();
  /** The lane on which a guild has pending statements, and how many. */
  const places = new Map<number, { lane: Lane; statements: number }>();
  const apart = new Set<number>();
  let isScheduled = false;

  /** Dispatches at the end of this turn of the event loop, so that groups that arrive together go out together. */
  function schedule(): void {
    if (!isScheduled) {
      isScheduled = true;
      setImmediate(() => {
        isScheduled = false;
        dispatch();
      });
    }
  }

  function dispatch(): void {
    for (const lane of lanes) {
      if (lane.statements < options.statementsPerLane) {
        const batch = take(lane);
        if (batch.length > 0) {
          void run(lane, batch);
        }
      }
    }
  }

  /** The next batch for a lane. Empty when it would have less than half of the posts that the lane has pending. */
  function take(lane: Lane): Waiting<Result>[] {
    const free = [...queues.keys()].filter(
      (guildNo) => !apart.has(guildNo) && (places.get(guildNo)?.lane ?? lane) === lane,
    );
    const guilds = options.isOneGuildEach === true ? free.slice(0, 1) : free;
    const available = guilds.reduce((sum, guildNo) => sum + countPosts(queues.get(guildNo) ?? []), 0);
    if (available < lane.posts / 2) {
      return [];
    }
    const batch: Waiting<Result>[] = [];
    let room = BATCH_MAX;
    for (const guildNo of guilds) {
      const queue = queues.get(guildNo) ?? [];
      const taken = queue.splice(0, Math.max(countFitting(queue, room), batch.length === 0 ? 1 : 0));
      if (taken.length === 0) {
        break;
      }
      room -= countPosts(taken);
      batch.push(...taken);
      queues.delete(guildNo);
      if (queue.length > 0) {
        // The guild moves behind the others, so that each gets its turn.
        queues.set(guildNo, queue);
      }
    }
    return batch;
  }

  async function run(lane: Lane, batch: readonly Waiting<Result>[]): Promise<void> {
    const guilds = new Set(batch.map(({ group }) => group.guild.guildNo));
    const posts = countPosts(batch);
    enter(lane, guilds, posts);
    reportFigure(options.onBatch, posts);
    const startMs = performance.now();
    const outcomes = await options.commit(
      lane.number,
      batch.map(({ group }) => group),
    );
    reportFigure(options.onCommit, performance.now() - startMs);
    leave(lane, guilds, posts);
    const busy = new Map<number, Waiting<Result>[]>();
    for (const [index, waiting] of batch.entries()) {
      if (outcomes[index] === 'busy') {
        const { guildNo } = waiting.group.guild;
        busy.set(guildNo, [...(busy.get(guildNo) ?? []), waiting]);
      }
    }
    for (const [guildNo, waiting] of busy) {
      setApart(guildNo, waiting);
    }
    // Sends the next statement before settling: callers continue on their answers, and the statement must not wait
    // for them.
    dispatch();
    for (const [index, waiting] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome !== 'busy') {
        settle(waiting, outcome);
      }
    }
  }

  function enter(lane: Lane, guilds: ReadonlySet<number>, posts: number): void {
    lane.statements += 1;
    lane.posts += posts;
    for (const guildNo of guilds) {
      places.set(guildNo, { lane, statements: (places.get(guildNo)?.statements ?? 0) + 1 });
    }
  }

  function leave(lane: Lane, guilds: ReadonlySet<number>, posts: number): void {
    lane.statements -= 1;
    lane.posts -= posts;
    for (const guildNo of guilds) {
      const statements = (places.get(guildNo)?.statements ?? 1) - 1;
      if (statements === 0) {
        places.delete(guildNo);
      } else {
        places.set(guildNo, { lane, statements });
      }
    }
  }

  /**
   * Sends groups separately, or puts them first in the queue when other groups of their guild are being sent
   * separately.
   */
  function setApart(guildNo: number, waiting: readonly Waiting<Result>[]): void {
    if (apart.has(guildNo)) {
      queues.set(guildNo, [...waiting, ...(queues.get(guildNo) ?? [])]);
    } else {
      apart.add(guildNo);
      void runApart(guildNo, waiting);
    }
  }

  async function runApart(guildNo: number, batch: readonly Waiting<Result>[]): Promise<void> {
    reportFigure(options.onBatch, countPosts(batch));
    const outcomes = await options.commitApart(batch.map(({ group }) => group));
    apart.delete(guildNo);
    dispatch();
    for (const [index, waiting] of batch.entries()) {
      settle(waiting, outcomes[index]);
    }
  }

  return (group) =>
    new Promise((resolve, reject) => {
      const { guildNo } = group.guild;
      const queue = queues.get(guildNo);
      if (queue === undefined) {
        queues.set(guildNo, [{ group, resolve, reject }]);
      } else {
        queue.push({ group, resolve, reject });
      }
      schedule();
    });
}

function countPosts(waiting: readonly { group: PostGroup }[]): number {
  return waiting.reduce((sum, { group }) => sum + group.posts.length, 0);
}

/** The number of groups from the beginning of a queue that have `room` posts at most. */
function countFitting(queue: readonly { group: PostGroup }[], room: number): number {
  let posts = 0;
  const position = queue.findIndex(({ group }) => {
    posts += group.posts.length;
    return posts > room;
  });
  return position === -1 ? queue.length : position;
}

function settle<Result>(waiting: Waiting<Result>, outcome: WriteOutcome<Result> | undefined): void {
  if (outcome === undefined) {
    waiting.reject(new Error('the store reported on fewer groups than it was given'));
  } else if ('error' in outcome) {
    waiting.reject(outcome.error);
  } else {
    waiting.resolve(outcome.value);
  }
}
