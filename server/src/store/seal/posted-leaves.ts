import type { NewTransaction } from '../../domain/model.ts';
import { HASH_BYTES } from '../../domain/seal/bytes.ts';
import { leafText, toLeaf } from '../../domain/seal/leaf.ts';
import { leafHashText } from '../../domain/seal/tree.ts';

/** Fields of a transaction that the store assigns. */
export interface Placed {
  number: number;
  balanceUnits: number;
  createdAtMs: number;
}

/** Posts of one guild from one commit, with consecutive numbers. */
export type PostedRun = [guildNo: number, first: number, count: number, lastId: string];

/** Hashes of the leaves of committed posts, as plain data that can cross threads. */
export interface PostedLeaves {
  runs: PostedRun[];
  /** The hashes of all runs, one after the other. */
  hashes: Uint8Array;
}

/** Posts that wait to be hashed. The sealer reads the rows of more. */
const WAITING_MAX = 10_000;

/** Hashes posts after their commit. They are in memory, so that the sealer need not read their rows. */
export interface LeafNotes {
  note(post: NewTransaction, placed: Placed): void;
  /** The noted posts are committed, and wait to be hashed. */
  commit(): void;
  /** Drops the noted posts. Call it when the commit failed, or when the transaction is still open. */
  forget(): void;
  /** Hashes some of the committed posts. Returns true when others wait. The call after one that threw goes on with the next post. */
  hash(max: number): boolean;
  /** Removes and returns the hashes; undefined when there are none. */
  take(): PostedLeaves | undefined;
}

interface Noted {
  post: NewTransaction;
  placed: Placed;
  /** True for the first post of a commit, which begins a run. */
  isFirst: boolean;
}

export function createLeafNotes(): LeafNotes {
  let noted: Noted[] = [];
  let waiting: Noted[] = [];
  let next = 0;
  let runs: PostedRun[] = [];
  let hashes: string[] = [];

  function forget(): void {
    noted = [];
  }

  return {
    note(post, placed) {
      // The leaf needs the key's id. The sealer reads the row of a post without it, and finds the id by the number.
      if (post.keyNo === undefined || post.keyId !== undefined) {
        noted.push({ post, placed, isFirst: noted.length === 0 });
      }
    },
    commit() {
      if (next === waiting.length) {
        waiting = noted;
        next = 0;
      } else if (waiting.length - next + noted.length <= WAITING_MAX) {
        waiting.push(...noted);
      }
      forget();
    },
    forget,
    hash(max) {
      const end = Math.min(next + max, waiting.length);
      while (next < end) {
        const { post, placed, isFirst } = waiting[next] as Noted;
        next += 1;
        hashes.push(leafHashOf(post, placed));
        extend(runs, post, { number: placed.number, isFirst });
      }
      return next < waiting.length;
    },
    take() {
      if (runs.length === 0) {
        return undefined;
      }
      // A buffer of its own: a part of Node's pool would cross threads together with the rest of the pool.
      const joined = Buffer.alloc(hashes.length * HASH_BYTES);
      joined.write(hashes.join(''), 'latin1');
      const taken = { runs, hashes: joined };
      runs = [];
      hashes = [];
      return taken;
    },
  };
}

/** Adds a post to the last run, or begins another one. */
function extend(
  runs: PostedRun[],
  { guild, transactionId }: NewTransaction,
  { number, isFirst }: { number: number; isFirst: boolean },
): void {
  const last = runs.at(-1);
  if (!isFirst && last !== undefined && last[0] === guild.guildNo && last[1] + last[2] === number) {
    last[2] += 1;
    last[3] = transactionId;
  } else {
    runs.push([guild.guildNo, number, 1, transactionId]);
  }
}

function leafHashOf(post: NewTransaction, { number, balanceUnits, createdAtMs }: Placed): string {
  const { extra } = post;
  const leaf = toLeaf({
    number,
    transactionId: post.transactionId,
    playerId: post.playerId,
    amountUnits: post.amountUnits,
    quantity: post.quantity,
    totalUnits: post.totalUnits,
    balanceUnits,
    name: post.name,
    source: post.source,
    createdAtMs,
    reference: extra?.reference ?? null,
    metadata: extra?.metadata ?? null,
    paymentId: extra?.paymentId ?? null,
    reverses: extra?.reverses?.transactionId ?? null,
    keyId: post.keyId ?? null,
    postedBy: post.postedBy ?? null,
  });
  return leafHashText(leafText(leaf));
}
