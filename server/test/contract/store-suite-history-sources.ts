import { describe, expect, it } from 'vitest';
import { HISTORY_LOOKED_AT_MAX, type HistoryQuery } from '../../src/domain/ledger/entries.ts';
import { SOURCES_PER_DAY_MAX } from '../../src/domain/ledger/ledger-views.ts';
import { aHistoryQuery, aPastTransaction, aTransaction, NOON_MS } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';

function bySource(source: string, changes: Partial<HistoryQuery> = {}): HistoryQuery {
  return aHistoryQuery({ limit: 10, source, ...changes });
}

/** The history of a source, which may be one that has no sums or no transactions. */
export function describeHistorySources(createPlace: CreatePlace): void {
  describe('the history of a source', () => {
    const open = shareByGuild(createPlace);

    it('has all transactions of a source that shares its sums with others', async () => {
      const { store, guild } = await open();
      const sources = Array.from({ length: SOURCES_PER_DAY_MAX + 2 }, (_, index) => `source ${index}`);
      for (const source of sources) {
        await store.ledger.append(aTransaction(guild, { playerId: 'p', source }));
      }
      for (const playerId of [undefined, 'p']) {
        for (const source of [sources[0] ?? '', sources.at(-1) ?? '']) {
          const { entries } = await store.entries.history(guild, bySource(source, { playerId }));
          expect(entries.map((entry) => entry.source)).toEqual([source]);
        }
        expect(await store.entries.history(guild, bySource('absent', { playerId }))).toEqual({
          entries: [],
          next: undefined,
        });
      }
    });

    it('ends a search for an absent source where it ends one without matches', async () => {
      const { store, guild } = await open();
      const beyond = 20;
      const rows = Array.from({ length: HISTORY_LOOKED_AT_MAX + beyond }, (_, index) =>
        aPastTransaction(guild, { playerId: 'p', source: 'shop', createdAtMs: NOON_MS + index }),
      );
      await store.ledger.import(guild, rows);
      for (const playerId of [undefined, 'p']) {
        const absent = bySource('absent', { playerId });
        const unmatched = bySource('shop', { playerId, namePrefix: 'nothing is named so' });
        const page = await store.entries.history(guild, absent);
        expect(page).toEqual({ entries: [], next: beyond + 1 });
        expect(await store.entries.history(guild, unmatched)).toEqual(page);
        const last = { before: page.next };
        expect(await store.entries.history(guild, { ...absent, ...last })).toEqual(
          await store.entries.history(guild, { ...unmatched, ...last }),
        );
      }
    });
  });
}
