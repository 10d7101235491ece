import { HASH_BYTES, toBase64, toUtf8 } from '../../server/src/domain/seal/bytes.ts';
import { leafText, toLeaf } from '../../server/src/domain/seal/leaf.ts';
import { formatProof } from '../../server/src/domain/seal/proof-text.ts';
import {
  makeSealKey,
  openSealKey,
  signCheckpoint,
  verifierKeyText,
} from '../../server/src/domain/seal/signing.ts';
import {
  consistencyRanges,
  hashRanges,
  inclusionRanges,
  type TileName,
} from '../../server/src/domain/seal/tiles.ts';
import { growTree, hashLeaf, TILE_WIDTH } from '../../server/src/domain/seal/tree.ts';

/** Everything that other verifiers check, as one JSON document. */
export interface Vectors {
  verifierKey: string;
  checkpoints: string[];
  receipts: string[];
  consistency: { from: string; to: string; proof: string[] }[];
  /** Receipts with an altered leaf. */
  wrong: string[];
  /** The texts of the first leaves. */
  firstLeaves: string[];
}

const ORIGIN = 'guildbook.example/seal/8142';
const EDGES = [1, 2, 3, 255, 256, 257, 65_535, 65_536, 65_537];
const FIRST_LEAVES = 1_000;

/** Hashes of one level, one after the other, in memory that grows. */
function createLevel() {
  let bytes = Buffer.alloc(1_024 * HASH_BYTES);
  let end = 0;
  return {
    push(hash: Uint8Array) {
      if (end === bytes.length) {
        bytes = Buffer.concat([bytes, Buffer.alloc(bytes.length)]);
      }
      bytes.set(hash, end);
      end += HASH_BYTES;
    },
    slice: (first: number, last: number) =>
      bytes.subarray(first * HASH_BYTES, Math.min(last * HASH_BYTES, end)),
  };
}

function leafOf(index: number): string {
  return leafText(
    toLeaf({
      number: index + 1,
      transactionId: `0192f0c1-7d5a-7abc-8def-${String(index).padStart(12, '0')}`,
      playerId: `player ${index % 97}`,
      amountUnits: index * 12_345 - 1_000_000,
      quantity: 1 + (index % 5),
      totalUnits: (index * 12_345 - 1_000_000) * (1 + (index % 5)),
      balanceUnits: index * 7 - 3,
      name: ['Iron Ingot', 'Schwert der "Dämmerung"', '剣', 'line\nbreak', '😀 \\ /'][index % 5] ?? '',
      source: 'shop',
      createdAtMs: Date.UTC(2026, 0, 1) + index * 1_000,
      reference: index % 3 === 0 ? `order-${index}` : null,
      metadata: index % 4 === 0 ? { b: '2', a: String(index) } : null,
      paymentId: null,
      reverses: null,
      keyId: index % 2 === 0 ? '5f0c2b1e-0a4f-4a52-9d3e-6f0f5f8f6a11' : null,
      postedBy: index % 7 === 0 ? '302817465920118784' : null,
    }),
  );
}

/** Grows one log through all sizes, and makes receipts and proofs at each. `random` returns numbers from 0 to 1. */
export async function makeVectors(random: () => number): Promise<Vectors> {
  const signer = openSealKey(makeSealKey().secret);
  const levels: ReturnType<typeof createLevel>[] = [];
  const tree = growTree({ size: 0, frontier: [] }, (level, hash) => {
    levels[level] ??= createLevel();
    levels[level].push(hash);
  });
  const readTile = async ({ level, tileNo }: TileName) =>
    levels[level]?.slice(tileNo * TILE_WIDTH, (tileNo + 1) * TILE_WIDTH) ?? Buffer.alloc(0);
  const made: Vectors = {
    verifierKey: verifierKeyText(ORIGIN, signer.publicKey),
    checkpoints: [],
    receipts: [],
    consistency: [],
    wrong: [],
    firstLeaves: Array.from({ length: FIRST_LEAVES }, (_, index) => leafOf(index)),
  };
  const sizes: number[] = [];

  async function addReceipts(checkpoint: string, count: number): Promise<void> {
    const state = { size: tree.size, frontier: tree.frontier() };
    for (let done = 0; done < count; done += 1) {
      const index = done === 0 ? tree.size - 1 : Math.floor(random() * tree.size);
      const hashes = (await hashRanges(state, inclusionRanges(index, tree.size), readTile)).map((hash) =>
        Uint8Array.from(hash),
      );
      const proof = { index, hashes, checkpoint };
      made.receipts.push(formatProof({ ...proof, extra: toUtf8(leafOf(index)) }));
      if (done === 0) {
        made.wrong.push(formatProof({ ...proof, extra: toUtf8(leafOf(index).replace('shop', 'shoq')) }));
      }
    }
  }

  async function addConsistency(checkpoint: string, count: number): Promise<void> {
    const state = { size: tree.size, frontier: tree.frontier() };
    for (let done = 0; done < count; done += 1) {
      const place = Math.floor(random() * sizes.length);
      const [from = 1, older = ''] = [sizes[place], made.checkpoints[place]];
      const hashes = await hashRanges(state, consistencyRanges(from, tree.size), readTile);
      made.consistency.push({ from: older, to: checkpoint, proof: hashes.map(toBase64) });
    }
  }

  const last = 1_000_000 + Math.floor(random() * 200_000);
  for (const size of [...EDGES, last]) {
    while (tree.size < size) {
      tree.append(hashLeaf(leafOf(tree.size)));
    }
    const checkpoint = signCheckpoint({ origin: ORIGIN, size, root: Uint8Array.from(tree.root()) }, [signer]);
    made.checkpoints.push(checkpoint);
    sizes.push(size);
    await addReceipts(checkpoint, 100);
    await addConsistency(checkpoint, 10);
  }
  return made;
}
