import { describe, expect, it } from 'vitest';
import { UNITS_MAX } from '../../src/domain/ledger/amount.ts';
import type { GuildRef, ImportOutcome, PastTransaction } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { gather } from '../import-export/byte-source.ts';
import { aPastTransaction, NOON_MS } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';

const ROWS = 400;
/** Texts that are special in the notations in which values travel to a database. */
const TEXTS = ['NULL', 'null', '{a,b}', '"', '\\', '\\"', "it's", 'a,b', ' padded ', '\\N', '$1', '🪙', '{}'];

/** Some rows reverse another: one of just before, the same one again, one with another amount, and one that is not there. */
const REVERSALS: Record<number, { rowsBack: number } & Partial<PastTransaction>> = {
  6: { rowsBack: 3 },
  7: { rowsBack: 4 },
  8: { rowsBack: 4, amountUnits: 3 },
  9: { rowsBack: 6, transactionId: '018f0000-0000-7000-8000-000000000000' },
};

/**
 * A file of every kind of row: new ones, repeated ones at once and later, older ones, equal times, balances out of range,
 * reversals of stored and of new ones, of absent ones, and a second time.
 */
function mixedRows(guild: GuildRef): PastTransaction[] {
  const rows: PastTransaction[] = [];
  for (let index = 0; index < ROWS; index += 1) {
    const createdAtMs = NOON_MS + Math.floor(index / 4);
    const earlier = rows[Math.floor(index / 3)];
    const reversal = REVERSALS[index % 13];
    const near = rows[index - (reversal?.rowsBack ?? 0)];
    if (earlier !== undefined && index % 11 === 5) {
      rows.push(earlier);
    } else if (near !== undefined) {
      const { playerId, amountUnits, quantity, transactionId: reverses } = { ...near, ...reversal };
      rows.push(
        aPastTransaction(guild, { playerId, amountUnits: -amountUnits, quantity, reverses, createdAtMs }),
      );
    } else {
      rows.push(
        aPastTransaction(guild, {
          playerId: `p${index % 7}${TEXTS[index % 2] ?? ''}`,
          name: TEXTS[index % TEXTS.length] ?? '',
          source: TEXTS[(index * 5) % TEXTS.length] ?? '',
          amountUnits: index % 17 === 3 ? UNITS_MAX - 5 : 1 + index,
          createdAtMs: index % 19 === 4 ? NOON_MS - index : createdAtMs,
          ...(index % 23 === 1 && {
            reference: TEXTS[index % TEXTS.length],
            metadata: { order: `${index}` },
          }),
        }),
      );
    }
  }
  return rows;
}

async function importInParts(
  store: Store,
  guild: GuildRef,
  { rows, size }: { rows: readonly PastTransaction[]; size: number },
): Promise<ImportOutcome[]> {
  const outcomes: ImportOutcome[] = [];
  for (let start = 0; start < rows.length; start += size) {
    outcomes.push(...(await store.ledger.import(guild, rows.slice(start, start + size))));
  }
  return outcomes;
}

export function describeImportSizes(createPlace: CreatePlace): void {
  describe('the size of an import', () => {
    const open = shareByGuild(createPlace);

    it('makes no difference: each row has the same outcome, and the ledger the same rows', async () => {
      const { store, guild, foundAnother } = await open();
      const rows = mixedRows(guild);
      const single = await importInParts(store, guild, { rows, size: 1 });
      const kinds = new Set(
        single.map((outcome) => (typeof outcome === 'object' ? outcome.refused : outcome)),
      );
      for (const kind of [
        'added',
        'present',
        /^older than/,
        /out of range$/,
        /has been reversed$/,
        /not the opposite/,
        /is not there$/,
      ]) {
        expect([...kinds]).toContainEqual(expect.stringMatching(kind));
      }
      const stored = await gather(store.ledger.read(guild));
      expect(stored.length).toBe(single.filter((outcome) => outcome === 'added').length);
      for (const size of [7, 64, ROWS]) {
        const other = await foundAnother();
        const moved = rows.map((row) => ({ ...row, guildId: other.guildId }));
        expect(await importInParts(store, other, { rows: moved, size })).toEqual(single);
        const found = await gather(store.ledger.read(other));
        expect(found).toEqual(stored.map((row) => ({ ...row, guildId: other.guildId })));
        expect(new Set(await importInParts(store, other, { rows: found, size }))).toEqual(
          new Set(['present']),
        );
      }
    });

    it('may be that of a whole commit', async () => {
      const { store, guild } = await open();
      const count = store.ledger.importMax;
      const rows = Array.from({ length: count }, (_, index) =>
        aPastTransaction(guild, { playerId: `p${index % 300}`, createdAtMs: NOON_MS + index }),
      );
      expect(new Set(await store.ledger.import(guild, rows))).toEqual(new Set(['added']));
      expect(new Set(await store.ledger.import(guild, rows))).toEqual(new Set(['present']));
      const totals = await store.ledgerViews.totals(guild);
      expect(totals).toMatchObject({ accounts: 300, transactions: count });
    });
  });
}
