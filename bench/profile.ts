import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAMS, requirePrograms } from '../scripts/requirements.ts';
import { LARGE, SMALL } from './support/ledger-file.ts';
import { createLoads, type Loads } from './support/loads.ts';
import { prepareLedger } from './support/prepare.ts';
import { createFolder } from './support/processes.ts';
import { startService } from './support/servers.ts';
import { runAndUndo } from './support/undo.ts';
import { type Load, runWrk, writeScript } from './support/wrk.ts';

// `npm run bench:profile JOB` runs one job for a while, writes the CPU profiles of the service's threads, and prints
// where the main thread spent its time. Chromium's developer tools open the files.

const SECONDS = 8;
const SHOWN = 30;
const PROFILES = fileURLToPath(new URL('./data/profiles', import.meta.url));

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

const [name = '', size = 'small'] = process.argv.slice(2);

function selfTimes({ nodes, samples, timeDeltas }: Profile): [string, number][] {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const file = url.replace(/^.*\/(node_modules|server)\//, '');
      return [id, `${functionName === '' ? '(anonymous)' : functionName}  ${file}:${lineNumber + 1}`];
    }),
  );
  const times = new Map<string, number>();
  samples.forEach((id, index) => {
    const place = names.get(id) ?? '';
    times.set(place, (times.get(place) ?? 0) + (timeDeltas[index] ?? 0));
  });
  return [...times].sort(([, left], [, right]) => right - left);
}

function printProfile(file: string): void {
  const times = selfTimes(JSON.parse(readFileSync(file, 'utf8')));
  const busy = times.filter(([place]) => !place.startsWith('(idle)') && !place.startsWith('(program)'));
  const total = busy.reduce((sum, [, time]) => sum + time, 0);
  console.log(`\n${path.relative(process.cwd(), file)}: ${(total / 1e6).toFixed(1)} s busy`);
  for (const [place, time] of busy.slice(0, SHOWN)) {
    console.log(`${((100 * time) / total).toFixed(1).padStart(5)} %  ${place}`);
  }
}

async function main(): Promise<void> {
  requirePrograms('The profiles', [PROGRAMS.wrk]);
  const ledger = await prepareLedger(size, size === 'large' ? LARGE : SMALL);
  const loads = createLoads(ledger.keys);
  if (!(name in loads)) {
    throw new Error(`Name a job: ${Object.keys(loads).join(', ')}`);
  }
  const load: Load = loads[name as keyof Loads];
  const folder = createFolder();
  rmSync(PROFILES, { recursive: true, force: true });
  mkdirSync(PROFILES, { recursive: true });
  const service = await startService({
    databaseUrl: `sqlite:${ledger.file}`,
    nodeArguments: ['--cpu-prof', `--cpu-prof-dir=${PROFILES}`],
  });
  const result = await runWrk(writeScript(folder, name, load), service.address, {
    seconds: SECONDS,
    connections: load.connections,
  });
  await service.stop();
  console.log(`${Math.round(result.requestsPerSecond)} requests/s, ${result.failures} failed`);
  for (const file of globSync(path.join(PROFILES, '*.cpuprofile')).sort()) {
    printProfile(file);
  }
}

await runAndUndo(main);
