import type { GuildRef } from '../model.ts';
import type { Store } from '../ports.ts';
import { areEqual, type Bytes } from './bytes.ts';
import { checkInclusion } from './check-proofs.ts';
import type { Checkpoint } from './checkpoint.ts';
import { SealError } from './seal-error.ts';
import { originOf } from './seal-keys.ts';
import type { SealLog, SealState } from './seal-store.ts';
import { openCheckpoint } from './signing.ts';
import { combine, frontierLength, hashLeaf, sha256, splitHashes, TILE_WIDTH } from './tree.ts';
import { createVerifyWalk, type VerifyWalk } from './verify-walk.ts';
import {
  type Difference,
  narrowDown,
  type RangeComparison,
  rangesOfFrontier,
  rangesOfProof,
  type SealedRange,
} from './witness.ts';

/** A checkpoint from outside of the store. */
export interface KeptCheckpoint {
  /** The file or other source, for findings. */
  place: string;
  text: string;
  /** The leaf and the proof of a receipt. */
  receipt?: { leaf: string; index: number; hashes: readonly Uint8Array[] } | undefined;
}

export interface VerifySealsParts {
  store: Pick<Store, 'seals' | 'guilds'>;
  /** The keys of the store. */
  name: string;
  publicKeys: readonly Bytes[];
  checkpoints: readonly KeptCheckpoint[];
  add: (finding: string) => void;
  onProgress: (count: number) => void;
}

/** A checkpoint with a valid signature, and the hashes that are signed with it. */
interface Kept {
  place: string;
  size: number;
  ranges: readonly SealedRange[];
}

interface Compared extends Kept {
  comparison: RangeComparison;
}

/**
 * Computes every log again from its transactions, and compares it with the stored hashes, the signed checkpoint, and checkpoints
 * that were kept elsewhere.
 */
export async function verifySeals(parts: VerifySealsParts): Promise<void> {
  const { store, name, add } = parts;
  const guilds = await store.guilds.list();
  const known = new Map(guilds.map((guild) => [originOf(name, guild.guildId), guild]));
  const kept = new Map<string, Kept[]>();
  for (const checkpoint of parts.checkpoints) {
    try {
      const { origin, ...opened } = await openKept(checkpoint, parts.publicKeys, known);
      kept.set(origin, [...(kept.get(origin) ?? []), opened]);
    } catch (error) {
      add(`${checkpoint.place}: ${explain(error)}`);
    }
  }
  for (const [origin, guild] of known) {
    const [state] = await store.seals.states([guild.guildNo]);
    if (state !== undefined) {
      await verifyLog(parts, { state, origin, kept: kept.get(origin) ?? [] });
    }
  }
}

/** Throws a `SealError` unless a key of this store signed it, and the proof of a receipt leads to its root. */
async function openKept(
  { place, text, receipt }: KeptCheckpoint,
  publicKeys: readonly Bytes[],
  known: ReadonlyMap<string, GuildRef>,
): Promise<Kept & { origin: string }> {
  const [origin = ''] = text.split('\n', 1);
  if (!known.has(origin)) {
    throw new SealError('key', 'this is not a checkpoint of a guild in this store');
  }
  const { size, root } = openCheckpoint(text, origin, publicKeys);
  if (receipt === undefined) {
    return { origin, place, size, ranges: size === 0 ? [] : [{ end: size, hash: root }] };
  }
  const inclusion = { index: receipt.index, size, leafHash: hashLeaf(receipt.leaf), hashes: receipt.hashes };
  await checkInclusion(inclusion, root, sha256);
  return { origin, place, size, ranges: rangesOfProof(inclusion, inclusion) };
}

function explain(error: unknown): string {
  if (error instanceof SealError) {
    return error.message;
  }
  throw error;
}

interface LogCheck {
  state: SealState;
  origin: string;
  kept: readonly Kept[];
}

