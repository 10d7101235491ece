import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { checkConsistency } from '../../src/domain/seal/check-proofs.ts';
import { BOTH_KEYS_MS } from '../../src/domain/seal/seal-keys.ts';
import type { SealLog } from '../../src/domain/seal/seal-store.ts';
import { consistencyRanges, hashRanges, inclusionRanges, tileWidth } from '../../src/domain/seal/tiles.ts';
import { sha256, splitHashes } from '../../src/domain/seal/tree.ts';
import { createReference } from '../seal/reference-tree.ts';
import { checkpointOf, createClock, leavesOf, type SealerOfTest, sealerOf } from './seal-specimens.ts';
import { aPastTransaction, aTransaction } from './specimens.ts';
import { type CreatePlace, openWithGuild, shareByGuild } from './store-place.ts';

const hex = (hashes: readonly Uint8Array[]) => hashes.map((hash) => Buffer.from(hash).toString('hex'));

export async function importMany(store: Store, guild: Guild, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) =>
    aPastTransaction(guild, { playerId: `player ${index % 7}`, amountUnits: index + 1 }),
  );
  for (let first = 0; first < count; first += 500) {
    await store.ledger.import(guild, rows.slice(first, first + 500));
  }
}

export async function logOf(store: Store, guild: Guild): Promise<SealLog> {
  const { log } = await store.seals.state(guild);
  if (log === undefined) {
    throw new Error('the guild has no log');
  }
  return log;
}

const treeOf = ({ size, frontier }: SealLog) => ({ size, frontier: splitHashes(frontier) });

/** Compares the log with a tree over the guild's feed: root, every tile, and some proofs. */
export async function expectWhole(store: Store, sealer: SealerOfTest, guild: Guild): Promise<void> {
  const leaves = await leavesOf(store, guild);
  const log = await logOf(store, guild);
  const checkpoint = await checkpointOf(store, sealer, guild);
  const reference = createReference(leaves);
  expect([checkpoint.size, log.size]).toEqual([leaves.length, leaves.length]);
  expect(hex([checkpoint.root])).toEqual(hex([reference.root(leaves.length)]));
  const readTile = (name: { level: number; tileNo: number }) => store.seals.tile(guild, log, name);
  for (let tileNo = 0; tileNo * 256 < leaves.length; tileNo += 1) {
    const tile = splitHashes(await readTile({ level: 0, tileNo }));
    expect(hex(tile)).toEqual(hex(leaves.slice(tileNo * 256, (tileNo + 1) * 256)));
  }
  expect(splitHashes(await readTile({ level: 1, tileNo: 0 }))).toHaveLength(
    tileWidth({ level: 1, tileNo: 0 }, leaves.length),
  );
  for (const index of new Set([0, Math.floor(leaves.length / 2), leaves.length - 1])) {
    const hashes = await hashRanges(treeOf(log), inclusionRanges(index, log.size), readTile);
    expect(hex(hashes)).toEqual(hex(reference.inclusion(index, log.size)));
  }
}

/** Proves that each checkpoint of a list is contained in the last one. */
async function expectConsistent(
  store: Store,
  guild: Guild,
  checkpoints: readonly { size: number; root: Uint8Array }[],
): Promise<void> {
  const log = await logOf(store, guild);
  const to = checkpoints.at(-1);
  expect(to?.size).toBe(log.size);
  for (const from of checkpoints) {
    const ranges = consistencyRanges(from.size, log.size);
    const hashes = await hashRanges(treeOf(log), ranges, (name) => store.seals.tile(guild, log, name));
    await checkConsistency({ from, to: to ?? from, hashes }, sha256);
  }
}

