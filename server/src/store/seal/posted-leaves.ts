import type { NewTransaction } from '../../domain/model.ts';
import { HASH_BYTES } from '../../domain/seal/bytes.ts';
import { leafText, toLeaf } from '../../domain/seal/leaf.ts';
import { hashLeaf } from '../../domain/seal/tree.ts';

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

/** Collects the posts of one commit. They are in memory, so that the sealer need not read their rows. */
export interface LeafNotes {
  note(post: NewTransaction, placed: Placed): void;
  /** Hashes and removes the noted posts; undefined when there are none. Call it after the commit. */
  take(): PostedLeaves | undefined;
  /** Drops the noted posts. Call it when the commit failed, or when the transaction is still open. */
  forget(): void;
}

export function createLeafNotes(): LeafNotes {
  let noted: { post: NewTransaction; placed: Placed }[] = [];

  return {
    note(post, placed) {
      // The leaf needs the key's id. The sealer reads the row of a post without it, and finds the id by the number.
      if (post.keyNo === undefined || post.keyId !== undefined) {
        noted.push({ post, placed });
      }
    },
    take() {
      if (noted.length === 0) {
        return undefined;
      }
      // A buffer of its own: a part of Node's pool would cross threads together with the rest of the pool.
      const leaves: PostedLeaves = { runs: [], hashes: new Uint8Array(noted.length * HASH_BYTES) };
      for (const [index, { post, placed }] of noted.entries()) {
        leaves.hashes.set(leafHashOf(post, placed), index * HASH_BYTES);
        extend(leaves.runs, post, placed.number);
      }
      noted = [];
      return leaves;
    },
    forget() {
      noted = [];
    },
  };
}

/** Adds a post to the last run, or begins another one. */
function extend(runs: PostedRun[], { guild, transactionId }: NewTransaction, number: number): void {
  const last = runs.at(-1);
  if (last !== undefined && last[0] === guild.guildNo && last[1] + last[2] === number) {
    last[2] += 1;
    last[3] = transactionId;
  } else {
    runs.push([guild.guildNo, number, 1, transactionId]);
  }
}

function leafHashOf(post: NewTransaction, { number, balanceUnits, createdAtMs }: Placed): Uint8Array {
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
  return hashLeaf(leafText(leaf));
}
