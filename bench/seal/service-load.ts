import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeLedgerFile, moveToDatabase, programOf, serveTree } from '../compare/tree.ts';
import { countIn } from '../support/counted.ts';
import { SMALL } from '../support/ledger-file.ts';
import { createLoads, type Loads } from '../support/loads.ts';
import { createFolder } from '../support/processes.ts';
import { measureTurns, type Side, type TurnsResult } from '../support/turns.ts';
import { runWrk, writeScript } from '../support/wrk.ts';
import type { Engine } from './place.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WITHOUT_SEALER = fileURLToPath(new URL('./without-sealer.ts', import.meta.url));
const SAMPLE_MS = 200;

export const JOBS = { posts: 'postDistinct', mixed: 'mixed' } as const;

interface SealedSide extends Side {
  keys: string[];
}

async function startSide(engine: Engine, { home, isSealing }: { home: string; isSealing: boolean }) {
  const name = isSealing ? 'sealing' : 'plain';
  const file = path.join(home, `${name}.db`);
  const keys = await makeLedgerFile(ROOT, { file, size: SMALL });
  const database = engine === 'postgres' ? await moveToDatabase(file, programOf(ROOT)) : undefined;
  const { countFile, ...counting } = countIn(home, `counts-${name}`, isSealing ? [] : [WITHOUT_SEALER]);
  const databaseUrl = database?.url ?? `sqlite:${file}`;
  const service = await serveTree(programOf(ROOT), { databaseUrl, keys, ...counting });
  return { service, countFile, keys };
}

/** Two services under load over HTTP, with and without the sealer. Each has a store of its own, and its own keys open it. */
export async function startSealedServices(engine: Engine, isPlainFirst: boolean) {
  const home = createFolder();
  const first = await startSide(engine, { home, isSealing: !isPlainFirst });
  const second = await startSide(engine, { home, isSealing: isPlainFirst });
  const [changed, plain] = isPlainFirst ? [second, first] : [first, second];

  const scriptOf = (side: SealedSide, job: keyof Loads) =>
    writeScript(home, `${job}-${side === plain ? 'plain' : 'sealing'}`, createLoads(side.keys)[job]);

  return {
    compare(load: keyof typeof JOBS, groups: number): Promise<TurnsResult> {
      const withScript = (side: SealedSide) => ({ ...side, script: scriptOf(side, JOBS[load]) });
      return measureTurns({ changed: withScript(changed), plain: withScript(plain) }, groups);
    },
    /** The longest time that the last transaction waited until it was sealed, while the load runs. */
    async worstLagMs(load: keyof typeof JOBS, seconds: number): Promise<number> {
      plain.service.signal('SIGSTOP');
      const endLag = watchLag(changed);
      await runWrk(scriptOf(changed, JOBS[load]), changed.service.address, { seconds });
      plain.service.signal('SIGCONT');
      return endLag();
    },
  };
}

/** Watches how long the last transaction waits until it is sealed. */
function watchLag({ service, keys }: SealedSide): () => number {
  let seen: { number: number; atMs: number }[] = [];
  let worstMs = 0;
  const timer = setInterval(async () => {
    const answer = await fetch(`${service.address}/guild/seal`, { headers: { 'x-api-key': keys[0] ?? '' } });
    const { data } = (await answer.json()) as { data: { size: number; behind: number } };
    const { size, behind } = data;
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
