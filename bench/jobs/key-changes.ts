import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { PROGRAMS } from '../../scripts/requirements.ts';
import { openToolbox, systemClock, systemIds, type Toolbox } from '../../server/src/compose.ts';
import { readConfig } from '../../server/src/config.ts';
import { OTHER_GUILD_ID } from '../support/ledger-file.ts';
import { median } from '../support/measure.ts';
import { type Bench, createStage, type Stage, secondsOf } from '../support/stage.ts';
import { runWrk, writeScript } from '../support/wrk.ts';
import { type Served, serve } from './postgres.ts';

const CHANGE_EVERY_MS = 500;
/** How many times as many records are read without changes of keys. */
const TIMES_MAX = 1.5;
const ACTOR = { kind: 'operator', id: 'bench' } as const;

/**
 * How much slower records are read while another guild changes a key twice a second. The keys in use belong to other guilds, so
 * that their place in the cache is not affected.
 */
export function createKeyChangesStage(bench: Bench): Stage {
  const title = 'get a discharge, PostgreSQL: without / with two changes of keys a second in another guild';
  return createStage<Served>({
    name: 'key-changes',
    programs: [PROGRAMS.wrk, PROGRAMS.postgres],
    aboutSecondsToStart: 8,
    start: () => serve(bench, 1),
    jobs: [
      {
        name: 'key-changes-discharge',
        title,
        aboutSeconds: secondsOf(bench.pace),
        async run({ service, loads, database }) {
          const script = writeScript(bench.folder, 'key-changes', loads.discharge);
          const rate = async (seconds = bench.pace.seconds) => {
            const { requestsPerSecond, failures } = await runWrk(script, service.address, { seconds });
            if (failures > 0) {
              throw new Error(`${failures} requests failed`);
            }
            return requestsPerSecond;
          };
          await rate(bench.pace.warmUpSeconds);
          const ratios: number[] = [];
          for (let round = 0; round < bench.pace.rounds; round += 1) {
            const without = await rate();
            ratios.push(without / (await whileKeysChange(database.url, rate)));
          }
          bench.findings.addFigure({ title, value: median(ratios), unit: 'times', atMost: TIMES_MAX });
        },
      },
    ],
    stop: ({ stop }) => stop(),
  });
}

/** Renames one key of another guild again and again while the work lasts. */
export async function whileKeysChange<Result>(
  databaseUrl: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const toolbox = await openTools(databaseUrl);
  const [key] = await toolbox.keys.list(OTHER_GUILD_ID);
  const stop = new AbortController();
  const changing = (async () => {
    for (let change = 0; !stop.signal.aborted; change += 1) {
      await toolbox.keys.update({ keyId: key?.keyId ?? '' }, { name: `changed ${change}` }, ACTOR);
      await pause(CHANGE_EVERY_MS, undefined, { signal: stop.signal }).catch(() => {});
    }
  })();
  try {
    return await work();
  } finally {
    stop.abort();
    await changing;
    await toolbox.close();
  }
}

function openTools(databaseUrl: string): Promise<Toolbox> {
  const onFatal = (error: Error) => {
    throw error;
  };
  const logger = pino({ level: 'silent' });
  return openToolbox(
    readConfig({ DATABASE_URL: databaseUrl, SECRET_KEY: 'a-secret-of-the-benchmark-only-32' }),
    {
      clock: systemClock,
      ids: systemIds,
      logger,
      onFatal,
    },
  );
}
