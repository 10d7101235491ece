import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { createClient } from '@redis/client';
import { createFolder } from './folder.ts';
import { endNow, watch } from './process.ts';
import { findSparePort } from './spare-port.ts';

/** A real Redis on a spare port, without persistence, that a test may stop, kill and start again. */
export interface TestRedis {
  port: number;
  url: string;
  /** Runs one command on a connection of the test's own. */
  send(...command: string[]): Promise<unknown>;
  /** Holds the process still: connections stay open and nothing is answered. */
  pause(): void;
  resume(): void;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it on the same port again, with nothing in it. */
  start(): Promise<void>;
}

/** Everything ends with the tests of the file. `options` are those of redis-server's command line. */
export async function startRedis(options: readonly string[] = []): Promise<TestRedis> {
  const port = await findSparePort();
  const folder = createFolder();
  const plain = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const launch = () => spawnRedis([...plain, '--appendonly', 'no', ...options]);
  let child = await launch();
  const url = `redis://127.0.0.1:${port}`;
  return {
    port,
    url,
    send: (...command) => sendOnce(url, command),
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    kill: () => endNow(child),
    async start() {
      child = await launch();
    },
  };
}

async function sendOnce(url: string, command: string[]): Promise<unknown> {
  const client = createClient({ url, RESP: 2, socket: { reconnectStrategy: false } });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.sendCommand(command);
  } finally {
    client.destroy();
  }
}

async function spawnRedis(args: readonly string[]): Promise<ChildProcess> {
  const child = watch(spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] }));
  await new Promise<void>((resolve, reject) => {
    const lines: string[] = [];
    child.on('error', (error: NodeJS.ErrnoException) => {
      const isAbsent = error.code === 'ENOENT';
      reject(isAbsent ? new Error('redis-server is not installed: apt-get install redis-server') : error);
    });
    child.on('exit', () => reject(new Error(`redis-server ended:\n${lines.join('\n')}`)));
    createInterface(child.stdout).on('line', (line) => {
      lines.push(line);
      if (line.includes('Ready to accept connections')) {
        resolve();
      }
    });
  });
  return child;
}
