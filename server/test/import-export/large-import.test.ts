import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { importRecords } from '../../src/import-export/import.ts';
import type { SourceItem } from '../../src/import-export/lines.ts';
import { aDischarge, aGuild, aPastTransaction, CHANGE } from '../contract/specimens.ts';
import { createSqlitePlace } from '../contract/sqlite-place.ts';
import { openPlaceUntilClosed } from '../contract/store-place.ts';
import { depth } from '../support/depth.ts';
import { testIds } from '../support/ids.ts';
import { oneByOne, singly } from './byte-source.ts';

let place: Awaited<ReturnType<typeof openPlaceUntilClosed>>;
let store: Store;
let guild: Guild;
beforeAll(async () => {
  place = await openPlaceUntilClosed(createSqlitePlace);
  store = place.store;
});
afterAll(() => place.close());
beforeEach(async () => {
  guild = await store.guilds.set(aGuild({ guildId: testIds.uuid() }), CHANGE);
});

describe('a large import', () => {
  const COUNT = depth({ normal: 30_000, deep: 200_000 });

  it('reads only a few batches ahead of its results, and gives every result once and in order', async () => {
    let read = 0;
    async function* generated(): AsyncGenerator<SourceItem> {
      for (let line = 1; line <= COUNT; line += 1) {
        read = line;
        // Most are bad, so that the disk does not decide how long this takes; each batch has a good one.
        yield line % 500 === 0
          ? { line, text: '', value: aDischarge(guild, { id: `${line}` }) }
          : { line, text: '', fault: 'bad' };
      }
    }
    let results = 0;
    let aheadMax = 0;
    let created = 0;
    for await (const { line, outcome } of oneByOne(
      importRecords({
        store,
        kind: 'discharges',
        items: singly(generated()),
        change: CHANGE,
      }),
    )) {
      results += 1;
      if (line !== results) throw new Error(`line ${line} came as result ${results}`);
      created += outcome === 'created' ? 1 : 0;
      aheadMax = Math.max(aheadMax, read - results);
    }
    expect({ results, created }).toEqual({ results: COUNT, created: COUNT / 500 });
    expect(aheadMax).toBeLessThanOrEqual(2_000);
  });

  it('reads only a few megabytes ahead of its results, however many records a write may have', async () => {
    const text = 'x'.repeat(100_000);
    const { amountUnits: _, totalUnits: __, createdAtMs: ___, ...rest } = aPastTransaction(guild);
    const value = { ...rest, amount: 1, createdAt: '2025-01-01T00:00:00Z' };
    let read = 0;
    async function* generated(): AsyncGenerator<SourceItem> {
      for (let line = 1; line <= 2_000; line += 1) {
        read += text.length;
        yield { line, text, value };
      }
    }
    // While a write is under way, the source may be read until the import itself stops reading.
    const ledger: Store['ledger'] = {
      ...store.ledger,
      importMax: 100_000,
      async import(_guild, rows) {
        for (let turn = 0; turn < 200; turn += 1) {
          await nextTurn();
        }
        return rows.map(() => 'added');
      },
    };
    let reported = 0;
    let aheadMax = 0;
    for await (const results of importRecords({
      store: { ...store, ledger },
      kind: 'transactions',
      items: singly(generated()),
      change: CHANGE,
    })) {
      aheadMax = Math.max(aheadMax, read - reported);
      reported += results.length * text.length;
    }
    expect(reported).toBe(read);
    expect(aheadMax).toBeLessThanOrEqual(20_000_000);
  });

  it('does not go on when its results are no longer wanted', async () => {
    let read = 0;
    async function* generated(): AsyncGenerator<SourceItem> {
      for (let line = 1; line <= COUNT; line += 1) {
        read = line;
        yield { line, text: '', fault: 'bad' };
      }
    }
    for await (const _ of oneByOne(
      importRecords({ store, kind: 'discharges', items: singly(generated()), change: CHANGE }),
    )) {
      break;
    }
    expect(read).toBeLessThanOrEqual(2_000);
  });

  it('ends with the source’s failure, and what was reported before stays written', async () => {
    async function* failing(): AsyncGenerator<SourceItem> {
      for (let line = 1; line <= 2_500; line += 1) {
        yield { line, text: '', value: aDischarge(guild, { id: `${line}` }) };
      }
      throw new Error('the connection broke');
    }
    const reported: string[] = [];
    const run = async () => {
      for await (const { line } of oneByOne(
        importRecords({
          store,
          kind: 'discharges',
          items: singly(failing()),
          change: CHANGE,
        }),
      )) {
        reported.push(`${line}`);
      }
    };
    await expect(run()).rejects.toThrow('the connection broke');
    expect(reported.length).toBeGreaterThan(0);
    for (const id of [reported[0], reported.at(-1)]) {
      expect(await store.discharges.find(guild, id ?? '')).toBeDefined();
    }
  });
});
