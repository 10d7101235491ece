import { expect } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { startHaproxy } from '../support/haproxy.ts';
import { createPosterOn, type Poster, storeSettings } from '../support/load.ts';
import { untilTrue } from '../support/patience.ts';
import { type ServerProcess, startServer } from '../support/process.ts';
import { findSparePort } from '../support/spare-port.ts';

const POSTERS = 6;
const READERS = 3;
const KEYS = 200;
const PLAYERS = 20;
/** Requests that must have been answered between two restarts, so that each falls into traffic. */
const ANSWERED_BETWEEN = 50;

export interface Traffic {
  /** The names of all posts that were answered. */
  posted: string[];
  reads: number;
  /** What went wrong, in words. */
  failures: string[];
}

/**
 * Three instances behind the documented haproxy, restarted one after the other as the documentation says: stop, start,
 * wait until it is ready, go on to the next. Requests flow all the while.
 */
export async function restartUnderTraffic(databaseUrl: string, restarts: number): Promise<Traffic> {
  const poster = await createPosterOn(databaseUrl, KEYS);
  const instances = await startInstances(databaseUrl);
  try {
    const address = await startHaproxy(instances.ports);
    const flow = startTraffic(address, poster);
    for (let restart = 0; restart < restarts; restart += 1) {
      const target = flow.traffic.posted.length + ANSWERED_BETWEEN;
      await untilTrue(() => flow.traffic.posted.length >= target || flow.traffic.failures.length > 0, 60_000);
      await instances.restart(restart % instances.ports.length);
    }
    await flow.stop();
    await instances.stop();
    return flow.traffic;
  } finally {
    instances.kill();
  }
}

async function startInstances(databaseUrl: string) {
  const cwd = createFolder();
  const ports = [await findSparePort(), await findSparePort(), await findSparePort()] as const;
  const running: ServerProcess[] = [];
  const start = (port: number) =>
    startServer({
      cwd,
      env: { ...storeSettings(databaseUrl), PORT: String(port), DRAIN_DELAY_SECONDS: '2' },
    });
  async function stopOne(instance: ServerProcess | undefined): Promise<void> {
    instance?.child.kill('SIGTERM');
    expect(await instance?.ended).toEqual({ status: 0, signal: null });
  }
  for (const port of ports) {
    running.push(await start(port));
  }
  return {
    ports,
    async restart(index: number): Promise<void> {
      await stopOne(running[index]);
      // Started means ready, as the documentation asks for.
      running[index] = await start(ports[index] ?? 0);
    },
    async stop(): Promise<void> {
      await Promise.all(running.map(stopOne));
    },
    /** For what is left when a test failed. */
    kill(): void {
      for (const { child } of running) {
        child.kill('SIGKILL');
      }
    },
  };
}

/** Keeps posting and reading, and remembers what became of it. */
function startTraffic(address: string, poster: Poster) {
  const traffic: Traffic = { posted: [], reads: 0, failures: [] };
  let isOver = false;
  let planned = 0;
  async function post(): Promise<void> {
    while (!isOver) {
      planned += 1;
      const name = `post-${planned}`;
      const isAnswered = await poster.post(address, {
        playerId: `p${planned % PLAYERS}`,
        name,
        amount: 1,
        quantity: 1,
      });
      (isAnswered ? traffic.posted : traffic.failures).push(name);
    }
  }
  async function read(): Promise<void> {
    while (!isOver) {
      const outcome = await readOnce(`${address}/commands`);
      traffic.reads += 1;
      if (outcome !== 200) {
        traffic.failures.push(`read: ${outcome}`);
      }
    }
  }
  const flow = [...Array.from({ length: POSTERS }, post), ...Array.from({ length: READERS }, read)];
  return {
    traffic,
    async stop(): Promise<void> {
      isOver = true;
      await Promise.all(flow);
    },
  };
}

async function readOnce(url: string): Promise<unknown> {
  try {
    const reply = await fetch(url);
    const text = await reply.text();
    return reply.status === 200 ? 200 : `${reply.status} ${text}`;
  } catch (error) {
    return (error as Error).cause;
  }
}
