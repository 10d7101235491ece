import { hash } from 'node:crypto';
import type { Guild } from '../../server/src/domain/model.ts';
import type { Store } from '../../server/src/domain/ports.ts';
import { HASH_BYTES } from '../../server/src/domain/seal/bytes.ts';
import { originOf, type SealKeys } from '../../server/src/domain/seal/seal-keys.ts';
import type { StoredTile } from '../../server/src/domain/seal/seal-store.ts';
import { createSeals } from '../../server/src/domain/seal/seals.ts';
import { signCheckpoint } from '../../server/src/domain/seal/signing.ts';
import { growTree, joinHashes, TILE_WIDTH } from '../../server/src/domain/seal/tree.ts';

const TILES_AT_ONCE = 256;

/**
 * Writes the log of a ledger that has rows for some of its numbers only: one at each multiple of `spacing`. Hashes of the others are made
 * up. A receipt reads the same tiles and computes the same nodes as in a ledger with all rows.
 */
export async function writeLargeLog(
  store: Store,
  keys: SealKeys,
  { guild, size, spacing }: { guild: Guild; size: number; spacing: number },
): Promise<void> {
  const { name, signers } = await keys.read();
  const open: Uint8Array[][] = [];
  const ready: StoredTile[] = [];
  const counts: number[] = [];
  const tree = growTree({ size: 0, frontier: [] }, (level, leaf) => {
    open[level] ??= [];
    open[level].push(leaf);
    counts[level] ??= 0;
    if (open[level].length === TILE_WIDTH) {
      ready.push({ level, tileNo: counts[level], hashes: joinHashes(open[level]) });
      counts[level] += 1;
      open[level] = [];
    }
  });
  let before = { size: 0, tiled: 0, frontier: new Uint8Array() };
  const write = async (tiles: StoredTile[]) => {
    const head = {
      origin: originOf(name, guild.guildId),
      size: tree.size,
      root: Uint8Array.from(tree.root()),
    };
    const checkpoint = signCheckpoint(head, signers);
    const frontier = Uint8Array.from(joinHashes(tree.frontier()));
    const after = { firstNumber: 1, size: tree.size, tiled: tree.size, frontier };
    const lease = { holder: 'bench', untilMs: 0 };
    const sealedAtMs = Date.now();
    await store.seals.advance({
      guildNo: guild.guildNo,
      before,
      after: { ...after, checkpoint, sealedAtMs },
      tiles,
      lease,
    });
    before = after;
  };
  for (let first = 0; first < size; first += spacing) {
    // Of each `spacing` leaves the last is that of a row.
    const made = Math.min(spacing - 1, size - first);
    for (let index = 0; index < made; index += 1) {
      tree.append(hash('sha256', `${first + index}`, 'buffer'));
    }
    if (first + made < size) {
      const range = { after: first + made, through: first + made + 1 };
      const [leaf = new Uint8Array(HASH_BYTES)] = await store.seals.leafHashes(guild.guildNo, range);
      tree.append(leaf);
    }
    if (ready.length >= TILES_AT_ONCE) {
      await write(ready.splice(0));
    }
  }
  const rest = open.flatMap((hashes, level) =>
    hashes.length === 0 ? [] : [{ level, tileNo: counts[level] ?? 0, hashes: joinHashes(hashes) }],
  );
  await write([...ready.splice(0), ...rest]);
}

/** Processor time of a receipt in milliseconds, here and in the database, over transactions of the whole ledger. */
export async function receiptCost(
  store: Store,
  keys: SealKeys,
  { guild, count, cpuMs }: { guild: Guild; count: number; cpuMs: () => number },
): Promise<{ hereMs: number; databaseMs: number }> {
  const seals = createSeals({ store, keys });
  const ids: string[] = [];
  const { lastNumber } = await store.seals.state(guild);
  for (let index = 0; index < count; index += 1) {
    const after = Math.floor(Math.random() * lastNumber * 0.999);
    const [entry] = await store.entries.feed(guild, { after, limit: 1 });
    ids.push(entry?.transactionId ?? '');
  }
  const [before, databaseMs] = [process.cpuUsage(), cpuMs()];
  for (const id of ids) {
    await seals.receipt(guild, id);
  }
  const { user, system } = process.cpuUsage(before);
  return { hereMs: (user + system) / 1_000 / count, databaseMs: (cpuMs() - databaseMs) / count };
}
