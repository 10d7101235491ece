import { DomainError } from '../../domain/errors.ts';
import type {
  SealAdvance,
  SealBase,
  SealDamage,
  SealGrowth,
  SealKeyRecord,
  SealState,
  SealStore,
} from '../../domain/seal/seal-store.ts';
import { tileWidth } from '../../domain/seal/tiles.ts';
import { TILE_WIDTH } from '../../domain/seal/tree.ts';
import { type Engine, inGroup, inLane, inOneStatement } from '../jobs.ts';
import { manyRows, type Snapshot, type Sql, statement } from '../sql.ts';
import type { MovedGuilds } from '../webhooks/moved-guilds.ts';
import { findTile, type GrowthInput, nextRange, orDamage, readTile } from './growth.ts';
import { findSealed, readLeafHashes } from './leaf-rows.ts';
import type { RecentLeaves } from './recent-leaves.ts';

type Nullable<Row> = { [Field in keyof Row]: Row[Field] | null };

interface LogRow {
  firstNumber: number;
  size: number;
  tiled: number;
  frontier: Uint8Array;
  checkpoint: string;
  sealedAtMs: number;
  holder: string;
  untilMs: number;
}
type StateRow = Pick<SealState, 'guildNo' | 'guildId' | 'lastNumber' | 'archivedNumber'> & Nullable<LogRow>;

const STATES = `SELECT l.guild_no AS "guildNo", g.guild_id AS "guildId", l.last_number AS "lastNumber",
    l.archived_number AS "archivedNumber", s.first_number AS "firstNumber", s.size, s.tiled, s.frontier, s.checkpoint,
    s.sealed_at AS "sealedAtMs", s.lease_holder AS holder, s.lease_until AS "untilMs"
  FROM guild_ledger AS l JOIN guild AS g ON g.guild_no = l.guild_no LEFT JOIN seal_log AS s ON s.guild_no = l.guild_no`;
const FIND_STATE = statement<StateRow>(`${STATES} WHERE l.guild_no = $1`);
const FIND_STATES = statement<StateRow>(
  ({ isOneOf }) => `${STATES} WHERE ${isOneOf('l.guild_no', { value: '$1', type: 'bigint' })}`,
);
// A ledger without transactions has no log. One that is archived as a whole before its log began has none either.
const SWEEP = statement<{ guildNo: number; isBehind: boolean | number }>(
  `SELECT l.guild_no AS "guildNo",
     coalesce(s.first_number + s.size, l.archived_number + 1) <= l.last_number
       OR coalesce(s.sealed_at < $3, false) AS "isBehind"
   FROM guild_ledger AS l LEFT JOIN seal_log AS s ON s.guild_no = l.guild_no
   WHERE l.guild_no > $1 ORDER BY l.guild_no LIMIT $2`,
);

// Compare-and-set: nothing is written unless the log is the one that the batch began with.
const ADVANCE = statement<{ size: number }>(
  `INSERT INTO seal_log AS log
     (guild_no, first_number, size, tiled, frontier, checkpoint, sealed_at, lease_holder, lease_until)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   ON CONFLICT (guild_no) DO UPDATE SET size = excluded.size, tiled = excluded.tiled, frontier = excluded.frontier,
     checkpoint = excluded.checkpoint, sealed_at = excluded.sealed_at, lease_holder = excluded.lease_holder,
     lease_until = excluded.lease_until
   WHERE log.size = $10 AND log.frontier = $11 RETURNING size`,
);
export const PUT_TILES = manyRows({
  table: 'seal_tile',
  shared: ['guild_no'],
  columns: { level: 'bigint', tile_no: 'bigint', hashes: 'bytea' },
  ending: 'ON CONFLICT (guild_no, level, tile_no) DO UPDATE SET hashes = excluded.hashes',
});

