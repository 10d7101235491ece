import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type ArchiveOptions, archiveStore } from '../../src/compose/archive.ts';
import { DAY_MS, dayOf, dayText } from '../../src/domain/calendar.ts';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { aTransaction, NOON_MS } from './specimens.ts';

/** Transactions from before this day are archived. */
export const CUT_MS = NOON_MS + 300 * DAY_MS;
export const CUT_DAY = dayText(dayOf(CUT_MS));
const START_OF_CUT_MS = dayOf(CUT_MS) * DAY_MS;
export const NOW_MS = NOON_MS + 900 * DAY_MS;
export const PLAYERS = ['alder', 'birch', 'cedar', 'dogwood'];

/** True for what an archive of `CUT_DAY` takes. */
export const isOld = ({ createdAtMs }: { createdAtMs: number }) => createdAtMs < START_OF_CUT_MS;

/**
 * Posts of 600 days, in order: with and without keys, references, payments and reversals. Of `dogwood` all are old, of
 * `cedar` none.
 */
export async function fillLedger(store: Store, guild: Guild, count = 120): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const createdAtMs = NOON_MS + Math.floor((index * 600) / count) * DAY_MS;
    const late = createdAtMs >= START_OF_CUT_MS;
    const player = PLAYERS[index % 3 === 2 ? (late ? 2 : 3) : index % 3];
    const post = aTransaction(guild, {
      playerId: player ?? '',
      createdAtMs,
      amountUnits: (index % 5 === 4 ? -1 : 1) * (index + 1) * 1_250,
      quantity: 1 + (index % 3),
      source: index % 4 === 0 ? 'shop' : `source ${index % 7}`,
      idempotency: index % 2 === 0 ? { key: `key ${index}`, requestHash: `hash ${index}` } : undefined,
      extra:
        index % 6 === 0 ? { reference: `order ${index}`, metadata: { index: String(index) } } : undefined,
    });
    await store.ledger.append(post);
  }
}

/** Archives what is from before `CUT_DAY`. */
export function archive(databaseUrl: string, folder: string, more: Partial<ArchiveOptions> = {}) {
  return archiveStore(
    { databaseUrl, idempotencyDays: 400 },
    {
      before: CUT_DAY,
      folder,
      isDryRun: false,
      nowMs: NOW_MS,
      stop: new AbortController().signal,
      onProgress: () => {},
      ...more,
    },
  );
}

/** The transactions of all archive files of a folder, by number. */
export function readArchive(folder: string): Record<string, unknown>[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl.gz'))
    .flatMap((name) =>
      gunzipSync(readFileSync(path.join(folder, name)))
        .toString()
        .trim()
        .split('\n')
        .slice(1, -1),
    )
    .map((line) => JSON.parse(line))
    .sort((one, other) => one.number - other.number);
}
