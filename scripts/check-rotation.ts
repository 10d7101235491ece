import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { startDeployed } from './deploy-service.ts';
import { programEnvironment, ROOT } from './run.ts';

const ROTATIONS = 3;
const REQUESTS_BETWEEN = 200;

/**
 * Lets logrotate rotate the log of a real service that is asked all the time, with deploy/logrotate.conf. Every line has to be
 * whole, and the file has to begin anew: what is lost is counted, and can only be lines between copying and emptying.
 */
export async function checkRotation(folder: string): Promise<void> {
  const place = path.join(folder, 'logs');
  mkdirSync(place, { mode: 0o755 });
  const conf = path.join(folder, 'logrotate.conf');
  const text = readFileSync(path.join(ROOT, 'deploy/logrotate.conf'), 'utf8');
  writeFileSync(conf, text.replaceAll('/var/log/guildbook', place), { mode: 0o644 });
  const service = await startDeployed(place, { LOG_LEVEL: 'debug' });
  const asking = createAsking(`${service.address}/livez`);
  try {
    for (let count = 1; count <= ROTATIONS; count += 1) {
      await asking.until(count * REQUESTS_BETWEEN);
      await rotate(['--force', '--state', path.join(folder, 'logrotate.state'), conf]);
    }
    await asking.until((ROTATIONS + 1) * REQUESTS_BETWEEN);
  } finally {
    await asking.end();
    await service.stop();
  }
  const current = readFileSync(service.logFile, 'utf8');
  if (current.includes('\0') || !current.startsWith('{')) {
    throw new Error('the log does not begin anew after a rotation');
  }
  const rotated = globSync(`${service.logFile}.*`);
  if (rotated.length !== ROTATIONS) {
    throw new Error(`expected ${ROTATIONS} rotated files, found ${rotated.join(', ')}`);
  }
  const kept = [...rotated.map(readRotated), current].reduce((sum, text) => sum + countLines(text), 0);
  console.log(`${asking.count()} lines, ${ROTATIONS} rotations, ${asking.count() - kept} lost between files`);
}

/** Requests go on meanwhile, so it is not waited for as `run` does. */
async function rotate(args: readonly string[]): Promise<void> {
  const child = spawn('logrotate', args, { env: programEnvironment(), stdio: 'inherit' });
  const [status] = await once(child, 'exit');
  if (status !== 0) {
    throw new Error(`logrotate ended with status ${status}`);
  }
}

function readRotated(file: string): string {
  const content = readFileSync(file);
  return (file.endsWith('.gz') ? gunzipSync(content) : content).toString('utf8');
}

/** Requests are numbered one by one: within a file no number may be missing. */
function countLines(text: string): number {
  const lines = text.split('\n').filter((line) => line !== '');
  // A line that is cut is no JSON, and throws here.
  const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  const numbers = requests.map(({ reqId }) => Number.parseInt(reqId.split('-').at(-1), 36));
  if (numbers.some((number, index) => index > 0 && number !== (numbers[index - 1] ?? 0) + 1)) {
    throw new Error('lines are missing within a file');
  }
  return numbers.length;
}

/** Sends one request after the other until it is ended. */
function createAsking(url: string) {
  let [answered, isOver] = [0, false];
  let onAnswer = () => {};
  const work = (async () => {
    while (!isOver) {
      await (await fetch(url)).text();
      answered += 1;
      onAnswer();
    }
  })();
  return {
    count: () => answered,
    async until(count: number): Promise<void> {
      const reached = new Promise<void>((resolve) => {
        onAnswer = () => answered >= count && resolve();
      });
      await Promise.race([reached, work]);
    },
    async end(): Promise<void> {
      isOver = true;
      await work;
    },
  };
}
