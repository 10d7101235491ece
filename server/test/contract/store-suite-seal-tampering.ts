import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyBetween } from '../../src/compose/copy.ts';
import { openStore } from '../../src/compose/stores.ts';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { checkConsistency } from '../../src/domain/seal/check-proofs.ts';
import { isOwnKey } from '../../src/domain/seal/seal-keys.ts';
import { consistencyRanges, hashRanges } from '../../src/domain/seal/tiles.ts';
import { sha256, splitHashes } from '../../src/domain/seal/tree.ts';
import { verifySeals } from '../../src/domain/seal/verify-seals.ts';
import { createFolder } from '../support/folder.ts';
import { archive, fillLedger } from './archive-specimens.ts';
import {
  checkpointOf,
  KEYRING,
  OTHER_KEYRING,
  type SealerOfTest,
  sealerOf,
  unguarded,
} from './seal-specimens.ts';
import { aPastTransaction, aTransaction } from './specimens.ts';
import { type CreatePlace, openWithGuild } from './store-place.ts';

const COUNT = 600;

async function fill(store: Store, guild: Guild): Promise<void> {
  const rows = Array.from({ length: COUNT }, (_, index) =>
    aPastTransaction(guild, { playerId: `player ${index % 5}`, amountUnits: index + 1 }),
  );
  await store.ledger.import(guild, rows.slice(0, COUNT / 2));
  await store.ledger.import(guild, rows.slice(COUNT / 2));
}

/** What `verify` finds, with checkpoints that were kept elsewhere. */
async function verify(store: Store, { keys }: SealerOfTest, kept: readonly string[] = []): Promise<string[]> {
  const findings: string[] = [];
  const { name, publicKeys } = await keys.read();
  const checkpoints = kept.map((text, index) => ({ place: `file ${index}`, text }));
  await verifySeals({
    store,
    name,
    publicKeys,
    checkpoints,
    add: (finding) => findings.push(finding),
    onProgress: () => {},
  });
  return findings;
}

const TABLE = 'ledger_transaction';
const move = (change: string, which: string) => `UPDATE ${TABLE} SET number = ${change} WHERE ${which}`;

/** A way to change a past that is sealed, with plain SQL, and the finding of `verify`. */
interface Tampering {
  what: string;
  sql: string;
  found: string;
  /** The first transaction that differs, as `verify --checkpoint` names it; undefined when the transactions are as they were. */
  first?: string;
}

const TAMPERINGS: Tampering[] = [
  {
    what: 'a changed amount',
    sql: `UPDATE ${TABLE} SET amount = amount * 2, total = total * 2 WHERE number = 100`,
    found: 'transaction 100 is not the one that was sealed',
    first: 'transaction 100',
  },
  {
    what: 'a deleted row',
    sql: `DELETE FROM ${TABLE} WHERE number = 100`,
    found: 'transaction 100 was sealed and is missing',
    first: 'transaction 100',
  },
  {
    what: 'a deleted row whose successors moved up',
    sql: [
      `DELETE FROM ${TABLE} WHERE number = 100`,
      move('-number', 'number > 100'),
      move('-number - 1', 'number < 0'),
    ].join('; '),
    found: 'transaction 100 is not the one that was sealed',
    first: 'transaction 100',
  },
  {
    what: 'two swapped rows',
    sql: [move('-1', 'number = 100'), move('100', 'number = 101'), move('101', 'number = -1')].join('; '),
    found: 'transaction 100 is not the one that was sealed',
    first: 'transaction 100',
  },
  {
    what: 'a row inserted in the past',
    sql: [
      move('-number - 1', 'number >= 100'),
      move('-number', 'number < 0'),
      `INSERT INTO ${TABLE} (guild_no, account_no, seq, transaction_id, amount, quantity, total, name, source, balance_after,
         created_at, number)
       SELECT guild_no, account_no, 100000, '01890000-0000-7000-8000-000000000000', 5, 1, 5, name, source, 5, created_at, 100
       FROM ${TABLE} WHERE number = 99`,
      'UPDATE guild_ledger SET last_number = last_number + 1',
    ].join('; '),
    found: 'transaction 100 is not the one that was sealed',
    first: 'transaction 100',
  },
  {
    what: 'a changed balance',
    sql: `UPDATE ${TABLE} SET balance_after = balance_after + 1 WHERE number = 100`,
    found: 'transaction 100 is not the one that was sealed',
    first: 'transaction 100',
  },
  {
    what: 'a changed row behind the last tile',
    sql: `UPDATE ${TABLE} SET source = 'elsewhere' WHERE number = ${COUNT + 3}`,
    found: `one of the transactions ${COUNT + 1} to ${COUNT + 4} is not the one that was sealed`,
    first: `one of the transactions ${COUNT + 1} to ${COUNT + 4}`,
  },
  {
    what: 'replaced tiles',
    sql: `UPDATE seal_tile SET tile_no = 1000 WHERE level = 0 AND tile_no = 0;
      UPDATE seal_tile SET tile_no = 0 WHERE level = 0 AND tile_no = 1;
      UPDATE seal_tile SET tile_no = 1 WHERE level = 0 AND tile_no = 1000`,
    found: 'tile 0/0 of the sealed log is not that of its transactions',
  },
  {
    what: 'a replaced tile of a higher level',
    sql: `UPDATE seal_tile SET hashes = (SELECT t.hashes FROM seal_tile AS t WHERE t.guild_no = seal_tile.guild_no AND t.level = 0 AND t.tile_no = 0) WHERE level = 1`,
    found: 'tile 1/0 of the sealed log is not that of its transactions',
  },
  {
    what: 'removed tiles',
    sql: 'DELETE FROM seal_tile',
    found: 'tile 0/0 of the sealed log is not that of its transactions',
  },
];