const KEYS = statement<Omit<SealKeyRecord, 'retiredAtMs'> & { retiredAtMs: number | null }>(
  `SELECT key_no AS "keyNo", name, public_key AS "publicKey", sealed_secret AS "sealedSecret", created_at AS "createdAtMs",
     retired_at AS "retiredAtMs" FROM seal_key ORDER BY key_no`,
);
const ADD_KEY = statement<{ keyNo: number }>(
  `INSERT INTO seal_key (key_no, name, public_key, sealed_secret, created_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (key_no) DO NOTHING RETURNING key_no AS "keyNo"`,
);
const RETIRE_KEYS = statement('UPDATE seal_key SET retired_at = $2 WHERE key_no < $1 AND retired_at IS NULL');
const RESEAL_KEY = statement<{ keyNo: number }>(
  'UPDATE seal_key SET sealed_secret = $3 WHERE key_no = $1 AND sealed_secret = $2 RETURNING key_no AS "keyNo"',
);

interface KeyAddition {
  key: Omit<SealKeyRecord, 'retiredAtMs'>;
  retireOthersAtMs: number;
}

async function advanceLog(sql: Sql, { guildNo, before, after, tiles, lease }: SealAdvance): Promise<boolean> {
  const { firstNumber, size, tiled, frontier, checkpoint, sealedAtMs } = after;
  const values = [guildNo, firstNumber, size, tiled, frontier, checkpoint, sealedAtMs];
  const expected = [before.size, before.frontier];
  const row = await sql.first(ADVANCE, [...values, lease.holder, lease.untilMs, ...expected]);
  if (row === undefined) {
    return false;
  }
  await sql.runMany(
    PUT_TILES,
    [guildNo],
    tiles.map(({ level, tileNo, hashes }) => [level, tileNo, hashes]),
  );
  return true;
}

export const SEAL_WRITES = {
  /** Logs of many guilds in one commit. Guilds are in one order, so that processes never wait for each other in a circle. */
  advanceSeals: inGroup<SealAdvance, boolean>(async (sql, inputs) => {
    const results = new Map<SealAdvance, boolean>();
    for (const input of inputs.toSorted((one, other) => one.guildNo - other.guildNo)) {
      results.set(input, await advanceLog(sql, input));
    }
    return inputs.map((input) => results.get(input) === true);
  }),
  /** On a distributed store each guild's rows are on a server of their own. */
  advanceSeal: inLane(({ guildNo }: SealAdvance) => `seal ${guildNo}`, advanceLog),
  addSealKey: inLane(
    (_: KeyAddition) => 'seal keys',
    async (sql, { key, retireOthersAtMs }: KeyAddition) => {
      const { keyNo, name, publicKey, sealedSecret, createdAtMs } = key;
      if ((await sql.first(ADD_KEY, [keyNo, name, publicKey, sealedSecret, createdAtMs])) === undefined) {
        return false;
      }
      await sql.run(RETIRE_KEYS, [keyNo, retireOthersAtMs]);
      return true;
    },
  ),
  resealSealKey: inOneStatement(
    RESEAL_KEY,
    ({ keyNo, from, to }: { keyNo: number; from: string; to: string }) => [keyNo, from, to],
    (row) => row !== undefined,
  ),
};

export interface SealStoreParts {
  engine: Engine<typeof SEAL_WRITES>;
  /** Runs the job `growSeal`, which reads about this many rows. Both engines have a thread for it. */
  growSeal: (input: GrowthInput, rows: number) => Promise<SealGrowth | SealDamage>;
  grown: MovedGuilds;
  /** Hashes of posts, where this thread has them. */
  recent?: Pick<RecentLeaves, 'take'>;
  /** Reads of the primary: a replica may lack the last transactions. */
  inSnapshot: Snapshot;
  isDistributed: boolean;
}

