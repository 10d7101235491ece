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
  /** Hashes up to `max` committed posts. Returns true when others wait. After an error the next call skips that post. */
  hash(max: number): boolean;
  /** Removes and returns the hashes; undefined when there are none. */
  take(): PostedLeaves | undefined;
}

interface Noted {
  post: NewTransaction;
  placed: Placed;
}

export function createLeafNotes(): LeafNotes {
  let noted: Noted[] = [];
  /** The posts of each commit that waits. A commit is released once it is hashed. */
  const waiting: Noted[][] = [];
  /** Posts of the first commit that are hashed. */
  let done = 0;
  let count = 0;
  let runs: PostedRun[] = [];
  let hashes: string[] = [];

  function forget(): void {
    noted = [];
  }

  /** Removes and returns the next post. `isFirst` is true for the first post of a commit, which begins a run. */
  function next(): (Noted & { isFirst: boolean }) | undefined {
    const [commit] = waiting;
    const post = commit?.[done];
    if (commit === undefined || post === undefined) {
      return undefined;
    }
    const isFirst = done === 0;
    done += 1;
    count -= 1;
    if (done === commit.length) {
      waiting.shift();
      done = 0;
    }
    return { ...post, isFirst };
  }

  return {
    note(post, placed) {
      // The leaf needs the key's id. The sealer reads the row of a post without it, and finds the id by the number.
      if (post.keyNo === undefined || post.keyId !== undefined) {
        noted.push({ post, placed });
      }
    },
    commit() {
      if (noted.length > 0 && count + noted.length <= WAITING_MAX) {
        waiting.push(noted);
        count += noted.length;
      }
      forget();
    },
    forget,
    hash(max) {
      for (let left = max; left > 0; left -= 1) {
        const found = next();
        if (found === undefined) {
          return false;
        }
        const { post, placed, isFirst } = found;
        hashes.push(leafHashOf(post, placed));
        extend(runs, post, { number: placed.number, isFirst });
      }
      return count > 0;
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