export function describeSealTampering(createPlace: CreatePlace): void {
  describe('a sealed ledger whose store was changed', () => {
    async function openSealed() {
      const place = await openWithGuild(createPlace);
      const sealer = sealerOf(place.store);
      await fill(place.store, place.guild);
      await sealer.seal();
      // A few more than the tiles have.
      for (let index = 0; index < 5; index += 1) {
        await place.store.ledger.append(aTransaction(place.guild));
      }
      await sealer.seal();
      const { log } = await place.store.seals.state(place.guild);
      expect([log?.size, log?.tiled]).toEqual([COUNT + 5, COUNT]);
      return { ...place, sealer, checkpoint: log?.checkpoint ?? '' };
    }

    it('has no faults as long as it was not', async () => {
      const { store, sealer, checkpoint } = await openSealed();
      expect(await verify(store, sealer, [checkpoint])).toEqual([]);
    });

    it('is copied to another store with its key, its tiles and its end', async () => {
      const { store, guild, sealer, checkpoint, databaseUrl } = await openSealed();
      await store.close();
      const copy = `sqlite:${path.join(createFolder(), 'copy.db')}`;
      await copyBetween(databaseUrl, copy, { onRows: () => {}, onVerify: () => {} });
      const copied = await openStore({ databaseUrl: copy }, { schema: 'expect', onFatal: () => {} });
      expect(await verify(copied, sealerOf(copied), [checkpoint])).toEqual([]);
      await copied.ledger.append(aTransaction(guild));
      const further = sealerOf(copied);
      await further.seal();
      expect([further.problems, (await checkpointOf(copied, further, guild)).size]).toEqual([[], COUNT + 6]);
      expect(await copied.seals.keys()).toHaveLength(1);
      expect(sealer.problems).toEqual([]);
      await copied.close();
    });

    it.each(TAMPERINGS)('by $what is found by verify', async ({ sql, found, first }) => {
      const { store, guild, sealer, checkpoint, execute, databaseUrl } = await openSealed();
      await execute(unguarded(databaseUrl, sql));
      const alone = await verify(store, sealer);
      expect(alone).toContain(`guild ${guild.guildId}: ${found}`);
      const more = (await verify(store, sealer, [checkpoint])).filter((finding) => !alone.includes(finding));
      expect(more).toEqual(
        first === undefined
          ? []
          : [`guild ${guild.guildId}: file 0 no longer holds: ${first} is the first that is not as it was`],
      );
    });

    it('by a rebuilt history with another key is found by verify, which knows its own keys', async () => {
      const { store, execute } = await openSealed();
      await execute(`DELETE FROM seal_log; DELETE FROM seal_tile; DELETE FROM seal_key;
        UPDATE ${TABLE} SET name = 'altered' WHERE number = 100`);
      const intruder = sealerOf(store, undefined, OTHER_KEYRING);
      await intruder.seal();
      expect(await verify(store, intruder)).toEqual([]);
      const [key] = await store.seals.keys();
      expect(key && isOwnKey(key, OTHER_KEYRING)).toBe(true);
      expect(key && isOwnKey(key, KEYRING)).toBe(false);
    });

    it('by a rebuilt history with the right key is found by a checkpoint that was kept, and by no proof of consistency', async () => {
      const { store, guild, sealer, execute, checkpoint } = await openSealed();
      const older = await checkpointOf(store, sealer, guild);
      await execute(`DELETE FROM seal_log; DELETE FROM seal_tile;
        UPDATE ${TABLE} SET name = 'altered' WHERE number = 100`);
      const again = sealerOf(store);
      await again.seal();
      expect(await verify(store, again)).toEqual([]);
      expect(await verify(store, again, [checkpoint])).toEqual([
        `guild ${guild.guildId}: file 0 no longer holds: one of the transactions 1 to ${COUNT + 5} is the first that is not as it was`,
      ]);
      const { log } = await store.seals.state(guild);
      const newer = await checkpointOf(store, again, guild);
      const tree = { size: newer.size, frontier: splitHashes(log?.frontier ?? new Uint8Array()) };
      await store.ledger.append(aTransaction(guild));
      const hashes = await hashRanges(tree, consistencyRanges(older.size, newer.size), async () =>
        Buffer.alloc(0),
      );
      await expect(checkConsistency({ from: older, to: newer, hashes }, sha256)).rejects.toMatchObject({
        fault: 'consistency',
      });
    });

    it('is narrowed down by several checkpoints', async () => {
      const { store, guild, sealer, execute, checkpoint, openAnother } = await openSealed();
      await store.ledger.append(aTransaction(guild));
      await sealer.seal();
      const later = (await store.seals.state(guild)).log?.checkpoint ?? '';
      await execute(`DELETE FROM seal_log; DELETE FROM seal_tile;
        UPDATE ${TABLE} SET name = 'altered' WHERE number = ${COUNT + 6}`);
      // A process that has not posted them: the other one may still know the posts.
      const again = sealerOf(await openAnother());
      await again.seal();
      expect(await verify(store, again, [later, checkpoint])).toEqual([
        `guild ${guild.guildId}: file 0 no longer holds: transaction ${COUNT + 6} is the first that is not as it was`,
      ]);
    });

    it('or an older backup, is shorter than a checkpoint that was kept', async () => {
      const { store, guild, execute, sealer, checkpoint, databaseUrl } = await openSealed();
      await execute(
        unguarded(
          databaseUrl,
          `DELETE FROM seal_log; DELETE FROM seal_tile; DELETE FROM ${TABLE} WHERE number > 300;
           UPDATE guild_ledger SET last_number = 300`,
        ),
      );
      await sealerOf(store).seal();
      expect((await verify(store, sealer, [checkpoint]))[0]).toContain(
        `file 0 is a checkpoint of ${COUNT + 5} transactions, and the sealed log has 300`,
      );
      expect(await verify(store, sealer, ['nobody\n1\n'])).toEqual([
        'file 0: this is not a checkpoint of a guild in this store',
      ]);
      expect(guild.guildId).not.toBe('');
    });
  });

  describe('an archived ledger that is sealed', () => {
    it('keeps the hashes of removed transactions, also of the last tile, and is verified', async () => {
      const { store, guild, databaseUrl } = await openWithGuild(createPlace);
      await fillLedger(store, guild, 40);
      const sealer = sealerOf(store);
      await sealer.seal();
      const before = await checkpointOf(store, sealer, guild);
      expect((await archive(databaseUrl, createFolder())).length).toBeGreaterThan(0);
      const { log, archivedNumber } = await store.seals.state(guild);
      expect(archivedNumber).toBeGreaterThan(0);
      expect(log?.tiled).toBe(40);
      expect(await verify(store, sealer, [log?.checkpoint ?? ''])).toEqual([]);
      await store.ledger.append(aTransaction(guild));
      await sealer.seal();
      const after = await checkpointOf(store, sealer, guild);
      expect([before.size, after.size]).toEqual([40, 41]);
      expect(await verify(store, sealer)).toEqual([]);
      expect(sealer.problems).toEqual([]);
    });

    it('is not archived further than it is sealed', async () => {
      const { store, guild, databaseUrl } = await openWithGuild(createPlace);
      const some = () => [aPastTransaction(guild), aPastTransaction(guild)];
      await store.ledger.import(guild, some());
      await sealerOf(store).seal();
      await store.ledger.import(guild, some());
      const archived = archive(databaseUrl, createFolder());
      await expect(archived).rejects.toThrow('sealed up to transaction 2, and 4 would be archived');
      expect(await store.entries.feed(guild, { after: 0, limit: 10 })).toHaveLength(4);
    });
  });
}
