import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from './run.ts';

const PROGRAM = path.join(ROOT, 'server/bin/guildbook.js');
const START_MS = 60_000;
const LOOK_MS = 50;

export interface DeployedService {
  address: string;
  metricsUrl: string;
  /** Everything that it logs is appended here. */
  logFile: string;
  stop(): Promise<void>;
}

/** Starts a real service in a folder, its standard output appended to a file as `>>` does. */
export async function startDeployed(
  folder: string,
  env: Record<string, string>,
  flags: readonly string[] = [],
): Promise<DeployedService> {
  const logFile = path.join(folder, 'guildbook.log');
  const output = openSync(logFile, 'a');
  const child = spawn(process.execPath, [PROGRAM, '--quiet', 'serve', ...flags], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      METRICS_PORT: '0',
      DATABASE_URL: `sqlite:${folder}/guildbook.db`,
      ...env,
    },
    stdio: ['ignore', output, 'inherit'],
  });
  closeSync(output);
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  try {
    const address = await findInLog(logFile, 'address');
    return { address, metricsUrl: await findInLog(logFile, 'metrics'), logFile, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function findInLog(logFile: string, field: string): Promise<string> {
  const deadlineMs = performance.now() + START_MS;
  while (performance.now() < deadlineMs) {
    const pattern = new RegExp(`"${field}":"([^"]+)"`);
    const [, found] = pattern.exec(readFileSync(logFile, 'utf8')) ?? [];
    if (found !== undefined) {
      return found;
    }
    await pause(LOOK_MS);
  }
  throw new Error(`the service does not start:\n${readFileSync(logFile, 'utf8')}`);
}