export function describeSeals(createPlace: CreatePlace): void {
  describe('a sealed log', () => {
    const open = shareByGuild(createPlace);

    it('has a leaf for each transaction, with everything that never changes of it', async () => {
      const { store, guild } = await open();
      const sealer = sealerOf(store);
      const pair = [1, -1].map((sign) =>
        aTransaction(guild, {
          playerId: `player ${sign}`,
          amountUnits: sign * 123_456,
          extra: { paymentId: randomUUIDv7().toLowerCase(), metadata: { '10': 'ten', '9': 'nine "' } },
        }),
      );
      await store.ledger.appendGroup({ guild, transactions: pair, idempotency: undefined });
      await store.ledger.append(
        aTransaction(guild, { name: 'Ü\u0001 \u2028 😀', extra: { reference: 'r' } }),
      );
      await store.ledger.append(
        aTransaction(guild, { name: 'a\u001fb', source: '+', extra: { reference: '' } }),
      );
      await store.ledger.append(
        aTransaction(guild, { name: '\u001e'.repeat(2), extra: { reference: '\u001e' } }),
      );
      await sealer.seal();
      await expectWhole(store, sealer, guild);
      await store.ledger.append(aTransaction(guild, { amountUnits: -1 }));
      await sealer.seal();
      await expectWhole(store, sealer, guild);
      expect(sealer.problems).toEqual([]);
    });

    it('has full and partial tiles of any number of transactions, whatever the steps', async () => {
      const { store, guild } = await open();
      const sealer = sealerOf(store);
      const checkpoints = [];
      for (const count of [1, 62, 1, 1, 190, 1, 1, 255, 300, 63, 64]) {
        await importMany(store, guild, count);
        await sealer.seal();
        checkpoints.push(await checkpointOf(store, sealer, guild));
      }
      expect(checkpoints.at(-1)?.size).toBe(939);
      await expectWhole(store, sealer, guild);
      await expectConsistent(store, guild, checkpoints);
    });

    it('of a long ledger is made in batches, and other guilds have their turn between them', async () => {
      const { store, guild, foundAnother } = await open();
      const other = await foundAnother();
      await importMany(store, guild, 4_500);
      await store.ledger.append(aTransaction(other));
      const sealer = sealerOf(store);
      expect(await sealer.look()).toBe(true);
      expect((await logOf(store, guild)).size).toBe(4_096);
      expect((await logOf(store, other)).size).toBe(1);
      await sealer.seal();
      await expectWhole(store, sealer, guild);
    });

    it('is made of posts that this process did not write', async () => {
      const { store, guild, openAnother } = await open();
      await store.ledger.append(aTransaction(guild));
      const elsewhere = await openAnother();
      const sealer = sealerOf(elsewhere);
      await sealer.seal();
      await expectWhole(elsewhere, sealer, guild);
    });

    it('is written by one of two processes that begin with the same state', async () => {
      const { store, guild } = await open();
      const sealer = sealerOf(store);
      await importMany(store, guild, 10);
      await sealer.seal();
      const before = await logOf(store, guild);
      await importMany(store, guild, 10);
      const grown = await store.seals.grow(guild.guildNo, before, { lastNumber: 20, limit: 100 });
      if ('damage' in grown) {
        throw new Error(grown.damage);
      }
      const { tiles, ...after } = grown;
      const advance = {
        guildNo: guild.guildNo,
        before,
        after: { ...after, checkpoint: 'one', sealedAtMs: 1 },
        tiles,
        lease: { holder: 'one', untilMs: 2 },
      };
      const outcomes = await Promise.all([store.seals.advance(advance), store.seals.advance(advance)]);
      expect(outcomes.toSorted()).toEqual([false, true]);
      expect(await store.seals.advance({ ...advance, before: { ...before, size: 0 } })).toBe(false);
    });

    it('is left to the process that sealed it last for two seconds', async () => {
      const { store, guild } = await open();
      const clock = createClock();
      const [one, other] = [sealerOf(store, clock), sealerOf(store, clock)];
      await store.ledger.append(aTransaction(guild));
      await one.seal();
      await store.ledger.append(aTransaction(guild));
      await other.look();
      expect((await logOf(store, guild)).size).toBe(1);
      await other.seal();
      expect((await logOf(store, guild)).size).toBe(2);
    });

    it('has consistent checkpoints whoever seals, after any posts', async () => {
      const steps = fc.array(fc.record({ posts: fc.integer({ min: 1, max: 90 }), by: fc.nat(1) }), {
        minLength: 1,
        maxLength: 8,
      });
      const place = await open();
      await fc.assert(
        fc.asyncProperty(steps, async (given) => {
          const guild = await place.foundAnother();
          const clock = createClock();
          const sealers = [sealerOf(place.store, clock), sealerOf(place.store, clock)];
          const [first] = sealers;
          const checkpoints = [];
          for (const { posts, by } of given) {
            await importMany(place.store, guild, posts);
            await sealers[by]?.seal();
            checkpoints.push(await checkpointOf(place.store, first ?? sealerOf(place.store), guild));
          }
          await expectConsistent(place.store, guild, checkpoints);
          await expectWhole(place.store, first ?? sealerOf(place.store), guild);
        }),
        { numRuns: 8 },
      );
    });
  });

  describe('a sealer', () => {
    it('signs nothing more after a sealed transaction was changed, until it is as it was', async () => {
      const { store, guild, execute } = await openWithGuild(createPlace);
      await importMany(store, guild, 60);
      const sealer = sealerOf(store);
      await sealer.seal();
      await execute(`UPDATE ledger_transaction SET name = 'altered' WHERE number = 3`);
      await importMany(store, guild, 10);
      const fresh = sealerOf(store);
      await fresh.seal();
      expect(fresh.problems).toMatchObject([
        { guildId: guild.guildId, reason: expect.stringContaining('sealed') },
      ]);
      expect((await logOf(store, guild)).size).toBe(60);
      await execute(`UPDATE ledger_transaction SET name = 'Iron Ingot' WHERE number = 3`);
      await fresh.seal();
      await expectWhole(store, fresh, guild);
    });

    it.each([
      [
        'a frontier',
        `UPDATE seal_log SET frontier = (SELECT t.hashes FROM seal_tile AS t
           WHERE t.guild_no = seal_log.guild_no AND t.level = 0 AND t.tile_no = 0)`,
      ],
      ['a size', 'UPDATE seal_log SET size = size - 1, tiled = tiled - 1'],
      ['a checkpoint', `UPDATE seal_log SET checkpoint = replace(checkpoint, '300', '299')`],
      ['the keys', `UPDATE seal_key SET public_key = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='`],
      ['the last tile', 'DELETE FROM seal_tile WHERE level = 0 AND tile_no = 1'],
    ])('signs nothing more after somebody changed %s in the store', async (_, sql) => {
      const { store, guild, execute } = await openWithGuild(createPlace);
      await importMany(store, guild, 300);
      await sealerOf(store).seal();
      const before = await logOf(store, guild);
      await execute(sql);
      await importMany(store, guild, 100);
      const sealer = sealerOf(store);
      await sealer.seal();
      expect(sealer.problems).toHaveLength(1);
      expect((await logOf(store, guild)).sealedAtMs).toBe(before.sealedAtMs);
    });

    it('makes one key, whichever process is first, and seals with both keys for 30 days after a rotation', async () => {
      const { store, guild, openAnother } = await openWithGuild(createPlace);
      const clock = createClock();
      const [one, other] = [sealerOf(store, clock), sealerOf(await openAnother(), clock)];
      await Promise.all([one.keys.read(), other.keys.read()]);
      expect(await store.seals.keys()).toHaveLength(1);
      await store.ledger.append(aTransaction(guild));
      await one.seal();
      clock.pass(60_000);
      await other.keys.rotate();
      clock.pass(60_000);
      // An idle log is signed again, so that the new key checks it too.
      await one.seal();
      const [before, after] = (await one.keys.read()).publicKeys.toReversed();
      expect((await checkpointOf(store, one, guild)).note.signatures).toHaveLength(2);
      expect(before).not.toEqual(after);
      clock.pass(BOTH_KEYS_MS);
      await store.ledger.append(aTransaction(guild));
      await one.seal();
      expect((await checkpointOf(store, one, guild)).note.signatures).toHaveLength(1);
      expect(await one.keys.verifierKeys(guild.guildId)).toHaveLength(2);
    });

    it('begins after the archive of a ledger that was archived before', async () => {
      const { store, guild, execute } = await openWithGuild(createPlace);
      await importMany(store, guild, 20);
      await execute('UPDATE guild_ledger SET archived_number = 5');
      const sealer = sealerOf(store);
      await sealer.seal();
      expect(await logOf(store, guild)).toMatchObject({ firstNumber: 6, size: 15 });
    });
  });
}
