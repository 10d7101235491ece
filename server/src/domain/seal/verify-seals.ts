import type { GuildRef } from '../model.ts';
import type { Store } from '../ports.ts';
import { areEqual, type Bytes } from './bytes.ts';
import type { Checkpoint } from './checkpoint.ts';
import { SealError } from './seal-error.ts';
import { originOf } from './seal-keys.ts';
import type { SealLog, SealState } from './seal-store.ts';
import { openCheckpoint } from './signing.ts';
import { type GrowingTree, growTree, hashAt, joinHashes, TILE_WIDTH } from './tree.ts';

/** A checkpoint from outside of the store. */
export interface KeptCheckpoint {
  /** The file or other source, for findings. */
  place: string;
  text: string;
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

/** A checkpoint with a valid signature that the log has to pass on its way. */
interface Milestone extends Checkpoint {
  place: string;
}

/**
 * Computes every log again from its transactions, and compares it with the stored hashes, the signed checkpoint, and checkpoints
 * that were kept elsewhere.
 */
export async function verifySeals(parts: VerifySealsParts): Promise<void> {
  const { store, name, add } = parts;
  const guilds = await store.guilds.list();
  const known = new Map(guilds.map((guild) => [originOf(name, guild.guildId), guild]));
  const milestones = new Map<string, Milestone[]>();
  for (const { place, text } of parts.checkpoints) {
    const opened = openKept(text, parts.publicKeys, known);
    if (typeof opened === 'string') {
      add(`${place}: ${opened}`);
    } else {
      milestones.set(opened.origin, [...(milestones.get(opened.origin) ?? []), { ...opened, place }]);
    }
  }
  for (const [origin, guild] of known) {
    const [state] = await store.seals.states([guild.guildNo]);
    const passed = (milestones.get(origin) ?? []).sort((one, other) => one.size - other.size);
    if (state !== undefined) {
      await verifyLog(parts, { state, origin, milestones: passed });
    }
  }
}

function openKept(
  text: string,
  publicKeys: readonly Bytes[],
  known: ReadonlyMap<string, GuildRef>,
): Checkpoint | string {
  const [origin = ''] = text.split('\n', 1);
  if (!known.has(origin)) {
    return 'this is not a checkpoint of a guild in this store';
  }
  try {
    return openCheckpoint(text, origin, publicKeys);
  } catch (error) {
    return explain(error);
  }
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
  milestones: readonly Milestone[];
}

async function verifyLog(parts: VerifySealsParts, { state, origin, milestones }: LogCheck): Promise<void> {
  const { guildId, log } = state;
  const add = (finding: string) => parts.add(`guild ${guildId}: ${finding}`);
  for (const { place, size } of milestones) {
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
  const walk = createWalk(parts, { state, log, milestones, add });
  await walk.run();
  checkSignature(parts, { log, origin, tree: walk.tree, add });
}

/** Compares the signed root and the stored frontier with the tree of the transactions. */
function checkSignature(
  { publicKeys }: VerifySealsParts,
  given: { log: SealLog; origin: string; tree: GrowingTree; add: (finding: string) => void },
): void {
  const { log, origin, tree, add } = given;
  try {
    const { size, root } = openCheckpoint(log.checkpoint, origin, publicKeys);
    if (size !== log.size || (tree.size === size && !areEqual(tree.root(), root))) {
      add('the sealed transactions do not lead to the signed root');
    }
  } catch (error) {
    add(explain(error));
  }
  if (tree.size === log.size && !joinHashes(tree.frontier()).equals(log.frontier)) {
    add('the stored end of the sealed log is not that of its transactions');
  }
}

function createWalk(
  { store: { seals }, onProgress }: VerifySealsParts,
  given: {
    state: SealState;
    log: SealLog;
    milestones: readonly Milestone[];
    add: (finding: string) => void;
  },
) {
  const { state, log, milestones, add } = given;
  const { guildNo, archivedNumber } = state;
  const { firstNumber, size, tiled } = log;
  const levels: Uint8Array[][] = [];
  let differs: number | undefined;
  let agreed = 0;
  const tree = growTree({ size: 0, frontier: [] }, (level, hash) => {
    if (level > 0) {
      levels[level] ??= [];
      levels[level].push(hash);
    }
  });

  function describePlace(milestone: Milestone): string {
    const number = (index: number) => firstNumber + index;
    return differs === undefined
      ? `one of the transactions ${number(agreed)} to ${number(milestone.size - 1)} is not the one that was sealed then`
      : `transaction ${number(differs)} is the first that is not as it was`;
  }

  function pass(hash: Uint8Array, tile: Uint8Array): void {
    const index = tree.size;
    const stored = hashAt(tile, index % TILE_WIDTH);
    if (index < tiled && differs === undefined && !areEqual(stored, hash)) {
      differs = index;
      add(`transaction ${firstNumber + index} is not the one that was sealed`);
    }
    tree.append(hash);
    for (const milestone of milestones) {
      if (milestone.size === tree.size) {
        if (areEqual(milestone.root, tree.root())) {
          agreed = milestone.size;
        } else {
          add(`${milestone.place} no longer holds: ${describePlace(milestone)}`);
        }
      }
    }
  }

  /** Hashes of leaves: those of archived transactions from tiles, the others from rows. */
  async function readHashes(first: number, last: number, tile: Uint8Array): Promise<Uint8Array[]> {
    const archived = Math.max(Math.min(archivedNumber - firstNumber + 1, last), first);
    const fromTile = Array.from({ length: archived - first }, (_, index) =>
      hashAt(tile, (first + index) % TILE_WIDTH),
    );
    const range = { after: firstNumber + archived - 1, through: firstNumber + last - 1 };
    const fromRows = archived < last ? await seals.leafHashes(guildNo, range) : [];
    return [...fromTile, ...fromRows];
  }

  async function compareLevels(): Promise<void> {
    for (const [level, hashes] of levels.entries()) {
      for (let first = 0; level > 0 && first < hashes.length; first += TILE_WIDTH) {
        const expected = joinHashes(hashes.slice(first, first + TILE_WIDTH));
        const stored = await seals.storedTile(guildNo, { level, tileNo: first / TILE_WIDTH });
        // A log that grew meanwhile has more.
        if (!expected.equals(stored.subarray(0, expected.length))) {
          add(`tile ${level}/${first / TILE_WIDTH} of the sealed log is not that of its transactions`);
          return;
        }
      }
    }
  }

  async function run(): Promise<void> {
    for (let first = 0; first < size; first += TILE_WIDTH) {
      const last = Math.min(first + TILE_WIDTH, size);
      const tile = await seals.storedTile(guildNo, { level: 0, tileNo: first / TILE_WIDTH });
      const hashes = await readHashes(first, last, tile);
      for (const hash of hashes) {
        pass(hash, tile);
      }
      onProgress(hashes.length);
      if (hashes.length < last - first) {
        add(`transaction ${firstNumber + tree.size} was sealed and is missing`);
        return;
      }
    }
    await compareLevels();
  }

  return { tree, run };
}
