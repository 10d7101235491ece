import type { NewTransaction } from '../../domain/model.ts';
import { HASH_BYTES } from '../../domain/seal/bytes.ts';
import { leafText, toLeaf } from '../../domain/seal/leaf.ts';
import { hashLeaf } from '../../domain/seal/tree.ts';

/** The facts of a transaction that its commit adds. */
export interface Placed {
  number: number;
  balanceUnits: number;
  createdAtMs: number;
}

/** Posts of one guild with consecutive numbers. */
export type PostedRun = [guildNo: number, first: number, count: number, lastId: string];

/** Hashes of the leaves of committed posts, as plain data that can cross threads. */
export interface PostedLeaves {
  runs: PostedRun[];
  /** The hashes of all runs, one after the other. */
  hashes: Uint8Array;
}

/** Collects the leaf hashes of one commit. Its posts are in memory, so that the sealer need not read them. */
export interface LeafNotes {
  note(post: NewTransaction, placed: Placed): void;
  /** Removes and returns the noted hashes; undefined when there are none. Call it after the commit. */
  take(): PostedLeaves | undefined;
  /** Drops the noted hashes, because their commit failed or is not known yet. */
  forget(): void;
}

export function createLeafNotes(): LeafNotes {
  let runs: PostedRun[] = [];
  let hashes: Uint8Array[] = [];

  function forget(): void {
    runs = [];
    hashes = [];
  }

  return {
    note(post, placed) {
      if (post.keyNo !== undefined && post.keyId === undefined) {
        // The sealer reads it, and finds the key by its number.
        return;
      }
      const { guildNo } = post.guild;
      const last = runs.at(-1);
      if (last !== undefined && last[0] === guildNo && last[1] + last[2] === placed.number) {
        last[2] += 1;
        last[3] = post.transactionId;
      } else {
        runs.push([guildNo, placed.number, 1, post.transactionId]);
      }
      hashes.push(leafHashOf(post, placed));
    },
    take() {
      if (runs.length === 0) {
        return undefined;
      }
      // A buffer of its own: a part of Node's pool would cross threads together with the rest of the pool.
      const joined = new Uint8Array(hashes.length * HASH_BYTES);
      for (const [index, hash] of hashes.entries()) {
        joined.set(hash, index * HASH_BYTES);
      }
      const taken = { runs, hashes: joined };
      forget();
      return taken;
    },
    forget,
  };
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