async function verifyLog(parts: VerifySealsParts, { state, origin, kept }: LogCheck): Promise<void> {
  const { guildId, log } = state;
  const add = (finding: string) => parts.add(`guild ${guildId}: ${finding}`);
  for (const { place, size } of kept) {
    if (size > (log?.size ?? 0)) {
      add(
        `${place} is a checkpoint of ${size} transactions, and the sealed log has ${log?.size ?? 0}: ` +
          'the end is missing, or an older backup was restored',
      );
    }
  }
  if (log === undefined) {
    return;
  }
  const walk = createVerifyWalk(parts, state, log);
  const signed = openSigned(log, add, () => openCheckpoint(log.checkpoint, origin, parts.publicKeys));
  const own = walk.compare(signed);
  const compared = kept
    .filter(({ size }) => size <= log.size)
    .map((one) => ({ ...one, comparison: walk.compare(one.ranges) }));
  const missing = await walk.run();
  const report = createReport(log.firstNumber, add);
  report.log(walk, { own, isSigned: signed.length > 0, missing });
  report.kept(compared, own);
  const wrongTile = own.difference === undefined && missing === undefined && (await walk.findWrongTile());
  if (wrongTile) {
    add(`tile ${wrongTile} of the sealed log is not that of its transactions`);
  }
}

/** The signed hashes of the log itself: those of the frontier, if they lead to the signed root. */
function openSigned(
  { size, frontier: bytes }: SealLog,
  add: (finding: string) => void,
  open: () => Checkpoint,
): SealedRange[] {
  let signed: Checkpoint;
  try {
    signed = open();
  } catch (error) {
    add(explain(error));
    return [];
  }
  if (signed.size !== size) {
    add(`the sealed log has ${size} transactions, and its checkpoint is of ${signed.size}`);
    return signed.size > 0 && signed.size < size ? [{ end: signed.size, hash: signed.root }] : [];
  }
  const frontier = splitHashes(bytes);
  if (frontier.length !== frontierLength(size) || !areEqual(combine(frontier), signed.root)) {
    add('the stored end of the sealed log does not lead to the signed root');
    return [{ end: size, hash: signed.root }];
  }
  return rangesOfFrontier(size, frontier);
}

/** Writes findings about one log. */
function createReport(firstNumber: number, add: (finding: string) => void) {
  const numberOf = (index: number) => firstNumber + index;
  const describe = ({ start, end }: Difference) =>
    end - start === 1
      ? `transaction ${numberOf(start)}`
      : `one of the transactions ${numberOf(start)} to ${numberOf(end - 1)}`;

  function contradiction(difference: Difference, compared: readonly Compared[]): string {
    const other = compared.find(({ comparison }) => comparison.agreed >= difference.end);
    return other === undefined ? '' : `; ${other.place} holds, so two histories were signed`;
  }

  return {
    /** The log against its own checkpoint and tiles. */
    log(walk: VerifyWalk, { own, isSigned, missing }: LogResult): void {
      const other = walk.firstOther();
      const seen = own.difference ?? (isSigned || other === undefined ? undefined : spanOf(other));
      if (seen !== undefined && !isSpanOf(seen, missing)) {
        add(`${describe(seen)} is not the one that was sealed`);
      }
      if (missing !== undefined) {
        add(`transaction ${numberOf(missing)} was sealed and is missing`);
      } else if (seen === undefined && other !== undefined) {
        add(`tile 0/${Math.floor(other / TILE_WIDTH)} of the sealed log is not that of its transactions`);
      }
    },
    /** Checkpoints from elsewhere. The log itself is of the same history, unless it was sealed again. */
    kept(compared: readonly Compared[], own: RangeComparison): void {
      const comparisons = compared.map(({ comparison }) => comparison);
      const together = own.difference === undefined ? comparisons : [...comparisons, own];
      for (const { place, comparison } of compared) {
        const { difference } = comparison;
        if (difference !== undefined) {
          const found = narrowDown(together);
          const about = `${describe(found ?? difference)} is the first that is not as it was`;
          add(`${place} no longer holds: ${about}${found ? '' : contradiction(difference, compared)}`);
        }
      }
    },
  };
}

interface LogResult {
  own: RangeComparison;
  /** True when the log has a checkpoint with a valid signature. */
  isSigned: boolean;
  missing: number | undefined;
}

const spanOf = (index: number): Difference => ({ start: index, end: index + 1 });
const isSpanOf = ({ start, end }: Difference, index: number | undefined) =>
  start === index && end === index + 1;
