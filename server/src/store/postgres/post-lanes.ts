import type { AppendOutcome, NewTransaction } from '../../domain/model.ts';
import type { WriteOutcome } from '../batch-queue.ts';
import { reportFigure } from '../report-figure.ts';

const BATCH_MAX = 1_000;

/**
 * The outcome of a post. `busy` means that it was not written and has to be sent again with the posts of its guild
 * only; usually another transaction holds the guild's ledger.
 */
export type LaneOutcome = WriteOutcome<AppendOutcome> | 'busy';

export interface PostLanesOptions {
  /** Statements that may run in parallel. */
  lanes: number;
  /**
   * Statements of a lane that may be pending. The server begins the second before the first one's result has reached
   * us.
   */
  statementsPerLane: number;
  /** True when a statement may hold posts of one guild only. */
  isOneGuildEach?: boolean;
  /** Commits posts of any guilds in one statement, after the earlier statements of the lane. Never rejects. */
  commit: (lane: number, posts: readonly NewTransaction[]) => Promise<readonly LaneOutcome[]>;
  /** Commits posts of one guild and waits for the lock of its ledger. Never rejects. */
  commitApart: (posts: readonly NewTransaction[]) => Promise<readonly WriteOutcome<AppendOutcome>[]>;
  /** Called with the size of each batch before its commit, for metrics. Its exceptions are ignored. */
  onBatch: (size: number) => void;
  /** Called with the duration of each commit on a lane, in milliseconds. */
  onCommit: (durationMs: number) => void;
}

interface Waiting {
  post: NewTransaction;
  resolve: (outcome: AppendOutcome) => void;
  reject: (error: unknown) => void;
}

interface Lane {
  number: number;
  statements: number;
  posts: number;
}

/**
 * Collects the posts of all guilds that arrive while statements are running, and sends them together in the next one;
 * there is no timer. A guild is on one lane at a time, which keeps its posts in the order of arrival. Posts reported
 * as busy are sent separately; later posts of that guild wait behind them. Has no bound of its own: each entry
 * belongs to a pending request, and `Writer.admit` limits those.
 */
export function createPostLanes(options: PostLanesOptions): (post: NewTransaction) => Promise<AppendOutcome> {
  const lanes = Array.from({ length: options.lanes }, (_, number): Lane => {
    return { number, statements: 0, posts: 0 };
  });
  /** Waiting posts by guild number, oldest first. */
  const queues = new Map<number, Waiting[]>();
  /** The lane on which a guild has pending statements, and how many. */
  const places = new Map<number, { lane: Lane; statements: number }>();
  const apart = new Set<number>();
  let isScheduled = false;

  /** Dispatches at the end of this turn of the event loop, so that posts that arrive together go out together. */
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

  /** The next batch for a lane. Empty when it would be less than half of what the lane has pending. */
  function take(lane: Lane): Waiting[] {
    const free = [...queues.keys()].filter(
      (guildNo) => !apart.has(guildNo) && (places.get(guildNo)?.lane ?? lane) === lane,
    );
    const guilds = options.isOneGuildEach === true ? free.slice(0, 1) : free;
    const available = guilds.reduce((sum, guildNo) => sum + (queues.get(guildNo)?.length ?? 0), 0);
    if (available < lane.posts / 2) {
      return [];
    }
    const batch: Waiting[] = [];
    for (const guildNo of guilds) {
      if (batch.length === BATCH_MAX) {
        break;
      }
      const queue = queues.get(guildNo) ?? [];
      const taken = queue.splice(0, BATCH_MAX - batch.length);
      batch.push(...taken);
      queues.delete(guildNo);
      if (queue.length > 0) {
        // The guild moves behind the others, so that each gets its turn.
        queues.set(guildNo, queue);
      }
    }
    return batch;
  }

  async function run(lane: Lane, batch: readonly Waiting[]): Promise<void> {
    const guilds = new Set(batch.map(({ post }) => post.guild.guildNo));
    enter(lane, guilds, batch.length);
    reportFigure(options.onBatch, batch.length);
    const startMs = performance.now();
    const outcomes = await options.commit(
      lane.number,
      batch.map(({ post }) => post),
    );
    reportFigure(options.onCommit, performance.now() - startMs);
    leave(lane, guilds, batch.length);
    const busy = new Map<number, Waiting[]>();
    for (const [index, waiting] of batch.entries()) {
      if (outcomes[index] === 'busy') {
        const { guildNo } = waiting.post.guild;
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
   * Sends posts separately, or puts them first in the queue when other posts of their guild are being sent
   * separately.
   */
  function setApart(guildNo: number, waiting: readonly Waiting[]): void {
    if (apart.has(guildNo)) {
      queues.set(guildNo, [...waiting, ...(queues.get(guildNo) ?? [])]);
    } else {
      apart.add(guildNo);
      void runApart(guildNo, waiting);
    }
  }

  async function runApart(guildNo: number, batch: readonly Waiting[]): Promise<void> {
    reportFigure(options.onBatch, batch.length);
    const outcomes = await options.commitApart(batch.map(({ post }) => post));
    apart.delete(guildNo);
    dispatch();
    for (const [index, waiting] of batch.entries()) {
      settle(waiting, outcomes[index]);
    }
  }

  return (post) =>
    new Promise((resolve, reject) => {
      const { guildNo } = post.guild;
      const queue = queues.get(guildNo);
      if (queue === undefined) {
        queues.set(guildNo, [{ post, resolve, reject }]);
      } else {
        queue.push({ post, resolve, reject });
      }
      schedule();
    });
}

function settle(waiting: Waiting, outcome: WriteOutcome<AppendOutcome> | undefined): void {
  if (outcome === undefined) {
    waiting.reject(new Error('the store reported on fewer posts than it was given'));
  } else if ('error' in outcome) {
    waiting.reject(outcome.error);
  } else {
    waiting.resolve(outcome.value);
  }
}
