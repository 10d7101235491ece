import { randomBytes } from 'node:crypto';
import { PROGRAMS } from '../../scripts/requirements.ts';
import { compare } from '../support/measure.ts';
import { startService } from '../support/servers.ts';
import { type Bench, createStage, type Job, type Stage, secondsOf } from '../support/stage.ts';
import { type Served, serve, warmUpKeys } from './postgres.ts';

/** The rate of two workers as a share of that of one. It takes more cores than the database and two workers use. */
const REACH = 1.3;

const LOADS = [
  { load: 'postDistinct', what: 'post, distinct players' },
  { load: 'postManyGuilds', what: 'post, 200 guilds' },
  { load: 'payment', what: 'payments between distinct players' },
] as const;

/** Two workers against one on the same database. The other service is idle meanwhile. */
export function createWorkersStage(bench: Bench): Stage {
  return createStage<Served>({
    name: 'workers',
    programs: [PROGRAMS.wrk, PROGRAMS.postgres, PROGRAMS.redis],
    aboutSecondsToStart: 8,
    start: () => serve(bench, 2),
    jobs: LOADS.map((plan) => workersJob(bench, plan)),
    stop: ({ stop }) => stop(),
  });
}

function workersJob(bench: Bench, { load, what }: (typeof LOADS)[number]): Job<Served> {
  const title = `${what}, PostgreSQL, two workers / one worker`;
  return {
    name: `workers-${load}`,
    title,
    aboutSeconds: secondsOf(bench.pace) + 3,
    async run({ service, database, loads, keys }) {
      const single = await startService({
        databaseUrl: database.url,
        arguments: ['--workers', '1'],
        env: { SECRET_KEY: randomBytes(32).toString('hex') },
      });
      await warmUpKeys(single.address, keys);
      const two = { name: 'two-workers', load: loads[load], server: service };
      const one = { name: 'one-worker', load: loads[load], server: single };
      bench.findings.addComparison(await compare(title, [two, one], { ...bench, reach: REACH }));
      await single.stop();
    },
  };
}
