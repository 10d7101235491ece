import { HASH_BYTES } from '../../domain/seal/bytes.ts';
import type { SealBase, SealDamage, SealGrowth, StoredTile } from '../../domain/seal/seal-store.ts';
import type { TileName } from '../../domain/seal/tiles.ts';
import {
  frontierLength,
  type GrowingTree,
  growTree,
  joinHashes,
  splitHashes,
  TILE_WIDTH,
} from '../../domain/seal/tree.ts';
import { type Sql, statement } from '../sql.ts';
import { confirmRuns } from './confirm-runs.ts';
import { type NumberRange, readLeafHashes } from './leaf-rows.ts';
import { type LeafRun, lastOf } from './recent-leaves.ts';

/** Each gap takes some statements of its own. */
const GAPS_MAX = 8;
/** The last tile of level 0 is written again when it lacks this many hashes. */
export const TAIL_MAX = 64;

const FIND_TILE = statement<{ hashes: Uint8Array }>(
  'SELECT hashes FROM seal_tile WHERE guild_no = $1 AND level = $2 AND tile_no = $3',
);

export interface GuildBase extends SealBase {
  guildNo: number;
}

export interface GrowthInput extends GuildBase {
  lastNumber: number;
  limit: number;
  /** Hashes of leaves after the log, in the order of their numbers. Those of other leaves are computed from their rows. */
  recent: readonly LeafRun[];
}

/** The numbers of the next transactions of the log. */
export function nextRange({
  guildNo,
  firstNumber,
  size,
  lastNumber,
  limit,
}: Omit<GrowthInput, 'recent'>): NumberRange {
  const after = firstNumber + size - 1;
  return { guildNo, after, through: Math.min(lastNumber, after + limit) };
}

type BaseWithRecent = GuildBase & Partial<Pick<GrowthInput, 'recent'>>;

/** Thrown and caught in this file. */
class Damaged extends Error {}

/** The hashes of a tile as they are stored; empty when it is not. */
export async function findTile(sql: Sql, guildNo: number, { level, tileNo }: TileName): Promise<Uint8Array> {
  return (await sql.first(FIND_TILE, [guildNo, level, tileNo]))?.hashes ?? new Uint8Array();
}

/** The first `width` hashes of a stored tile. It must not have fewer. */
export async function readTile(
  sql: Sql,
  guildNo: number,
  { level, tileNo, width }: TileName & { width: number },
): Promise<Uint8Array> {
  const hashes = width === 0 ? new Uint8Array() : await findTile(sql, guildNo, { level, tileNo });
  if (hashes.length < width * HASH_BYTES) {
    throw new Damaged(`tile ${level}/${tileNo} of the sealed log lacks hashes`);
  }
  return hashes.subarray(0, width * HASH_BYTES);
}

/** Hashes of the leaves in [`from`, `to`). Leaves below `size` are always computed from rows, to compare them with the frontier. */
async function readHashes(sql: Sql, input: BaseWithRecent, from: number, to: number): Promise<Uint8Array[]> {
  const { firstNumber, size } = input;
  const hashes: Uint8Array[] = [];
  const readUntil = async (end: number) => {
    hashes.push(...(await readRows(sql, input, from + hashes.length, end)));
  };
  await readUntil(Math.min(size, to));
  for (const run of await usableRuns(sql, input)) {
    const begin = run.first - firstNumber;
    await readUntil(Math.min(begin, to));
    // Skip leaves that an earlier run has added.
    hashes.push(...splitHashes(run.hashes).slice(from + hashes.length - begin, to - begin));
  }
  await readUntil(to);
  return hashes;
}

/** The confirmed runs. None when more than GAPS_MAX gaps lie between them: reading all rows is faster then. */
async function usableRuns(sql: Sql, { guildNo, recent = [] }: BaseWithRecent): Promise<readonly LeafRun[]> {
  const confirmed = await confirmRuns(sql, guildNo, recent);
  const gaps = confirmed.filter((run, index) => {
    const before = confirmed[index - 1];
    return before !== undefined && lastOf(before) + 1 < run.first;
  });
  return gaps.length > GAPS_MAX ? [] : confirmed;
}

async function readRows(sql: Sql, input: GuildBase, from: number, to: number): Promise<Uint8Array[]> {
  if (from >= to) {
    return [];
  }
  const { guildNo, firstNumber } = input;
  const range = { guildNo, after: firstNumber + from - 1, through: firstNumber + to - 1 };
  const hashes = await readLeafHashes(sql, range);
  if (hashes.length < to - from) {
    throw new Damaged(`transaction ${range.after + hashes.length + 1} is missing`);
  }
  return hashes;
}

