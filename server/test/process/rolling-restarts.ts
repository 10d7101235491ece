import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { startHaproxy } from '../support/haproxy.ts';
import { createPosterOn, type ExplainingPoster, type PlannedPost, storeSettings } from '../support/load.ts';
import { untilTrue } from '../support/patience.ts';
import { endNow, type ServerProcess, startServer } from '../support/process.ts';
import { findSparePort } from '../support/spare-port.ts';

const POSTERS = 4;
const READERS = 2;
const KEYS = 200;
const PLAYERS = 20;
/** Requests that must have been answered between two restarts, so that each falls into traffic. */
const ANSWERED_BETWEEN = 50;
/** Between two requests of one client. Together they keep the instances busy without using up the machine. */
const BREATH_MS = 20;
/** The longest there is, so that haproxy notices in time on a busy machine. */
const DRAIN_DELAY_SECONDS = '5';
/** An instance whose machine is too busy says so. That has nothing to do with a restart, and the client tries again. */
const OVERLOADED = 'overloaded';

export interface Traffic {
  /** The names of all posts that were answered. */
  posted: string[];
  reads: number;
  /** Descriptions of the failed requests. */
  failures: string[];
}

/**
 * Three instances behind the documented haproxy, restarted one after the other as the documentation says: stop, start,
 * wait until it is ready, go on to the next. Requests flow all the while.
 */
export async function restartUnderTraffic(databaseUrl: string, restarts: number): Promise<Traffic> {
  const poster = await createPosterOn(databaseUrl, KEYS);
  const instances = await startInstances(databaseUrl);
  const address = await startHaproxy(instances.ports);
  const { traffic, stop } = startTraffic(address, poster);
  try {
    for (let restart = 0; restart < restarts; restart += 1) {
      const [posted, reads] = [traffic.posted.length, traffic.reads];
      await untilTrue(
        () =>
          traffic.failures.length > 0 ||
          (traffic.posted.length >= posted + ANSWERED_BETWEEN &&
            traffic.reads > reads + ANSWERED_BETWEEN / 5),
      );
      await instances.restart(restart % instances.ports.length);
    }
  } finally {
    await stop();
    await instances.kill();
  }
  return traffic;
}

async function startInstances(databaseUrl: string) {
  const cwd = createFolder();
  const ports = [await findSparePort(), await findSparePort(), await findSparePort()] as const;
  const start = (port: number) =>
    startServer({ cwd, env: { ...storeSettings(databaseUrl), PORT: String(port), DRAIN_DELAY_SECONDS } });
  const running: ServerProcess[] = await Promise.all(ports.map(start));
  return {
    ports,
    async restart(index: number): Promise<void> {
      running[index]?.child.kill('SIGTERM');
      expect(await running[index]?.ended).toEqual({ status: 0, signal: null });
      // Started means ready, as the documentation asks for.
      running[index] = await start(ports[index] ?? 0);
    },
    async kill(): Promise<void> {
      await Promise.all(running.map(({ child }) => endNow(child)));
    },
  };
}

/** Keeps posting and reading, and remembers what became of it. */
function startTraffic(address: string, poster: ExplainingPoster) {
  const traffic: Traffic = { posted: [], reads: 0, failures: [] };
  let isOver = false;
  let planned = 0;

  /** Asks until the answer has nothing to do with the machine. */
  async function refusalOf(ask: () => Promise<string | undefined>): Promise<string | undefined> {
    let refusal = await ask();
    while (refusal?.includes(OVERLOADED)) {
      await pause(BREATH_MS);
      refusal = await ask();
    }
    return refusal;
  }

  async function post(): Promise<void> {
    while (!isOver) {
      planned += 1;
      const one: PlannedPost = {
        playerId: `p${planned % PLAYERS}`,
        name: `post-${planned}`,
        amount: 1,
        quantity: 1,
      };
      const refusal = await refusalOf(() => poster.refusalOf(address, one));
      if (refusal === undefined) {
        traffic.posted.push(one.name);
      } else {
        traffic.failures.push(`${one.name}: ${refusal}`);
      }
      await pause(BREATH_MS);
    }
  }

  async function read(): Promise<void> {
    while (!isOver) {
      const refusal = await refusalOf(() => readOnce(`${address}/commands`));
      traffic.reads += 1;
      if (refusal !== undefined) {
        traffic.failures.push(`read: ${refusal}`);
      }
      await pause(BREATH_MS);
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

/** Why it was not answered with 200; undefined when it was. */
async function readOnce(url: string): Promise<string | undefined> {
  try {
    const reply = await fetch(url);
    const text = await reply.text();
    return reply.status === 200 ? undefined : `${reply.status} ${text}`;
  } catch (error) {
    return String((error as Error).cause ?? error);
  }
}
