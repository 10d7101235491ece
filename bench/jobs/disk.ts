import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { INCOME, SPENDING, type Trade } from '../../server/src/demo/sample-data/price-list.ts';
import { createRandom, createWeightedPicker, type Random } from '../../server/src/demo/sample-data/random.ts';
import { UNITS_PER_WHOLE } from '../../server/src/domain/ledger/amount.ts';
import { runGuildbook } from '../support/processes.ts';
import { type Bench, createStage, type Stage } from '../support/stage.ts';

const ROWS = 60_000;
const ACCOUNTS = 2_000;
const SPAN_MS = 60 * 86_400_000;
const START_MS = Date.parse('2026-01-01T00:00:00Z');
const GUILD_ID = '730184620193847296';

/** Measures the bytes of a transaction on disk. */
export function createDiskStage({ folder, findings }: Bench): Stage {
  return createStage({
    name: 'disk',
    programs: [],
    aboutSecondsToStart: 0,
    start: async () => {},
    jobs: [
      {
        name: 'bytes',
        title: 'database bytes for each transaction',
        aboutSeconds: 8,
        async run() {
          const value = await measureBytes(folder);
          const title = 'database bytes for each transaction, indexes included';
          findings.addFigure({ title, value, unit: 'bytes', atMost: 260 });
        },
      },
    ],
    stop: async () => {},
  });
}

/** Takes in two months of a busy guild by the import, which leaves what posts leave, and counts the pages in use. */
async function measureBytes(folder: string): Promise<number> {
  const database = path.join(folder, 'bytes.db');
  const transactions = path.join(folder, 'transactions.ndjson');
  const env = { DATABASE_URL: `sqlite:${database}`, LOG_LEVEL: 'error' };
  await pipeline(Readable.from(makeLines()), createWriteStream(transactions));
  await runGuildbook(['guild', 'set', GUILD_ID, '--name', 'The Measured Guild'], env);
  const before = lookInto(database);
  await runGuildbook(['import', 'transactions', transactions], env);
  const after = lookInto(database);
  if (after.rows !== ROWS) {
    throw new Error(`${after.rows} of ${ROWS} transactions were stored`);
  }
  return (after.bytes - before.bytes) / ROWS;
}

function lookInto(file: string): { bytes: number; rows: number } {
  const db = new DatabaseSync(file);
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const read = (sql: string) => Number(Object.values(db.prepare(sql).get() ?? {})[0]);
    const pages = read('PRAGMA page_count') - read('PRAGMA freelist_count');
    return {
      bytes: pages * read('PRAGMA page_size'),
      rows: read('SELECT count(*) FROM ledger_transaction'),
    };
  } finally {
    db.close();
  }
}

/**
 * The same lines every time, in the order of their times: what the try-out's price list sells and pays, a few players busy
 * and most of them now and then, so that neighbours in the file are far apart in the tables.
 */
function* makeLines(): Generator<string> {
  const random = createRandom({ seed: 7, stream: 1 });
  const players = Array.from({ length: ACCOUNTS }, (_unused, index) => String(10_000_000 + index * 31));
  const pickPlayer = createWeightedPicker([...players.entries()], ([rank]) => 1 / (rank + 20));
  const pickIncome = createWeightedPicker(INCOME, ({ weight }) => weight);
  const pickSpending = createWeightedPicker(SPENDING, ({ weight }) => weight);
  for (let index = 0; index < ROWS; index += 1) {
    const [, playerId] = pickPlayer(random);
    const isIncome = random.chance(0.5);
    const trade = isIncome ? pickIncome(random) : pickSpending(random);
    const createdAtMs = START_MS + Math.floor((index * SPAN_MS) / ROWS);
    yield `${JSON.stringify({
      guildId: GUILD_ID,
      playerId,
      transactionId: makeId(createdAtMs, random),
      name: trade.name,
      source: trade.source,
      quantity: random.integer({ min: 1, max: trade.quantityMax }),
      amount: (isIncome ? 1 : -1) * drawPrice(trade, random),
      createdAt: new Date(createdAtMs).toISOString(),
    })}\n`;
  }
}

function drawPrice({ price, swing }: Trade, random: Random): number {
  const drawn = price * (1 + (random.fraction() * 2 - 1) * swing);
  return Math.max(1, Math.round(drawn * UNITS_PER_WHOLE)) / UNITS_PER_WHOLE;
}

/** As posts get them: UUIDs of version 7, which begin with the time. */
function makeId(createdAtMs: number, random: Random): string {
  const time = createdAtMs.toString(16).padStart(12, '0');
  const chance = random.text({ alphabet: '0123456789abcdef', length: 18 });
  return `${time.slice(0, 8)}-${time.slice(8)}-7${chance.slice(0, 3)}-8${chance.slice(3, 6)}-${chance.slice(6)}`;
}