/** The tree of the leaves that are in tiles, which ends in the same tile of level 0 as the log. */
async function treeOfTiles(sql: Sql, input: GuildBase): Promise<{ tree: GrowingTree; tail: Uint8Array }> {
  const { size, tiled, frontier, guildNo } = input;
  const [tileNo, width] = [Math.floor(tiled / TILE_WIDTH), tiled % TILE_WIDTH];
  const tail = await readTile(sql, guildNo, { level: 0, tileNo, width });
  const base = size - (size % TILE_WIDTH);
  if (tiled < base) {
    throw new Damaged('the sealed log lacks tiles');
  }
  const tree = growTree({ size: base, frontier: splitHashes(frontier).slice(0, frontierLength(base)) });
  splitHashes(tail).forEach(tree.append);
  return { tree, tail };
}

/** Appends leaves after those in tiles. On the way it has to pass the state of the log. */
export async function growTiles(sql: Sql, input: BaseWithRecent, target: number): Promise<SealGrowth> {
  const { guildNo, size, tiled, frontier, firstNumber } = input;
  const { tree: begun, tail } = await treeOfTiles(sql, input);
  const levels: Uint8Array[][] = [];
  const tree = growTree({ size: begun.size, frontier: begun.frontier() }, (level, hash) => {
    levels[level] ??= [];
    levels[level].push(hash);
  });
  const check = () => {
    if (tree.size === size && !joinHashes(tree.frontier()).equals(frontier)) {
      throw new Damaged(`transactions from ${firstNumber + tiled} on are not those that were sealed`);
    }
  };
  check();
  for (const hash of await readHashes(sql, input, tiled, target)) {
    tree.append(hash);
    check();
  }
  const tiles: StoredTile[] = [];
  for (const [level, hashes] of levels.entries()) {
    const first = level === 0 ? tiled : Math.floor(size / TILE_WIDTH ** level);
    const name = { level, tileNo: Math.floor(first / TILE_WIDTH) };
    const begin = level === 0 ? tail : await readTile(sql, guildNo, { ...name, width: first % TILE_WIDTH });
    tiles.push(...cutTiles(name, joinHashes([begin, ...hashes])));
  }
  return { firstNumber, size: tree.size, tiled: tree.size, frontier: frontierBytes(tree), tiles };
}

function cutTiles({ level, tileNo }: TileName, bytes: Uint8Array): StoredTile[] {
  const tileBytes = TILE_WIDTH * HASH_BYTES;
  return Array.from({ length: Math.ceil(bytes.length / tileBytes) }, (_, index) => ({
    level,
    tileNo: tileNo + index,
    hashes: Uint8Array.from(bytes.subarray(index * tileBytes, (index + 1) * tileBytes)),
  }));
}

/** A copy of its own: a view would be sent to another thread together with the whole buffer behind it. */
function frontierBytes(tree: GrowingTree): Uint8Array {
  return Uint8Array.from(joinHashes(tree.frontier()));
}

/** Appends leaves to the frontier alone. */
async function growFrontier(sql: Sql, input: GrowthInput, target: number): Promise<SealGrowth> {
  const { size, tiled, firstNumber, frontier } = input;
  const tree = growTree({ size, frontier: splitHashes(frontier) });
  (await readHashes(sql, input, size, target)).forEach(tree.append);
  return { firstNumber, size: tree.size, tiled, frontier: frontierBytes(tree), tiles: [] };
}

async function grow(sql: Sql, input: GrowthInput): Promise<SealGrowth | SealDamage> {
  const { size, tiled, lastNumber, firstNumber, limit } = input;
  const target = Math.min(lastNumber - firstNumber + 1, size + limit);
  const isTiled =
    target - tiled >= TAIL_MAX || Math.floor(target / TILE_WIDTH) > Math.floor(tiled / TILE_WIDTH);
  return orDamage(() => (isTiled ? growTiles(sql, input, target) : growFrontier(sql, input, target)));
}

/** Returns damage that the work found as a value, which can cross threads. */
export async function orDamage<Result>(work: () => Promise<Result>): Promise<Result | SealDamage> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Damaged) {
      return { damage: error.message };
    }
    throw error;
  }
}

/** All in one snapshot: SQLite forgets the pages that it read when a snapshot ends. */
export const SEAL_READS = { growSeal: grow };
