import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findSparePort } from '../../server/test/support/spare-port.ts';

const root = join(import.meta.dirname, '../..');
const startWaitMs = 60_000;
const stopWaitMs = 10_000;

export interface Demo {
  /** Without a slash at the end. */
  address: string;
  /** Everything the process printed, for the message of a failure. */
  output: () => string;
}

export interface RunningDemo extends Demo {
  end(): Promise<void>;
}

/** Starts `guildbook demo` with data of its own in a temporary folder, which goes when it ends. */
export async function startDemo(settings: Readonly<Record<string, string>> = {}): Promise<RunningDemo> {
  if (!existsSync(join(root, 'dashboard/dist/index.html'))) {
    throw new Error('The pages are not built. Run "npm run build" first.');
  }
  const folder = mkdtempSync(join(tmpdir(), 'guildbook-e2e-'));
  const port = await findSparePort();
  const child = spawn(process.execPath, [join(root, 'server/bin/guildbook.js'), 'demo'], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      output += part.toString();
    });
  }
  const end = async () => {
    await stop(child);
    rmSync(folder, { recursive: true, force: true });
  };
  const demo = { address: `http://127.0.0.1:${port}`, output: () => output, end };
  await waitUntilReady(demo, child).catch(async (error) => {
    await end();
    throw error;
  });
  return demo;
}

async function waitUntilReady(demo: Demo, child: ChildProcess): Promise<void> {
  const endMs = Date.now() + startWaitMs;
  while (Date.now() < endMs) {
    if (child.exitCode !== null) break;
    const answer = await fetch(`${demo.address}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await wait(100);
  }
  throw new Error(`guildbook demo did not become ready. It printed:\n${demo.output()}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopWaitMs);
  await ended;
  clearTimeout(timer);
}
