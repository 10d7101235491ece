import type { CallOptions } from './calls.ts';
import { GuildbookError } from './errors.ts';
import type { Clock } from './options.ts';
import { isPassing } from './retry.ts';
import type { LedgerEntry, ReadFeedQuery } from './schema.ts';

export interface FollowOptions extends CallOptions {
  /**
   * The first pause after an answer without new transactions, in milliseconds. It doubles up to `pollMaxMs`. Default:
   * 500.
   */
  pollMs?: number | undefined;
  /** The longest pause, in milliseconds. Default: 5,000. */
  pollMaxMs?: number | undefined;
  /** Called when the service cannot answer, before the next attempt. */
  onTrouble?: ((error: GuildbookError) => void) | undefined;
}

export interface FollowParts {
  readFeed: (query: ReadFeedQuery, options: CallOptions) => Promise<LedgerEntry[]>;
  clock: Pick<Clock, 'sleep'>;
  random: () => number;
}

interface Page {
  entries: LedgerEntry[];
  /** The pause that the service asked for. */
  waitMs: number;
}

const NOTHING: Page = { entries: [], waitMs: 0 };
const PAGE_LIMIT = 1_000;

/**
 * Yields every transaction after a number in order and once, and then each new one, until the signal is aborted.
 * Temporary failures are retried without a limit; every other failure is thrown.
 */
export function followFeed(
  query: ReadFeedQuery,
  options: FollowOptions,
  parts: FollowParts,
): AsyncGenerator<LedgerEntry, void, undefined> {
  const { pollMs = 500, pollMaxMs = 5_000 } = options;
  checkWait('pollMs', pollMs);
  checkWait('pollMaxMs', pollMaxMs);
  return walk(query, { ...options, pollMs, pollMaxMs }, parts);
}

async function* walk(
  { after = 0, limit = PAGE_LIMIT }: ReadFeedQuery,
  options: FollowOptions & { pollMs: number; pollMaxMs: number },
  parts: FollowParts,
): AsyncGenerator<LedgerEntry, void, undefined> {
  const { signal, pollMs, pollMaxMs } = options;
  const isEnded = () => signal?.aborted === true;
  let position = after;
  let spanMs = pollMs;
  while (!isEnded()) {
    const { entries, waitMs } = await readPage({ after: position, limit }, options, parts);
    for (const entry of entries) {
      if (isEnded()) {
        return;
      }
      checkNext(entry, position);
      position = entry.number;
      yield entry;
    }
    spanMs = entries.length > 0 ? pollMs : spanMs;
    if (entries.length < limit && !isEnded()) {
      // Half of the pause is random, so that many followers do not send requests at the same moment.
      await parts.clock.sleep(waitMs + spanMs * (0.5 + parts.random() / 2), signal);
      spanMs = Math.min(pollMaxMs, spanMs * 2);
    }
  }
}

/**
 * The next page. It is empty when there is nothing new, when the service cannot answer, and once the signal is
 * aborted.
 */
async function readPage(
  query: ReadFeedQuery,
  { signal, onTrouble }: FollowOptions,
  { readFeed }: FollowParts,
): Promise<Page> {
  try {
    return { entries: await readFeed(query, { signal }), waitMs: 0 };
  } catch (error) {
    if (error instanceof GuildbookError && error.kind === 'aborted') {
      return NOTHING;
    }
    if (!isPassing(error)) {
      throw error;
    }
    onTrouble?.(error);
    return { entries: [], waitMs: error.retryAfterMs ?? 0 };
  }
}

/** Numbers of a guild have no gaps, so another number means that a transaction was skipped or repeated. */
function checkNext({ number }: LedgerEntry, position: number): void {
  if (number !== position + 1) {
    const message = `The feed answered with transaction ${number} after ${position}`;
    throw new GuildbookError('unexpected-answer', message);
  }
}

function checkWait(name: string, ms: number): void {
  if (!Number.isInteger(ms) || ms < 1) {
    throw new TypeError(`${name} must be an integer of at least 1`);
  }
}
