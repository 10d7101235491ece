import { parseArgs } from 'node:util';
import type { Guild, NewTransaction } from '../server/src/domain/model.ts';
import type { Store } from '../server/src/domain/ports.ts';
import { parseDatabaseUrl } from '../server/src/store/postgres/connection.ts';
import { distributePostgres } from '../server/src/store/postgres/distribute.ts';
import { migratePostgres } from '../server/src/store/postgres/migrate.ts';
import { openPostgresStore } from '../server/src/store/postgres/open.ts';
import { createClusterDatabase, run, startCluster } from '../server/test/citus/cluster.ts';
import { aGuild, aQuery, aTransaction, CHANGE } from '../server/test/contract/specimens.ts';
import { createPostgresServer } from '../server/test/postgres/server.ts';
import { runAndUndo, undoAtEnd } from './support/undo.ts';

/**
 * A store on a Citus cluster (a coordinator and two workers) beside one on plain PostgreSQL, on the same cores and in
 * alternating rounds: posts, payments and lists of 24 guilds. Calls the store itself, without HTTP. Needs Citus, see
 * docs/testing.md. `--seconds` is the length of a round, `--rounds` their number.
 */
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    callers: { type: 'string', default: '64' },
  },
});
const ROUND_MS = Number(options.seconds) * 1_000;
const ROUNDS = Number(options.rounds);
const CALLERS = Number(options.callers);
const GUILDS = 24;
const PLAYERS = 20;
const NAME = 'guildbook_bench';
const DURABLE = ['synchronous_commit=on', 'full_page_writes=on'];

interface Side {
  store: Store;
  guilds: Guild[];
}

type Job = (side: Side, count: number) => unknown;

const guildAt = ({ guilds }: Side, count: number) => guilds[count % guilds.length] as Guild;
const postOf = (guild: Guild, count: number): NewTransaction =>
  aTransaction(guild, {
    playerId: `p${count % PLAYERS}`,
    idempotency: { key: `post ${count}`, requestHash: 'h' },
  });

const JOBS: Record<string, Job> = {
  posts: (side, count) => side.store.ledger.append(postOf(guildAt(side, count), count)),
  payments(side, count) {
    const guild = guildAt(side, count);
    const transactions = [1, 2].map((position) =>
      aTransaction(guild, { playerId: `p${(count + position) % PLAYERS}` }),
    );
    const idempotency = { key: `payment ${count}`, requestHash: 'h' };
    return side.store.ledger.appendGroup({ guild, transactions, idempotency });
  },
  lists: (side, count) =>
    side.store.ledger.list(
      guildAt(side, count),
      `p${count % PLAYERS}`,
      aQuery({ page: 1 + (count % 3), limit: 20 }),
    ),
};

async function fill(url: string): Promise<Side> {
  const store = await openPostgresStore({ url, clock: { monotonicMs: () => performance.now() } });
  undoAtEnd(() => store.close());
  const guilds: Guild[] = [];
  for (let index = 0; index < GUILDS; index += 1) {
    guilds.push(await store.guilds.set(aGuild({ guildId: `guild ${index}` }), CHANGE));
  }
  return { store, guilds };
}

async function startPlain(): Promise<Side> {
  const server = await createPostgresServer({ settings: DURABLE });
  undoAtEnd(server.remove);
  await run(server.url('postgres'), [`CREATE DATABASE ${NAME}`]);
  return fill(server.url(NAME));
}

async function startDistributed(): Promise<Side> {
  const servers = await startCluster([...DURABLE, 'citus.shard_count=32']);
  undoAtEnd(() => Promise.all(servers.map((server) => server.remove())));
  await createClusterDatabase(servers, NAME);
  const url = servers[0]?.url(NAME) ?? '';
  await migratePostgres(parseDatabaseUrl(url));
  await distributePostgres(parseDatabaseUrl(url), () => {});
  return fill(url);
}

let counted = 0;

/** Calls per second while each of CALLERS callers makes one call after the other. */
async function rate(side: Side, job: Job): Promise<number> {
  const startMs = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (performance.now() - startMs < ROUND_MS) {
        counted += 1;
        await job(side, counted);
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - startMs) / 1_000);
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

await runAndUndo(async () => {
  const plain = await startPlain();
  const distributed = await startDistributed();
  for (const side of [plain, distributed]) {
    for (let count = 0; count < GUILDS * PLAYERS * 3; count += GUILDS) {
      await Promise.all(side.guilds.map((_, index) => JOBS.posts?.(side, count + index)));
    }
  }
  counted = GUILDS * PLAYERS * 3;
  for (const [name, job] of Object.entries(JOBS)) {
    const rates: { plain: number; distributed: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.push({ plain: await rate(plain, job), distributed: await rate(distributed, job) });
    }
    const of = (side: 'plain' | 'distributed') => Math.round(median(rates.map((round) => round[side])));
    const ratio = median(rates.map((round) => round.distributed / round.plain));
    console.log(`${name}: plain ${of('plain')}/s, Citus ${of('distributed')}/s, ratio ${ratio.toFixed(2)}`);
  }
});