export function createSealStore({
  engine,
  growSeal,
  grown,
  recent,
  inSnapshot,
  isDistributed,
}: SealStoreParts): SealStore {
  const { read, write, divideByServer } = engine;
  const leafHashes: SealStore['leafHashes'] = (guildNo, range) =>
    inSnapshot((sql) => readLeafHashes(sql, { guildNo, ...range }));
  return {
    keys: async () =>
      (await read.all(KEYS)).map((row) => ({ ...row, retiredAtMs: row.retiredAtMs ?? undefined })),
    addKey: (key, retireOthersAtMs) => write('addSealKey', { key, retireOthersAtMs }),
    resealKey: (keyNo, value) => write('resealSealKey', { keyNo, ...value }),
    takeGrown: (max) => grown.take(max),
    async states(guildNos) {
      const states: SealState[] = [];
      for (const server of divideByServer(guildNos)) {
        if (server.isUp) {
          states.push(...(await read.all(FIND_STATES, [server.guildNos])).map(toState));
        }
      }
      return states;
    },
    async sweep(afterNo, { limit, signedBeforeMs }) {
      const rows = await read.all(SWEEP, [afterNo, limit, signedBeforeMs]);
      return {
        lastNo: rows.length < limit ? undefined : rows.at(-1)?.guildNo,
        behind: rows.filter(({ isBehind }) => Boolean(isBehind)).map(({ guildNo }) => guildNo),
      };
    },
    grow(guildNo, base, end) {
      const input = { guildNo, ...base, ...end };
      return growSeal({ ...input, recent: recent?.take(nextRange(input)) ?? [] }, rowsOf(base, end));
    },
    advance: (advance) => write(isDistributed ? 'advanceSeal' : 'advanceSeals', advance),
    async state({ guildNo, guildId }) {
      const row = await read.first(FIND_STATE, [guildNo]);
      return row === undefined
        ? { guildNo, guildId, lastNumber: 0, archivedNumber: 0, log: undefined, lease: undefined }
        : toState(row);
    },
    async tile({ guildNo }, { size, tiled, firstNumber }, { level, tileNo }) {
      const width = tileWidth({ level, tileNo }, size);
      const begin = tileNo * TILE_WIDTH;
      const stored = level === 0 ? Math.min(Math.max(tiled - begin, 0), width) : width;
      const found = await orDamage(async () => {
        const hashes = await readTile(read, guildNo, { level, tileNo, width: stored });
        const range = { after: firstNumber + begin + stored - 1, through: firstNumber + begin + width - 1 };
        const rest = stored === width ? [] : await leafHashes(guildNo, range);
        return rest.length < width - stored
          ? { damage: `transaction ${range.after + rest.length + 1} is missing` }
          : Buffer.concat([hashes, ...rest]);
      });
      if ('damage' in found) {
        throw new DomainError('internal', { cause: new Error(found.damage) });
      }
      return found;
    },
    leafHashes,
    storedTile: async (guildNo, name) => findTile(read, guildNo, name),
    transaction: async ({ guildNo }, transactionId) =>
      inSnapshot((sql) => findSealed(sql, guildNo, transactionId)),
  };
}

/** About as many rows as a batch reads. */
function rowsOf({ firstNumber, tiled }: SealBase, end: { lastNumber: number; limit: number }): number {
  return Math.min(end.lastNumber - firstNumber + 1 - tiled, end.limit);
}

function toState(row: StateRow): SealState {
  const { guildNo, guildId, lastNumber, archivedNumber } = row;
  const { holder, untilMs, ...log } = row;
  const { firstNumber, size, tiled, frontier, checkpoint, sealedAtMs } = log;
  const isThere =
    firstNumber !== null &&
    size !== null &&
    tiled !== null &&
    frontier !== null &&
    checkpoint !== null &&
    sealedAtMs !== null;
  return {
    guildNo,
    guildId,
    lastNumber,
    archivedNumber,
    log: isThere ? { firstNumber, size, tiled, frontier, checkpoint, sealedAtMs } : undefined,
    lease: holder === null || untilMs === null ? undefined : { holder, untilMs },
  };
}
