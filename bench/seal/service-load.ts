import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeLedgerFile, moveToDatabase, programOf, serveTree } from '../compare/tree.ts';
import { SMALL } from '../support/ledger-file.ts';
import { createLoads } from '../support/loads.ts';
import { createFolder } from '../support/processes.ts';
import { runWrk, writeScript } from '../support/wrk.ts';
import type { Engine } from './place.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SWITCH = fileURLToPath(new URL('./switch.ts', import.meta.url));
const WARM_UP_SECONDS = 5;
const SAMPLE_MS = 200;

export const JOBS = { posts: 'postDistinct', mixed: 'mixed' } as const;

/** Requests a second with and without the sealer, one after the other. */
export interface Pair {
  on: number;
  off: number;
}

/** A service whose sealer is switched off and on, under load over HTTP. */
export async function startSealedService(engine: Engine) {
  const home = createFolder();
  const file = path.join(home, 'sealed.db');
  const pause = path.join(home, 'pause');
  const keys = await makeLedgerFile(ROOT, { file, size: SMALL });
  const database = engine === 'postgres' ? await moveToDatabase(file, programOf(ROOT)) : undefined;
  const service = await serveTree(programOf(ROOT), {
    databaseUrl: database?.url ?? `sqlite:${file}`,
    keys,
    nodeArguments: ['--import', SWITCH],
    env: { SEAL_PAUSE: pause },
  });
  const loads = createLoads(keys);

  async function state(): Promise<{ size: number; behind: number }> {
    const answer = await fetch(`${service.address}/guild/seal`, { headers: { 'x-api-key': keys[0] ?? '' } });
    const { data } = (await answer.json()) as { data: { size: number; behind: number } };
    return data;
  }

  async function untilSealed(): Promise<void> {
    rmSync(pause, { force: true });
    while ((await state()).behind > 0) {
      await wait(SAMPLE_MS);
    }
  }

  /** Watches how long the last transaction waits until it is sealed. */
  function watchLag(): () => number {
    let seen: { number: number; atMs: number }[] = [];
    let worstMs = 0;
    const timer = setInterval(async () => {
      const { size, behind } = await state();
      const nowMs = performance.now();
      seen = [...seen.filter(({ number }) => number > size), { number: size + behind, atMs: nowMs }];
      const [first] = seen;
      if (first !== undefined && first.number > size) {
        worstMs = Math.max(worstMs, nowMs - first.atMs);
      }
    }, SAMPLE_MS);
    return () => {
      clearInterval(timer);
      return worstMs;
    };
  }

  /** The order changes with each pair, so that a growing store costs both the same. */
  async function compare(
    load: keyof typeof JOBS,
    { pairs, seconds }: { pairs: number; seconds: number },
  ): Promise<{ pairs: Pair[]; worstMs: number }> {
    const script = writeScript(home, load, loads[JOBS[load]]);
    const rate = async (forSeconds: number) =>
      (await runWrk(script, service.address, { seconds: forSeconds })).requestsPerSecond;
    let worstMs = 0;
    async function measureOff(): Promise<number> {
      writeFileSync(pause, '');
      const found = await rate(seconds);
      await untilSealed();
      return found;
    }
    async function measureOn(): Promise<number> {
      const endLag = watchLag();
      const found = await rate(seconds);
      worstMs = Math.max(worstMs, endLag());
      await untilSealed();
      return found;
    }
    await rate(WARM_UP_SECONDS);
    await untilSealed();
    const found: Pair[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      const isOffFirst = pair % 2 === 0;
      const first = await (isOffFirst ? measureOff() : measureOn());
      const second = await (isOffFirst ? measureOn() : measureOff());
      found.push(isOffFirst ? { off: first, on: second } : { off: second, on: first });
    }
    return { pairs: found, worstMs };
  }

  return { compare };
}
